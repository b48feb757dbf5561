package score

import (
	"math/bits"

	"github.com/termsift/termsift/kernels"
)

// A tables keeps the values of the measures of a set for (n, a, class): terms of n documents
// or tokens, a of them in the class. Rare terms are many: on 20 Newsgroups the 237,055
// cells of terms in up to 64 documents have 13,210 different tables. So a cell costs a
// look-up, whatever its formula.
//
// Beyond the largest n that is kept for good there is room for the tables of some n at a time, one
// of those with the same remainder. Terms come in the order of their documents, so that their n are
// near each other, of tokens too: of the 14.2 million cells of L 8.9 are of terms in 51 to 255
// documents, and as many of terms of so many tokens, which share 205,000 tables each. The log odds
// of L take 78 ms with these and 165 without, all measures 600 and 910.
type tables struct {
	classes int
	largest int          // n up to which tables are kept for good; -1 = none
	most    int          // n up to which there is room for those of some n
	window  [windows]int // these n, by their remainder; 0 = none
	looked  int          // cells of terms of such n
	learnt  int          // tables of them

	ids  []uint32 // by place: the row of a table plus one; 0 = not known
	rows int
	room int // rows that the blocks have room for
	// Of the folds, those that are maxima come first; their values are keys.
	maxima []block[folded]
	sums   []block[float64]
	first  int // fold that is a sum

	bounds  [][]folded // by fold, by n: see foldSet.learnBounds
	bounded []bool     // by n: whether bounds are known
}

// A block has the values of up to eight folds for each row, as [kernels.RowMaxima] reads them.
type block[T any] struct {
	log    int // rows have 1<<log values
	values []T
}

// newBlocks returns blocks for so many folds.
func newBlocks[T any](folds int) []block[T] {
	var blocks []block[T]
	for ; folds > 0; folds -= blockFolds {
		log := bits.Len(uint(min(folds, blockFolds) - 1))
		blocks = append(blocks, block[T]{log: log, values: make([]T, kernels.RowPadding)})
	}
	return blocks
}

// at returns the place of the value of fold j in a row.
func at[T any](blocks []block[T], j int, row uint32) *T {
	b := &blocks[j/blockFolds]
	return &b.values[int(row)<<b.log+j%blockFolds]
}

// ofRows returns the values of the first rows, and what [kernels.RowPadding] asks for.
func (b *block[T]) ofRows(rows int) []T { return b.values[:rows<<b.log+kernels.RowPadding] }

// grow makes room for so many rows.
func grow[T any](blocks []block[T], rows int) {
	for i := range blocks {
		b := &blocks[i]
		values := make([]T, rows<<b.log+kernels.RowPadding)
		copy(values, b.values)
		b.values = values
	}
}

// blockFolds is the number of folds of a block.
const blockFolds = 8

// tablesMax is the largest n for which tables are kept for good, windowMax that for which they
// are kept for a while, windows the number of these n at a time; tablePlaces bounds the places of
// the first and of each of the second to 256 KiB, and rowsMost the rows of eight folds to 2 MiB,
// but for those that one tile adds.
const (
	tablesMax   = 64
	windowMax   = 255
	windows     = 16
	tablePlaces = 1 << 16
	rowsMost    = 1 << 15
)

// A table is made in the time in which about cellsOfTable cells are computed without one; after
// fewTables it is known how many cells share one. Where words come in bursts, neighbours have
// many different numbers of tokens: 20 Newsgroups has 1.5 cells a table, L 43.
const (
	cellsOfTable = 4
	fewTables    = 256
)

// newTables returns tables for the given numbers of folds and of those that are maxima, and of
// classes; of 0 classes it keeps none.
func newTables(maxima, folds, classes int) tables {
	m := tables{classes: classes, largest: -1, most: -1, maxima: newBlocks[folded](maxima), sums: newBlocks[float64](folds - maxima), first: maxima}
	if classes > 0 {
		for m.largest < tablesMax && m.permanent(m.largest+2) <= tablePlaces {
			m.largest++
		}
		m.most = max(m.largest, min(windowMax, tablePlaces/classes-1))
	}
	m.ids, m.bounded = make([]uint32, m.permanent(m.largest+1)), make([]bool, m.most+1)
	for range folds {
		m.bounds = append(m.bounds, make([]folded, len(m.bounded)))
	}
	return m
}

// permanent returns the number of possible tables of terms with less than n.
func (m *tables) permanent(n int) int { return m.classes * (n * (n + 1) / 2) }

// before returns the place of the first table of terms with n documents or tokens. That of a
// documents or tokens in a class is a*classes + class further on.
func (m *tables) before(n int) int {
	if n <= m.largest {
		return m.permanent(n)
	}
	return m.permanent(m.largest+1) + n%windows*m.classes*(m.most+1)
}

// keeps reports whether tables of terms with n documents or tokens are kept.
func (m *tables) keeps(n float64) bool {
	i := int(n)
	return n <= float64(m.most) && n == float64(i) && (i <= m.largest || m.window[i%windows] == i)
}

// pays reports whether tables that are kept for a while take less time than they save, as far as
// that is known.
func (m *tables) pays() bool { return m.learnt < fewTables || m.looked >= cellsOfTable*m.learnt }

// tell counts the cells of terms of n documents or tokens, and the tables made for them.
func (m *tables) tell(n, cells, tables int) {
	if n > m.largest {
		m.looked, m.learnt = m.looked+cells, m.learnt+tables
	}
}

// turn makes n one of those whose tables are kept for a while, in the place of another one, whose
// rows stay: the tile at hand may need them.
func (m *tables) turn(n int) {
	m.window[n%windows] = n
	if room := m.permanent(m.largest+1) + windows*m.classes*(m.most+1); len(m.ids) < room {
		m.ids = append(m.ids, make([]uint32, room-len(m.ids))...)
	}
	clear(m.ids[m.before(n):][:m.classes*(n+1)])
}

// prepare makes room for the tables of a tile: it forgets all of them if they are many.
func (m *tables) prepare() {
	if m.rows >= rowsMost {
		clear(m.ids)
		m.rows = 0
	}
}

// add adds a row for the table of a place and returns it. Room doubles: by the quarter that append
// makes, all rows would be copied five times in the end.
func (m *tables) add(place int) uint32 {
	if m.rows == m.room {
		m.room = max(1024, 2*m.room)
		grow(m.maxima, m.room)
		grow(m.sums, m.room)
	}
	m.rows++
	m.ids[place] = uint32(m.rows)
	return uint32(m.rows - 1)
}

// set sets the value of fold j in a row.
func (m *tables) set(j int, row uint32, v folded) {
	if j < m.first {
		*at(m.maxima, j, row) = v
	} else {
		*at(m.sums, j-m.first, row) = valueOf(v)
	}
}

// value returns the value of fold j in a row.
func (m *tables) value(j int, row uint32) folded {
	if j < m.first {
		return *at(m.maxima, j, row)
	}
	return bitsOf(*at(m.sums, j-m.first, row))
}
