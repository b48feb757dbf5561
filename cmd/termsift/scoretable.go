package main

import (
	"fmt"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/engine/rank"
)

// A scoredTerm is a row of the output of score.
type scoredTerm struct {
	rank.Entry
	measure, combine string
	ofTokens         bool    // the measure counts tokens
	tested           bool    // Log10P is set
	p, pMax          float64 // by permutations
}

// inClass returns a column value that depends on the class of the term's value, if
// there is one.
func inClass[V any](value func(x scoredTerm) V) func(scoredTerm) any {
	return func(x scoredTerm) any {
		if x.Class == "" {
			return nil
		}
		return value(x)
	}
}

// scoreColumns are the columns of all rows of score.
var scoreColumns = []tables.Column[scoredTerm]{
	{Key: "measure", In: tables.ForPrograms, Value: func(x scoredTerm) any { return x.measure }},
	{Key: "combine", In: tables.ForPrograms, Value: func(x scoredTerm) any { return x.combine }},
	{Key: "class", In: tables.ForPrograms, Value: inClass(func(x scoredTerm) string { return x.Class })},
	{Key: "rank", In: tables.ForPeople, Value: func(x scoredTerm) any {
		if x.Rank == 0 {
			return nil
		}
		return x.Rank
	}},
	{Key: "term", Left: true, Value: func(x scoredTerm) any { return x.Term }},
	{Key: "value", Value: func(x scoredTerm) any { return x.Value }},
	{Key: "df", Value: func(x scoredTerm) any { return x.DF }},
	{Key: "class", In: tables.ForPeople, Left: true, Value: inClass(func(x scoredTerm) string { return x.Class })},
	{Key: "a", Head: "A", Value: inClass(func(x scoredTerm) int { return x.A })},
	{Key: "b", Head: "B", Value: inClass(func(x scoredTerm) int { return x.B })},
	{Key: "c", Head: "C", Value: inClass(func(x scoredTerm) int { return x.C })},
	{Key: "d", Head: "D", Value: inClass(func(x scoredTerm) int { return x.D })},
	{Key: "tf", Value: func(x scoredTerm) any {
		if !x.ofTokens || x.Class == "" {
			return nil
		}
		return x.TF
	}},
	{Key: "tf_all", Value: func(x scoredTerm) any {
		if !x.ofTokens {
			return nil
		}
		return x.TFAll
	}},
}

// pValueColumns are shown with --p-values.
var pValueColumns = []tables.Column[scoredTerm]{{
	Key: "log10p", Head: "log10 p",
	Value: func(x scoredTerm) any {
		if !x.tested {
			return nil
		}
		return x.Log10P
	},
	Text: func(x scoredTerm) string {
		if !x.tested {
			return ""
		}
		return fmt.Sprintf("%.2f", x.Log10P)
	},
}}

// signColumn is the last column: 1 where the class has more of the term than all documents, -1
// where it has less. People see the second alone.
var signColumn = tables.Column[scoredTerm]{
	Key:   "sign",
	Value: inClass(func(x scoredTerm) int { return x.Sign }),
	Text: func(x scoredTerm) string {
		if x.Class != "" && x.Sign < 0 {
			return "-"
		}
		return ""
	},
}

// permutedColumns are shown with --permutations.
var permutedColumns = []tables.Column[scoredTerm]{
	{Key: "p", Value: func(x scoredTerm) any { return x.p }},
	{Key: "p_max", Value: func(x scoredTerm) any { return x.pMax }},
}

// columns returns the columns that were asked for.
func (f *scoreFlags) columns() []tables.Column[scoredTerm] {
	columns := scoreColumns[:len(scoreColumns):len(scoreColumns)]
	if f.PValues {
		columns = append(columns, pValueColumns...)
	}
	if f.permutations > 0 {
		columns = append(columns, permutedColumns...)
	}
	return append(columns, signColumn)
}
