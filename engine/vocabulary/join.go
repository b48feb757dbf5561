package vocabulary

import (
	"context"
	"math/bits"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file joins dictionaries by sorting. Words are sorted by their bytes. An n-gram is two places: that of the n-gram
// before its last word, and that of this word; sorted by both, n-grams of a length are in the order of their bytes. In
// either case those that are the same in several dictionaries are neighbours.

// Join numbers the terms of all counters in one dictionary, in the order of their first occurrence: those of the first
// counter, then what the second one adds, and so on. numbers[i] has the number of each term of counters[i], and is nil
// for the first, whose terms keep theirs. The counters must count no more. The dictionary knows the order of the bytes
// of its terms, unless it has the words of one counter alone, or n-grams of words with bytes up to that of the space.
func Join(ctx context.Context, threads int, counters []*analysis.Counter) (terms *table.Dictionary, numbers [][]uint32, err error) {
	j := &joiner{threads: threads, lists: make([]list, len(counters))}
	err = j.eachList(ctx, func(i int, l *list) {
		l.Vocabulary = counters[i].Vocabulary()
		l.measure()
	})
	if err != nil {
		return nil, nil, err
	}
	if words := j.lists[0].Words; len(j.lists) == 1 && j.lists[0].Units == nil {
		return table.NamedBy(len(words), func(id int) string { return words[id] }), make([][]uint32, 1), nil
	}
	if err := j.joinWords(ctx); err != nil {
		return nil, nil, err
	}
	for n := 2; n <= analysis.MostWords; n++ {
		if err := j.joinGrams(ctx, n); err != nil {
			return nil, nil, err
		}
	}
	numbers = j.numberTerms()
	v := &j.Vocabulary
	if len(j.lists) == 1 {
		v = j.lists[0].Vocabulary // which has its terms in the order of their numbers, near each other
	}
	return table.AppendedBy(len(j.Units), j.inOrder(), func(dst []byte, id int) []byte { return v.AppendTerm(dst, uint32(id)) }), numbers, nil
}

// A joiner joins dictionaries. Its words are in the order of their bytes, its n-grams by length and then in that order.
// The place of a word is its number; n-grams have the places behind.
type joiner struct {
	analysis.Vocabulary
	threads int
	lists   []list
	number  []uint32 // by place: 1 + the number of the term that is there; 0 if there is none
}

// A list is one of the dictionaries.
type list struct {
	*analysis.Vocabulary
	words   []uint32 // by word: its place
	grams   []uint32 // by n-gram: its place
	lengths []uint8  // by n-gram
	start   int      // among what is sorted: where its own begins
}

// measure finds the lengths of the n-grams.
func (l *list) measure() {
	l.words, l.grams, l.lengths = make([]uint32, len(l.Words)), make([]uint32, len(l.Grams)), make([]uint8, len(l.Grams))
	for i, g := range l.Grams {
		l.lengths[i] = 2
		if g.Front >= analysis.FirstGram {
			l.lengths[i] = l.lengths[g.Front-analysis.FirstGram] + 1
		}
	}
}

// place returns the place of a unit of the list.
func (l *list) place(unit uint32) uint32 {
	if unit < analysis.FirstGram {
		return l.words[unit]
	}
	return l.grams[unit-analysis.FirstGram]
}

// eachList calls f for every list, on several goroutines.
func (j *joiner) eachList(ctx context.Context, f func(i int, l *list)) error {
	return pool.Run(ctx, j.threads, len(j.lists), func(_, i int) error {
		f(i, &j.lists[i])
		return nil
	})
}

// items returns memory for what all lists have, of which size says how much.
func (j *joiner) items(size func(l *list) int) []table.Item {
	n := 0
	for i := range j.lists {
		l := &j.lists[i]
		l.start = n
		n += size(l)
	}
	return make([]table.Item, n)
}

// joinWords finds the places of all words.
func (j *joiner) joinWords(ctx context.Context) error {
	items := j.items(func(l *list) int { return len(l.Words) })
	err := j.eachList(ctx, func(i int, l *list) {
		for word, text := range l.Words {
			item := table.NewTermKey(text, uint32(word))
			item.Of = uint32(i)
			items[l.start+word] = item
		}
	})
	if err != nil {
		return err
	}
	text := func(x *table.Item) string { return j.lists[x.Of].Words[x.ID] }
	err = table.SortOn(ctx, j.threads, items, func(alike []table.Item) {
		slices.SortFunc(alike, func(a, b table.Item) int { return strings.Compare(text(&a), text(&b)) })
	})
	if err != nil {
		return err
	}
	for i := range items {
		x := &items[i]
		if i == 0 || x.Key != items[i-1].Key || text(x) != text(&items[i-1]) {
			j.Words = append(j.Words, text(x))
		}
		j.lists[x.Of].words[x.ID] = uint32(len(j.Words) - 1)
	}
	return nil
}

// joinGrams finds the places of the n-grams of n words.
func (j *joiner) joinGrams(ctx context.Context, n int) error {
	items := j.items(func(l *list) (size int) {
		for _, length := range l.lengths {
			if int(length) == n {
				size++
			}
		}
		return size
	})
	wordBits := bits.Len(uint(len(j.Words)))
	err := j.eachList(ctx, func(i int, l *list) {
		at := l.start
		for id, g := range l.Grams {
			if int(l.lengths[id]) == n {
				items[at] = table.Item{Key: uint64(l.place(g.Front))<<wordBits | uint64(l.words[g.Word]), ID: uint32(id), Of: uint32(i)}
				at++
			}
		}
	})
	if err == nil {
		err = table.SortOn(ctx, j.threads, items, nil)
	}
	if err != nil {
		return err
	}
	j.Grams = slices.Grow(j.Grams, len(items))
	for i, x := range items {
		if i == 0 || x.Key != items[i-1].Key {
			j.Grams = append(j.Grams, analysis.Gram{Front: j.unit(uint32(x.Key >> wordBits)), Word: uint32(x.Key & (1<<wordBits - 1))})
		}
		j.lists[x.Of].grams[x.ID] = uint32(len(j.Words) + len(j.Grams) - 1)
	}
	return nil
}

// unit returns what is at a place.
func (j *joiner) unit(place uint32) uint32 {
	if int(place) < len(j.Words) {
		return place
	}
	return analysis.FirstGram + place - uint32(len(j.Words))
}

// numberTerms numbers the terms in the order of their first occurrence, and returns the new numbers of the terms of
// each list, nil of the first.
func (j *joiner) numberTerms() (numbers [][]uint32) {
	j.Units, j.number, numbers = []uint32{}, make([]uint32, len(j.Words)+len(j.Grams)), make([][]uint32, len(j.lists))
	for i := range j.lists {
		l := &j.lists[i]
		terms := l.words
		if l.Units != nil {
			terms = l.Units
		}
		own := make([]uint32, len(terms))
		for term, place := range terms {
			if l.Units != nil {
				place = l.place(place)
			}
			number := &j.number[place]
			if *number == 0 {
				j.Units = append(j.Units, j.unit(place))
				*number = uint32(len(j.Units))
			}
			own[term] = *number - 1
		}
		if i > 0 {
			numbers[i] = own
		}
	}
	return numbers
}

// inOrder returns the numbers of the terms in the order of their bytes, in which what begins with an n-gram is right
// behind it. It returns nil if n-grams have words with bytes that are not behind the space between words.
func (j *joiner) inOrder() []uint32 {
	words := len(j.Words)
	for _, word := range j.Words {
		if len(j.Grams) > 0 && !aboveSpace(word) {
			return nil
		}
	}
	front := func(g analysis.Gram) int {
		if g.Front < analysis.FirstGram {
			return int(g.Front)
		}
		return words + int(g.Front-analysis.FirstGram)
	}
	next := make([]uint32, len(j.number)) // by place: how many terms begin with it, then where the next of them is
	for place, number := range j.number {
		if number > 0 {
			next[place] = 1
		}
	}
	for i, g := range slices.Backward(j.Grams) {
		next[front(g)] += next[words+i]
	}
	sorted, at := make([]uint32, len(j.Units)), uint32(0)
	for place, number := range j.number {
		before := &at
		if place >= words {
			before = &next[front(j.Grams[place-words])]
		}
		next[place], *before = *before, *before+next[place]
		if number > 0 {
			sorted[next[place]] = number - 1
			next[place]++
		}
	}
	return sorted
}

// aboveSpace reports whether each byte is above the space.
func aboveSpace(text string) bool {
	for i := range len(text) {
		if text[i] <= ' ' {
			return false
		}
	}
	return true
}
