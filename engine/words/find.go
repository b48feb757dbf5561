// Package words tells which words one corpus uses more than another, which stand beside each other more often than
// their frequencies let expect, and where terms occur.
//
// Of two corpora it gives the key words by a [Measure] ([Keyness]), of one the terms by their frequencies
// ([Frequencies]): keyness.go begins, sides.go has the corpora, at hand or as lists, and joins their vocabularies,
// keymeasures.go says of each measure by which formula it is computed, and shares.go has those that look at every
// document. Postings are read of the keys alone, unless such a measure is asked for.
//
// Of the counts of n-grams, in a table or in a file of statistics, it gives for each n-gram its
// frequency, the marginals and the values of all measures, or its C-value ([Find]). What stands near a word needs the texts ([Around]), as do lines of text around the occurrences of terms,
// or of patterns with wildcards ([Lines]). [Documents] has those of a corpus that have a term most often.
//
// Of these, begin reading with Find in find.go. measures.go has the measures as functions of the counts of one
// n-gram, and the cells of longer n-grams, source.go reads tables and files; window.go stands
// for itself. lines.go shows where terms occur; query.go says what a pattern is,
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

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
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
	// Least and Most are the numbers of words of the n-grams, from 2 to 5; 0 is 2, and of [CValue] 2 and 4.
	Least, Most int
	// SingleWords gives single words a value by CValue, too: 1 + log2 of the length stands for log2 of it
	// (Barrón-Cedeño and others 2009).
	SingleWords bool
	Marginals   Marginals
	Choice      // MinFreq 0 is [DefaultMinFreq], and of CValue 2
}

// A List has the collocations of one length in one class, or in the whole corpus. By [CValue] it has those of all
// lengths, and neither N nor Types.
type List struct {
	Class  string // "" is the whole corpus
	Words  int    // of each n-gram; 0 for all lengths
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

	// Of CValue alone, which sets neither Marginals, Expected nor Values: the longer n-grams of the list that contain it,
	// and its occurrences in them, each counted in the shortest one that has it.
	Longer, Nested int
}

// Of returns the value by a measure, NaN where it is undefined.
func (c *Collocation) Of(m Measure) float64 {
	if i := slices.Index(Measures(), m); i >= 0 && i < len(c.Values) {
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

// WithDefaults returns the options with their defaults, or a [usage.ErrUsage] for options that are wrong whatever the
// counts.
func (o Options) WithDefaults() (Options, error) {
	o.Measure, o.Marginals = cmp.Or(o.Measure, LL), cmp.Or(o.Marginals, Positions)
	if o.Measure == CValue {
		o.MinFreq = cmp.Or(o.MinFreq, 2)
		if o.Least == 0 && o.Most == 0 {
			o.Most = 4
		}
	}
	o.Least, o.MinFreq = cmp.Or(o.Least, 2), cmp.Or(o.MinFreq, DefaultMinFreq)
	o.Most = cmp.Or(o.Most, o.Least)
	if err := cmp.Or(o.Parameters.check(), o.Choice.check()); err != nil {
		return o, err
	}
	if o.Measure == CValue {
		return o, o.checkCandidates()
	}
	if err := CheckMeasure(o.Measure); err != nil {
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
// that was asked for; by [CValue] a list for each class that has candidates. If no n-gram passes at all, the error is
// [ErrNone].
func Find(ctx context.Context, from *Source, o Options) (lists []List, err error) {
	o, err = o.WithDefaults()
	if err != nil {
		return nil, err
	}
	s, err := o.search(from, o.Least, o.Most, o.Marginals)
	if err != nil {
		return nil, err
	}
	if o.Measure == CValue {
		return s.candidates(ctx, &o)
	}
	f := newLister(s, &o)
	err = pool.Stage(ctx, "collocations", f.run)
	for _, r := range f.rows {
		lists = append(lists, r.List)
	}
	return lists, err
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

func newLister(s *search, o *Options) *lister {
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
	return f
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

// CValue is the name of the ranking by C-values, which is no measure of [Measures]: it looks at other n-grams, not at
// the words inside. The C-value of an n-gram a is log2|a|·(f(a) - t(a)/P(a)), where P is the number of longer
// candidates that contain a, and t the occurrences of a in them, without those where the longer one is in a still
// longer one itself; log2|a|·f(a) if there are none (Frantzi, Ananiadou and Mima 2000).
const CValue Measure = "cvalue"

// checkCandidates returns an error for numbers of words that have no C-values.
func (o *Options) checkCandidates() error {
	switch {
	case o.Least < 1 || o.Most < o.Least || o.Most > mostWords:
		return usage.Errorf("candidates have from 1 to %d words, not %d to %d", mostWords, o.Least, o.Most)
	case o.Most < 2:
		return usage.Errorf("C-values compare n-grams with longer ones: take candidates of several words")
	case o.Least == 1 && !o.SingleWords:
		return usage.Errorf("the C-value of a single word is 0: take candidates of two words or more, or lengths with 1 added")
	}
	return nil
}

// candidates returns the n-grams that may be terms, with their C-values.
func (s *search) candidates(ctx context.Context, o *Options) (lists []List, err error) {
	all := make([][]Collocation, len(s.classes))
	err = pool.Stage(ctx, "c-values", func(ctx context.Context) error {
		return s.eachPassing(ctx, func(g *ngram) {
			all[g.class] = append(all[g.class], Collocation{Term: string(g.name), Frequency: int(g.occurrences), Documents: int(g.documents)})
		})
	})
	if err != nil {
		return nil, err
	}
	for i, found := range all {
		if passed := len(found); passed > 0 {
			o.rankCandidates(found)
			if o.Top > 0 {
				found = found[:min(o.Top, passed)]
			}
			lists = append(lists, List{Class: s.classes[i], Passed: passed, Collocations: found})
		}
	}
	if len(lists) == 0 {
		return nil, ErrNone
	}
	return lists, nil
}

// rankCandidates sets the C-values, and sorts the candidates by them. Longer ones come first: the occurrences of their
// own are known when those inside them are judged.
func (o *Options) rankCandidates(all []Collocation) {
	place := make(map[string]int, len(all))
	for i := range all {
		place[all[i].Term] = i
	}
	var inside []int
	for n := o.Most; n >= o.Least; n-- {
		length := kernels.Log2(float64(n))
		if o.SingleWords {
			length++
		}
		for i := range all {
			a := &all[i]
			if strings.Count(a.Term, " ")+1 != n {
				continue
			}
			a.Value = float64(length * (float64(a.Frequency) - float64(a.Nested)/float64(max(1, a.Longer))))
			inside = o.runsIn(inside[:0], a.Term, place)
			for _, j := range inside {
				all[j].Longer++
				all[j].Nested += a.Frequency - a.Nested
			}
		}
	}
	slices.SortFunc(all, func(a, b Collocation) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Term, b.Term))
	})
}

// runsIn appends the places of the shorter candidates that are in a term, each once.
func (o *Options) runsIn(inside []int, term string, place map[string]int) []int {
	words := strings.Split(term, " ")
	for n := o.Least; n < len(words); n++ {
		for from := 0; from+n <= len(words); from++ {
			if j, ok := place[strings.Join(words[from:from+n], " ")]; ok && !slices.Contains(inside, j) {
				inside = append(inside, j)
			}
		}
	}
	return inside
}
