// Package collocation tells which words stand beside each other more often than their frequencies
// let expect.
//
// It takes the counts of n-grams, in a table or in a file of statistics, and gives for each n-gram its
// frequency, the marginals and the values of all measures ([Find]). From the same counts come C-values
// ([CValues]). What stands near a word needs the texts ([Around]).
//
// Begin reading with Find in find.go. measures.go has the measures as functions of the counts of one
// n-gram, and the cells of longer n-grams, source.go reads tables and files; cvalue.go and window.go stand
// for themselves.
//
// All counts are whole numbers, so that neither the order of the
// terms nor the number of goroutines that counted them reaches a value.
package collocation

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// ErrNone is returned if no n-gram passes.
var ErrNone = usage.NewError(usage.ErrNothing, "no collocations")

// Marginals say what the frequency of a word at its place is. The zero value is [Positions].
type Marginals string

// The marginals.
const (
	// Positions counts the n-grams that have the word at its position, of all n-grams: the only table
	// that is exact.
	Positions Marginals = "positions"
	// Words counts the occurrences of the word anywhere, of all words, for pairs alone. First and last
	// words of documents make the difference.
	Words Marginals = "words"
)

// MarginalKinds lists the marginals, the default first.
func MarginalKinds() []Marginals { return []Marginals{Positions, Words} }

// DefaultMinFreq is the least frequency of a collocation unless options say otherwise. Church and Hanks
// (1990) looked at pairs that occur more than five times, for smaller counts are not stable, and corpus
// tools have begun at five since.
const DefaultMinFreq = 5

// Options say which collocations to find. The zero value finds pairs in the whole corpus, by [LL].
type Options struct {
	Measure Measure
	Parameters
	// Least and Most are the numbers of words of the n-grams, from 2 to 5; 0 is 2.
	Least, Most int
	Marginals   Marginals
	Choice      // MinFreq 0 is [DefaultMinFreq]
}

// A List has the collocations of one length in one class, or in the whole corpus.
type List struct {
	Class  string // "" is the whole corpus
	Words  int    // of each n-gram
	N      int    // n-grams, or tokens if the marginals are words
	Types  int    // different n-grams
	Passed int    // of these, with the least frequency and without those words of Choice.Without
	// Collocations are the best, best first: by value, then frequency, then bytes; those whose value is
	// undefined come last.
	Collocations []Collocation

	mostFrequent int
}

// A Collocation is an n-gram with its values.
type Collocation struct {
	Term      string // the words, with one space between
	Frequency int
	Documents int
	Marginals []int   // of each word
	Expected  float64 // frequency of independent words
	Value     float64 // by the measure of the options; NaN is undefined
	Values    []float64
}

// Of returns the value by a measure, NaN where it is undefined.
func (c *Collocation) Of(m Measure) float64 {
	if i := slices.Index(Measures(), m); i >= 0 {
		return c.Values[i]
	}
	return math.NaN()
}

// Log10P returns the logarithm of the p-value of one of [Tests], NaN where it is undefined.
func (c *Collocation) Log10P(m Measure) float64 {
	d, value := definitionOf(m), c.Of(m)
	if d == nil || d.lnP == nil || math.IsNaN(value) {
		return math.NaN()
	}
	return d.lnP(value, len(c.Marginals)) / math.Ln10
}

// Validate returns a [usage.ErrUsage] for options that are wrong whatever the counts.
func (o Options) Validate() error {
	_, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, error) {
	o.Measure, o.Marginals = cmp.Or(o.Measure, LL), cmp.Or(o.Marginals, Positions)
	o.Least = cmp.Or(o.Least, 2)
	o.Most = cmp.Or(o.Most, o.Least)
	if err := cmp.Or(CheckMeasure(o.Measure), o.Parameters.check(), o.Choice.check()); err != nil {
		return o, err
	}
	d := definitionOf(o.Measure)
	switch {
	case !slices.Contains(MarginalKinds(), o.Marginals):
		return o, usage.Unknown("marginals", string(o.Marginals), []string{string(Positions), string(Words)})
	case o.Least < 2, o.Most < o.Least, o.Most > mostWords:
		return o, usage.Errorf("collocations have from 2 to %d words, not %d to %d", mostWords, o.Least, o.Most)
	case o.Marginals == Words && o.Most > 2:
		return o, usage.Errorf("marginals of words are those of pairs: n-grams of %d words have marginals of positions", o.Most)
	case d.pairs && o.Most > 2:
		return o, usage.Errorf("%s is defined for pairs alone: rank n-grams of %d words by %s", o.Measure, o.Most, strings.Join(beyondPairs(), ", "))
	}
	o.MinFreq = cmp.Or(o.MinFreq, DefaultMinFreq)
	return o, nil
}

