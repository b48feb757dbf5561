package table

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
)

// A Dictionary holds the distinct terms of a corpus, in the order of an index. It is
// immutable and safe for concurrent use.
type Dictionary struct {
	n       int
	spelled atomic.Pointer[spelling] // nil until all names are needed
	lock    sync.Mutex               // of spelling them
	name    func(id int) string
	add     func(dst []byte, id int) []byte
	asked   atomic.Int64 // calls of Term before all names were made

	order    []uint32 // the terms in byte order, if that was given
	sortOnce sync.Once
	sorted   []uint32
}

// spelling is the names of a dictionary one behind the other.
type spelling struct {
	text    string
	offsets []uint32 // len+1
}

// NewDictionary returns a dictionary of terms whose names are text[offsets[i]:offsets[i+1]].
// sorted has the term numbers in byte order; it is nil if they are to be sorted when this is
// needed.
func NewDictionary(text string, offsets, sorted []uint32) *Dictionary {
	d := &Dictionary{n: len(offsets) - 1, order: sorted}
	d.spelled.Store(&spelling{text, offsets})
	return d
}

// NamedBy returns a dictionary of n distinct terms whose names are asked for when they are
// needed. The function must be safe for concurrent use.
func NamedBy(n int, name func(id int) string) *Dictionary {
	return &Dictionary{n: n, name: name, add: func(dst []byte, id int) []byte { return append(dst, name(id)...) }}
}

// AppendedBy is [NamedBy] with a function that appends a name, and the term numbers in byte order if they
// are known.
func AppendedBy(n int, sorted []uint32, add func(dst []byte, id int) []byte) *Dictionary {
	return &Dictionary{n: n, order: sorted, add: add, name: func(id int) string { return string(add(nil, id)) }}
}

// MakeDictionary is [NamedBy] for all names at once, on several goroutines, with the term numbers in byte order if
// they are known. It returns an error if the terms are too long together, before it copies any.
func MakeDictionary(ctx context.Context, threads, n int, sorted []uint32, term func(i int) string) (*Dictionary, error) {
	var size atomic.Uint64
	err := pool.Ranges(ctx, threads, n, func(from, to int) {
		own := 0
		for i := from; i < to; i++ {
			own += len(term(i))
		}
		size.Add(uint64(own))
	})
	if err == nil {
		err = CheckNames(size.Load())
	}
	if err != nil {
		return nil, err
	}
	d := NamedBy(n, term)
	d.order = sorted
	return d, d.Spell(ctx, threads)
}

