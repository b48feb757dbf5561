package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/rank"
)

// A report writes results as Go benchmark text. Lines that begin with "#" are
// for people; tools skip them.
type report struct {
	out     io.Writer
	set     string
	cells   int   // of the set, for the jobs of cells
	lengths []int // of the texts, for the jobs that begin with them
	err     error
	results []result
	told    []string // what has been said of the implementations
}

// A result is the costs of an implementation of a job, round by round.
type result struct {
	job, impl, set, name string
	values               int // of all cells by all measures, 0 for a single measure
	costs                []time.Duration
}

func (r *report) printf(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintf(r.out, format, args...)
	}
}

// config writes the lines that say where the results come from.
func (r *report) config(opt options) {
	r.printf("goos: %s\ngoarch: %s\npkg: github.com/termsift/termsift/bench/compare\n", runtime.GOOS, runtime.GOARCH)
	if cpu := lab.OriginOf("").CPU; cpu != "" {
		r.printf("cpu: %s\n", cpu)
	}
	r.printf("go: %s\n", runtime.Version())
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		r.printf("load: %s\n", strings.Join(strings.Fields(string(load))[:3], " "))
	}
	sets := ""
	if len(opt.sets) > 0 && opt.wants(cellJobs) {
		sets = " -sets " + strings.Join(opt.sets, ",")
	}
	if opt.newest != "" {
		sets += " -newest FOLDER"
	}
	r.printf("command: go run ./bench/compare -rounds %d -jobs %s%s\n", opt.rounds, opt.jobs, sets)
}

// team writes the versions of the implementations, and which are missing, unless that
// has been said of another team.
func (r *report) team(m *team) {
	for _, version := range m.versions() {
		key, value, _ := strings.Cut(version, "=")
		r.once("%s: %s\n", key, value)
	}
	for _, sentence := range m.missing {
		r.once("# skipped: %s\n", sentence)
	}
}

func (r *report) once(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if !slices.Contains(r.told, line) {
		r.told = append(r.told, line)
		r.printf("%s", line)
	}
}

func (r *report) note(format string, args ...any) {
	r.printf("# %s\n", fmt.Sprintf(format, args...))
}

// line writes one measurement.
func (r *report) line(j job, impl string, cost time.Duration) {
	name := fmt.Sprintf("BenchmarkCompare%s/impl=%s/set=%s-1", j.name, impl, r.set)
	values := 0
	if j.name == cellsAll {
		values = r.cells * len(rank.Measures())
	}
	r.printf("%s\t%8d\t%12d ns/op%s%s\n", name, 1, cost.Nanoseconds(), rate(j.bytes(r.lengths), cost), perValue(cost, values, "ns/cell-measure"))
	for i := range r.results {
		if r.results[i].name == name {
			r.results[i].costs = append(r.results[i].costs, cost)
			return
		}
	}
	r.results = append(r.results, result{j.name, impl, r.set, name, values, []time.Duration{cost}})
}

// rate formats how many bytes a second there are, "" of none.
func rate(bytes int, cost time.Duration) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("\t%12.2f MB/s", float64(bytes)/1e6/cost.Seconds())
}

// perValue formats the share of each cell and measure in the cost of all of them; it is
// "" where there is no such number.
func perValue(cost time.Duration, values int, unit string) string {
	if values == 0 {
		return ""
	}
	return fmt.Sprintf("\t%12.2f %s", float64(cost.Nanoseconds())/float64(values), unit)
}

// summary writes the medians and how often our time goes into each.
func (r *report) summary() {
	own := map[string]time.Duration{}
	for _, x := range r.results {
		if x.impl == ours {
			own[x.set+x.job] = lab.Median(x.costs)
		}
	}
	r.note("medians of CPU time, and times ours:")
	for _, x := range r.results {
		m := lab.Median(x.costs)
		r.note("%-60s %10.2f ms %8.2f%s", strings.TrimPrefix(x.name, "Benchmark"), m.Seconds()*1e3, float64(m)/float64(max(own[x.set+x.job], 1)), perValue(m, x.values, "ns a cell and measure"))
	}
}
