// Package selection chooses terms by a measure: as many as a [Criterion] says, for all
// classes together or for each class, among all terms or those of an earlier selection.
//
// It takes a corpus, or its statistics, and [Options] and returns a [Selection], which it writes to
// features.tsv and reads again. Begin reading at [Select]. Package vectors turns documents
// into vectors of the selected terms.
package selection

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// ErrNothingSelected is returned when no term passes the criterion.
var ErrNothingSelected = usage.NewError(usage.ErrNothing, "no term was selected")

// Options say which terms to keep.
type Options struct {
	// By says how terms are ranked. Its Threads also bound the selection.
	By rank.Options
	// Keep says how many terms are kept.
	Keep Criterion
	// PerClass ranks the terms by their values for each class, keeps what the criterion
	// keeps for each, and unites these in the order of the classes.
	PerClass bool
	// RoundRobin ranks the terms by their values for each class and takes the best term of
	// each class in turn until there are as many as [Best] says (Forman).
	RoundRobin bool
	// Among is an earlier selection whose terms are the ones to choose from, for a second
	// stage. The values are still computed from the whole corpus, but shares, error rates
	// and the best terms of a document are among these terms. nil means all terms.
	Among *Selection
	// AlwaysKeep are terms that are kept whatever their value, if the corpus has them;
	// they come after the others. AlwaysDrop are terms that are never chosen: criteria do
	// not count them. A name that is no term stands for the one that the analysis of the
	// corpus makes of it, such as "run" of "Running", see [table.Spelled].
	AlwaysKeep, AlwaysDrop []string
}

// A Selection is an ordered list of terms with what is needed to apply it to other
// documents. It is immutable and safe for concurrent use.
type Selection struct {
	Measure    rank.Measure // of the last stage
	Combine    rank.Combination
	Features   []Feature
	Documents  int      // of the corpus it was made from: the N of idf
	Classes    []string // the classes of the output, in the order of their bytes
	Provenance corpus.Provenance
	// Stages record how the terms were chosen, first stage first. Selections that older
	// versions wrote have none.
	Stages []Stage
	// PValues reports whether the features have a Log10P.
	PValues bool
	// Factors are those of supervised weightings by name, with one value for each feature;
	// see [Selection.WithFactors].
	Factors map[string][]float64
	// Names are the terms that were hashed into the columns that the features are, for each feature the most
	// frequent first: all, or the first [MostNames] of them. It is nil where nobody looked for them; see
	// [Selection.WithNames].
	Names    [][]string
	Warnings []string
}

// A Stage records how terms were chosen from candidates.
type Stage struct {
	Measure   rank.Measure     `json:"measure"`
	Formula   string           `json:"formula,omitempty"` // of a measure that its user wrote
	Combine   rank.Combination `json:"combine"`
	Criterion string           `json:"criterion"`       // with its value, as "k 500"
	Quota     string           `json:"quota,omitempty"` // "per-class" or "round-robin"
	// The options of the scoring, as far as they affect it.
	Weight string  `json:"weight,omitempty"`
	Base   float64 `json:"base,omitempty"`
	RSD    float64 `json:"rs-d,omitempty"`
	Signed bool    `json:"signed,omitempty"`
	// Positive says that the values are those of classes that have more of the term.
	Positive bool `json:"positive,omitempty"`
	Yates    bool `json:"yates,omitempty"`
	// Smooth is k of simplemaths, ZetaC c of zetalog; 0 for the default, 1 and 1.1.
	Smooth float64 `json:"smooth,omitempty"`
	ZetaC  float64 `json:"zeta-c,omitempty"`
	// BM25, ReduceFrequent and the seed words are those of ctfidf.
	BM25           bool     `json:"bm25,omitempty"`
	ReduceFrequent bool     `json:"reduce-frequent,omitempty"`
	SeedWords      []string `json:"seed-words,omitempty"`
	SeedMultiplier float64  `json:"seed-multiplier,omitempty"`
	// Test says how p-values were computed; "" if there are none.
	Test       string `json:"test,omitempty"`
	Candidates int    `json:"candidates"` // terms to choose from
	Terms      int    `json:"terms"`      // that were kept
	// Energy is how many terms hold given shares of the sum of the values. It is recorded
	// for ocfs, and if energy was the criterion.
	Energy []rank.EnergyShare `json:"energy,omitempty"`
	// Trial is how the number of terms was found; nil if the caller said it.
	Trial *Trial `json:"trial,omitempty"`
}