// Spell makes all names, on several goroutines. It returns an error if they are too long together.
func (d *Dictionary) Spell(ctx context.Context, threads int) error {
	d.lock.Lock()
	defer d.lock.Unlock()
	if d.spelled.Load() != nil {
		return nil
	}
	offsets, pieces := make([]uint32, d.n+1), make([][]byte, (d.n+spelledTogether-1)/spelledTogether)
	var size atomic.Uint64
	err := pool.Run(ctx, threads, len(pieces), func(_, i int) error {
		var piece []byte
		for id := i * spelledTogether; id < min((i+1)*spelledTogether, d.n); id++ {
			piece = d.add(piece, id)
			offsets[id+1] = uint32(len(piece))
		}
		pieces[i] = piece
		return CheckNames(size.Add(uint64(len(piece))))
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	text.Grow(int(size.Load()))
	for i, piece := range pieces {
		before := uint32(text.Len())
		for id := i * spelledTogether; id < min((i+1)*spelledTogether, d.n); id++ {
			offsets[id+1] += before
		}
		text.Write(piece)
		pieces[i] = nil
	}
	d.spelled.Store(&spelling{text.String(), offsets})
	return nil
}

// spelledTogether is the number of names that a worker spells between looks at the context.
const spelledTogether = 1 << 14

// spelling returns the names, which it makes if nobody has.
func (d *Dictionary) spelling() *spelling {
	if s := d.spelled.Load(); s != nil {
		return s
	}
	if err := d.Spell(context.Background(), 1); err != nil {
		panic(err)
	}
	return d.spelled.Load()
}

// CheckNames returns an error if a dictionary does not hold names of so many bytes together.
func CheckNames(size uint64) error {
	if size > math.MaxUint32 || size > math.MaxInt {
		return fmt.Errorf("%w: %d bytes together are more than an index holds", errLongNames, size)
	}
	return nil
}

var errLongNames = errors.New("table: long names")

// Len returns the number of terms.
func (d *Dictionary) Len() int { return d.n }

// Text returns the names one behind the other, and Offsets where each begins, and the last ends. [Dictionary.Spell]
// makes them faster, and has an error for names that are too long together, for which Text panics.
func (d *Dictionary) Text() string { return d.spelling().text }

// Offsets must not be modified: see [Dictionary.Text].
func (d *Dictionary) Offsets() []uint32 { return d.spelling().offsets }

// Term returns the bytes of a term. The string shares the memory of the dictionary once all names were made: who asks
// for many of them is taken to ask for all.
func (d *Dictionary) Term(id int) string {
	s := d.spelled.Load()
	if s == nil && d.asked.Add(1) == int64(d.n/manyNames)+1 {
		if err := d.Spell(context.Background(), 1); err != nil && !errors.Is(err, errLongNames) {
			panic(err) // of the function that makes names
		}
		s = d.spelled.Load()
	}
	if s == nil {
		return d.name(id)
	}
	return s.text[s.offsets[id]:s.offsets[id+1]]
}

// manyNames is the share of names, as a divisor, that may be asked for one by one.
const manyNames = 8

// appendTerm appends the bytes of a term to dst.
func (d *Dictionary) appendTerm(dst []byte, id int) []byte {
	if s := d.spelled.Load(); s != nil {
		return append(dst, s.text[s.offsets[id]:s.offsets[id+1]]...)
	}
	return d.add(dst, id)
}

// Sorted returns the term numbers in byte order. It is computed at the first call; the
// slice must not be modified.
func (d *Dictionary) Sorted() []uint32 {
	d.sortOnce.Do(func() {
		if d.sorted = d.order; d.sorted != nil {
			return
		}
		d.sorted = make([]uint32, d.Len())
		for i := range d.sorted {
			d.sorted[i] = uint32(i)
		}
		if err := sortIDs(context.Background(), 1, d.sorted, d); err != nil {
			panic(err) // of the function that makes names
		}
	})
	return d.sorted
}

// SortedOf returns those terms in byte order that keep accepts. It calls keep, and sorts, on several
// goroutines.
func (d *Dictionary) SortedOf(ctx context.Context, threads int, keep func(id uint32) bool) ([]uint32, error) {
	if d.order != nil {
		return filtered(ctx, threads, len(d.order), func(i int) (uint32, bool) { return d.order[i], keep(d.order[i]) })
	}
	kept, err := filtered(ctx, threads, d.n, func(i int) (uint32, bool) { return uint32(i), keep(uint32(i)) })
	if err != nil {
		return nil, err
	}
	return kept, sortIDs(ctx, threads, kept, d)
}

// filtered returns those of n numbers that are to be kept, in their order.
func filtered(ctx context.Context, threads, n int, number func(i int) (uint32, bool)) ([]uint32, error) {
	ranges := (n + spelledTogether - 1) / spelledTogether
	kept, counts := make([]uint32, n), make([]int, ranges)
	err := pool.Run(ctx, threads, ranges, func(_, i int) error {
		from := i * spelledTogether
		own := kept[from:from:min(from+spelledTogether, n)]
		for at := from; at < cap(own)+from; at++ {
			if id, ok := number(at); ok {
				own = append(own, id)
			}
		}
		counts[i] = len(own)
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := 0
	for i, count := range counts {
		all += copy(kept[all:], kept[i*spelledTogether:][:count])
	}
	return kept[:all], nil
}

// Has reports whether the dictionary has a term.
func (d *Dictionary) Has(term string) bool {
	_, ok := d.Lookup(term)
	return ok
}

// Lookup returns the number of a term and reports whether the dictionary has it.
func (d *Dictionary) Lookup(term string) (int, bool) {
	sorted := d.Sorted()
	i, found := slices.BinarySearchFunc(sorted, term, func(id uint32, want string) int {
		return strings.Compare(d.Term(int(id)), want)
	})
	if !found {
		return 0, false
	}
	return int(sorted[i]), true
}

// Find calls found with the places of those of names, which must be in byte order, that the dictionary has, and
// their numbers. It reports whether it did: not if the byte order of the terms is not known.
func (d *Dictionary) Find(names []string, found func(i, id int)) bool {
	if d.order == nil {
		return false
	}
	f := finder{d, found, nil}
	f.find(names, 0, d.order)
	return true
}

// A finder finds terms.
type finder struct {
	*Dictionary
	found func(i, id int)
	name  []byte // scratch memory
}

// find finds names among terms in byte order: the one in the middle, then those on both sides of it.
func (f *finder) find(names []string, first int, terms []uint32) {
	if len(names) == 0 || len(terms) == 0 {
		return
	}
	middle := len(names) / 2
	at, has := slices.BinarySearchFunc(terms, names[middle], func(id uint32, name string) int {
		f.name = f.appendTerm(f.name[:0], int(id))
		return strings.Compare(string(f.name), name)
	})
	if has {
		f.found(first+middle, int(terms[at]))
	}
	f.find(names[:middle], first, terms[:at])
	f.find(names[middle+1:], first+middle+1, terms[at:])
}

// Spelled returns the terms that people mean by names, in their order, where known reports
// whether a text is a term of a corpus of this analysis: a name that is a term as it stands, else
// what the analysis makes of all of it if that is a term, such as "run" of "Running" with stems. In a
// corpus of single words any other name stands for its words. Where terms are hashed, a name that is no column
// stands for that of its words.
func Spelled(o analysis.Options, names []string, known func(term string) bool) (terms []string) {
	a, phrases := speller(o)
	for _, name := range names {
		switch {
		case known(name):
			terms = append(terms, name)
		case known(termOf(o, a, name)) && (a == nil || a.Lost(name) == ""):
			terms = append(terms, termOf(o, a, name))
		case a != nil && !phrases && strings.Contains(strings.TrimSpace(name), " "):
			terms = append(terms, Spelled(o, strings.Fields(name), known)...)
		default:
			terms = append(terms, name)
		}
	}
	return terms
}

// speller returns an analyzer of names, nil if the analysis is none. phrases reports whether
// terms may be phrases.
func speller(o analysis.Options) (a *analysis.Analyzer, phrases bool) {
	phrases = o.NGrams != "" && o.NGrams != "1"
	if o.Tokens == "char" || o.Tokens == "char_wb" {
		return nil, phrases // a name is a term as it stands
	}
	o.NGrams, o.Headers, o.Markup, o.HashBits = "", "", "", 0
	a, err := analysis.New(o)
	if err != nil {
		return nil, phrases
	}
	return a, phrases
}

// termOf returns the term that a name would be, in an analysis with this speller.
func termOf(o analysis.Options, a *analysis.Analyzer, name string) string {
	if a != nil {
		name = spell(a, name)
	}
	if o.HashBits > 0 {
		return fmt.Sprint(o.ColumnOf([]byte(name)))
	}
	return name
}

// spell returns the words of a name as they are in terms, joined by single spaces.
func spell(a *analysis.Analyzer, name string) string {
	return strings.Join(a.Terms([]byte(name)), " ")
}

// whyUnknown says what terms the statistics have in place of one that is none.
func (t *Table) whyUnknown(term string) string {
	if bits := t.provenance.Analysis.HashBits; bits > 0 {
		return fmt.Sprintf("the terms are %d of 2^%d columns, by their numbers, and it is in none of them", t.Cells.Terms(), bits)
	}
	a, phrases := speller(t.provenance.Analysis)
	if a != nil && a.Options().Tokens != "zh-bigrams" {
		switch spelled := spell(a, term); {
		case spelled == "":
			return fmt.Sprintf("no term comes of it: tokens %s, stop words %s", a.Options().Tokens, a.Options().Stop)
		case a.Lost(term) != "":
			return a.CheckTyped(term).Error()
		case !phrases && strings.Contains(spelled, " "):
			return "terms are single words here: --ngrams 1-2 counts phrases of two as well"
		}
	}
	if t.provenance.Analysis.KeepCase {
		return fmt.Sprintf("the corpus has %d terms, in upper and lower case", t.Cells.Terms())
	}
	return fmt.Sprintf("the corpus has %d terms, in lower case", t.Cells.Terms())
}
