package main

import (
	"fmt"

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
var scoreColumns = []column[scoredTerm]{
	{key: "measure", in: forPrograms, value: func(x scoredTerm) any { return x.measure }},
	{key: "combine", in: forPrograms, value: func(x scoredTerm) any { return x.combine }},
	{key: "class", in: forPrograms, value: inClass(func(x scoredTerm) string { return x.Class })},
	{key: "rank", in: forPeople, value: func(x scoredTerm) any {
		if x.Rank == 0 {
			return nil
		}
		return x.Rank
	}},
	{key: "term", left: true, value: func(x scoredTerm) any { return x.Term }},
	{key: "value", value: func(x scoredTerm) any { return x.Value }},
	{key: "df", value: func(x scoredTerm) any { return x.DF }},
	{key: "class", in: forPeople, left: true, value: inClass(func(x scoredTerm) string { return x.Class })},
	{key: "a", head: "A", value: inClass(func(x scoredTerm) int { return x.A })},
	{key: "b", head: "B", value: inClass(func(x scoredTerm) int { return x.B })},
	{key: "c", head: "C", value: inClass(func(x scoredTerm) int { return x.C })},
	{key: "d", head: "D", value: inClass(func(x scoredTerm) int { return x.D })},
	{key: "tf", value: func(x scoredTerm) any {
		if !x.ofTokens || x.Class == "" {
			return nil
		}
		return x.TF
	}},
	{key: "tf_all", value: func(x scoredTerm) any {
		if !x.ofTokens {
			return nil
		}
		return x.TFAll
	}},
}

// pValueColumns are shown with --p-values.
var pValueColumns = []column[scoredTerm]{{
	key: "log10p", head: "log10 p",
	value: func(x scoredTerm) any {
		if !x.tested {
			return nil
		}
		return x.Log10P
	},
	text: func(x scoredTerm) string {
		if !x.tested {
			return ""
		}
		return fmt.Sprintf("%.2f", x.Log10P)
	},
}}

// signColumn is the last column: 1 where the class has more of the term than all documents, -1
// where it has less. People see the second alone.
var signColumn = column[scoredTerm]{
	key:   "sign",
	value: inClass(func(x scoredTerm) int { return x.Sign }),
	text: func(x scoredTerm) string {
		if x.Class != "" && x.Sign < 0 {
			return "-"
		}
		return ""
	},
}

// permutedColumns are shown with --permutations.
var permutedColumns = []column[scoredTerm]{
	{key: "p", value: func(x scoredTerm) any { return x.p }},
	{key: "p_max", value: func(x scoredTerm) any { return x.pMax }},
}

// columns returns the columns that were asked for.
func (f *scoreFlags) columns() []column[scoredTerm] {
	columns := scoreColumns[:len(scoreColumns):len(scoreColumns)]
	if f.PValues {
		columns = append(columns, pValueColumns...)
	}
	if f.permutations > 0 {
		columns = append(columns, permutedColumns...)
	}
	return append(columns, signColumn)
}
