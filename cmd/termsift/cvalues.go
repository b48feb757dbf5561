package main

import (
	"errors"
	"fmt"

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
	if f.all && changed("top") {
		return o, usageError("--all and --top contradict each other: leave one away")
	}
	o = collocation.CValueOptions{Words: f.cvalueWords, Class: f.class, Top: f.top}
	if f.all {
		o.Top = 0
	}
	if changed("min-freq") {
		o.MinFreq = f.minFreq
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
	if o.WithoutList, o.Without, err = f.withoutWords(); err != nil {
		return o, err
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
	classes := []string{f.class}
	if f.eachClass {
		classes = from.Classes()
	}
	t := tables.New(f.stdout, f.style(f.format), cvalueColumns)
	t.Facts = []tables.Fact{{Key: "measure", Value: f.by}, {Key: "min_freq", Value: o.MinFreq}}
	page, err := f.newPage(c.Context(), "Terms of several words", args, len(classes))
	if err != nil {
		return err
	}
	none := true
	for _, o.Class = range classes {
		found, err := collocation.CValues(c.Context(), from, o)
		switch {
		case errors.Is(err, collocation.ErrNone) && f.eachClass:
			continue
		case err != nil:
			return err
		}
		none = false
		where := ""
		if found.Class != "" {
			where = " in " + f.visible(found.Class)
		}
		title := fmt.Sprintf("%d of %d runs of %d to %d words%s that occur %d times or more, by C-value", len(found.Candidates), found.Passed, o.Least, o.Most, where, o.MinFreq)
		t.Title("%s", title)
		var rows []cvalueRow
		for rank := range found.Candidates {
			rows = append(rows, cvalueRow{&found.Candidates[rank], found.Class, rank + 1})
			t.Add(rows[rank])
		}
		addToPage(page, "runs of words"+where, title, cvalueColumns, rows, func(r cvalueRow) (string, float64) { return r.Term, r.CValue })
	}
	if none {
		return collocation.ErrNone
	}
	if err := t.Close(); err != nil {
		return err
	}
	return f.writePage(page)
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
