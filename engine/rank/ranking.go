package rank

import (
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

// A Ranking holds the value of every term by one measure. Until it is released it is immutable
// and safe for concurrent use.
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

	sourced   sourced // nil for a measure of cells
	undefined int     // values that are

	test    *test          // nil without p-values
	largest []largestClass // by term; nil if the test does not need them
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
	// Interval is that of ormh; it is zero for other measures.
	Interval Interval
}

// An Interval is the 95 % confidence interval of an odds ratio, and the variance of its natural
// logarithm. All are NaN where the ratio is 0, infinite or undefined.
type Interval struct{ LnVariance, Low, High float64 }

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

// Warnings returns what a reader of any values from statistics should know.
func Warnings(s *table.Table) []string {
	classes := s.Classes()
	if len(classes) != 1 {
		return nil
	}
	return []string{fmt.Sprintf("there is one class only (%s): nothing can tell classes apart, the values are those of independence", classes[0])}
}

func (r *Ranking) warn() {
	r.Warnings = append(r.Warnings, r.plan.Warnings(r.stats)...)
	if !r.plan.mayBeUndefined() {
		return
	}
	if r.undefined = countUndefined(r.values); r.undefined > 0 && !r.plan.positive {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"%d terms have an undefined value (%s); they rank last", r.undefined, r.plan.whyUndefined()))
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
	if r.sourced != nil {
		return r.sourcedSetter()
	}
	var panel *score.Panel
	if r.class < 0 && r.plan.label == Max {
		panel = score.NewPanel(r.plan.byClass(), Margins(r.stats))
	}
	c := &r.stats.Cells
	return func(e *Entry, t int) {
		setEntry(e, r.stats, t, r.values[t])
		switch {
		case panel != nil && math.IsNaN(r.values[t]): // no class has a value
		case panel != nil:
			class, cell := panel.LargestOf(c, t, r.values[t])
			e.setCell(r.stats, class, cell, t)
			e.setSign(r.stats, r.plan.signed, class)
		case r.class >= 0:
			e.setCell(r.stats, r.class, c.CellOf(t, uint32(r.class)), t)
			e.setSign(r.stats, r.plan.signed, r.class)
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
		if NewCandidate(i, r.values[i]).before(own) {
			rank++
		}
	}
	return rank
}

// newEntry returns the entry of a term without a class.
func newEntry(s *table.Table, t int, value float64) (e Entry) {
	setEntry(&e, s, t, value)
	return e
}

// setEntry sets an entry to that of a term without a class.
func setEntry(e *Entry, s *table.Table, t int, value float64) {
	c := s
	e.Term, e.Value, e.DF, e.TFAll = c.Names.Term(t), value, int(c.Cells.DF[t]), c.Cells.CF.At(t, float64(c.Cells.DF[t]))
}

// setCell sets the class of an entry, the cell of which is given, -1 for none, and what depends on it.
func (e *Entry) setCell(s *table.Table, class, cell, t int) {
	a := 0.0
	if cell >= 0 {
		c := s
		cell += c.Cells.Start[t]
		a = c.Cells.A.At(cell, 0)
		e.TF = c.Cells.S.At(cell, a)
	}
	e.setClass(s, class, int(a))
}

// setClass sets the class of the entry and its 2x2 table; a documents of the class have the
// term.
func (e *Entry) setClass(s *table.Table, class, a int) {
	e.Class = s.Classes()[class]
	e.A, e.B, e.C = a, e.DF-a, int(s.Cells.ClassDocs[class])-a
	e.D = s.Documents() - e.A - e.B - e.C
}

// setSign sets the sign of an entry whose class is set.
func (e *Entry) setSign(s *table.Table, m score.Measure, class int) {
	c := s
	e.Sign = score.Sign(m, &score.Table{
		N: float64(s.Documents()), DF: float64(e.DF), NC: float64(e.A + e.C), A: float64(e.A),
		T: c.Cells.Tokens, CF: e.TFAll, TC: c.Cells.ClassTokens[class], S: e.TF,
	})
}

func (e *Entry) table() pvalue.Table {
	return pvalue.Table{A: int64(e.A), B: int64(e.B), C: int64(e.C), D: int64(e.D)}
}
