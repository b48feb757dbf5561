package flags

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// Scoring are the flags of a measure and its parameters.
type Scoring struct {
	Combine, Weight string
	Base, RSD       float64
	G2Cells         int
	Signed, Yates   bool
	Positive        bool
	PValues, Exact  bool
}

// Register adds the flags, but for those of p-values.
func (f *Scoring) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.Combine, "combine", "", "one value of a term's class values: "+strings.Join(rank.Combinations(), ", "))
	f.RegisterParameters(flags)
}

// RegisterParameters adds the flags of what measures compute class values by.
func (f *Scoring) RegisterParameters(flags *pflag.FlagSet) {
	flags.StringVar(&f.Weight, "weight", "tf", "column of ocfs: tf, tfidf, tfidf-unit, ltc or binary")
	flags.Float64Var(&f.Base, "base", 0, "base of the logarithms (default e)")
	flags.Float64Var(&f.RSD, "rs-d", 0, "constant d of rs and rsw (default 1/6)")
	flags.IntVar(&f.G2Cells, "g2-cells", 4, "cells that g2tf sums: 4 (Dunning), or the 2 of the term (Rayson and Garside)")
	flags.BoolVar(&f.Signed, "signed", false, "keep the sign of ttest")
	flags.BoolVar(&f.Yates, "yates", false, "correct chi for continuity (Yates)")
}

// RegisterPValues adds the flags of p-values.
func (f *Scoring) RegisterPValues(flags *pflag.FlagSet) {
	flags.BoolVar(&f.PValues, "p-values", false, "tell log10 of the p-values, too")
	flags.BoolVar(&f.Exact, "exact", false, "p-values of "+strings.Join(rank.WithExactTest(), ", ")+" by Fisher's exact test")
}

// RegisterPositive adds the flag of positive values.
func (f *Scoring) RegisterPositive(flags *pflag.FlagSet) {
	flags.BoolVar(&f.Positive, "positive", false, "only terms that their class has more of than all documents")
}

// Options returns the options of a measure. A supervised weighting is a weighting of
// rows, not of columns; of the measures only ocfs uses a column.
func (f *Scoring) Options(by string, threads int) rank.Options {
	column := f.Weight
	if factor, err := selection.FactorOf(corpus.Weighting(f.Weight)); err == nil && factor != "" && by != "ocfs" {
		column = ""
	}
	return rank.Options{
		Measure: rank.Measure(by), Combine: rank.Combination(f.Combine), Weight: corpus.Weighting(column), Base: f.Base, RSD: f.RSD, Signed: f.Signed, Yates: f.Yates, G2Cells: f.G2Cells,
		Positive: f.Positive, PValues: f.PValues, Exact: f.Exact, Threads: threads,
	}
}
