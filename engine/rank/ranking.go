package rank

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/tsv"
)

// A Ranking holds the value of every term by one measure. It is immutable and safe for concurrent use.
//
// Terms are ordered by value, descending, compared as exact float64; those of equal value
// by document frequency, descending, then by their bytes, ascending. An undefined value
// (NaN, from inf - inf under a signed combination) comes last.
type Ranking struct {
	Measure Measure
	Combine Combination
	Class   string // the class of a class ranking; else ""
	// Test says how the p-values were computed; "" if none were asked for.
	Test string
	// Warnings say what a reader of the values should know.
	Warnings []string

	stats  *table.Table
	plan   Plan
	values []float64 // by term number
	class  int       // number of Class; -1 if this is not a class ranking

	undefined int // values that are

	test    *test    // nil without p-values
	largest []uint32 // by term: the class with the largest value; nil if the test does not need it
}

// An Entry is a term with its value.
type Entry struct {
	Rank int // from 1, from Best and Top; 0 where terms are not in order of their values
	Term string
	// Class is the class of a class value, or the class with the largest value where the
	// value is a maximum: of equal ones a class that has the term comes first, then the
	// order of their bytes decides. It is "" for totals, sums and averages, and for a
	// value that a measure computes over all classes.
	Class string
	Value float64
	// Log10P is the logarithm to base 10 of the p-value, at most 0. It is only set by a
	// ranking with a Test.
	Log10P float64
	DF     int
	// A, B, C, D are numbers of documents: with the term in the class, with the term
	// outside it, without the term in the class, without the term outside it. They are
	// only set if there is a Class.
	A, B, C, D int
	// Sign is 1 where the class has more of the term than all documents have, -1 where it has
	// less, as [score.Sign] says, and 0 where it has as much or there is no Class.
	Sign int
	// TF is the number of occurrences of the term in the class, TFAll that in all
	// documents.
	TF, TFAll float64
}

// finish adds warnings and, if p-values were asked for, the test.
func (r *Ranking) finish(ctx context.Context) (*Ranking, error) {
	r.warn()
	t, err := r.plan.test(r.stats)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return r, nil
	}
	if t.counted == countsDocuments && r.class < 0 {
		if r.largest, err = largestClasses(ctx, r.stats, r.plan); err != nil {
			return nil, err
		}
	}
	r.test, r.Test = t, t.title
	return r, nil
}

func (r *Ranking) warn() {
	r.Warnings = append(r.Warnings, r.plan.Warnings(r.stats)...)
	p := &r.plan
	if !p.own && p.info.Undefined == "" && !p.positive && (p.combine == "" || p.combine == Max) {
		return // the largest class value of a standard measure, and one that it computes by itself, are always defined
	}
	if r.undefined = countUndefined(r.values); r.undefined > 0 && !p.positive {
		why := cmp.Or(p.info.Undefined, "inf - inf under a signed combination")
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d terms have an undefined value (%s); they rank last", r.undefined, why))
	}
	if r.plan.isFormula() && r.Len() > 1 && !slices.ContainsFunc(r.values, func(v float64) bool { return v != r.values[0] }) {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the formula %s has the same value for all terms, %s: it orders none", r.Measure, tsv.FormatValue(r.values[0])))
	}
}

// UsesTokens reports whether the measure reads token counts.
func (r *Ranking) UsesTokens() bool { return r.plan.UsesTokens() }

// Undefined returns the number of terms whose value is undefined: inf - inf, or none under Positive.
func (r *Ranking) Undefined() int { return r.undefined }

func countUndefined(values []float64) int {
	n := 0
	for _, v := range values {
		if math.IsNaN(v) {
			n++
		}
	}
	return n
}

// Len returns the number of terms.
func (r *Ranking) Len() int { return len(r.values) }

// Values returns the values of all terms by term number. The slice must not be modified.
func (r *Ranking) Values() []float64 { return r.values }

// Statistics returns the statistics that the terms were ranked by.
func (r *Ranking) Statistics() *table.Table { return r.stats }

// shown returns how many of the k best terms lists have: none that has no value under Positive.
func (r *Ranking) shown(k int) int {
	most := r.Len()
	if r.plan.positive {
		most -= r.undefined
	}
	return min(max(k, 0), most)
}

// Top returns the k best terms, best first; all of them if there are fewer.
func (r *Ranking) Top(k int) []Entry {
	set, top := r.setter(), TopK(r.values, r.shown(k))
	entries := make([]Entry, len(top))
	for i, t := range top {
		entries[i].Rank = i + 1
		set(&entries[i], t)
	}
	return entries
}

// Best yields the entries that Top returns, without holding them in memory.
func (r *Ranking) Best(k int) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		set := r.setter()
		var e Entry // on the heap, for set is not known to keep none: one for all
		for i, t := range TopK(r.values, r.shown(k)) {
			e = Entry{Rank: i + 1}
			set(&e, t)
			if !yield(e) {
				return
			}
		}
	}
}

