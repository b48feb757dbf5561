package bagofwords

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A speller gives names in pieces: integers that order names that are alike before them. Beyond its end a name
// has pieces of 0.
type speller interface {
	names() int
	piece(name uint32, i int) uint64
	length(name uint32) int // in units of which a piece has several
	unitsOfPiece() int
}

// A byteSpeller spells names by their bytes, eight to a piece.
type byteSpeller struct {
	n  int
	at func(name uint32) []byte
}

func (s byteSpeller) names() int { return s.n }

func (s byteSpeller) unitsOfPiece() int { return 8 }

func (s byteSpeller) length(name uint32) int { return len(s.at(name)) }

func (s byteSpeller) piece(name uint32, i int) uint64 {
	b := s.at(name)
	if 8*i+8 <= len(b) {
		return binary.BigEndian.Uint64(b[8*i:])
	}
	var padded [8]byte
	if 8*i < len(b) {
		copy(padded[:], b[8*i:])
	}
	return binary.BigEndian.Uint64(padded[:])
}

// A gramSpeller spells n-grams of words by the places of their words in the order of all words, as many to a
// piece as fit. That is the order of their bytes if no byte of a word is as small as the space between words,
// or smaller.
type gramSpeller struct {
	counter *analysis.Counter
	places  []uint32 // of the counter's words, from 1 on
	width   int      // the number of bits of a place
}

func (s gramSpeller) names() int { return s.counter.Len() }

func (s gramSpeller) unitsOfPiece() int { return 64 / s.width }

func (s gramSpeller) length(name uint32) int {
	var words [analysis.MostWords]uint32
	return len(s.counter.AppendWords(words[:0], name))
}

func (s gramSpeller) piece(name uint32, i int) (p uint64) {
	var room [analysis.MostWords]uint32
	words := s.counter.AppendWords(room[:0], name)
	units := s.unitsOfPiece()
	for at := i * units; at < i*units+units; at++ {
		p <<= s.width
		if at < len(words) {
			p |= uint64(s.places[words[at]])
		}
	}
	return p
}

// aboveSpace reports whether each byte is above the space.
func aboveSpace(text []byte) bool {
	least := byte(255)
	for _, b := range text {
		least = min(least, b)
	}
	return least > ' '
}

// compareNames orders the names of two spellers of one kind that have the same first piece.
func compareNames(a speller, name uint32, b speller, other uint32) int {
	long, units := max(a.length(name), b.length(other)), a.unitsOfPiece()
	for i := 1; i*units < long; i++ {
		if p, q := a.piece(name, i), b.piece(other, i); p != q {
			if p < q {
				return -1
			}
			return 1
		}
	}
	return a.length(name) - b.length(other) // names that end with zeros
}

// An entry is a name, its ID, of a part, with one of its pieces as the key.
type entry = table.Item

// sortNames returns the names of a part, with their first pieces, in order. All are different.
func sortNames(names speller, part int) []entry {
	entries := make([]entry, names.names())
	for i := range entries {
		entries[i] = entry{Key: names.piece(uint32(i), 0), ID: uint32(i), Of: uint32(part)}
	}
	s := nameSorter{names, make([]entry, len(entries))}
	s.sort(entries, 0)
	return entries
}

// A nameSorter sorts by one piece after the other.
type nameSorter struct {
	names speller
	spare []entry
}

// sort sorts names that are alike before a piece, by that piece, which they have, and those behind it.
func (s *nameSorter) sort(entries []entry, piece int) {
	table.SortItems(entries, s.spare)
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to].Key == entries[from].Key {
			to++
		}
		if to-from > 1 {
			s.sortTies(entries[from:to], piece+1)
		}
		from = to
	}
}

// sortTies sorts names that are alike before a piece. Those that have ended there come first, and of them the
// longer ones, which end with zeros, later. The entries keep the piece they have.
func (s *nameSorter) sortTies(entries []entry, piece int) {
	before, ended := entries[0].Key, 0
	for i, e := range entries {
		if s.names.length(e.ID) <= piece*s.names.unitsOfPiece() {
			entries[i], entries[ended] = entries[ended], e
			ended++
		}
	}
	if ended > 1 {
		slices.SortFunc(entries[:ended], func(a, b entry) int { return s.names.length(a.ID) - s.names.length(b.ID) })
	}
	if rest := entries[ended:]; len(rest) > 1 {
		for i, e := range rest {
			rest[i].Key = s.names.piece(e.ID, piece)
		}
		s.sort(rest, piece)
		for i := range rest {
			rest[i].Key = before
		}
	}
}

// merge returns the names of two sorted lists in order. Equal names of both stand side by side.
func merge(a, b []entry, names []speller) []entry {
	merged := make([]entry, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if x, y := &a[0], &b[0]; x.Key < y.Key || x.Key == y.Key && compareNames(names[x.Of], x.ID, names[y.Of], y.ID) <= 0 {
			merged, a = append(merged, *x), a[1:]
		} else {
			merged, b = append(merged, *y), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// A joined list is the distinct names of all parts.
type joined struct {
	order   []entry    // the distinct names in order, each from a part that has it
	numbers [][]uint32 // for each part, the place in order of each of its names
}

// join sorts the names of all parts and finds those that several have.
func join(ctx context.Context, names []speller, threads int) (*joined, error) {
	lists := make([][]entry, len(names))
	err := pool.Run(ctx, threads, len(lists), func(_, i int) error {
		lists[i] = sortNames(names[i], i)
		return nil
	})
	if err != nil {
		return nil, err
	}
	merged, err := mergeAll(ctx, lists, names, threads)
	if err != nil {
		return nil, err
	}
	return distinct(merged, names), nil
}

// mergeAll merges sorted lists by pairs.
func mergeAll(ctx context.Context, lists [][]entry, names []speller, threads int) ([]entry, error) {
	for len(lists) > 1 {
		half := make([][]entry, (len(lists)+1)/2)
		err := pool.Run(ctx, threads, len(half), func(_, i int) error {
			if half[i] = lists[2*i]; 2*i+1 < len(lists) {
				half[i] = merge(lists[2*i], lists[2*i+1], names)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		lists = half
	}
	return lists[0], nil
}

// distinct finds the distinct names of a sorted list. It uses the list's memory.
func distinct(merged []entry, names []speller) *joined {
	j := &joined{order: merged[:0], numbers: make([][]uint32, len(names))}
	for i, s := range names {
		j.numbers[i] = make([]uint32, s.names())
	}
	for i := range merged {
		e := merged[i]
		isNew := len(names) == 1 || len(j.order) == 0
		if !isNew {
			last := j.order[len(j.order)-1]
			isNew = last.Key != e.Key || compareNames(names[last.Of], last.ID, names[e.Of], e.ID) != 0
		}
		if isNew {
			j.order = append(j.order, e)
		}
		j.numbers[e.Of][e.ID] = uint32(len(j.order) - 1)
	}
	return j
}
