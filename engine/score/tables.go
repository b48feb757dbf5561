package score

// A tables keeps the values of the measures of a set for (n, class, a): terms of n documents
// or tokens, a of them in the class. Rare terms are many: on 20 Newsgroups the 237,055
// cells of terms in up to 64 documents have 13,210 different tables. So a cell costs a
// look-up, whatever its formula.
//
// Beyond the largest n that is kept for good there is room for the tables of one n at a time,
// for terms that come in the order of n: 8.2 of the 14.2 million cells of L are of terms in 51
// to 255 documents.
type tables struct {
	classes int
	largest int // n up to which tables are kept for good; -1 = none
	most    int // n up to which there is room for those of one n
	current int // that n; -1 = none
	known   []bool
	values  [][]folded // by fold
	bounds  [][]folded // by fold, by n: see foldSet.boundOf
	bounded []bool     // by n: whether bounds are known
}

// tablesMax is the largest n for which tables are kept for good, currentMax that for which they
// are kept for one n at a time; tablePlaces bounds what either take to 512 KiB for each measure.
const (
	tablesMax   = 64
	currentMax  = 255
	tablePlaces = 1 << 16
)

// newTables returns tables for the given numbers of measures and classes; of 0 classes it
// keeps none. Only if ordered is set, there is room for the tables of one n at a time.
func newTables(measures, classes int, ordered bool) tables {
	m := tables{classes: classes, largest: -1, current: -1}
	for n := range tablesMax + 1 {
		if classes == 0 || m.permanent(n+1) > tablePlaces {
			break
		}
		m.largest = n
	}
	m.most = m.largest
	places := m.permanent(m.largest + 1)
	if ordered && classes > 0 {
		m.most = max(m.largest, min(currentMax, tablePlaces/classes-1))
		places += classes * (m.most + 1)
	}
	m.known, m.bounded = make([]bool, places), make([]bool, m.most+1)
	for range measures {
		m.values = append(m.values, make([]folded, len(m.known)))
		m.bounds = append(m.bounds, make([]folded, len(m.bounded)))
	}
	return m
}

// permanent returns the number of possible tables of terms with less than n.
func (m *tables) permanent(n int) int { return m.classes * (n * (n + 1) / 2) }

// before returns the place of the first table of terms with n documents or tokens.
func (m *tables) before(n int) int { return m.permanent(min(n, m.largest+1)) }

// keeps reports whether tables of terms with n documents or tokens are kept.
func (m *tables) keeps(n float64) bool {
	return n <= float64(m.largest) && n == float64(int(n)) || n == float64(m.current)
}

// turn makes n the one whose tables are kept beyond the largest.
func (m *tables) turn(n int) {
	m.current = n
	clear(m.known[m.before(n):][:m.classes*(n+1)])
}
