package table

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/pool"
)

// A Dictionary holds the distinct terms of a corpus, in the order of an index. It is
// immutable and safe for concurrent use.
type Dictionary struct {
	text    string
	offsets []uint32 // len+1

	n    int // terms, if they have names by name
	name func(id int) string

	sortOnce sync.Once
	sorted   []uint32
}

// NewDictionary returns a dictionary of terms whose names are text[offsets[i]:offsets[i+1]].
// sorted has the term numbers in byte order; it is nil if they are to be sorted when this is
// needed.
func NewDictionary(text string, offsets, sorted []uint32) *Dictionary {
	d := &Dictionary{text: text, offsets: offsets}
	if sorted != nil {
		d.sortOnce.Do(func() { d.sorted = sorted })
	}
	return d
}

// NamedBy returns a dictionary of n distinct terms whose names are asked for when they are
// needed. The function must be safe for concurrent use. The dictionary has no text.
func NamedBy(n int, name func(id int) string) *Dictionary {
	return &Dictionary{n: n, name: name}
}

// DictionaryOf returns a dictionary of n terms.
func DictionaryOf(n int, term func(i int) string) *Dictionary {
	size := 0
	for i := range n {
		size += len(term(i))
	}
	var text strings.Builder
	text.Grow(size)
	offsets := make([]uint32, 1, n+1)
	for i := range n {
		text.WriteString(term(i))
		offsets = append(offsets, uint32(text.Len()))
	}
	return NewDictionary(text.String(), offsets, nil)
}

// MakeDictionary is [DictionaryOf] on several goroutines, with the term numbers in byte order if
// they are known. It returns an error if the terms are too long together.
func MakeDictionary(ctx context.Context, threads, n int, sorted []uint32, term func(i int) string) (*Dictionary, error) {
	offsets := make([]uint32, n+1)
	err := pool.Ranges(ctx, threads, n, func(from, to int) {
		for i := from; i < to; i++ {
			offsets[i+1] = uint32(len(term(i)))
		}
	})
	if err != nil {
		return nil, err
	}
	size := uint64(0)
	for i, length := range offsets {
		size += uint64(length)
		offsets[i] = uint32(size)
	}
	if err := CheckNames(size); err != nil {
		return nil, err
	}
	text := make([]byte, size)
	err = pool.Ranges(ctx, threads, n, func(from, to int) {
		for i := from; i < to; i++ {
			copy(text[offsets[i]:], term(i))
		}
	})
	if err != nil {
		return nil, err
	}
	return NewDictionary(string(text), offsets, sorted), nil
}

// CheckNames returns an error if a dictionary does not hold names of so many bytes together.
func CheckNames(size uint64) error {
	if size > math.MaxUint32 || size > math.MaxInt {
		return fmt.Errorf("table: names of %d bytes together are more than an index holds", size)
	}
	return nil
}

// Len returns the number of terms.
func (d *Dictionary) Len() int {
	if d.name != nil {
		return d.n
	}
	return len(d.offsets) - 1
}

// Text returns the names one behind the other, and Offsets where each begins, and the last ends.
func (d *Dictionary) Text() string { return d.text }

// Offsets must not be modified: see [Dictionary.Text].
func (d *Dictionary) Offsets() []uint32 { return d.offsets }

// Term returns the bytes of a term. The string shares the memory of the dictionary.
func (d *Dictionary) Term(id int) string {
	if d.name != nil {
		return d.name(id)
	}
	return d.text[d.offsets[id]:d.offsets[id+1]]
}

// Sorted returns the term numbers in byte order. It is computed at the first call; the
// slice must not be modified.
func (d *Dictionary) Sorted() []uint32 {
	d.sortOnce.Do(func() {
		keys := make([]TermKey, d.Len())
		for i := range keys {
			keys[i] = NewTermKey(d.Term(i), uint32(i))
		}
		SortTerms(keys, make([]TermKey, len(keys)), d)
		d.sorted = make([]uint32, len(keys))
		for i, k := range keys {
			d.sorted[i] = k.ID
		}
	})
	return d.sorted
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
