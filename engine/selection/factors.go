package selection

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A supervised weighting is tf times a factor of the term that is computed from the
// classes. All classes share one factor, the largest of the factors of the term for each
// class, so that one matrix serves every class. That of tf-ig is the information gain over
// all classes.
//
//	tf-rf      log2(2 + A/max(1, B))                           Lan et al. 2009
//	tf-chi     chi-square                                      Debole and Sebastiani 2003
//	tf-ig      information gain, in nats                       the same
//	delta-idf  |log2(((B + ½) n_c) / ((A + ½)(N - n_c)))|      Martineau and Finin 2009
//
// A is the number of documents of the class that have the term, B that of other documents
// that have it, n_c that of the documents of the class and N that of all documents. With
// the suffix "-unit" documents are scaled to length 1. delta-idf is 0 for a class that has
// all documents.
type supervised struct {
	name    string
	scoring rank.Options
}

func supervisedWeightings() []supervised {
	own := func(m score.Measure) rank.Options {
		return rank.Options{Measure: rank.Measure(m.Name()), Combine: rank.Max, Own: []score.Measure{m}}
	}
	return []supervised{
		{"tf-rf", own(relevance{})},
		{"tf-chi", rank.Options{Measure: rank.Chi, Combine: rank.Max}},
		{"tf-ig", rank.Options{Measure: rank.IG}},
		{"delta-idf", own(deltaIDF{})},
	}
}

const unitSuffix = "-unit"

// Factors returns the names of the factors that [Selection.WithFactors] computes, which
// are those of the supervised weightings.
func Factors() (names []string) {
	for _, s := range supervisedWeightings() {
		names = append(names, s.name)
	}
	return names
}

// Weightings returns the names of the weightings of rows: those of
// [corpus.Corpus.Weights], which need counts alone, and the supervised ones.
func Weightings() (names []string) {
	for _, w := range table.Weightings() {
		names = append(names, string(w))
	}
	for _, name := range Factors() {
		names = append(names, name, name+unitSuffix)
	}
	return names
}

// FactorOf returns the name of the factor that a weighting of rows needs, or "" if it
// needs none. For an unknown weighting the error is a [usage.UnknownError]; the weighting
// "" is tf.
func FactorOf(weight table.Weighting) (string, error) {
	if weight == "" {
		return "", nil
	}
	if known := Weightings(); !slices.Contains(known, string(weight)) {
		return "", usage.Unknown("weighting", string(weight), known)
	}
	if name := strings.TrimSuffix(string(weight), unitSuffix); slices.Contains(Factors(), name) {
		return name, nil
	}
	return "", nil
}

// WithFactors returns the selection with the factors that weightings of rows need,
// computed from the documents of c. It ignores weightings that need none and factors that
// the selection already has. c must be the corpus that the selection was made from, or its
// statistics, else the error may wrap [usage.ErrContradiction].
func (s *Selection) WithFactors(ctx context.Context, c rank.Counted, threads int, weights ...table.Weighting) (*Selection, error) {
	var names []string
	var scorings []rank.Options
	for _, weight := range weights {
		name, err := FactorOf(weight)
		if err != nil {
			return nil, err
		}
		if name == "" || s.Factors[name] != nil || slices.Contains(names, name) {
			continue
		}
		for _, w := range supervisedWeightings() {
			if w.name == name {
				o := w.scoring
				o.Threads = threads
				names, scorings = append(names, name), append(scorings, o)
			}
		}
	}
	if len(names) == 0 {
		return s, nil
	}
	rankings, err := rank.Several(ctx, c, scorings...)
	if err != nil {
		return nil, err
	}
	counts := rankings[0].Statistics()
	with := *s
	with.Factors = make(map[string][]float64, len(names)+len(s.Factors))
	for name, list := range s.Factors {
		with.Factors[name] = list
	}
	for i, name := range names {
		list := make([]float64, len(s.Features))
		for j, f := range s.Features {
			t, ok := counts.Names.Lookup(f.Term)
			if !ok || int(counts.Cells.DF[t]) != f.DF {
				return nil, fmt.Errorf("%w: it was made from another corpus, for the term %q is not in %d documents of this one", usage.ErrContradiction, usage.Cut(f.Term), f.DF)
			}
			list[j] = max(rankings[i].Values()[t], 0)
		}
		with.Factors[name] = list
	}
	return &with, nil
}

// FactorsFor returns, for a weighting of rows, the weighting that computes it and the
// factor of every feature by which that multiplies term frequencies. The error wraps
// [ErrBadFeatures] if the selection lacks the factors.
func (s *Selection) FactorsFor(weight table.Weighting) (table.Weighting, []float64, error) {
	name, err := FactorOf(weight)
	if err != nil {
		return "", nil, err
	}
	if name != "" {
		factors := s.Factors[name]
		if len(factors) != len(s.Features) || factors == nil {
			return "", nil, fmt.Errorf("%w: it has no factors for the weighting %s, which are a matter of the documents it was made from: select with --factors %s", ErrBadFeatures, weight, name)
		}
		if strings.HasSuffix(string(weight), unitSuffix) {
			return table.TFIDFUnit, factors, nil
		}
		return table.TFIDF, factors, nil
	}
	w, err := table.ParseWeighting(weight)
	if err != nil {
		return "", nil, err
	}
	if row, problem := s.contradiction(); problem != "" && w.UsesIDF() {
		return "", nil, fmt.Errorf("%w: feature %d: %s", ErrBadFeatures, row+1, problem)
	}
	idf := make([]float64, len(s.Features))
	for i, f := range s.Features {
		idf[i] = table.IDF(float64(s.Documents), float64(f.DF))
	}
	return w, idf, nil
}

// relevance is the relevance frequency of tf-rf.
type relevance struct{}

// Name implements [score.Measure].
func (relevance) Name() string { return "tf-rf" }

// Class implements [score.Measure].
func (relevance) Class(t *score.Table) float64 { return log2(2 + t.A/max(1, t.DF-t.A)) }

// deltaIDF is the absolute difference between the idf of a term inside and outside a
// class.
type deltaIDF struct{}

// Name implements [score.Measure].
func (deltaIDF) Name() string { return "delta-idf" }

// Class implements [score.Measure].
func (deltaIDF) Class(t *score.Table) float64 {
	if t.NC == t.N || t.NC == 0 {
		return 0
	}
	inside := float64((t.A + .5) * (t.N - t.NC))
	return math.Abs(log2(float64((t.DF-t.A+.5)*t.NC) / inside))
}

func log2(x float64) float64 { return kernels.Log(x) / math.Ln2 }