// mostWords is the number of words of the longest n-grams.
const mostWords = 5

// beyondPairs returns the measures of n-grams of any length.
func beyondPairs() (names []string) {
	for i := range measures {
		if !measures[i].pairs {
			names = append(names, string(measures[i].Measure))
		}
	}
	return names
}

// Find returns the collocations: a list for each number of words, the shortest first, of each class
// that was asked for. If no n-gram passes at all, the error is [ErrNone].
func Find(ctx context.Context, from *Source, o Options) (lists []List, err error) {
	o, err = o.withDefaults()
	if err != nil {
		return nil, err
	}
	s, err := newSearch(from, o)
	if err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "collocations", s.run)
	for _, r := range s.rows {
		lists = append(lists, r.List)
	}
	return lists, err
}

// A search counts marginals in one pass over the terms, and judges the n-grams in a second one.
type search struct {
	Options
	from    *Source
	by      *definition
	words   map[string]uint32
	without *analysis.StopTerms // nil for none
	rows    []*row
}

// A row is what a list is made of.
type row struct {
	List
	class int
	n     float64
	sums  []sums // marginals by position
	best  rank.Best[candidate]
	cells *patterns // of more than two words; else nil
}

func newSearch(from *Source, o Options) (*search, error) {
	if err := from.lacks; err != nil {
		return nil, err
	}
	if err := checkRecord(from.record, &o); err != nil {
		return nil, err
	}
	s := &search{Options: o, from: from, by: definitionOf(o.Measure), words: map[string]uint32{}}
	var err error
	if s.without, err = o.leftOut(from.record.Analysis); err != nil {
		return nil, err
	}
	names := from.classes
	classes, err := o.classes(names)
	if err != nil {
		return nil, err
	}
	for _, class := range classes {
		for n := o.Least; n <= o.Most; n++ {
			r := &row{List: List{Class: nameOf(class, names), Words: n}, class: class, sums: make([]sums, n)}
			r.best = rank.Best[candidate]{Most: o.Top, Order: func(a, b candidate) int { // undefined values come last: NaN is below all
				return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.occurrences, a.occurrences), cmp.Compare(a.term, b.term))
			}}
			s.rows = append(s.rows, r)
		}
	}
	return s, nil
}

func (s *search) run(ctx context.Context) error {
	if err := s.from.each(ctx, s.countMarginals); err != nil {
		return err
	}
	if s.Most > 2 {
		if err := s.countCells(ctx); err != nil {
			return err
		}
	}
	if err := s.eachPassing(ctx, s.judge); err != nil {
		return err
	}
	s.fill()
	return s.whetherAny()
}

// numWords returns the number of words of a term.
func numWords(term []byte) int { return bytes.Count(term, []byte{' '}) + 1 }

// word returns the number of a word, a new one if need be.
func (s *search) word(name []byte) uint32 {
	id, known := s.words[string(name)]
	if !known {
		id = uint32(len(s.words))
		s.words[string(name)] = id
	}
	return id
}

// split appends the numbers of the words of a term.
func (s *search) split(ids []uint32, name []byte) []uint32 {
	for word := range bytes.SplitSeq(name, []byte{' '}) {
		ids = append(ids, s.word(word))
	}
	return ids
}

// sums are numbers by word. One of many classes has few of the words.
type sums struct {
	all  []float64          // of the whole corpus
	some map[uint32]float64 // of a class
}

// add adds a number to that of a word.
func (s *sums) add(class int, word uint32, v float64) {
	if class != whole {
		if s.some == nil {
			s.some = map[uint32]float64{}
		}
		s.some[word] += v
		return
	}
	for int(word) >= len(s.all) {
		s.all = append(s.all, 0)
	}
	s.all[word] += v
}

// of returns the number of a word.
func (s *sums) of(word uint32) float64 {
	if s.some != nil {
		return s.some[word]
	}
	return s.all[word]
}

// eachRow calls f with the rows of n-grams of n words that have a term, and its occurrences and documents there. The
// rows are in the order of their classes, and those of a class in that of their lengths.
func (s *search) eachRow(t *store.Term, n int, f func(r *row, occurrences, documents float64)) {
	first, lengths := s.rows[0].class, s.Most-s.Least+1
	if first == whole {
		if t.CF > 0 {
			f(s.rows[n-s.Least], t.CF, t.DF)
		}
		return
	}
	for i, class := range t.Class {
		if at := (int(class) - first) * lengths; at >= 0 && at < len(s.rows) && t.S[i] > 0 {
			f(s.rows[at+n-s.Least], t.S[i], t.A[i])
		}
	}
}

