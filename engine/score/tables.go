package score

// A tables keeps the values of the measures of a set for (n, class, a): terms of n documents
// or tokens, a of them in the class. Rare terms are many: on 20 Newsgroups the 237,055
// cells of terms in up to 64 documents have 13,210 different tables. So a cell costs a
// look-up, whatever its formula.
type tables struct {
	classes int
	largest int // n up to which tables are kept; -1 = none
	known   []bool
	values  [][]folded // by fold
	bounds  [][]folded // by fold, by n: see foldSet.boundOf
	bounded []bool     // by n: whether bounds are known
}

// tablesMax is the largest n for which tables are ever kept; tablePlaces bounds what they
// take to 512 KiB for each measure.
const (
	tablesMax   = 64
	tablePlaces = 1 << 16
)

// newTables returns tables for the given numbers of measures and classes; of 0 classes it
// keeps none.
func newTables(measures, classes int) tables {
	m := tables{classes: classes, largest: -1}
	for n := range tablesMax + 1 {
		if classes == 0 || m.before(n+1) > tablePlaces {
			break
		}
		m.largest = n
	}
	m.known, m.bounded = make([]bool, m.before(m.largest+1)), make([]bool, m.largest+1)
	for range measures {
		m.values = append(m.values, make([]folded, len(m.known)))
		m.bounds = append(m.bounds, make([]folded, len(m.bounded)))
	}
	return m
}

// before returns the number of possible tables of terms with less than n.
func (m *tables) before(n int) int { return m.classes * (n * (n + 1) / 2) }

// keeps reports whether tables of terms with n documents or tokens are kept.
func (m *tables) keeps(n float64) bool { return n <= float64(m.largest) && n == float64(int(n)) }
