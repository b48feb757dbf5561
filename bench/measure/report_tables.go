package main

import (
	"fmt"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// table makes the table of a name.
func (r *report) table(name string) *lab.Table {
	switch name {
	case "jobs":
		return r.jobs()
	case "peers":
		return r.peers()
	case "cells":
		return r.cells()
	case "cores":
		return r.cores()
	case "targets":
		return r.goals(targets)
	case "text":
		return r.goals(textTargets)
	case "processors":
		return r.goals(processorTargets)
	case "python":
		return r.goals(pythonTargets)
	case "machines":
		return r.machines()
	}
	return nil
}

// A figure is what was measured of a job: one benchmark, or how many times better it is than another.
type figure struct {
	name             string
	of, over         string // references "FILE PATTERN"; see report.sample
	unit             string // of both
	as               string // the unit as a reader calls it
	required, wanted float64
	less             bool    // is better: costs, and ratios in which of is the peer and over is ours
	why              string  // what limits it, or bounds it
	share            *figure // the value is given as a share of this one's
}

// measure gives the figure and its text.
func (r *report) measure(f figure) (value float64, text string) {
	s := r.sample(f.of, f.unit)
	if f.over == "" {
		return s.median(), s.cell(f.as)
	}
	base := r.sample(f.over, f.unit)
	value = s.timesBetter(base, f.unit)
	text = lab.Number(value) + " ×"
	if f.share != nil {
		whole, of := r.measure(*f.share)
		value /= whole
		text = fmt.Sprintf("%s (%s of %s)", lab.Number(value), text, of)
	}
	return value, text + fewRuns(min(len(s), len(base)))
}

// jobs is what a reader may expect, and what limits it.
func (r *report) jobs() *lab.Table {
	t := &lab.Table{Head: []string{"job", "measured", "what limits it"}, Text: 3}
	for _, f := range jobs {
		lab.In(f.name, func() {
			_, text := r.measure(f)
			t.Add(f.name, text, f.why)
		})
	}
	return t
}

// goals compares figures with what was asked for.
func (r *report) goals(of []figure) *lab.Table {
	t := &lab.Table{Head: []string{"row", "required", "wanted", "measured", "verdict", "what bounds it"}, Text: 6}
	for _, f := range of {
		lab.In(f.name, func() {
			value, text := r.measure(f)
			t.Add(f.name, limit(f.required), limit(f.wanted), text, f.verdict(value), f.why)
		})
	}
	return t
}

func limit(v float64) string {
	switch {
	case v == 0:
		return "–"
	case v >= 1000:
		return lab.Number(v)
	}
	return fmt.Sprint(v)
}

// verdict says how far the requirement was met. A limit of 0 asks for nothing.
func (f figure) verdict(value float64) string {
	meets := func(limit float64) bool {
		return limit != 0 && (f.less && value <= limit || !f.less && value >= limit)
	}
	switch {
	case meets(f.wanted):
		return "wanted met"
	case meets(f.required):
		return "required met"
	case f.less:
		return "missed by " + formatPercent(100*(value/f.required-1))
	}
	return "missed by " + formatPercent(100*(1-value/f.required))
}

// peers compares jobs with what others take for them.
func (r *report) peers() *lab.Table {
	f := r.open(peersFile)
	t := &lab.Table{Head: []string{"job"}, Text: 1}
	for _, p := range columns {
		t.Head = append(t.Head, strings.TrimSpace(p.name+" "+strings.Join(f.settings[p.impl], ", ")))
	}
	t.Head = append(t.Head, "times")
	for _, c := range comparisons {
		line := []string{c.does}
		for _, p := range columns {
			cell := "–"
			if c.has(p.impl) {
				cell = r.sample(c.reference(p.impl), "ms/op").cell("")
			}
			line = append(line, cell)
		}
		t.Add(append(line, r.times(c))...)
	}
	return t
}

// A peerJob is a job of bench/compare; of lists the implementations besides ours.
type peerJob struct{ job, of, does string }

func (c peerJob) has(impl string) bool {
	return impl == ours || strings.Contains(" "+c.of+" ", " "+impl+" ")
}

func (c peerJob) reference(impl string) string {
	return peersFile + " ^Compare" + c.job + "/impl=" + impl + "/set=20ng$"
}

// times is how many times faster we are than the faster version of the first peer.
func (r *report) times(c peerJob) string {
	median := func(impl string) float64 { return r.sample(c.reference(impl), "ms/op").median() }
	peer, _, _ := strings.Cut(c.of, " ")
	return lab.Number(min(median(peer), median(peer+"-system")) / median(ours))
}

// cells compares with C that begins with the same counts, on several machines.
func (r *report) cells() *lab.Table {
	t := &lab.Table{Head: []string{"values of all terms by"}, Text: 1}
	for _, m := range cellMachines {
		t.Head = append(t.Head, m.name)
	}
	for _, set := range []string{"20ng", "L"} {
		for _, job := range []string{"Chi", "IG", "TTest", "OCFS"} {
			line := []string{job + ", " + set}
			for _, m := range cellMachines {
				_, text := r.measure(figure{of: cellJob(m.file, job, ours, set), over: cellJob(m.file, job, "c", set), unit: "ms/op"})
				line = append(line, text)
			}
			t.Add(line...)
		}
	}
	return t
}

func cellJob(file, job, impl, set string) string {
	return file + " ^CompareCells" + job + "/impl=" + impl + "/set=" + set + "$"
}

// cores tells how many times faster jobs are on more threads.
func (r *report) cores() *lab.Table {
	t := &lab.Table{Head: []string{"job", "1 thread, ms"}, Text: 1}
	for _, n := range threadCounts[1:] {
		t.Head = append(t.Head, fmt.Sprint(n))
	}
	for _, c := range coreJobs {
		of := func(threads int) string {
			return coresFile + " " + strings.ReplaceAll(c.pattern, "N", fmt.Sprint(threads))
		}
		line := []string{c.name, r.sample(of(1), "ms/op").cell("")}
		for _, n := range threadCounts[1:] {
			value, _ := r.measure(figure{of: of(n), over: of(1), unit: "ms/op"})
			line = append(line, lab.Number(value))
		}
		t.Add(line...)
	}
	return t
}

// machines tells where the raw files come from.
func (r *report) machines() *lab.Table {
	t := &lab.Table{Head: []string{"raw files of bench/results", "CPU", "machine", "load", "commit", "date"}, Text: 6}
	for _, names := range machineFiles {
		var line []string
		for _, name := range strings.Split(names, ", ") {
			f := r.open(name + ".txt")
			its := []string{names}
			for _, key := range []string{"cpu", "machine", "load", "commit", "date"} {
				its = append(its, strings.Join(f.settings[key], "; "))
			}
			if line == nil {
				line = its
			}
			if strings.Join(line, "|") != strings.Join(its, "|") {
				panic(lab.Errorf("%s: measured as %q, and the files beside it as %q", name, its, line))
			}
		}
		t.Add(line...)
	}
	return t
}
