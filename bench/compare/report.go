package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// A report writes results as Go benchmark text. Lines that begin with "#" are
// for people; tools skip them.
type report struct {
	out     io.Writer
	set     string
	err     error
	results []result
}

// A result is the costs of an implementation of a job, round by round.
type result struct {
	job, impl, name string
	costs           []time.Duration
}

func (r *report) printf(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintf(r.out, format, args...)
	}
}

// config writes the lines that say where the results come from.
func (r *report) config(opt options, m *team) {
	r.printf("goos: %s\ngoarch: %s\npkg: github.com/termsift/termsift/bench/compare\n", runtime.GOOS, runtime.GOARCH)
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if name := processor(string(info)); name != "" {
			r.printf("cpu: %s\n", name)
		}
	}
	r.printf("go: %s\n", runtime.Version())
	for _, version := range m.versions() {
		key, value, _ := strings.Cut(version, "=")
		r.printf("%s: %s\n", key, value)
	}
	r.printf("command: go run ./bench/compare -rounds %d -jobs %s\n", opt.rounds, opt.jobs)
}

// processor finds the name in Linux's description.
func processor(info string) string {
	for line := range strings.Lines(info) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (r *report) skipped(m *team) {
	for _, sentence := range m.missing {
		r.note("skipped: %s", sentence)
	}
}

func (r *report) note(format string, args ...any) {
	r.printf("# %s\n", fmt.Sprintf(format, args...))
}

// line writes one measurement.
func (r *report) line(j job, impl string, cost time.Duration) {
	name := fmt.Sprintf("BenchmarkCompare%s/impl=%s/set=%s%s-1", j.name, impl, r.set, j.peers[impl].suffix)
	r.printf("%s\t%8d\t%12d ns/op\n", name, 1, cost.Nanoseconds())
	for i := range r.results {
		if r.results[i].name == name {
			r.results[i].costs = append(r.results[i].costs, cost)
			return
		}
	}
	r.results = append(r.results, result{j.name, impl, name, []time.Duration{cost}})
}

// summary writes the medians and how often our time goes into each.
func (r *report) summary() {
	own := map[string]time.Duration{}
	for _, x := range r.results {
		if x.impl == ours {
			own[x.job] = median(x.costs)
		}
	}
	r.note("medians of CPU time, and times ours:")
	for _, x := range r.results {
		m := median(x.costs)
		r.note("%-60s %10.2f ms %8.2f", strings.TrimPrefix(x.name, "Benchmark"), m.Seconds()*1e3, float64(m)/float64(max(own[x.job], 1)))
	}
}
