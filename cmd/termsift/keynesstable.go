package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/keyness"
)

// This file prints key words.

type keynessPrinter struct {
	*keynessFlags
	names   [2]string // of the target and the reference
	letters [2]string // that stand for them
	c       *keyness.Comparison
	changes []keyness.Changed // of drift; else nil
}

// A keyRow is a row of the output of keyness: a key and its place among those of its list, 0
// if it was asked for by name.
type keyRow struct {
	*keyness.Key
	rank int
}

// A keyList is a list of keys under its title.
type keyList struct {
	title  string
	keys   []keyness.Key
	passed int
}

// cut says which terms were tested, how many are keys, and how many of these are shown.
func (p *keynessPrinter) cut() string {
	o := p.c.Options
	var bounds []string
	switch {
	case o.MaxP > 0 && o.Correction == keyness.None && !o.MaxT:
		bounds = append(bounds, fmt.Sprintf("p <= %v", o.MaxP))
	case o.MaxP > 0:
		bounds = append(bounds, fmt.Sprintf("corrected p <= %v", o.MaxP))
	}
	if o.MinFreq > 1 {
		bounds = append(bounds, fmt.Sprintf("at least %d occurrences", o.MinFreq))
	}
	if o.MinRange > 1 {
		bounds = append(bounds, fmt.Sprintf("at least %d documents", o.MinRange))
	}
	passed, more := 0, false
	for _, list := range p.lists() {
		passed += list.passed
		more = more || len(list.keys) < list.passed
	}
	line := fmt.Sprintf("%d terms tested; %d keys", p.c.Tested, passed)
	if n := len(bounds); n > 1 {
		bounds = append(bounds[:n-2], bounds[n-2]+" and "+bounds[n-1])
	}
	if len(bounds) > 0 {
		line += " with " + strings.Join(bounds, ", ")
	}
	if more {
		line += fmt.Sprintf("; the best %d of each list are shown", o.Top)
	}
	return line
}

// lists returns the positive and the negative keys, or a list for each change.
func (p *keynessPrinter) lists() (lists []keyList) {
	one, other := p.names[0], p.names[1]
	if p.changes == nil {
		const title = "%s keys, more frequent in %s than in %s"
		return []keyList{
			{fmt.Sprintf(title, "Positive", one, other), p.c.Positive, p.c.PassedPositive},
			{fmt.Sprintf(title, "Negative", other, one), p.c.Negative, p.c.PassedNegative},
		}
	}
	titles := map[keyness.Change]string{
		keyness.New:     fmt.Sprintf("New, in %s and not in %s", one, other),
		keyness.Gone:    fmt.Sprintf("Gone, in %s and not in %s", other, one),
		keyness.Rising:  fmt.Sprintf("Rising, more frequent in %s than in %s", one, other),
		keyness.Falling: fmt.Sprintf("Falling, less frequent in %s than in %s", one, other),
	}
	for _, change := range p.changes {
		lists = append(lists, keyList{titles[change.Change], change.Keys, change.Passed})
	}
	return lists
}

// print prints the terms that were asked for by name, or the lists of keys if none were.
func (p *keynessPrinter) print(asked []keyness.Key) error {
	t := list(&p.outputs, p.columns())
	t.Facts = p.facts()
	lines := []string{p.sideText(0, p.c.Target), p.sideText(1, p.c.Reference)}
	untested := 0
	for _, key := range asked {
		if math.IsNaN(key.Log10Corrected) {
			untested++
		}
	}
	switch {
	case untested > 0:
		p.note("%d of the terms asked for are among those that are not tested, and have no corrected p-value: --min-freq and --min-range bound the tested ones", untested)
	case asked == nil && t.People():
		lines = append(lines, p.cut())
	case asked == nil:
		p.note("%s; --max-p 1 --min-freq 1 leaves no term out", p.cut())
	}
	t.Above(lines...)
	if asked != nil {
		for i := range asked {
			t.Add(keyRow{&asked[i], 0})
		}
		return t.Close()
	}
	for _, list := range p.lists() {
		t.Title("%s: %d of %d", list.title, len(list.keys), list.passed)
		for i := range list.keys {
			t.Add(keyRow{&list.keys[i], i + 1})
		}
	}
	return t.Close()
}

// facts are what programs are told of the comparison.
func (p *keynessPrinter) facts() []tables.Fact {
	o := p.c.Options
	facts := []tables.Fact{
		{Key: "target", Value: p.side(0, p.c.Target)},
		{Key: "reference", Value: p.side(1, p.c.Reference)},
		{Key: "measure", Value: string(o.Measure)},
		{Key: "correction", Value: string(o.Correction)},
		{Key: "max_p", Value: cmp.Or(o.MaxP, 1)},
		{Key: "min_freq", Value: o.MinFreq},
		{Key: "tested", Value: p.c.Tested},
	}
	if p.changes == nil {
		facts = append(facts, tables.Fact{Key: "positive", Value: p.c.PassedPositive}, tables.Fact{Key: "negative", Value: p.c.PassedNegative})
	}
	for _, change := range p.changes {
		facts = append(facts, tables.Fact{Key: string(change.Change), Value: change.Passed})
	}
	if p.segment > 0 {
		facts = append(facts, tables.Fact{Key: "segment", Value: p.segment})
	}
	if n := o.Permutations; n > 0 {
		facts = append(facts, tables.Fact{Key: "permutations", Value: n}, tables.Fact{Key: "maxt", Value: o.MaxT})
	}
	return facts
}