// A Feature is a selected term.
type Feature struct {
	Rank   int // from 1; the index of the term in vectors
	Term   string
	Score  float64
	DF     int
	Log10P float64 // see [rank.Entry]; only of a selection with PValues
	// Class is the class that the term was selected for, or the one with its largest
	// value; "" if the value is not that of a class, see [rank.Entry]. A documents of the
	// class have the term, and B others.
	Class string
	A, B  int
}

// A Method is a way to select terms. Package methods has those of the engine, under the
// names that --by of the command takes; package learn compares methods of any origin.
type Method interface {
	// Name returns the name of the method in results.
	Name() string
	// Validate returns an error for a request that is wrong whatever the data.
	Validate() error
	// Select selects k terms of a corpus, best first, or all of them if there are fewer.
	// The terms for a smaller k are the first of those for a larger one. If k is 0, it
	// selects as many terms as the method can rank.
	Select(ctx context.Context, c *corpus.Corpus, k int) (*Selection, error)
}

// A SelfSized method decides how many terms it selects. Its Select returns an error for
// every k but 0.
type SelfSized interface {
	Method
	SelfSized()
}

// Validate returns an error for options that are wrong whatever the data.
func (o Options) Validate() error {
	_, err := o.resolve()
	return err
}

// NeedsClasses reports whether the terms are ranked by what tells classes apart. Options that are wrong
// are taken for such.
func (o Options) NeedsClasses() bool {
	by, err := o.resolve()
	return err != nil || by.NeedsClasses()
}

// resolve checks the options and resolves those of the ranking.
func (o Options) resolve() (by rank.Plan, err error) {
	if err := o.Keep.Validate(); err != nil {
		return by, err
	}
	byClass := o.PerClass || o.RoundRobin
	switch {
	case o.PerClass && o.RoundRobin:
		return by, usage.Errorf("per-class and round-robin exclude each other")
	case o.RoundRobin && o.Keep.most == 0:
		return by, usage.Errorf("round-robin needs k")
	case byClass && o.Keep.name == "per-document":
		return by, usage.Errorf("per-document is for all classes together, not per class")
	}
	ranked := o.By
	ranked.PValues = ranked.PValues || o.Keep.pvalues
	if byClass {
		ranked.Combine = rank.ByClass
	}
	return ranked.Resolve()
}

// Select ranks the terms of a corpus, or of statistics, and selects the best. The selection
// from statistics is that from the corpus they were counted in, but [PerDocument] and the
// weightings of ocfs with an idf need the corpus itself: without it they are a
// [usage.ErrUsage]. The error wraps [ErrNothingSelected] if no term passes the criterion.
// If k is larger than the number of terms, the selection has a warning.
func Select(ctx context.Context, c rank.Counted, o Options) (*Selection, error) {
	by, err := o.resolve()
	if err != nil {
		return nil, err
	}
	if c == nil {
		return nil, usage.Errorf("neither a corpus nor statistics were given")
	}
	stats, err := c.Statistics(ctx, corpus.CountOptions{Weight: by.Column(), Threads: o.By.Threads})
	if err != nil {
		return nil, err
	}
	o.By.PValues = o.By.PValues || o.Keep.pvalues
	for _, list := range []*[]string{&o.AlwaysKeep, &o.AlwaysDrop} {
		*list = table.Spelled(stats.Provenance().Analysis, *list, stats.Names.Has)
	}
	m := &selector{
		Options: o, by: by, counted: c, stats: stats, field: fieldOf(c, stats, o.Among, o.AlwaysDrop), extra: map[string]rank.Entry{},
		out: &Selection{Documents: stats.Documents(), Classes: append([]string{}, stats.Classes()...), Provenance: stats.Provenance(), PValues: o.By.PValues},
	}
	choose := m.overall
	if o.PerClass || o.RoundRobin {
		choose = m.byClass
	}
	entries, err := choose(ctx)
	if err != nil {
		return nil, err
	}
	m.out.Number(m.withKept(entries))
	if len(m.out.Features) == 0 {
		return nil, m.nothingSelected()
	}
	m.record()
	m.warn()
	return m.out, nil
}

