package ingest

import (
	"context"
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file merges n-grams of words by integers. A word has its place among all words in the order of their bytes,
// and an n-gram has two: that of the n-gram before its last word, and that of this word. Sorted by both, n-grams of a
// length are in the order of their bytes, and those of different workers that are the same are neighbours.

// A gramMerger merges the n-grams of several vocabularies.
type gramMerger struct {
	threads int
	lists   []*gramList
	words   []string // of all lists
	order   []uint32 // the words in the order of their bytes
	places  []uint32 // by word: its place in order

	grams []analysis.Gram                // of all lists, by length, then in order
	first [analysis.MostWords + 3]uint32 // by length: the number of the first n-gram that is as long or longer
}

// A gramList is one of the vocabularies.
type gramList struct {
	*analysis.Vocabulary
	words   []uint32 // by word: its number among those of all lists; nil if it keeps its own
	places  []uint32 // by word: its place among those of all lists
	lengths []uint8  // by n-gram
	numbers []uint32 // by n-gram: its number in gramMerger.grams
	next    []int    // by part, while n-grams of a length are merged: where its own begin
}

// mergeGrams merges vocabularies with n-grams, whose words have the numbers given in words. number is that of
// mergeTerms.
func mergeGrams(ctx context.Context, threads int, lists []*analysis.Vocabulary, words []string, wordNumber [][]uint32) (terms *table.Dictionary, number [][]uint32, err error) {
	m := &gramMerger{threads: threads, words: words, places: make([]uint32, len(words))}
	byBytes := table.NamedBy(len(words), func(id int) string { return words[id] })
	if m.order, err = byBytes.SortedOf(ctx, threads, func(uint32) bool { return true }); err != nil {
		return nil, nil, err
	}
	for place, word := range m.order {
		m.places[word] = uint32(place)
	}
	for l, v := range lists {
		m.lists = append(m.lists, &gramList{Vocabulary: v, words: wordNumber[l]})
	}
	if err := m.eachList(ctx, func(l *gramList) { l.measure(m.places) }); err != nil {
		return nil, nil, err
	}
	m.first[1] = 0
	for n := 2; n < len(m.first); n++ {
		m.first[n] = uint32(len(m.grams))
		if n <= analysis.MostWords {
			if err := m.mergeLength(ctx, n); err != nil {
				return nil, nil, err
			}
		}
	}
	return m.dictionary(ctx)
}

// eachList calls f for every list, on several goroutines.
func (m *gramMerger) eachList(ctx context.Context, f func(l *gramList)) error {
	return pool.Run(ctx, m.threads, len(m.lists), func(_, i int) error {
		f(m.lists[i])
		return nil
	})
}

// measure sets the lengths of the n-grams and the places of the words, which are given for those of all lists.
func (l *gramList) measure(places []uint32) {
	if l.places = places; l.words != nil {
		l.places = make([]uint32, len(l.words))
		for word, number := range l.words {
			l.places[word] = places[number]
		}
	}
	l.lengths, l.numbers = make([]uint8, len(l.Grams)), make([]uint32, len(l.Grams))
	for i, g := range l.Grams {
		l.lengths[i] = 2
		if g.Front >= analysis.FirstGram {
			l.lengths[i] = l.lengths[g.Front-analysis.FirstGram] + 1
		}
	}
}

// word returns the number of a word of the list.
func (l *gramList) word(word uint32) uint32 {
	if l.words == nil {
		return word
	}
	return l.words[word]
}

// front returns the place of what an n-gram of n words begins with, among its like.
func (m *gramMerger) front(l *gramList, n int, g analysis.Gram) uint32 {
	if n == 2 {
		return l.places[g.Front]
	}
	return l.numbers[g.Front-analysis.FirstGram] - m.first[n-1]
}

// A gramSplit divides the n-grams of n words into parts by the places of what they begin with. The parts are in
// order, and each is sorted in the caches. Elements of a part are next to each other, first those of the first list.
type gramSplit struct {
	*gramMerger
	n     int
	shift int
	ends  []int    // by part
	own   []uint32 // by element: its number in its list, and in the end that in its part
	found []analysis.Gram
	base  []uint32 // by part: the number of its first n-gram in gramMerger.grams
}

// partKeys is about the number of elements of a part, as a power of two.
const partKeys = 14

// mergeLength merges the n-grams of n words.
func (m *gramMerger) mergeLength(ctx context.Context, n int) error {
	fronts, most := uint(len(m.words)), 0
	if n > 2 {
		fronts = uint(len(m.grams)) - uint(m.first[n-1])
	}
	for _, l := range m.lists {
		most += len(l.Grams)
	}
	s := &gramSplit{gramMerger: m, n: n, shift: max(0, bits.Len(fronts)-max(0, bits.Len(uint(most))-partKeys))}
	parts := int(fronts>>s.shift) + 1
	s.ends, s.base = make([]int, parts), make([]uint32, parts)
	if err := s.eachList(ctx, s.count); err != nil {
		return err
	}
	if s.setEnds(); s.ends[parts-1] == 0 {
		return nil
	}
	if err := s.eachList(ctx, s.split); err != nil {
		return err
	}
	sorters := make([]gramSorter, pool.Threads(m.threads))
	err := pool.Run(ctx, m.threads, parts, func(worker, p int) error {
		s.base[p] = s.mergePart(&sorters[worker], p)
		return nil
	})
	if err != nil {
		return err
	}
	s.join()
	return s.eachList(ctx, s.setNumbers)
}

// each calls f with the n-grams of the length of a list, and the part of each.
func (s *gramSplit) each(l *gramList, f func(i int, part uint32)) {
	for i, g := range l.Grams {
		if int(l.lengths[i]) == s.n {
			f(i, s.front(l, s.n, g)>>s.shift)
		}
	}
}

// count counts the elements of a list in each part.
func (s *gramSplit) count(l *gramList) {
	l.next = make([]int, len(s.ends))
	s.each(l, func(_ int, part uint32) { l.next[part]++ })
}

// setEnds sets where the elements of every part and list are.
func (s *gramSplit) setEnds() {
	end := 0
	for p := range s.ends {
		for _, l := range s.lists {
			l.next[p], end = end, end+l.next[p]
		}
		s.ends[p] = end
	}
	s.own = make([]uint32, end)
	s.grams = slices.Grow(s.grams, end)
	s.found = s.grams[len(s.grams):][:end]
}

// split puts the elements of a list into their parts.
func (s *gramSplit) split(l *gramList) {
	next := slices.Clone(l.next)
	s.each(l, func(i int, part uint32) {
		s.own[next[part]] = uint32(i)
		next[part]++
	})
}

// A gramSorter has the scratch memory of a goroutine that sorts n-grams.
type gramSorter struct{ keys, spare []table.Item }

// mergePart sorts the elements of a part, and writes each n-gram once to the front of its place in found. It returns
// how many there are.
func (s *gramSplit) mergePart(sorter *gramSorter, p int) (n uint32) {
	from, end := 0, s.ends[p]
	if p > 0 {
		from = s.ends[p-1]
	}
	if from == end {
		return 0
	}
	wordBits := bits.Len(uint(len(s.words)))
	keys := sorter.keys[:0]
	for i, l := range s.lists {
		to := end
		if i+1 < len(s.lists) {
			to = s.lists[i+1].next[p]
		}
		for at := l.next[p]; at < to; at++ {
			g := l.Grams[s.own[at]]
			keys = append(keys, table.Item{Key: uint64(s.front(l, s.n, g))<<wordBits | uint64(l.places[g.Word]), ID: uint32(at - from)})
		}
	}
	sorter.keys, sorter.spare = keys, slices.Grow(sorter.spare[:0], len(keys))[:len(keys)]
	table.SortItems(keys, sorter.spare)
	found, number := s.found[from:end], s.own[from:end]
	for i, k := range keys {
		if i == 0 || k.Key != keys[i-1].Key {
			found[n] = analysis.Gram{Front: s.unit(uint32(k.Key >> wordBits)), Word: s.order[k.Key&(1<<wordBits-1)]}
			n++
		}
		number[k.ID] = n - 1
	}
	return n
}

// unit returns the unit of what n-grams begin with.
func (s *gramSplit) unit(place uint32) uint32 {
	if s.n == 2 {
		return s.order[place]
	}
	return analysis.FirstGram + s.first[s.n-1] + place
}

// join moves the n-grams of the parts together.
func (s *gramSplit) join() {
	from := 0
	for p, n := range s.base {
		s.base[p] = uint32(len(s.grams))
		s.grams = append(s.grams, s.found[from:from+int(n)]...)
		from = s.ends[p]
	}
}

// setNumbers sets the numbers of the elements of a list.
func (s *gramSplit) setNumbers(l *gramList) {
	s.each(l, func(i int, part uint32) {
		l.numbers[i] = s.base[part] + s.own[l.next[part]]
		l.next[part]++
	})
	l.next = nil
}

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
