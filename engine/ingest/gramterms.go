package ingest

import (
	"context"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file makes a dictionary of merged n-grams.

// gramTerms are the terms of a gramMerger. Its words come first, then its n-grams: they have these places.
type gramTerms struct {
	*gramMerger
	term  []uint32 // by place: 1 + the number of the term that this is; 0 if it is none
	units []uint32 // by term
}

// isTerm is the number of what is a term, and has no number yet.
const isTerm = 1<<32 - 1

// dictionary returns the terms of all lists, see mergeTerms.
func (m *gramMerger) dictionary(ctx context.Context) (*table.Dictionary, [][]uint32, error) {
	t := &gramTerms{gramMerger: m, term: make([]uint32, len(m.words)+len(m.grams))}
	number, err := t.numberTerms(ctx)
	if err != nil {
		return nil, nil, err
	}
	sorted, err := t.inOrder(ctx)
	if err != nil {
		return nil, nil, err
	}
	v := &analysis.Vocabulary{Words: m.words, Grams: m.grams, Units: t.units}
	return table.AppendedBy(len(t.units), sorted, func(dst []byte, id int) []byte { return v.AppendTerm(dst, uint32(id)) }), number, nil
}

// numberTerms gives the terms of the first list their numbers, and others those behind. It returns the new numbers of
// the terms of each list, nil of the first.
func (t *gramTerms) numberTerms(ctx context.Context) ([][]uint32, error) {
	first := t.lists[0]
	t.units = make([]uint32, len(first.Units))
	for term, unit := range first.Units {
		place := t.place(first, unit)
		t.units[term], t.term[place] = t.unitAt(place), uint32(term)+1
	}
	err := t.eachList(ctx, func(l *gramList) {
		for _, unit := range l.Units {
			if at := &t.term[t.place(l, unit)]; atomic.LoadUint32(at) == 0 {
				atomic.StoreUint32(at, isTerm)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	number := make([][]uint32, len(t.lists))
	if len(t.lists) == 1 {
		return number, nil
	}
	for place, term := range t.term {
		if term == isTerm {
			t.units = append(t.units, t.unitAt(place))
			t.term[place] = uint32(len(t.units))
		}
	}
	return number, pool.Run(ctx, t.threads, len(t.lists)-1, func(_, i int) error {
		l := t.lists[i+1]
		number[i+1] = make([]uint32, len(l.Units))
		for term, unit := range l.Units {
			number[i+1][term] = t.term[t.place(l, unit)] - 1
		}
		return nil
	})
}

// place returns the place of a unit of a list.
func (t *gramTerms) place(l *gramList, unit uint32) int {
	if unit < analysis.FirstGram {
		return int(l.word(unit))
	}
	return len(t.words) + int(l.numbers[unit-analysis.FirstGram])
}

// unitAt returns the unit with this place.
func (t *gramTerms) unitAt(place int) uint32 {
	if place < len(t.words) {
		return uint32(place)
	}
	return analysis.FirstGram + uint32(place-len(t.words))
}

// inOrder returns the terms in the order of their bytes, nil if there are words with bytes that are not behind the
// space between words. Else what begins with an n-gram is right behind it, in the order of the next words.
func (t *gramTerms) inOrder(ctx context.Context) ([]uint32, error) {
	var unordered atomic.Bool
	err := pool.Ranges(ctx, t.threads, len(t.words), func(from, to int) {
		for _, word := range t.words[from:to] {
			for i := range len(word) {
				if word[i] <= ' ' {
					unordered.Store(true)
				}
			}
		}
	})
	if err != nil || unordered.Load() {
		return nil, err
	}
	const together = 1 << 12 // words whose n-grams a goroutine puts into order
	sorted, ranges := make([]uint32, len(t.term)), (len(t.words)+together-1)/together
	pieces := make([][]uint32, ranges)
	err = pool.Run(ctx, t.threads, ranges, func(_, i int) error {
		from := uint32(i * together)
		w := t.walkFrom(from, sorted)
		for _, word := range t.order[from:min(int(from)+together, len(t.order))] {
			w.visit(word, 1)
		}
		pieces[i] = w.sorted
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := sorted[:0]
	for _, piece := range pieces {
		all = append(all, piece...) // where it is, if all before are terms
	}
	return slices.Clip(all), nil
}

// A gramWalk goes through n-grams in the order of their bytes.
type gramWalk struct {
	*gramTerms
	next   [analysis.MostWords + 2]uint32 // by length: the next n-gram
	sorted []uint32                       // the terms so far
}

// walkFrom returns a walk from the word at a place in the order. Its terms go to memory of their own in room.
func (t *gramTerms) walkFrom(place uint32, room []uint32) *gramWalk {
	w, before := &gramWalk{gramTerms: t}, int(place)
	for n := 2; n <= analysis.MostWords; n++ {
		first := t.first[n]
		w.next[n] = first + uint32(sort.Search(int(t.first[n+1]-first), func(i int) bool {
			front := t.grams[first+uint32(i)].Front
			if n == 2 {
				return t.places[front] >= place
			}
			return front-analysis.FirstGram >= w.next[n-1]
		}))
		before += int(w.next[n] - first)
	}
	w.sorted = room[before:before]
	return w
}

// visit appends a unit of n words, if it is a term, and the terms that begin with it.
func (w *gramWalk) visit(unit uint32, n int) {
	place := int(unit)
	if n > 1 {
		place = len(w.words) + int(unit-analysis.FirstGram)
	}
	if term := w.term[place]; term > 0 {
		w.sorted = append(w.sorted, term-1)
	}
	if n == analysis.MostWords {
		return
	}
	next := &w.next[n+1]
	for *next < w.first[n+2] && w.grams[*next].Front == unit {
		*next++
		w.visit(analysis.FirstGram+*next-1, n+1)
	}
}
