// Package words tells which words one corpus uses more than another, which stand beside each other more often than
// their frequencies let expect, and where terms occur.
//
// Of two corpora it gives the key words by a [Measure] ([Keyness]), of one the terms by their frequencies
// ([Frequencies]): keyness.go begins, sides.go has the corpora, at hand or as lists, and joins their vocabularies,
// keymeasures.go says of each measure by which formula it is computed, and shares.go has those that look at every
// document. Postings are read of the keys alone, unless such a measure is asked for.
//
// Of the counts of n-grams, in a table or in a file of statistics, it gives for each n-gram its
// frequency, the marginals and the values of all measures ([Find]). From the same counts come C-values
// ([CValues]). What stands near a word needs the texts ([Around]), as do lines of text around the occurrences of terms,
// or of patterns with wildcards ([Lines]). [Documents] has those of a corpus that have a term most often.
//
// Of these, begin reading with Find in find.go. measures.go has the measures as functions of the counts of one
// n-gram, and the cells of longer n-grams, source.go reads tables and files; cvalue.go and window.go stand
// for themselves. lines.go and documents.go show where terms occur; query.go says what a pattern is,
// and finds all searches at once.
//
// All counts are whole numbers, so that neither the order of the
// terms nor the number of goroutines that counted them reaches a value. The package never keeps a text, and finds
// tokens as package analysis does.
package words

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
		return o, usage.Unknown("marginals", string(o.Marginals), namesOf(MarginalKinds()))
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
	f, err := newLister(from, &o)
	if err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "collocations", f.run)
	for _, r := range f.rows {
		lists = append(lists, r.List)
	}
	return lists, err
}

// A search goes through the n-grams of a source, again and again.
type search struct {
	*Choice
	from        *Source
	least, most int // words
	classes     []string
	first       int                 // the number of the first of the classes, or whole
	without     *analysis.StopTerms // nil for none
}

// search returns a search for n-grams of so many words.
func (c *Choice) search(from *Source, least, most int, m Marginals) (s *search, err error) {
	if err := from.lacks; err != nil {
		return nil, err
	}
	if err := checkRecord(from.record, least, most, m); err != nil {
		return nil, err
	}
	s = &search{Choice: c, from: from, least: least, most: most}
	if s.without, err = c.leftOut(from.record.Analysis); err != nil {
		return nil, err
	}
	s.classes, s.first, err = c.classes(from.classes)
	return s, err
}

// An ngram is one in one of the classes.
type ngram struct {
	class                  int // place among those of the search
	name                   []byte
	words                  int
	occurrences, documents float64
}

// each calls f with the n-grams of the classes that have so many words, and occur so often, or more.
func (s *search) each(ctx context.Context, words, often int, f func(g *ngram)) error {
	var g ngram
	least := float64(often)
	return s.from.each(ctx, func(t *store.Term) error {
		if t.CF < least {
			return nil
		}
		g.name, g.words = t.Name, bytes.Count(t.Name, []byte{' '})+1
		switch {
		case g.words < words || g.words > s.most:
		case s.first == whole:
			g.occurrences, g.documents = t.CF, t.DF
			f(&g)
		default:
			for i, class := range t.Class {
				if g.class = int(class) - s.first; g.class >= 0 && g.class < len(s.classes) && t.S[i] >= least {
					g.occurrences, g.documents = t.S[i], t.A[i]
					f(&g)
				}
			}
		}
		return nil
	})
}

