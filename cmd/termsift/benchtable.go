package main

import (
	"fmt"
	"runtime"

	"github.com/termsift/termsift/bench/stages"
	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/kernels"
)

// This file prints measurements of stages.

type benchPrinter struct {
	a *app
	tables.Style
	rounds  int
	threads []int
	data    *stages.Data
	info    corpus.Info
	rows    []stages.Row
}

var benchColumns = []tables.Column[stages.Row]{
	{Key: "stage", Left: true, Value: func(r stages.Row) any { return r.Stage }},
	{Key: "threads", Value: func(r stages.Row) any { return r.Threads }},
	{
		Key: "seconds", Head: "ms", Value: func(r stages.Row) any { return r.Wall.Seconds() },
		Text: func(r stages.Row) string { return threeDigits(1e3 * r.Wall.Seconds()) },
	},
	{
		Key: "cpu_seconds", Head: "CPU ms", Value: func(r stages.Row) any { return r.CPU.Seconds() },
		Text: func(r stages.Row) string { return threeDigits(1e3 * r.CPU.Seconds()) },
	},
	{
		Key: "mb_per_second", Head: "MB/s", Value: func(r stages.Row) any { return positive(r.BytesPerSecond() / 1e6) },
		Text: func(r stages.Row) string { return threeDigits(r.BytesPerSecond() / 1e6) },
	},
	{
		Key: "ns_per_unit", Head: "ns per", Value: func(r stages.Row) any { return positive(r.NanosecondsPerUnit()) },
		Text: func(r stages.Row) string { return threeDigits(r.NanosecondsPerUnit()) },
	},
	{Key: "unit", Left: true, Value: func(r stages.Row) any { return r.Unit }},
	{Key: "units", In: tables.ForPrograms, Value: func(r stages.Row) any { return int(r.Units) }},
	{Key: "bytes", In: tables.ForPrograms, Value: func(r stages.Row) any { return positive(int(r.Bytes)) }},
	{
		Key: "speed_up", Head: "speed-up", Value: func(r stages.Row) any { return positive(r.SpeedUp) },
		Text: func(r stages.Row) string { return threeDigits(r.SpeedUp) },
	},
}

// positive returns v, or nil if v is 0 and so was not measured.
func positive[T int | float64](v T) any {
	if v == 0 {
		return nil
	}
	return v
}

// threeDigits formats a number that is not negative with three digits at least, and none
// smaller than a thousandth; 0 gives "".
func threeDigits(v float64) string {
	switch {
	case v == 0:
		return ""
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// A benchLimit is a figure that says what limits a stage.
type benchLimit struct {
	key, name string
	share     float64
}

var benchLimitColumns = []tables.Column[benchLimit]{
	{Key: "share", Value: func(l benchLimit) any { return l.share }, Text: func(l benchLimit) string { return threeDigits(100*l.share) + " %" }},
	{Key: "of", Left: true, Value: func(l benchLimit) any { return l.name }},
}

// limits returns the figures that were measured. What was not is left out.
func (p *benchPrinter) limits() (limits []benchLimit) {
	most := p.threads[len(p.threads)-1]
	if share, ok := stages.CPUShare(p.rows, stages.Unpack, stages.Read); ok {
		limits = append(limits, benchLimit{"unpack_of_read", "the CPU time of read is decompression", share})
	}
	if share, ok := stages.CPUShare(p.rows, stages.Tokenise, stages.Build); ok {
		limits = append(limits, benchLimit{"tokenise_of_build", "the CPU time of build is tokenise; the rest makes one dictionary and the postings", share})
	}
	if share, ok := stages.RateShare(p.rows, stages.Build, stages.Memory, most); ok {
		limits = append(limits, benchLimit{"build_of_memory", fmt.Sprintf("the rate of memory is that of the text through build, with --threads %d", most), share})
	}
	return limits
}

// busy is the share of the time that threads have a processor below which the times are
// not to be relied on.
const busy = .9

func (p *benchPrinter) print() error {
	if share, ok := stages.ProcessorShare(p.rows, runtime.GOMAXPROCS(0)); ok && share < busy {
		p.a.warn([]string{fmt.Sprintf("threads had a processor for %s %% of the time: other processes use this machine, and the times are too long", threeDigits(100*share))})
	}
	limits, t := p.limits(), tables.New(p.a.stdout, p.Style, benchColumns)
	t.Facts = p.facts(limits)
	if p.Format.Audience() == tables.ForLines {
		p.a.note("%s", p.summary())
		for _, l := range limits {
			p.a.note("%s %% of %s", threeDigits(100*l.share), l.name)
		}
	}
	t.Title("%s", p.summary())
	if err := t.AddAll(p.rows); err != nil || !p.People() || len(limits) == 0 {
		return err
	}
	fmt.Fprintln(p.a.stdout)
	more := tables.New(p.a.stdout, p.Style, benchLimitColumns)
	more.Title("What limits it")
	return more.AddAll(limits)
}

// summary returns a line about the data and the machine.
func (p *benchPrinter) summary() string {
	text := ""
	if p.data.Bytes > 0 {
		text = fmt.Sprintf("%.1f MB of text, ", float64(p.data.Bytes)/1e6)
	}
	rounds := "one round"
	if p.rounds > 1 {
		rounds = fmt.Sprintf("medians of %d rounds", p.rounds)
	}
	return fmt.Sprintf("%d documents, %s%d terms, %d classes, %d postings, %d cells; kernels %s, %s",
		p.info.Documents, text, p.info.Terms, p.info.Classes, p.info.Postings, p.info.Cells, kernels.Path(), rounds)
}

// facts returns what is said of the whole in JSON.
func (p *benchPrinter) facts(limits []benchLimit) []tables.Fact {
	facts := []tables.Fact{
		{Key: "documents", Value: p.info.Documents},
		{Key: "terms", Value: p.info.Terms},
		{Key: "classes", Value: p.info.Classes},
		{Key: "postings", Value: int(p.info.Postings)},
		{Key: "cells", Value: int(p.info.Cells)},
		{Key: "text_bytes", Value: int(p.data.Bytes)},
		{Key: "buffer_bytes", Value: int(p.data.Buffer)},
		{Key: "rounds", Value: p.rounds},
		{Key: "processors", Value: runtime.GOMAXPROCS(0)},
		{Key: "kernels", Value: kernels.Path()},
	}
	for _, l := range limits {
		facts = append(facts, tables.Fact{Key: l.key, Value: l.share})
	}
	return facts
}