// countMarginals adds a term to the marginals of the rows.
func (s *search) countMarginals(t *store.Term) error {
	n := numWords(t.Name)
	ofWords := s.Marginals == Words && n == 1
	if !ofWords && (n < s.Least || n > s.Most) {
		return nil
	}
	var room [mostWords]uint32
	ids := s.split(room[:0], t.Name)
	s.eachRow(t, max(n, s.Least), func(r *row, v, _ float64) { // marginals of words are of pairs alone
		if n > 1 {
			r.Types++
			r.mostFrequent = max(r.mostFrequent, int(v))
		}
		switch {
		case ofWords:
			r.n += v
			r.sums[0].add(r.class, ids[0], v)
			r.sums[1] = r.sums[0]
		case s.Marginals == Positions:
			r.n += v
			for position, id := range ids {
				r.sums[position].add(r.class, id, v)
			}
		}
	})
	return nil
}

// A candidate is an n-gram that passes.
type candidate struct {
	term                   string
	occurrences, documents float64
	value                  float64
}

// eachPassing calls f with the rows and the n-grams that pass there. The term is not set: it is that of name.
func (s *search) eachPassing(ctx context.Context, f func(r *row, name []byte, ids []uint32, c candidate)) error {
	least := float64(s.MinFreq)
	for _, r := range s.rows {
		r.Passed = 0
	}
	return s.from.each(ctx, func(t *store.Term) error {
		if t.CF < least {
			return nil
		}
		n := numWords(t.Name)
		if n < s.Least || n > s.Most || s.hasLeftOut(t.Name) {
			return nil
		}
		var room [mostWords]uint32
		ids := s.split(room[:0], t.Name)
		s.eachRow(t, n, func(r *row, v, documents float64) {
			if v >= least {
				r.Passed++
				f(r, t.Name, ids, candidate{occurrences: v, documents: documents})
			}
		})
		return nil
	})
}

// hasLeftOut reports whether an n-gram has a word that is left out.
func (s *search) hasLeftOut(name []byte) bool {
	if s.without == nil {
		return false
	}
	for word := range bytes.SplitSeq(name, []byte{' '}) {
		if s.without.Has(word) {
			return true
		}
	}
	return false
}

// judge offers an n-gram to the best of a row.
func (s *search) judge(r *row, name []byte, ids []uint32, c candidate) {
	var room [mostWords]float64
	counts := r.counts(room[:0], ids, c.occurrences)
	j := s.Parameters.judge(&counts)
	c.value = s.by.value(&j)
	c.term = string(name)
	r.best.Offer(c)
}

// counts returns the counts of an n-gram; the marginals are appended to room.
func (r *row) counts(room []float64, ids []uint32, occurrences float64) counts {
	for position, id := range ids {
		room = append(room, r.sums[position].of(id))
	}
	return counts{O: occurrences, N: r.n, Marginals: room, Cells: r.cells.of(ids, r.n, room, occurrences)}
}

// fill sets the collocations of the rows.
func (s *search) fill() {
	for _, r := range s.rows {
		r.N = int(r.n)
		for _, c := range r.best.Sorted() {
			ids := s.split(nil, []byte(c.term))
			counts := r.counts(nil, ids, c.occurrences)
			j := s.Parameters.judge(&counts)
			of := Collocation{Term: c.term, Frequency: int(c.occurrences), Documents: int(c.documents), Expected: j.e, Value: c.value, Values: j.all()}
			for _, m := range counts.Marginals {
				of.Marginals = append(of.Marginals, int(m))
			}
			r.Collocations = append(r.Collocations, of)
		}
	}
}

// whetherAny returns an [ErrNone] that says why, unless a list has a collocation.
func (s *search) whetherAny() error {
	types, most := 0, 0
	for _, r := range s.rows {
		if r.Passed > 0 {
			return nil
		}
		types, most = types+r.Types, max(most, r.mostFrequent)
	}
	of := ""
	if s.Class != "" {
		of = fmt.Sprintf(" of class %q", s.Class)
	}
	switch {
	case types == 0:
		return fmt.Errorf("%w: no document%s has %d words in a row", ErrNone, of, s.Least)
	case most < s.MinFreq:
		return fmt.Errorf("%w: no n-gram%s occurs %d times, the most frequent %d times: lower the least frequency (--min-freq %d)", ErrNone, of, s.MinFreq, most, most)
	}
	return fmt.Errorf("%w: each n-gram%s that occurs %d times has a word that was left out", ErrNone, of, s.MinFreq)
}
