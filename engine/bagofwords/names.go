package bagofwords

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A keyed name is a name with eight bytes of it, from some place on, as an integer that orders it among the
// names that are alike before that place. Names that end earlier are filled up by zeros.
type keyed struct {
	key  uint64
	part uint32
	id   uint32
}

// keyAt returns the eight bytes of a name from a place on.
func keyAt(name string, place int) uint64 {
	if place+8 <= len(name) {
		return binary.BigEndian.Uint64([]byte(name[place : place+8]))
	}
	var padded [8]byte
	if place < len(name) {
		copy(padded[:], name[place:])
	}
	return binary.BigEndian.Uint64(padded[:])
}

// sortNames returns the numbers of distinct names, with their first eight bytes, in the order of the names by
// bytes.
func sortNames(names []string, part int) []keyed {
	entries := make([]keyed, len(names))
	for id, name := range names {
		entries[id] = keyed{keyAt(name, 0), uint32(part), uint32(id)}
	}
	s := nameSorter{names: names, spare: make([]keyed, len(names))}
	s.sort(entries, 0)
	for i, e := range entries { // a deeper sort has changed the keys
		entries[i].key = keyAt(names[e.id], 0)
	}
	return entries
}

type nameSorter struct {
	names  []string
	spare  []keyed
	places [256]uint32
}

// sort sorts names that are alike before a place, and have their keys from there on.
func (s *nameSorter) sort(entries []keyed, place int) {
	if len(entries) < 2 {
		return
	}
	if len(entries) < 64 {
		s.insertionSort(entries)
	} else {
		s.radixSort(entries)
	}
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to].key == entries[from].key {
			to++
		}
		if to-from > 1 {
			s.ties(entries[from:to], place+8)
		}
		from = to
	}
}

func (s *nameSorter) insertionSort(entries []keyed) {
	for i := 1; i < len(entries); i++ {
		e, j := entries[i], i
		for ; j > 0 && entries[j-1].key > e.key; j-- {
			entries[j] = entries[j-1]
		}
		entries[j] = e
	}
}

// radixSort sorts by the keys, from their last byte to their first.
func (s *nameSorter) radixSort(entries []keyed) {
	differ := uint64(0)
	for _, e := range entries {
		differ |= e.key ^ entries[0].key
	}
	from, to := entries, s.spare[:len(entries)]
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&255 == 0 {
			continue
		}
		clear(s.places[:])
		for _, e := range from {
			s.places[e.key>>shift&255]++
		}
		sum := uint32(0)
		for d, n := range s.places {
			s.places[d] = sum
			sum += n
		}
		for _, e := range from {
			d := e.key >> shift & 255
			to[s.places[d]] = e
			s.places[d]++
		}
		from, to = to, from
	}
	if &from[0] != &entries[0] {
		copy(entries, from)
	}
}

// ties sorts names that are alike before a place. Of those that have ended there the longer ones end with
// zeros, and so come later.
func (s *nameSorter) ties(entries []keyed, place int) {
	ended := 0
	for i, e := range entries {
		if len(s.names[e.id]) <= place {
			entries[i], entries[ended] = entries[ended], e
			ended++
		}
	}
	slices.SortFunc(entries[:ended], func(a, b keyed) int { return len(s.names[a.id]) - len(s.names[b.id]) })
	rest := entries[ended:]
	for i, e := range rest {
		rest[i].key = keyAt(s.names[e.id], place)
	}
	s.sort(rest, place)
}

// mergeNames returns the names of two sorted lists in order. Equal names of both stand side by side, that of
// a first.
func mergeNames(a, b []keyed, names [][]string) []keyed {
	merged := make([]keyed, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0].key < b[0].key || a[0].key == b[0].key && strings.Compare(names[a[0].part][a[0].id], names[b[0].part][b[0].id]) <= 0 {
			merged, a = append(merged, a[0]), a[1:]
		} else {
			merged, b = append(merged, b[0]), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}