// A selector is one call of Select.
type selector struct {
	Options
	by      rank.Plan
	counted rank.Counted // what the statistics are of
	stats   *table.Table
	field   *field
	stage   Stage
	doubts  rank.Reliability
	// undefined is the number of terms whose value is undefined, the largest of all rankings.
	undefined int
	extra     map[string]rank.Entry // the terms of AlwaysKeep, with the entry of their largest value
	near      nearMiss
	out       *Selection
}

// overall selects terms by a single value of each.
func (m *selector) overall(ctx context.Context) ([]rank.Entry, error) {
	var of rank.Counted = m.stats
	if !m.by.FromCells() {
		of = m.counted
	}
	rankings, err := rank.ByPlans(ctx, of, m.by)
	if err != nil {
		return nil, err
	}
	r := rankings[0]
	list := newCandidates(r, m.field, m.By.Threads)
	if m.Keep.name == "energy" || r.Measure == rank.OCFS {
		if e, worst := rank.NewEnergy(list.values); worst < 0 {
			m.stage.Energy = e.Shares()
		}
	}
	return m.choose(ctx, list)
}

// choose returns the entries of the candidates that the criterion keeps, and notes what
// reports and warnings need.
func (m *selector) choose(ctx context.Context, list *candidates) ([]rank.Entry, error) {
	m.undefined = max(m.undefined, len(list.values)-list.defined)
	places, err := m.Keep.places(ctx, list)
	if err != nil {
		return nil, err
	}
	if err := m.doubts.Add(ctx, list.r, list.numbers(places), m.By.Threads); err != nil {
		return nil, err
	}
	r := list.r
	if m.stage.Measure == "" {
		m.stage.Measure, m.stage.Combine, m.stage.Test = r.Measure, r.Combine, r.Test
		m.out.Warnings = r.Warnings
	}
	m.near.update(list, places, m.Keep.pvalues)
	m.noteAlwaysKept(r)
	return list.entries(places), nil
}

// noteAlwaysKept notes the entries of the terms of AlwaysKeep in a ranking.
func (m *selector) noteAlwaysKept(r *rank.Ranking) {
	entry := r.Entries()
	for _, term := range m.AlwaysKeep {
		t, ok := m.stats.Names.Lookup(term)
		if !ok || m.field.dropped[term] {
			continue
		}
		e := entry(t)
		if math.IsNaN(e.Value) { // it ranks last
			e.Value = math.Inf(-1)
		}
		if known, ok := m.extra[term]; !ok || e.Value > known.Value {
			m.extra[term] = e
		}
	}
}

// withKept appends the terms of AlwaysKeep that are not among the entries.
func (m *selector) withKept(entries []rank.Entry) []rank.Entry {
	if len(m.AlwaysKeep) == 0 {
		return entries
	}
	for _, e := range entries {
		delete(m.extra, e.Term)
	}
	for _, term := range m.AlwaysKeep {
		if e, ok := m.extra[term]; ok {
			entries = append(entries, e)
			delete(m.extra, term)
		}
	}
	return entries
}

// Number sets the features of the selection from entries, and numbers them in that order.
func (s *Selection) Number(entries []rank.Entry) {
	s.Features = make([]Feature, 0, len(entries))
	for i, e := range entries {
		s.Features = append(s.Features, Feature{
			Rank: i + 1, Term: e.Term, Score: e.Value, DF: e.DF, Log10P: e.Log10P, Class: e.Class, A: e.A, B: e.B,
		})
	}
}

