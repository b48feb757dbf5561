package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/spelling"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/kernels"
)

// A supervised weighting is tf times a factor of the term, which the classes give. All
// classes share one factor, the largest that the term has for any of them, so that one
// matrix serves every class; ig is that of all classes together.
//
//	tf-rf      log2(2 + A/max(1, B))                           Lan et al. 2009
//	tf-chi     chi-square                                      Debole and Sebastiani 2003
//	tf-ig      information gain, in nats                       the same
//	delta-idf  |log2(((B + ½) n_c) / ((A + ½)(N - n_c)))|      Martineau and Finin 2009
//
// with the A documents of the class and B outside that have the term. With "-unit"
// behind its name documents are scaled to length 1. delta-idf is 0 for a class of all
// documents.
type supervised struct {
	name    string
	scoring Scoring
}

func supervisedWeightings() []supervised {
	own := func(m score.Measure) Scoring {
		return Scoring{By: m.Name(), Combine: score.Max, Own: []score.Measure{m}}
	}
	return []supervised{
		{"tf-rf", own(relevance{})},
		{"tf-chi", Scoring{By: "chi", Combine: score.Max}},
		{"tf-ig", Scoring{By: "ig"}},
		{"delta-idf", own(deltaIDF{})},
	}
}

const unitSuffix = "-unit"

// Factors lists the names of the factors that [Selection.WithFactors] computes: those of
// the supervised weightings.
func Factors() (names []string) {
	for _, s := range supervisedWeightings() {
		names = append(names, s.name)
	}
	return names
}

// RowWeightings lists the weightings of rows: those of [Corpus.Weights], which counts
// alone give, and the supervised ones.
func RowWeightings() (names []string) {
	for _, w := range store.Weightings() {
		names = append(names, string(w))
	}
	for _, name := range Factors() {
		names = append(names, name, name+unitSuffix)
	}
	return names
}

// FactorOf gives the name of the factor that a weighting of rows needs, "" of one that
// needs none. An unknown weighting is an [UnknownError]; "" is tf.
func FactorOf(weight string) (string, error) {
	if weight == "" {
		return "", nil
	}
	known := RowWeightings()
	if !slices.Contains(known, weight) {
		return "", &UnknownError{Kind: "weighting", Name: weight, Near: spelling.Nearest(weight, slices.Values(known)), Known: known}
	}
	if name := strings.TrimSuffix(weight, unitSuffix); slices.Contains(Factors(), name) {
		return name, nil
	}
	return "", nil
}

// WithFactors gives a selection the factors of weightings of rows, which the documents of
// its corpus have; weightings that need none, and factors that it has, are passed over.
// The corpus must be the one that the selection was made from.
func (s *Selection) WithFactors(ctx context.Context, c *Corpus, threads int, weights ...string) (*Selection, error) {
	var names []string
	var scorings []Scoring
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
	rankings, err := c.Rank(ctx, scorings...)
	if err != nil {
		return nil, err
	}
	with := *s
	with.Factors = make(map[string][]float64, len(names)+len(s.Factors))
	for name, list := range s.Factors {
		with.Factors[name] = list
	}
	for i, name := range names {
		list := make([]float64, len(s.Features))
		for j, f := range s.Features {
			t, ok := c.Lookup(f.Term)
			if !ok || c.DF(t) != f.DF {
				return nil, fmt.Errorf("%w: it was made from another corpus, for the term %q is not in %d documents of this one", ErrContradiction, cut(f.Term), f.DF)
			}
			list[j] = max(rankings[i].values[t], 0)
		}
		with.Factors[name] = list
	}
	return &with, nil
}

// factorsFor gives what a weighting multiplies frequencies by, of every feature, and the
// weighting that does so.
func (s *Selection) factorsFor(weight string) (store.Weighting, []float64, error) {
	name, err := FactorOf(weight)
	if err != nil {
		return "", nil, err
	}
	if name != "" {
		factors := s.Factors[name]
		if len(factors) != len(s.Features) || factors == nil {
			return "", nil, fmt.Errorf("%w: it has no factors for the weighting %s, which are a matter of the documents it was made from: select with --factors %s", ErrBadSelection, weight, name)
		}
		if strings.HasSuffix(weight, unitSuffix) {
			return store.TFIDFUnit, factors, nil
		}
		return store.TFIDF, factors, nil
	}
	w, err := parseWeighting(weight)
	if err != nil {
		return "", nil, err
	}
	idf := make([]float64, len(s.Features))
	for i, f := range s.Features {
		idf[i] = store.IDF(float64(s.Documents), float64(f.DF))
	}
	return w, idf, nil
}

// relevance is the relevance frequency of tf-rf.
type relevance struct{}

// Name implements [score.Measure].
func (relevance) Name() string { return "tf-rf" }

// Class implements [score.Measure].
func (relevance) Class(t *score.Table) float64 { return log2(2 + t.A/max(1, t.DF-t.A)) }

// deltaIDF is the size of the difference of two idf, inside and outside.
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
