package bagofwords

import "slices"

// An entry is a name of a part with one of its pieces.
type entry struct {
	piece uint64
	part  uint32
	name  uint32
}

// sortNames returns the names of a part, with their first pieces, in order. All are different.
func sortNames(names speller, part int) []entry {
	entries := make([]entry, names.names())
	for i := range entries {
		entries[i] = entry{names.piece(uint32(i), 0), uint32(part), uint32(i)}
	}
	s := nameSorter{names: names, spare: make([]entry, len(entries))}
	s.sort(entries, 0)
	return entries
}

// A nameSorter sorts by one piece after the other.
type nameSorter struct {
	names  speller
	spare  []entry
	places [1 << sortDigit]uint32
}

// sortDigit is the number of bits of a digit of the radix sort.
const sortDigit = 11

// sort sorts names that are alike before a piece, by that piece, which they have, and those behind it.
func (s *nameSorter) sort(entries []entry, piece int) {
	if len(entries) < 128 {
		s.insertionSort(entries)
	} else {
		s.radixSort(entries)
	}
	for from := 0; from < len(entries); {
		to := from + 1
		for to < len(entries) && entries[to].piece == entries[from].piece {
			to++
		}
		if to-from > 1 {
			s.sortTies(entries[from:to], piece+1)
		}
		from = to
	}
}

func (s *nameSorter) insertionSort(entries []entry) {
	for i := 1; i < len(entries); i++ {
		e, j := entries[i], i
		for ; j > 0 && entries[j-1].piece > e.piece; j-- {
			entries[j] = entries[j-1]
		}
		entries[j] = e
	}
}

// radixSort sorts from the last digit to the first, without those that are the same everywhere.
func (s *nameSorter) radixSort(entries []entry) {
	differ := uint64(0)
	for _, e := range entries {
		differ |= e.piece ^ entries[0].piece
	}
	from, to := entries, s.spare[:len(entries)]
	for shift := 0; shift < 64; shift += sortDigit {
		if differ>>shift&(1<<sortDigit-1) == 0 {
			continue
		}
		s.pass(to, from, shift)
		from, to = to, from
	}
	if &from[0] != &entries[0] {
		copy(entries, from)
	}
}

// pass sorts by one digit.
func (s *nameSorter) pass(to, from []entry, shift int) {
	clear(s.places[:])
	for i := range from {
		s.places[from[i].piece>>shift&(1<<sortDigit-1)]++
	}
	sum := uint32(0)
	for d, n := range s.places {
		s.places[d] = sum
		sum += n
	}
	for _, e := range from {
		d := e.piece >> shift & (1<<sortDigit - 1)
		to[s.places[d]] = e
		s.places[d]++
	}
}

// sortTies sorts names that are alike before a piece. Those that have ended there come first, and of them the
// longer ones, which end with zeros, later. The entries keep the piece they have.
func (s *nameSorter) sortTies(entries []entry, piece int) {
	before, ended := entries[0].piece, 0
	for i, e := range entries {
		if s.names.length(e.name) <= piece*s.names.unitsOfPiece() {
			entries[i], entries[ended] = entries[ended], e
			ended++
		}
	}
	if ended > 1 {
		slices.SortFunc(entries[:ended], func(a, b entry) int { return s.names.length(a.name) - s.names.length(b.name) })
	}
	if rest := entries[ended:]; len(rest) > 1 {
		for i, e := range rest {
			rest[i].piece = s.names.piece(e.name, piece)
		}
		s.sort(rest, piece)
		for i := range rest {
			rest[i].piece = before
		}
	}
}

// merge returns the names of two sorted lists in order. Equal names of both stand side by side.
func merge(a, b []entry, names []speller) []entry {
	merged := make([]entry, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if x, y := &a[0], &b[0]; x.piece < y.piece || x.piece == y.piece && compareNames(names[x.part], x.name, names[y.part], y.name) <= 0 {
			merged, a = append(merged, *x), a[1:]
		} else {
			merged, b = append(merged, *y), b[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// sameName reports whether two entries have one name.
func sameName(a, b *entry, names []speller) bool {
	return a.piece == b.piece && compareNames(names[a.part], a.name, names[b.part], b.name) == 0
}