// sideText describes a corpus for people.
func (p *keynessPrinter) sideText(i int, side keyness.Side) string {
	documents := ""
	switch {
	case p.segment > 0:
		documents = fmt.Sprintf("%d segments of %d tokens, ", side.Documents, p.segment)
	case side.Documents > 0:
		documents = fmt.Sprintf("%d documents, ", side.Documents)
	}
	return fmt.Sprintf("%s = %s: %s%s, %d terms", p.letters[i], p.names[i], documents, tokensOf(side), side.Terms)
}

// side describes a corpus in JSON.
func (p *keynessPrinter) side(i int, s keyness.Side) any {
	return struct {
		Name      string `json:"name"`
		Documents int    `json:"documents,omitempty"`
		Tokens    int    `json:"tokens"`
		Words     int    `json:"words"`
		Terms     int    `json:"terms"`
	}{p.names[i], s.Documents, s.Tokens, s.Words, s.Terms}
}

// kind returns the list that a key belongs to, for programs.
func (p *keynessPrinter) kind(k *keyness.Key) string {
	if p.changes != nil {
		return string(k.Change())
	}
	return [...]string{"negative", "neither", "positive"}[k.Sign+1]
}

// columns returns the columns of keys.
func (p *keynessPrinter) columns() []tables.Column[keyRow] {
	by, target, reference := p.c.Options.Measure, p.letters[0], p.letters[1]
	count := func(key, head string, of func(k keyRow) int) tables.Column[keyRow] {
		return tables.Column[keyRow]{Key: key, Head: head, Value: func(k keyRow) any { return tables.If(of(k) >= 0, of(k)) }}
	}
	columns := []tables.Column[keyRow]{
		{Key: "key", In: tables.ForPrograms, Value: func(k keyRow) any { return p.kind(k.Key) }},
		{Key: "rank", Value: func(k keyRow) any { return tables.If(k.rank > 0, k.rank) }},
		{Key: "term", Left: true, Value: func(k keyRow) any { return k.Term }},
		count("tf", "in "+target, func(k keyRow) int { return k.Target.TF }),
		count("tf_reference", "in "+reference, func(k keyRow) int { return k.Reference.TF }),
		tables.Number("per_million", target+" per million", 0, func(k keyRow) float64 { return k.Target.PerMillion }, twoDecimals),
		tables.Number("per_million_reference", reference+" per million", 0, func(k keyRow) float64 { return k.Reference.PerMillion }, twoDecimals),
		count("df", "range "+target, func(k keyRow) int { return k.Target.DF }),
		count("df_reference", "range "+reference, func(k keyRow) int { return k.Reference.DF }),
	}
	for _, m := range p.c.Measures() {
		in := tables.ForPrograms
		if m == by || m == keyness.LL || m == keyness.LogRatio || m == keyness.PSup || slices.Contains(p.c.Options.Also, m) {
			in = 0
		}
		columns = append(columns, tables.Number(string(m), "", in, func(k keyRow) float64 { return k.Of(m) }, twoDecimals))
	}
	columns = append(columns,
		tables.Number("log10p", "", tables.ForPrograms, func(k keyRow) float64 { return k.Log10P }, nil),
		tables.Number("log10p_corrected", "p", 0, func(k keyRow) float64 { return k.Log10Corrected }, shortProbability))
	for _, side := range []struct {
		suffix, name string
		of           func(k keyRow) keyness.Dispersion
	}{
		{"", target, func(k keyRow) keyness.Dispersion { return k.Target.Dispersion }},
		{"_reference", reference, func(k keyRow) keyness.Dispersion { return k.Reference.Dispersion }},
	} {
		columns = append(columns,
			tables.Number("dp"+side.suffix, "", tables.ForPrograms, func(k keyRow) float64 { return side.of(k).DP }, nil),
			tables.Number("dpnorm"+side.suffix, "DPnorm "+side.name, 0, func(k keyRow) float64 { return side.of(k).DPNorm }, twoDecimals),
			tables.Number("d"+side.suffix, "", tables.ForPrograms, func(k keyRow) float64 { return side.of(k).D }, nil))
	}
	return columns
}

func twoDecimals(v float64) string {
	if math.IsInf(v, 0) || math.Abs(v) >= 1e7 || v != 0 && math.Abs(v) < .01 {
		return tables.Short(v)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// shortProbability formats a probability given by its log10, which may be too small for a
// float64.
func shortProbability(log10 float64) string {
	if log10 > -300 {
		return strconv.FormatFloat(math.Pow(10, log10), 'g', 2, 64)
	}
	exponent := math.Floor(log10)
	return fmt.Sprintf("%.1fe%.0f", math.Pow(10, log10-exponent), exponent)
}
