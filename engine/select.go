package engine

import (
	"context"
	"fmt"
	"slices"
)

// Selecting says which terms to keep. Set exactly one of K, Percentile, MinScore,
// Energy, FPR, FDR, FWE and PerDocument: the criterion.
type Selecting struct {
	Scoring
	// K keeps the K best terms; with PerClass, K for each class.
	K int
	// Percentile keeps this share of the terms, in (0, 100].
	Percentile float64
	// MinScore keeps the terms with at least this value.
	MinScore *float64
	// Energy in (0, 1] keeps the fewest terms that hold this share of the sum of all
	// values, none of which may be negative: see [Ranking.Energy].
	Energy float64
	// FPR, FDR and FWE in (0, 1) are levels for p-values, see [Scoring].PValues: they
	// keep the terms with p < FPR; those that Benjamini and Hochberg keep, of which
	// at most the share FDR is without association, on average; those that Holm
	// keeps, of which with a probability of at most FWE any is. The tests are those
	// of all candidates, and two-sided: terms that avoid a class pass, too.
	FPR, FDR, FWE float64
	// PerDocument keeps the best terms of each document, so many of them: with 1 the
	// least that leaves no document empty that has a candidate (ALOFT, Pinheiro et
	// al. 2012; with more, MFD, 2015).
	PerDocument int
	// PerClass ranks by the class values and unites what the criterion keeps of each
	// class, in the order of the classes.
	PerClass bool
	// RoundRobin ranks by the class values and takes the best of each class in
	// turn until there are K terms (Forman).
	RoundRobin bool
	// Among are the terms to choose from, an earlier selection: a second stage. The
	// values are those of the whole corpus; shares, error rates and the best of a
	// document are among these terms. nil means all terms.
	Among *Selection
	// Keep are terms that are kept whatever their value, as far as they occur;
	// they come behind the others. Drop are terms that never are, as if the corpus
	// did not have them to choose from.
	Keep, Drop []string
}

// A Selection is an ordered list of terms with what is needed to apply it to
// other data. It is immutable and safe for concurrent use.
type Selection struct {
	Measure    string // of the last stage
	Combine    string
	Features   []Feature
	Documents  int      // of the corpus it was made from: the N of idf
	Classes    []string // in label-byte order: the classes of the output
	Provenance Provenance
	// Stages say how the terms were chosen, first to last; not known for selections
	// that older versions wrote.
	Stages []Stage
	// PValues says that the features have a Log10P.
	PValues bool
	// Factors are those of supervised weightings by their names, one for each feature;
	// see [Selection.WithFactors].
	Factors  map[string][]float64
	Warnings []string
}

// A Stage says how terms were chosen among others.
type Stage struct {
	Measure   string `json:"measure"`
	Combine   string `json:"combine"`
	Criterion string `json:"criterion"`       // and its value: "k 500"
	Quota     string `json:"quota,omitempty"` // "per-class" or "round-robin"
	// What the scoring was asked for, as far as it has a bearing.
	Weight string  `json:"weight,omitempty"`
	Base   float64 `json:"base,omitempty"`
	RSD    float64 `json:"rs-d,omitempty"`
	Signed bool    `json:"signed,omitempty"`
	Yates  bool    `json:"yates,omitempty"`
	// Test says how p-values were computed, where they were.
	Test       string `json:"test,omitempty"`
	Candidates int    `json:"candidates"` // terms to choose from
	Terms      int    `json:"terms"`      // that were kept
	// Energy tells how many terms hold shares of the values' sum; of ocfs, and where
	// energy was the criterion.
	Energy []EnergyShare `json:"energy,omitempty"`
}

// A Feature is a selected term.
type Feature struct {
	Rank   int // from 1: the index in the reduced data
	Term   string
	Score  float64
	DF     int
	Log10P float64 // see [Entry]; only of a selection with PValues
	// Class is the class that the term was selected for, with A documents in
	// it and B outside; only of a selection by class.
	Class string
	A, B  int
}

// check gives the criterion, and the options as the scoring needs them.
func (o *Selecting) check() (criterion, error) {
	rule, err := o.criterion()
	if err != nil {
		return rule, err
	}
	o.PValues = o.PValues || rule.pvalues
	byClass := o.PerClass || o.RoundRobin
	switch {
	case o.PerClass && o.RoundRobin:
		return rule, usage("per-class and round-robin exclude each other")
	case o.RoundRobin && o.K == 0:
		return rule, usage("round-robin needs k")
	case byClass && o.PerDocument != 0:
		return rule, usage("per-document is for all classes together, not per class")
	}
	scoring := o.Scoring
	if byClass {
		scoring.Combine = "class"
	}
	return rule, scoring.Validate()
}

// Validate reports a request that no data could satisfy.
func (o Selecting) Validate() error {
	_, err := o.check()
	return err
}