// record appends the stage to those of the selection that the terms were chosen from.
func (m *selector) record() {
	s := &m.stage
	s.Criterion, s.Candidates, s.Terms = m.Keep.String(), m.field.len(), len(m.out.Features)
	s.Formula = m.by.Formula()
	s.Base, s.RSD, s.Signed, s.Positive, s.Yates = m.By.Base, m.By.RSD, m.By.Signed, m.By.Positive, m.By.Yates
	s.recordOptions(m.By)
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

// recordOptions records the options that only the measure of the stage has.
func (s *Stage) recordOptions(o rank.Options) {
	switch s.Measure {
	case rank.OCFS:
		s.Weight = string(o.Weight)
	case rank.SimpleMaths:
		if o.Smooth != 1 {
			s.Smooth = o.Smooth
		}
	case rank.ZetaLog:
		if o.ZetaC != 1.1 {
			s.ZetaC = o.ZetaC
		}
	case rank.CTFIDF:
		s.BM25, s.ReduceFrequent = o.BM25, o.ReduceFrequent
		if s.SeedWords = o.SeedWords; len(s.SeedWords) > 0 {
			s.SeedMultiplier = cmp.Or(o.SeedMultiplier, rank.DefaultSeedMultiplier)
		}
	}
}

// stages returns the stages of a selection, or a single one with what is known if they
// were not recorded.
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
	n, k := m.field.len(), m.Keep.most
	switch {
	case m.undefined > 0 && m.By.Positive && k > n-m.undefined:
		warn("k = %d is more than the %d terms that a class has more of: no others are kept", k, n-m.undefined)
	case m.undefined > 0 && k > n-m.undefined:
		warn("k = %d is more than the %d terms whose value is defined: no others are kept", k, n-m.undefined)
	case k > n:
		warn("k = %d is more than the %d terms: all of them are kept", k, n)
	}
	if m.Keep.shares && (m.stats.Pruned || int(m.stats.Missing) > 0) {
		warn("terms are missing that were left out by document frequency: %s is of the others", m.Keep.name)
	}
	if m.Among == nil { // a later stage lacks others
		m.out.Warnings = append(m.out.Warnings, UnknownNames("to drop", m.AlwaysDrop, m.field.names.Has)...)
	}
	m.out.Warnings = append(m.out.Warnings, UnknownNames("to keep", m.AlwaysKeep, m.field.names.Has)...)
	m.out.Warnings = append(m.out.Warnings, m.doubts.Warnings()...)
}

// UnknownNames returns a warning if some names are no terms, none else.
func UnknownNames(what string, names []string, known func(term string) bool) []string {
	unknown := slices.DeleteFunc(slices.Clone(names), known)
	if len(unknown) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of the %d names %s are no terms; the first is %q", len(unknown), len(names), what, usage.Cut(unknown[0]))}
}

// A Trial records how the number of terms of a stage was found: by what a classifier made
// of several numbers, on folds of the documents.
type Trial struct {
	Classifier string  `json:"classifier"`
	Weight     string  `json:"weight"`
	Metric     string  `json:"metric"`
	Folds      int     `json:"folds"`
	Seed       uint64  `json:"seed"`
	Rule       string  `json:"rule"`      // which values are as good as the best
	Tolerance  float64 `json:"tolerance"` // how far they are below it at most
	// Points are the numbers that were tried.
	Points []TrialPoint `json:"points"`
}

// A TrialPoint is a number of terms with the mean of the metric over the folds, and its
// standard deviation.
type TrialPoint struct {
	K         int     `json:"k"` // 0 for all terms
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"sd"`
}

// WithTrial returns a copy of the selection that records how the number of terms of its
// last stage was found.
func (s *Selection) WithTrial(t Trial) *Selection {
	out := *s
	out.Stages = slices.Clone(s.stages())
	out.Stages[len(out.Stages)-1].Trial = &t
	return &out
}