// All yields every term in the order of its bytes, but those that have no value under Positive.
func (r *Ranking) All() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		entry := r.Entries()
		for _, t := range r.stats.Names.Sorted() {
			if r.plan.positive && math.IsNaN(r.values[t]) {
				continue
			}
			if !yield(entry(int(t))) {
				return
			}
		}
	}
}

// Entries returns a function that returns the entry of a term by its number. That function
// has scratch memory: only one goroutine may call it.
func (r *Ranking) Entries() func(t int) Entry {
	set := r.setter()
	var e Entry
	return func(t int) Entry {
		e = Entry{}
		set(&e, t)
		return e
	}
}

// setter returns a function that sets an entry but for its rank to that of a term. Entries
// are large: to copy one from call to call took a tenth of the time of the best 10,000.
func (r *Ranking) setter() func(e *Entry, t int) {
	var panel *score.Panel
	var tile table.Tile
	if r.class < 0 && r.plan.label == Max {
		panel = score.NewPanel(r.plan.byClass(), Margins(r.stats))
	}
	return func(e *Entry, t int) {
		e.setTerm(r.stats, t, r.values[t])
		switch {
		case panel != nil && math.IsNaN(r.values[t]): // no class has a value
		case panel != nil:
			r.stats.Cells.Read(&tile, t, t+1, panel.NeedsTokens())
			e.setClass(r.stats, t, panel.Largest(&tile), r.plan.signed)
		case r.class >= 0:
			e.setClass(r.stats, t, r.class, r.plan.signed)
		}
		if r.test != nil {
			e.Log10P = Log10(r.LnP(t))
		}
	}
}

// rankOf returns the rank of a term, from 1, by comparing it with all others.
func (r *Ranking) rankOf(t int) int {
	rank, own := 1, NewCandidate(t, r.values[t])
	for i := range r.values {
		if before(NewCandidate(i, r.values[i]), own) {
			rank++
		}
	}
	return rank
}

// setTerm sets an entry to that of a term without a class.
func (e *Entry) setTerm(s *table.Table, t int, value float64) {
	e.Term, e.Value, e.DF, e.TFAll = s.Names.Term(t), value, int(s.Cells.DF[t]), s.Cells.CF.At(t, float64(s.Cells.DF[t]))
}

// setClass sets the class of an entry whose term is set, and what depends on it; m tells the sign.
func (e *Entry) setClass(s *table.Table, t, class int, m score.Measure) {
	x := tableOf(s, t, class)
	e.Class, e.A, e.B, e.C, e.D = s.Classes()[class], int(x.A), int(x.B), int(x.C), int(x.D)
	e.TF = occurrencesIn(s, t, class)
	e.Sign = score.Sign(m, &score.Table{
		N: s.Cells.Documents, DF: float64(e.DF), NC: float64(e.A + e.C), A: float64(e.A),
		T: s.Cells.Tokens, CF: e.TFAll, TC: s.Cells.ClassTokens[class], S: e.TF,
	})
}

// tableOf returns the 2x2 table of documents of a term and a class.
func tableOf(s *table.Table, t, class int) pvalue.Table {
	a := int64(0)
	if cell := s.Cells.CellOf(t, uint32(class)); cell >= 0 {
		a = int64(s.Cells.A.At(s.Cells.Start[t]+cell, 0))
	}
	df, n := int64(s.Cells.DF[t]), int64(s.Cells.ClassDocs[class])
	return pvalue.Table{A: a, B: df - a, C: n - a, D: int64(s.Documents()) - n - (df - a)}
}

// occurrencesIn returns how often a class has a term.
func occurrencesIn(s *table.Table, t, class int) float64 {
	cell := s.Cells.CellOf(t, uint32(class))
	if cell < 0 {
		return 0
	}
	cell += s.Cells.Start[t]
	return s.Cells.S.At(cell, s.Cells.A.At(cell, 0))
}

// An EnergyShare is the number of best terms that hold a share of the sum of all values.
type EnergyShare struct {
	Share float64 `json:"share"`
	Terms int     `json:"terms"`
}

// An Energy holds the sums of the best 1, 2, ... values that are not 0, in units of
// the largest of them, so that no sum overflows.
type Energy []float64

// nearlyAll is the fraction of a share from which a sum counts as reaching it.
const nearlyAll = 1 - 4e-12

// NewEnergy returns the energy of values, and -1. If a value is negative or undefined, it
// returns the index of the worst one instead.
func NewEnergy(values []float64) (e Energy, worst int) {
	order := TopK(values, len(values))
	if n := len(order); n > 0 {
		if last := order[n-1]; !(values[last] >= 0) {
			return nil, last
		}
	}
	sum := 0.0
	for _, i := range order {
		v, largest := values[i], values[order[0]]
		switch {
		case v == 0, v < largest && math.IsInf(largest, 1):
			return e, -1
		case v == largest:
			sum++ // also Inf/Inf
		default:
			sum += v / largest
		}
		e = append(e, sum)
	}
	return e, -1
}

