// Package naive computes every measure straight from its formula over dense
// tables. It is the oracle of the fast engine, shares no code with it, and
// imports the standard library only.
package naive

import (
	"cmp"
	"math"
)

// A Doc is a document: its labels are indices into Corpus.Classes, and Counts
// maps indices into Corpus.Terms to term frequencies. An absent term has 0.
type Doc struct {
	Labels []int
	Counts map[int]float64
}

// A Corpus is a small labelled collection.
type Corpus struct {
	Terms   []string
	Classes []string
	Docs    []Doc
}

// Options change a measure. The zero value gives the defaults.
type Options struct {
	// Base of the logarithm of mi, emi, ig, ece, rs and rsw; 0 is e.
	Base float64
	// RSD is the d of rs and rsw; 0 is 1/6.
	RSD float64
	// Weight is the weighting of ocfs; "" is tf.
	Weight string
	// Signed keeps the sign of ttest.
	Signed bool
	// Smooth is k of simplemaths, 1 if 0, and ZetaC is c of zetalog, 1.1 if 0.
	Smooth, ZetaC float64
	// BM25 and ReduceFrequent are variants of ctfidf. The idf of the terms Seeds is multiplied by
	// SeedMultiplier, 2 if 0.
	BM25, ReduceFrequent bool
	Seeds                []int
	SeedMultiplier       float64
	// Yates corrects chi for continuity.
	Yates bool
	// zero gives mi 0 where A is 0, which every sum over the classes does.
	zero bool
	// raw gives the odds ratio without 1/2 in the cells, AD/(BC).
	raw bool
}

func (o Options) log() float64 {
	if o.Base == 0 {
		return 1
	}
	return math.Log(o.Base)
}

func (o Options) rsd() float64 { return cmp.Or(o.RSD, 1./6) }
