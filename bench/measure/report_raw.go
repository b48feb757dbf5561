package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/termsift/termsift/bench/lab"
)

// A benchmark is all runs of one benchmark in one raw file.
type benchmark struct {
	file string
	name string // without "Benchmark" and the number of threads
	runs []map[string]float64
}

// A rawFile is the output of go test -bench.
type rawFile struct {
	name       string
	benchmarks []*benchmark
	settings   map[string][]string // the values of lines "key: value", in order
}

var failure = regexp.MustCompile(`(?m)^(FAIL|--- FAIL|panic:).*$`)

// readRaw reads a raw file; name is how errors call it.
func readRaw(path, name string) *rawFile {
	var text []byte
	lab.In(name, func() { text = lab.Need(os.ReadFile(path)) })
	if line := failure.Find(text); line != nil {
		panic(lab.Errorf("%s: the run has failed (%q); measure again", name, line))
	}
	f := &rawFile{name: name, settings: map[string][]string{}}
	if err := lab.Try(func() { readRuns(string(text), name, f.add) }); err != nil {
		panic(lab.Errorf("%w; remove what is no output of a benchmark", err))
	}
	if len(f.benchmarks) == 0 {
		panic(lab.Errorf("%s: no results in it; -h says how raw files are made", name))
	}
	return f
}

// add takes over one run with its configuration.
func (f *rawFile) add(r *benchfmt.Result, figures map[string]float64) {
	for _, c := range r.Config {
		if value := string(c.Value); !slices.Contains(f.settings[c.Key], value) {
			f.settings[c.Key] = append(f.settings[c.Key], value)
		}
	}
	name := threads.ReplaceAllString(r.Name.String(), "")
	i := slices.IndexFunc(f.benchmarks, func(b *benchmark) bool { return b.name == name })
	if i < 0 {
		i = len(f.benchmarks)
		f.benchmarks = append(f.benchmarks, &benchmark{file: f.name, name: name})
	}
	f.benchmarks[i].runs = append(f.benchmarks[i].runs, figures)
}

// threads is what go test appends to a name.
var threads = regexp.MustCompile(`-\d+$`)

// A report reads the raw files of a folder, each only once.
type report struct {
	dir   string
	files map[string]*rawFile
}

func (r *report) open(name string) *rawFile {
	if r.files == nil {
		r.files = map[string]*rawFile{}
	}
	if r.files[name] == nil {
		r.files[name] = readRaw(filepath.Join(r.dir, name), name)
	}
	return r.files[name]
}

// sample measures the one benchmark that a reference "FILE PATTERN" names.
func (r *report) sample(reference, unit string) sample {
	file, pattern, _ := strings.Cut(reference, " ")
	f := r.open(file)
	name := lab.Need(regexp.Compile(strings.ReplaceAll(pattern, mostThreads, f.maxThreads())))
	var found []*benchmark
	for _, b := range f.benchmarks {
		if name.MatchString(b.name) {
			found = append(found, b)
		}
	}
	switch len(found) {
	case 0:
		panic(lab.Errorf("%s has no benchmark that `%s` matches; it has %s", file, pattern, f.baseNames()))
	case 1:
		return found[0].in(unit)
	}
	panic(lab.Errorf("%s: `%s` matches %d benchmarks, %s and %s among them; it must match one", file, pattern, len(found), found[0].name, found[1].name))
}

// mostThreads stands in references for the greatest number of threads that the file has.
const mostThreads = "MOST"

var threadsOf = regexp.MustCompile(`/threads=(\d+)`)

func (f *rawFile) maxThreads() string {
	most := 1
	for _, b := range f.benchmarks {
		if found := threadsOf.FindStringSubmatch(b.name); found != nil {
			most = max(most, lab.Need(strconv.Atoi(found[1])))
		}
	}
	return strconv.Itoa(most)
}

// baseNames lists what a person may have meant.
func (f *rawFile) baseNames() string {
	var names []string
	for _, b := range f.benchmarks {
		if base, _, _ := strings.Cut(b.name, "/"); !slices.Contains(names, base) {
			names = append(names, base)
		}
	}
	return strings.Join(names, ", ")
}

// in gives the figures of the benchmark in a unit, or in a multiple of it.
func (b *benchmark) in(unit string) sample {
	var values []float64
	for _, run := range b.runs {
		if v, ok := lookUp(run, unit); ok {
			values = append(values, v)
		}
	}
	if len(values) < len(b.runs) {
		units := strings.Join(slices.Sorted(maps.Keys(b.runs[0])), ", ")
		panic(lab.Errorf("%s: %d of %d runs of %s have no %s; the first one has %s", b.file, len(b.runs)-len(values), len(b.runs), b.name, unit, units))
	}
	return newSample(values)
}

// lookUp finds a figure of a run in the unit, or in nanoseconds where milliseconds are asked for.
func lookUp(run map[string]float64, unit string) (float64, bool) {
	if v, ok := run[unit]; ok {
		return v, true
	}
	v, ok := run[strings.Replace(unit, "ms/", "ns/", 1)]
	return v / 1e6, ok
}
