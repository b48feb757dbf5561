package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/termsift/termsift/engine/keyness"
)

// This file prints key words.

type keynessPrinter struct {
	style
	w       io.Writer
	names   [2]string // of the target and the reference
	letters [2]string // that stand for them
	c       *keyness.Comparison
	changes []keyness.Changed // of drift; else nil
}

// A keyRow is a row of the output of keyness: a key and its place among those of its list, 0
// if it was asked for by name.
type keyRow struct {
	keyness.Key
	rank int
}

// A keyList is a list of keys under its title.
type keyList struct {
	title  string
	keys   []keyness.Key
	passed int
}

// signs returns the positive and the negative keys.
func (p *keynessPrinter) signs() []keyList {
	title := func(sign string, more, less int) string {
		return fmt.Sprintf("%s keys, more frequent in %s than in %s", sign, visible(p.names[more], p.terminal), visible(p.names[less], p.terminal))
	}
	return []keyList{
		{title("Positive", 0, 1), p.c.Positive, p.c.PassedPositive},
		{title("Negative", 1, 0), p.c.Negative, p.c.PassedNegative},
	}
}

// drifts returns a list for each change.
func (p *keynessPrinter) drifts() (lists []keyList) {
	later, earlier := visible(p.names[0], p.terminal), visible(p.names[1], p.terminal)
	titles := map[keyness.Change]string{
		keyness.New:     fmt.Sprintf("New, in %s and not in %s", later, earlier),
		keyness.Gone:    fmt.Sprintf("Gone, in %s and not in %s", earlier, later),
		keyness.Rising:  fmt.Sprintf("Rising, more frequent in %s than in %s", later, earlier),
		keyness.Falling: fmt.Sprintf("Falling, less frequent in %s than in %s", later, earlier),
	}
	for _, change := range p.changes {
		lists = append(lists, keyList{titles[change.Change], change.Keys, change.Passed})
	}
	return lists
}

// printLists prints lists of keys.
func (p *keynessPrinter) printLists(lists []keyList) error {
	t := p.table()
	for _, list := range lists {
		if err := t.title("%s: %d of %d", list.title, len(list.keys), list.passed); err != nil {
			return err
		}
		for i, key := range list.keys {
			if err := t.add(keyRow{key, i + 1}); err != nil {
				return err
			}
		}
	}
	return t.close()
}

// print prints terms that were asked for by name.
func (p *keynessPrinter) print(keys []keyness.Key) error {
	t := p.table()
	for _, key := range keys {
		if err := t.add(keyRow{key, 0}); err != nil {
			return err
		}
	}
	return t.close()
}

func (p *keynessPrinter) table() *printedTable[keyRow] {
	t := newTable(p.w, p.style, p.columns())
	t.facts = []fact{
		{"target", p.side(0, p.c.Target)},
		{"reference", p.side(1, p.c.Reference)},
		{"measure", string(p.c.Options.Measure)},
		{"correction", string(p.c.Options.Correction)},
		{"tested", p.c.Tested},
	}
	if p.changes == nil {
		t.facts = append(t.facts, fact{"positive", p.c.PassedPositive}, fact{"negative", p.c.PassedNegative})
	}
	for _, change := range p.changes {
		t.facts = append(t.facts, fact{string(change.Change), change.Passed})
	}
	if p.people() {
		for i, side := range []keyness.Side{p.c.Target, p.c.Reference} {
			tokens := fmt.Sprintf("%d tokens", side.Tokens)
			if side.Words != side.Tokens {
				tokens += fmt.Sprintf(" (%d of the shortest length)", side.Words)
			}
			fmt.Fprintf(p.w, "%s = %s: %d documents, %s, %d terms\n", p.letters[i], visible(p.names[i], p.terminal), side.Documents, tokens, side.Terms)
		}
		fmt.Fprintln(p.w)
	}
	return t
}

