package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A benchmark is all runs of one benchmark in one raw file.
type benchmark struct {
	file string
	name string            // without "Benchmark" and the number of threads
	keys map[string]string // the keys of the name, and name, pkg, procs
	runs []map[string]float64
}

// A setting is a configuration key of a raw file with its values in order.
type setting struct {
	key    string
	values []string
}

// A rawFile is the output of go test -bench.
type rawFile struct {
	name       string
	benchmarks []*benchmark
	settings   []setting
}

var failure = regexp.MustCompile(`(?m)^(FAIL|--- FAIL|panic:).*$`)

// readRaw reads a raw file; name is how errors call it.
func readRaw(path, name string) (*rawFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if line := failure.Find(text); line != nil {
		return nil, fmt.Errorf("%s: the run has failed (%q); measure again", name, line)
	}
	f := &rawFile{name: name}
	r := benchfmt.NewReader(bytes.NewReader(text), name)
	for r.Scan() {
		switch record := r.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%w; remove what is no output of a benchmark", record)
		case *benchfmt.Result:
			f.add(record)
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	if len(f.benchmarks) == 0 {
		return nil, fmt.Errorf("%s: no results in it; -h says how raw files are made", name)
	}
	return f, nil
}

// add takes over one run with its configuration.
func (f *rawFile) add(r *benchfmt.Result) {
	for _, c := range r.Config {
		f.set(c.Key, string(c.Value))
	}
	name, keys := splitName(r.Name)
	keys["pkg"] = r.GetConfig("pkg")
	run := map[string]float64{}
	for _, v := range r.Values {
		value, unit := asWritten(v)
		run[unit] = value
	}
	b := f.find(name, keys)
	b.runs = append(b.runs, run)
}

func (f *rawFile) set(key, value string) {
	i := slices.IndexFunc(f.settings, func(s setting) bool { return s.key == key })
	if i < 0 {
		f.settings = append(f.settings, setting{key, []string{value}})
	} else if s := &f.settings[i]; !slices.Contains(s.values, value) {
		s.values = append(s.values, value)
	}
}

// find gives the benchmark of that name, package and number of threads.
func (f *rawFile) find(name string, keys map[string]string) *benchmark {
	for _, b := range f.benchmarks {
		if b.name == name && b.keys["pkg"] == keys["pkg"] && b.keys["procs"] == keys["procs"] {
			return b
		}
	}
	b := &benchmark{file: f.name, name: name, keys: keys}
	f.benchmarks = append(f.benchmarks, b)
	return b
}

// splitName takes the number of threads off a name and finds its keys.
func splitName(n benchfmt.Name) (name string, keys map[string]string) {
	base, parts := n.Parts()
	name = n.String()
	keys = map[string]string{"name": string(base), "procs": "1"}
	for _, part := range parts {
		if procs, ok := bytes.CutPrefix(part, []byte("-")); ok {
			keys["procs"] = string(procs)
			name = strings.TrimSuffix(name, string(part))
		} else if key, value, ok := strings.Cut(string(part[1:]), "="); ok {
			keys[key] = value
		}
	}
	return name, keys
}

// asWritten undoes what benchfmt does to units: it reads ns as sec.
func asWritten(v benchfmt.Value) (float64, string) {
	if v.OrigUnit != "" {
		return v.OrigValue, v.OrigUnit
	}
	return v.Value, v.Unit
}
