package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/collocation"
)

// This file ranks terms of several words by C-value.

// cvalueOptions returns the options that the flags give.
func (f *collocationsFlags) cvalueOptions(c *cobra.Command) (o collocation.CValueOptions, err error) {
	changed := c.Flags().Changed
	if err := f.near.unused(c); err != nil {
		return o, err
	}
	for _, name := range []string{"marginals", "also", "yates", "base"} {
		if changed(name) {
			return o, usageError("--%s is for measures of the words inside, and cvalue looks at longer n-grams: leave one away", name)
		}
	}
	o = collocation.CValueOptions{Words: f.cvalueWords}
	if o.Choice, err = f.choice(c); err != nil {
		return o, err
	}
	if !changed("min-freq") {
		o.MinFreq = 0 // its own default
	}
	if changed("ngrams") {
		least := 2
		if f.cvalueWords {
			least = 1
		}
		if o.Least, o.Most, err = parseLengths(f.lengths, least); err != nil {
			return o, err
		}
	}
	return o.WithDefaults()
}

// cvalues prints n-grams by their C-values.
func (f *collocationsFlags) cvalues(c *cobra.Command, args []string) (err error) {
	o, err := f.cvalueOptions(c)
	if err != nil {
		return err
	}
	from, err := f.source(c, args, &collocation.Options{Least: o.Least, Most: o.Most})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, collocation.Close(from)) }()
	lists, err := collocation.CValues(c.Context(), from, o)
	if err != nil {
		return err
	}
	t := tables.New(f.stdout, f.style(f.format), cvalueColumns)
	t.Facts = []tables.Fact{{Key: "measure", Value: f.by}, {Key: "min_freq", Value: o.MinFreq}}
	for _, l := range lists {
		t.Title("%d of %d runs of %d to %d words%s that occur %d times or more, by C-value",
			len(l.Candidates), l.Passed, o.Least, o.Most, f.visible(classSuffix(l.Class)), o.MinFreq)
		for rank := range l.Candidates {
			t.Add(cvalueRow{&l.Candidates[rank], l.Class, rank + 1})
		}
	}
	return t.Close()
}

// A cvalueRow is a row of the output.
type cvalueRow struct {
	*collocation.Candidate
	class string
	rank  int
}

var cvalueColumns = []tables.Column[cvalueRow]{
	{Key: "class", In: tables.ForPrograms, Value: func(r cvalueRow) any { return tables.If(r.class != "", r.class) }},
	{Key: "rank", Value: func(r cvalueRow) any { return r.rank }},
	{Key: "term", Left: true, Value: func(r cvalueRow) any { return r.Term }},
	{Key: "words", Value: func(r cvalueRow) any { return r.Words }},
	{Key: "tf", Head: "occurs", Value: func(r cvalueRow) any { return r.Frequency }},
	{Key: "df", Head: "documents", Value: func(r cvalueRow) any { return r.Documents }},
	{Key: "longer", Value: func(r cvalueRow) any { return r.Longer }},
	{Key: "nested", Value: func(r cvalueRow) any { return r.Nested }},
	{Key: "cvalue", Value: func(r cvalueRow) any { return r.CValue }, Text: func(r cvalueRow) string { return twoDecimals(r.CValue) }},
}