// Terms returns the smallest number of best terms whose values add up to a share, in (0, 1], of the sum of all values:
// p* of Yan et al. 2005. A sum that falls short of the share by a relative 4e-12 counts as reaching it, since values as
// close as that are ties. A share of 1 takes every term with a value above 0. Infinite values hold the whole sum, in
// equal parts. If all values are 0, the number is 0.
func (e Energy) Terms(share float64) int {
	if len(e) == 0 || share == 1 {
		return len(e)
	}
	enough := float64(float64(share*nearlyAll) * e[len(e)-1])
	n := 0
	for e[n] < enough {
		n++
	}
	return n + 1
}

// Shares returns the shares that are recorded with a selection: 80, 90, 95 and 99 percent.
func (e Energy) Shares() (shares []EnergyShare) {
	for _, share := range []float64{.8, .9, .95, .99} {
		shares = append(shares, EnergyShare{share, e.Terms(share)})
	}
	return shares
}

// A Best keeps the best of what it is offered.
type Best[T any] struct {
	Most  int              // how many; 0 keeps all
	Order func(a, b T) int // negative if a is better, never 0

	sort  func(kept []T) // nil sorts by Order
	kept  []T            // up to twice as many
	worst T              // of as many as were kept at a time, if full
	full  bool
}

// Takes reports whether one may be among the best.
func (b *Best[T]) Takes(x T) bool { return !b.full || b.Order(x, b.worst) <= 0 }

// Offer takes one.
func (b *Best[T]) Offer(x T) {
	if !b.Takes(x) {
		return
	}
	if b.kept = append(b.kept, x); b.Most > 0 && len(b.kept)/2 >= max(b.Most, leastKept) {
		b.worst, b.full = b.Sorted()[b.Most-1], true
	}
}

// Worst returns the worst of as many as are kept, the zero value until so many were chosen: what is worse need not be
// offered.
func (b *Best[T]) Worst() T { return b.worst }

// leastKept is how many are kept before the best of them are chosen, for small numbers.
const leastKept = 4

// Sorted returns the best, the best first. They are valid until the next offer.
func (b *Best[T]) Sorted() []T {
	if b.sort != nil {
		b.sort(b.kept)
	} else {
		slices.SortFunc(b.kept, b.Order)
	}
	if b.Most > 0 {
		b.kept = b.kept[:min(b.Most, len(b.kept))]
	}
	return b.kept
}

// TopK returns the numbers of the k best terms in rank order.
func TopK(values []float64, k int) []int {
	if k <= 0 {
		return nil
	}
	var spare []Candidate
	best, least := Best[Candidate]{Most: k, Order: Order, sort: func(kept []Candidate) { // they come in the order of their terms
		spare = slices.Grow(spare[:0], len(kept))[:len(kept)]
		table.SortDescending(kept, spare)
	}}, uint64(0)
	for i, v := range values {
		if c := NewCandidate(i, v); c.Key >= least {
			if best.Offer(c); best.full {
				least = best.worst.Key + 1 // later terms of the same value are worse
			}
		}
	}
	found := make([]int, 0, min(k, len(values)))
	for _, c := range best.Sorted() {
		found = append(found, int(c.ID))
	}
	return found
}

// valueOf returns the value that a key encodes.
func valueOf(key uint64) float64 {
	if key&signBit != 0 {
		return math.Float64frombits(key &^ signBit)
	}
	return math.Float64frombits(^key)
}

// A Candidate is a term, its ID, with its value, encoded as an integer key in the order of the
// values: a larger key is better, NaN has the smallest, and -0 and +0 have the same.
type Candidate = table.Item

const signBit = 1 << 63

// NewCandidate returns the candidate of a term, by its number, with its value.
func NewCandidate(term int, value float64) Candidate {
	if math.IsNaN(value) {
		return Candidate{ID: uint32(term)}
	}
	bits := math.Float64bits(value + 0) // -0 + 0 is +0
	if bits&signBit != 0 {
		return Candidate{Key: ^bits, ID: uint32(term)}
	}
	return Candidate{Key: bits | signBit, ID: uint32(term)}
}

// before reports whether c ranks before d: by value, then by term number, which is in the
// order of document frequency and bytes.
func before(c, d Candidate) bool { return c.Key > d.Key || c.Key == d.Key && c.ID < d.ID }

// Order compares candidates by rank, for [slices.SortFunc]: it returns a negative number
// if a ranks before b.
func Order(a, b Candidate) int {
	if before(a, b) {
		return -1
	}
	return 1
}