// Select scores and selects. It returns [ErrNothingSelected] where no term
// passes, and warns where k is more than there are terms.
func (c *Corpus) Select(ctx context.Context, o Selecting) (*Selection, error) {
	rule, err := o.check()
	if err != nil {
		return nil, err
	}
	m := &selector{
		Selecting: o, corpus: c, rule: rule, field: c.fieldOf(o.Among, o.Drop), extra: map[string]Entry{},
		out: &Selection{Documents: c.Documents(), Classes: c.Classes(), Provenance: c.provenance, PValues: o.PValues},
	}
	choose := m.overall
	if o.PerClass || o.RoundRobin {
		choose = m.byClass
	}
	entries, err := choose(ctx)
	if err != nil {
		return nil, err
	}
	m.out.number(m.withKept(entries))
	if len(m.out.Features) == 0 {
		return nil, m.nothing()
	}
	m.record()
	m.warn()
	return m.out, nil
}

// A selector is one call of Select.
type selector struct {
	Selecting
	corpus *Corpus
	rule   criterion
	field  *field
	stage  Stage
	doubts doubts
	extra  map[string]Entry // the terms to keep, with their largest values
	near   nearMiss
	out    *Selection
}

// overall selects by one value a term.
func (m *selector) overall(ctx context.Context) ([]Entry, error) {
	rankings, err := m.corpus.Rank(ctx, m.Scoring)
	if err != nil {
		return nil, err
	}
	list := newCandidates(rankings[0], m.field, m.Threads)
	if m.rule.name == "energy" || list.r.Measure == "ocfs" {
		m.stage.Energy = list.energyShares()
	}
	return m.choose(ctx, list)
}

// choose has the criterion choose from a list.
func (m *selector) choose(ctx context.Context, list *candidates) ([]Entry, error) {
	places, err := m.rule.take(ctx, list)
	if err != nil {
		return nil, err
	}
	if err := m.doubts.add(ctx, list, places); err != nil {
		return nil, err
	}
	r := list.r
	if m.stage.Measure == "" {
		m.stage.Measure, m.stage.Combine, m.stage.Test = r.Measure, r.Combine, r.Test
		m.out.Warnings = r.Warnings
	}
	m.near.add(list, places, m.rule.pvalues)
	m.keep(r)
	return list.entries(places), nil
}

// keep finds the terms that are kept whatever their value.
func (m *selector) keep(r *Ranking) {
	for _, term := range m.Keep {
		t, ok := r.of.terms.Lookup(term)
		if !ok || m.field.dropped[term] {
			continue
		}
		if e, known := m.extra[term]; !known || r.values[t] > e.Value {
			m.extra[term] = r.at(t)
		}
	}
}

// withKept appends the terms to keep, where they are not there yet.
func (m *selector) withKept(entries []Entry) []Entry {
	if len(m.Keep) == 0 {
		return entries
	}
	for _, e := range entries {
		delete(m.extra, e.Term)
	}
	for _, term := range m.Keep {
		if e, ok := m.extra[term]; ok {
			entries = append(entries, e)
			delete(m.extra, term)
		}
	}
	return entries
}

// number makes features of entries, in their order.
func (s *Selection) number(entries []Entry) {
	s.Features = make([]Feature, 0, len(entries))
	for i, e := range entries {
		s.Features = append(s.Features, Feature{
			Rank: i + 1, Term: e.Term, Score: e.Value, DF: e.DF, Log10P: e.Log10P, Class: e.Class, A: e.A, B: e.B,
		})
	}
}

// record adds the stage to those of the selection that was chosen from.
func (m *selector) record() {
	s := &m.stage
	s.Criterion, s.Candidates, s.Terms = m.rule.String(), m.field.len(), len(m.out.Features)
	s.Base, s.RSD, s.Signed, s.Yates = m.Base, m.RSD, m.Signed, m.Yates
	if s.Measure == "ocfs" {
		s.Weight = m.Weight
	}
	switch {
	case m.PerClass:
		s.Quota = "per-class"
	case m.RoundRobin:
		s.Quota = "round-robin"
	}
	m.out.Measure, m.out.Combine = s.Measure, s.Combine
	if m.Among != nil {
		m.out.Stages = m.Among.stages()
	}
	m.out.Stages = append(m.out.Stages, *s)
}

// stages are those of a selection, or what can be told of them.
func (s *Selection) stages() []Stage {
	if len(s.Stages) > 0 {
		return slices.Clone(s.Stages)
	}
	return []Stage{{Measure: s.Measure, Combine: s.Combine, Criterion: "not recorded", Terms: len(s.Features)}}
}

func (m *selector) warn() {
	warn := func(format string, args ...any) {
		m.out.Warnings = append(m.out.Warnings, fmt.Sprintf(format, args...))
	}
	if n := m.field.len(); m.K > n {
		warn("k = %d is more than the %d terms: all of them are kept", m.K, n)
	}
	if m.rule.shares && m.corpus.index.Pruned {
		warn("the index lacks terms that were left out by document frequency: %s is of the others", m.rule.name)
	}
	m.out.Warnings = append(m.out.Warnings, m.doubts.warnings()...)
}