// side describes a corpus in JSON.
func (p *keynessPrinter) side(i int, s keyness.Side) any {
	return struct {
		Name      string `json:"name"`
		Documents int    `json:"documents"`
		Tokens    int    `json:"tokens"`
		Words     int    `json:"words"`
		Terms     int    `json:"terms"`
	}{p.names[i], s.Documents, s.Tokens, s.Words, s.Terms}
}

// ifDefined returns a value, or nil if it is NaN.
func ifDefined(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// number returns a column of a number that may be undefined.
func number(key, head string, in audience, of func(k *keyRow) float64, text func(float64) string) column[keyRow] {
	c := column[keyRow]{key: key, head: head, in: in, value: func(k keyRow) any { return ifDefined(of(&k)) }}
	if text != nil {
		c.text = func(k keyRow) string {
			v := of(&k)
			if math.IsNaN(v) {
				return "-"
			}
			return text(v)
		}
	}
	return c
}

// kind returns the list that a key belongs to, for programs.
func (p *keynessPrinter) kind(k *keyness.Key) string {
	if p.changes != nil {
		return string(k.Change())
	}
	return [...]string{"negative", "neither", "positive"}[k.Sign+1]
}

// columns returns the columns of keys.
func (p *keynessPrinter) columns() []column[keyRow] {
	by, target, reference := p.c.Options.Measure, p.letters[0], p.letters[1]
	count := func(key, head string, of func(k *keyRow) int) column[keyRow] {
		return column[keyRow]{key: key, head: head, value: func(k keyRow) any { return of(&k) }}
	}
	columns := []column[keyRow]{
		{key: "key", in: forPrograms, value: func(k keyRow) any { return p.kind(&k.Key) }},
		{key: "rank", value: func(k keyRow) any {
			if k.rank == 0 {
				return nil
			}
			return k.rank
		}},
		{key: "term", left: true, value: func(k keyRow) any { return k.Term }},
		count("tf", "in "+target, func(k *keyRow) int { return k.Target.TF }),
		count("tf_reference", "in "+reference, func(k *keyRow) int { return k.Reference.TF }),
		number("per_million", target+" per million", 0, func(k *keyRow) float64 { return k.Target.PerMillion }, twoDecimals),
		number("per_million_reference", reference+" per million", 0, func(k *keyRow) float64 { return k.Reference.PerMillion }, twoDecimals),
		count("df", "range "+target, func(k *keyRow) int { return k.Target.DF }),
		count("df_reference", "range "+reference, func(k *keyRow) int { return k.Reference.DF }),
	}
	for _, m := range keyness.Measures() {
		in := forPrograms
		if m == by || m == keyness.LL || m == keyness.LogRatio {
			in = 0
		}
		columns = append(columns, number(string(m), "", in, func(k *keyRow) float64 { return k.Of(m) }, twoDecimals))
	}
	columns = append(columns,
		number("log10p", "", forPrograms, func(k *keyRow) float64 { return k.Log10P }, nil),
		number("log10p_corrected", "p", 0, func(k *keyRow) float64 { return k.Log10Corrected }, shortProbability))
	for _, side := range []struct {
		suffix, name string
		of           func(k *keyRow) keyness.Dispersion
	}{
		{"", target, func(k *keyRow) keyness.Dispersion { return k.Target.Dispersion }},
		{"_reference", reference, func(k *keyRow) keyness.Dispersion { return k.Reference.Dispersion }},
	} {
		columns = append(columns,
			number("dp"+side.suffix, "", forPrograms, func(k *keyRow) float64 { return side.of(k).DP }, nil),
			number("dpnorm"+side.suffix, "DPnorm "+side.name, 0, func(k *keyRow) float64 { return side.of(k).DPNorm }, twoDecimals),
			number("d"+side.suffix, "", forPrograms, func(k *keyRow) float64 { return side.of(k).D }, nil))
	}
	return columns
}

func twoDecimals(v float64) string {
	if math.IsInf(v, 0) || math.Abs(v) >= 1e7 || v != 0 && math.Abs(v) < .01 {
		return short(v)
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
