package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// open reads the files of a directive, each only once.
func (r *report) open(d directive) ([]*rawFile, error) {
	var files []*rawFile
	for _, name := range d.list("file") {
		if r.files[name] == nil {
			f, err := readRaw(filepath.Join(r.dir, filepath.FromSlash(name)), name)
			if err != nil {
				return nil, err
			}
			r.files[name] = f
		}
		files = append(files, r.files[name])
	}
	return files, nil
}

// choose finds the benchmarks that the argument key and pkg= and procs= match,
// in the order of the files. None is an error.
func (r *report) choose(d directive, key string) ([]*benchmark, error) {
	files, err := r.open(d)
	if err != nil {
		return nil, err
	}
	name, err := regexp.Compile(d.args[key])
	if err != nil {
		return nil, fmt.Errorf("%s=: %w", key, err)
	}
	pkg, err := regexp.Compile(d.args["pkg"])
	if err != nil {
		return nil, fmt.Errorf("pkg=: %w", err)
	}
	var found []*benchmark
	for _, f := range files {
		for _, b := range f.benchmarks {
			procs := d.args["procs"]
			if name.MatchString(b.name) && pkg.MatchString(b.keys["pkg"]) && (procs == "" || procs == b.keys["procs"]) {
				found = append(found, b)
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no benchmark that %s=`%s`%s matches; it has %s", d.args["file"], key, d.args[key], narrowing(d), baseNames(files))
	}
	return found, nil
}

// narrowing repeats the other arguments that choose benchmarks.
func narrowing(d directive) (s string) {
	for _, key := range []string{"pkg", "procs"} {
		if v := d.args[key]; v != "" {
			s += " with " + key + "=" + v
		}
	}
	return s
}

// baseNames lists what a person may have meant.
func baseNames(files []*rawFile) string {
	var names []string
	for _, f := range files {
		for _, b := range f.benchmarks {
			if base := b.keys["name"]; !slices.Contains(names, base) {
				names = append(names, base)
			}
		}
	}
	return strings.Join(names, ", ")
}

// chooseOne is choose where exactly one benchmark is meant.
func (r *report) chooseOne(d directive, key string) (*benchmark, error) {
	found, err := r.choose(d, key)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 {
		return nil, fmt.Errorf("%s: %s=`%s` matches %d benchmarks, %s and %s among them; it must match one", d.args["file"], key, d.args[key], len(found), found[0].full(), found[1].full())
	}
	return found[0], nil
}

// full names a benchmark so that it differs from all others.
func (b *benchmark) full() string {
	return fmt.Sprintf("%s (file %s, pkg %q, procs %s)", b.name, b.file, b.keys["pkg"], b.keys["procs"])
}

// measure gives the sample of a benchmark and notes if it has too few runs.
func (r *report) measure(b *benchmark, unit string) (sample, error) {
	if len(b.runs) < enoughRuns && !r.warned[b] {
		r.warned[b] = true
		r.warnings = append(r.warnings, fmt.Sprintf("%s: %s has %d of at least %d runs; measure it with -count %d", b.file, b.name, len(b.runs), enoughRuns, enoughRuns))
	}
	return b.in(unit)
}

// distinct says what to do if two benchmarks would have the same label.
func distinct(found []*benchmark, label func(*benchmark) string) error {
	seen := map[string]*benchmark{}
	for _, b := range found {
		if other := seen[label(b)]; other != nil {
			return fmt.Errorf("%s and %s would be the same place of the table; narrow match= or give pkg= or procs=", other.full(), b.full())
		}
		seen[label(b)] = b
	}
	return nil
}
