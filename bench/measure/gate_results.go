package main

import (
	"golang.org/x/perf/benchfmt"
)

// The units that are compared.
const (
	wallTime = "ns/op"
	cpuTime  = "cpu-ns/op"
)

// A result is the times of one benchmark or job, of base and head.
type result struct {
	pkg, name string // the package of a benchmark, "job" of a job
	wall, cpu [2][]float64
}

// gateResults are those of all benchmarks, in the order in which they first ran.
type gateResults struct{ list []*result }

// add reads the output of a test binary of a side, 0 for base and 1 for head.
func (r *gateResults) add(pkg string, side int, output string) {
	readRuns(output, "output", func(record *benchfmt.Result, figures map[string]float64) {
		one := r.find(pkg, record.Name.String())
		if v, ok := figures[wallTime]; ok {
			one.wall[side] = append(one.wall[side], v)
		}
		if v, ok := figures[cpuTime]; ok {
			one.cpu[side] = append(one.cpu[side], v)
		}
	})
}

func (r *gateResults) find(pkg, name string) *result {
	for _, one := range r.list {
		if one.pkg == pkg && one.name == name {
			return one
		}
	}
	one := &result{pkg: pkg, name: name}
	r.list = append(r.list, one)
	return one
}

// hasBoth says whether a benchmark of the package ran on both sides.
func (r *gateResults) hasBoth(pkg string) bool {
	for _, one := range r.list {
		if one.pkg == pkg && len(one.wall[0]) > 0 && len(one.wall[1]) > 0 {
			return true
		}
	}
	return false
}

// judge compares all results. Where both sides tell CPU time, that is judged
// and the wall time is only for information.
func (r *gateResults) judge(limit float64) []comparison {
	var all []comparison
	judged := func(one *result, unit string, times [2][]float64) comparison {
		c := compare(times[0], times[1], limit)
		c.pkg, c.name, c.unit = one.pkg, one.name, unit
		return c
	}
	for _, one := range r.list {
		hasCPU := len(one.cpu[0]) > 0 && len(one.cpu[1]) > 0
		if hasCPU {
			all = append(all, judged(one, cpuTime, one.cpu))
		}
		if len(one.wall[0])+len(one.wall[1]) == 0 {
			continue
		}
		wall := judged(one, wallTime, one.wall)
		if hasCPU {
			wall.verdict = notJudged
		}
		all = append(all, wall)
	}
	return all
}
