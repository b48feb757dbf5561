package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// This file has what commands do with targets, the numbers that documents have in place of labels.

// mostNumbers is how many numbers of a target are listed with their documents.
const mostNumbers = 20

// targetText prints the numbers of the documents for people.
func (o *outputs) targetText(t *table.Target, documents map[string]int) {
	fmt.Fprintf(o.stdout, "%-14s %s\n", "target", o.visible(t.Field))
	for _, fact := range []tables.Fact{
		{Key: "distinct numbers", Value: t.Distinct}, {Key: "min", Value: t.Min}, {Key: "mean", Value: t.Mean}, {Key: "max", Value: t.Max},
	} {
		fmt.Fprintf(o.stdout, "  %-28s %v\n", fact.Key, fact.Value)
	}
	if t.Distinct > mostNumbers {
		return
	}
	fmt.Fprintln(o.stdout, "documents of")
	for _, number := range table.SortNumbers(maps.Keys(documents)) {
		fmt.Fprintf(o.stdout, "  %-28s %d\n", o.visible(number), documents[number])
	}
}

// needClasses are the flags that say what is done with classes.
var needClasses = []string{"by", "class", "combine", "per-class", "round-robin", "positive", "yates", "exact", "reference", "reference-docs", "features"}

// byTarget has by name measures of a target, if the labels of the inputs are numbers and no flag asks
// for other measures or for classes.
func (f *inputFlags) byTarget(c *cobra.Command, args []string, by *string, measures string) {
	changed := func(name string) bool { return c.Flags().Lookup(name) != nil && c.Flags().Changed(name) }
	if slices.ContainsFunc(needClasses, changed) {
		return
	}
	if target := f.targetOf(args); target != "" {
		*by = measures
		f.note("%q is a number of each document: terms are ranked by %s, unless --by names other measures", target, measures)
	}
}

// targetOf returns the target of inputs, "" where labels are classes or an input cannot be read: opening it
// returns the error.
func (f *inputFlags) targetOf(paths []string) string {
	switch f.kindOfOne(paths) {
	case statisticsFile:
		p, _ := corpus.StatisticsProvenance(paths[0])
		return p.Target
	case indexFile:
		c, err := corpus.Open(paths[0], corpus.OpenOptions{})
		if err != nil {
			return ""
		}
		defer c.Close() // nothing was written
		return c.Provenance().Target
	}
	return f.Read.Target
}

// means are the mean numbers of the documents with a term and of those without it.
type means struct{ with, without float64 }

// meansOf returns a function that gives the means of terms, nil unless the measure is one of a target.
func meansOf(m rank.Measure, s *table.Table) func(term string) means {
	if info, _ := measureOf(m); !info.Target {
		return nil
	}
	of := rank.TargetMeans(s)
	return func(term string) (m means) {
		m.with, m.without, _ = of(term)
		return m
	}
}

// meanColumns are shown where terms are compared with a target.
var meanColumns = []tables.Column[scoredTerm]{
	{Key: "mean_with", Head: "mean with", Value: meanValue(func(m means) float64 { return m.with })},
	{Key: "mean_without", Head: "without", Value: meanValue(func(m means) float64 { return m.without })},
}

// meanValue returns a column value: nothing for a measure of classes, and for the mean of no documents.
func meanValue(of func(m means) float64) func(scoredTerm) any {
	return func(x scoredTerm) any {
		if x.meansOf == nil {
			return nil
		}
		mean := of(x.meansOf(x.Term))
		return tables.If(!math.IsNaN(mean), mean)
	}
}

// targetFacts describes the numbers of the documents with a term, and without it, for programs.
func targetFacts(x *rank.Explanation) []tables.Fact {
	if x.Target == "" {
		return nil
	}
	return []tables.Fact{
		{Key: "target", Value: x.Target},
		{Key: "mean_with", Value: tables.If(!math.IsNaN(x.With), x.With)},
		{Key: "mean_without", Value: tables.If(!math.IsNaN(x.Without), x.Without)},
	}
}