// eachPassing calls f with the n-grams that occur often enough and have no word that is left out.
func (s *search) eachPassing(ctx context.Context, f func(g *ngram)) error {
	return s.each(ctx, s.least, s.MinFreq, func(g *ngram) {
		if !s.hasLeftOut(g.name) {
			f(g)
		}
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

// A lister counts marginals in one pass over the n-grams, and judges them in a second one.
type lister struct {
	*search
	o     *Options
	by    *definition
	words map[string]uint32 // numbers
	ids   []uint32          // of the n-gram at hand
	rows  []*row            // of each class, by length
}

// A row is what a list is made of.
type row struct {
	List
	n     float64
	sums  []sums // marginals by position
	best  rank.Best[candidate]
	cells map[part]float64 // of more than two words; else nil
}

// A candidate is an n-gram that passes.
type candidate struct {
	term                   string
	occurrences, documents float64
	value                  float64
}

func newLister(from *Source, o *Options) (*lister, error) {
	s, err := o.search(from, o.Least, o.Most, o.Marginals)
	if err != nil {
		return nil, err
	}
	f := &lister{search: s, o: o, by: definitionOf(o.Measure), words: map[string]uint32{}}
	for _, class := range s.classes {
		for n := o.Least; n <= o.Most; n++ {
			r := &row{List: List{Class: class, Words: n}, sums: make([]sums, n)}
			if s.first != whole {
				for i := range r.sums {
					r.sums[i].some = map[uint32]float64{}
				}
			}
			r.best = rank.Best[candidate]{Most: o.Top, Order: func(a, b candidate) int { // undefined values come last: NaN is below all
				return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.occurrences, a.occurrences), cmp.Compare(a.term, b.term))
			}}
			f.rows = append(f.rows, r)
		}
	}
	return f, nil
}

func (f *lister) run(ctx context.Context) error {
	if err := f.countMarginals(ctx); err != nil {
		return err
	}
	if f.most > 2 {
		if err := f.countCells(ctx); err != nil {
			return err
		}
	}
	var room [mostWords]float64
	err := f.eachPassing(ctx, func(g *ngram) {
		r := f.row(g)
		r.Passed++
		j := f.judge(r, f.split(g.name), g.occurrences, room[:0])
		r.best.Offer(candidate{string(g.name), g.occurrences, g.documents, f.by.value(&j)})
	})
	if err != nil {
		return err
	}
	for _, r := range f.rows {
		r.N = int(r.n)
		for _, c := range r.best.Sorted() {
			j := f.judge(r, f.split([]byte(c.term)), c.occurrences, nil)
			r.Collocations = append(r.Collocations, j.collocation(c.term, c.documents, c.value))
		}
	}
	return f.whetherAny()
}

// row returns the row of an n-gram; words alone count for that of pairs.
func (f *lister) row(g *ngram) *row {
	return f.rows[g.class*(f.most-f.least+1)+max(0, g.words-f.least)]
}

// split returns the numbers of the words of a term, new ones if need be. They are valid until the next call.
func (f *lister) split(name []byte) []uint32 {
	f.ids = f.ids[:0]
	for word := range bytes.SplitSeq(name, []byte{' '}) {
		id, known := f.words[string(word)]
		if !known {
			id = uint32(len(f.words))
			f.words[string(word)] = id
		}
		f.ids = append(f.ids, id)
	}
	return f.ids
}

// sums are numbers by word. One of many classes has few of the words.
type sums struct {
	all  []float64          // of the whole corpus
	some map[uint32]float64 // of a class; else nil
}

// add adds a number to that of a word.
func (s *sums) add(word uint32, v float64) {
	if s.some != nil {
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

// countMarginals counts the marginals of all rows.
func (f *lister) countMarginals(ctx context.Context) error {
	least := f.least
	if f.o.Marginals == Words { // of pairs alone
		least = 1
	}
	return f.each(ctx, least, 1, func(g *ngram) {
		r := f.row(g)
		if g.words > 1 {
			r.Types++
			r.mostFrequent = max(r.mostFrequent, int(g.occurrences))
		}
		if g.words > least && f.o.Marginals == Words {
			return
		}
		r.n += g.occurrences
		for position, id := range f.split(g.name) {
			r.sums[position].add(id, g.occurrences)
		}
		if g.words == 1 {
			r.sums[1] = r.sums[0]
		}
	})
}

// judge returns the judgement of an n-gram. Its marginals are appended to room.
func (f *lister) judge(r *row, ids []uint32, occurrences float64, room []float64) judgement {
	for position, id := range ids {
		room = append(room, r.sums[position].of(id))
	}
	return f.o.judge(&counts{O: occurrences, N: r.n, Marginals: room, Cells: cellsOf(r.cells, ids, r.n, room, occurrences)})
}

// whetherAny returns an [ErrNone] that says why, unless a list has a collocation.
func (f *lister) whetherAny() error {
	types, most := 0, 0
	for _, r := range f.rows {
		if r.Passed > 0 {
			return nil
		}
		types, most = types+r.Types, max(most, r.mostFrequent)
	}
	of := ""
	if f.Class != "" {
		of = fmt.Sprintf(" of class %q", f.Class)
	}
	switch {
	case types == 0:
		return fmt.Errorf("%w: no document%s has %d words in a row", ErrNone, of, f.least)
	case most < f.MinFreq:
		return fmt.Errorf("%w: no n-gram%s occurs %d times, the most frequent %d times: lower the least frequency (--min-freq %d)", ErrNone, of, f.MinFreq, most, most)
	}
	return fmt.Errorf("%w: each n-gram%s that occurs %d times has a word that was left out", ErrNone, of, f.MinFreq)
}
