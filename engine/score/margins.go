package score

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// Margins are the counts of a corpus that all terms share, with what the
// formulas make of them once instead of once a cell. Build them with
// [NewMargins]; they are not modified afterwards.
type Margins struct {
	// N counts documents (unlabelled ones too), T their tokens.
	N, T float64
	// NC and TC hold the documents and tokens of each class.
	NC, TC []float64

	tokenSum table.Pair // T, with what it lacks

	pairs    float64 // (document, label) pairs: Σ NC
	occupied float64 // classes with documents

	// Classes that absent cells cannot tell apart: of equal NC, and for measures
	// of tokens of equal NC and TC.
	sizes, groups grouping

	documents, tokens []classFactors // of the tables counted in documents, in tokens
	// The size of each class and its weight in a deviation: the root, the inverse, and 1.
	roots, inverses, ones [][2]float64
	perN                  []float64 // by class: the inverse of its documents, 0 where infinite
	exact                 bool      // products of document counts stay below 2^53
	bySize, byTokens      absentOrder

	once      sync.Once
	logs      logTables
	entropies []twoPart // nil where N is too large, or not prepared

	target *target // nil unless the classes are numbers
}

// A grouping is a partition of the classes.
type grouping struct {
	groups []group
	of     []uint32 // by class
}

// A group is represented by one of its classes.
type group struct {
	class uint32
	size  int
}

func newGrouping[K comparable](classes int, key func(c int) K) grouping {
	g := grouping{of: make([]uint32, classes)}
	index := map[K]uint32{}
	for c := range classes {
		k := key(c)
		i, ok := index[k]
		if !ok {
			i = uint32(len(g.groups))
			index[k] = i
			g.groups = append(g.groups, group{class: uint32(c)})
		}
		g.groups[i].size++
		g.of[c] = i
	}
	return g
}

// classFactors are what a formula needs to know of a class: with n of N
// documents (or tokens) in it,
type classFactors struct {
	n, out       float64 // n, N-n
	low          float64 // of real values: what n lacks of an exact sum
	perN, perOut float64 // their inverses, 0 where infinite
	root         float64 // 1/√(n(N-n)), likewise
	inverse      float64 // 1/(n(N-n)), likewise
	shift        float64 // ln N - ln n
	rest         float64 // ln N - ln(N-n)
	entropy      twoPart // -n ln n - (N-n) ln(N-n)
	// oneSided says that the class has none of the documents, or all of them; in
	// tokens, also that it has none or all of those.
	oneSided  bool
	documents *classFactors // of the same class, in tokens
	index     int
}

func newClassFactors(total, n table.Pair, logs *logTables) classFactors {
	out := total.Minus(n)
	f := classFactors{n: n.High, low: n.Low, out: out.High, shift: logs.of(total.High) - logs.of(n.High), rest: logs.of(total.High) - logs.of(out.High)}
	f.perN, f.perOut, f.oneSided = inverse(f.n), inverse(f.out), f.n == 0 || f.out == 0
	if !f.oneSided {
		f.inverse = 1 / float64(f.n*f.out)
		f.root = math.Sqrt(f.inverse)
	}
	return f
}

// of links what is counted in tokens to what is counted in documents.
func (f *classFactors) of(documents *classFactors) {
	f.documents, f.index, f.oneSided = documents, documents.index, f.oneSided || documents.oneSided
}

// NewMargins derives what the panel needs from the class sizes. It keeps the
// slices.
func NewMargins(n, t float64, nc, tc []float64) *Margins {
	return MarginsOf(&table.Margins{Documents: n, Tokens: t, ClassDocs: nc, ClassTokens: tc})
}

// MarginsOf is NewMargins of the totals of cells, with what they lack.
func MarginsOf(totals *table.Margins) *Margins {
	n, t, nc, tc := totals.Documents, totals.Tokens, totals.ClassDocs, totals.ClassTokens
	m := &Margins{N: n, T: t, NC: nc, TC: tc, tokenSum: totals.TokenSum().Plus(table.Pair{}), exact: float64(n*n) < 1<<53}
	m.sizes = newGrouping(len(nc), func(c int) float64 { return nc[c] })
	m.groups = newGrouping(len(nc), func(c int) [2]float64 { return [2]float64{nc[c], tc[c]} })
	m.documents, m.tokens = make([]classFactors, len(nc)), make([]classFactors, len(nc))
	for c := range nc {
		m.pairs += nc[c]
		if nc[c] > 0 {
			m.occupied++
		}
		m.documents[c] = newClassFactors(whole(n), whole(nc[c]), &m.logs)
		m.tokens[c] = newClassFactors(m.tokenSum, totals.ClassSum(c).Plus(table.Pair{}), &m.logs)
		m.documents[c].index = c
		m.tokens[c].of(&m.documents[c])
		m.roots = append(m.roots, [2]float64{nc[c], m.documents[c].root})
		m.inverses = append(m.inverses, [2]float64{nc[c], m.documents[c].inverse})
		m.ones = append(m.ones, [2]float64{nc[c], 1})
		m.perN = append(m.perN, m.documents[c].perN)
	}
	m.bySize, m.byTokens = newAbsentOrder(nc, nc, n), newAbsentOrder(nc, tc, t)
	return m
}

// WithTokens returns the margins of the same documents with other numbers of tokens in
// the classes, those of totals. It shares what depends on documents only.
func (m *Margins) WithTokens(totals *table.Margins) *Margins {
	m.prepare()
	tc := totals.ClassTokens
	n := &Margins{
		N: m.N, T: m.T, NC: m.NC, TC: tc, tokenSum: m.tokenSum, exact: m.exact, pairs: m.pairs, occupied: m.occupied,
		sizes: m.sizes, documents: m.documents, tokens: make([]classFactors, len(tc)),
		roots: m.roots, inverses: m.inverses, ones: m.ones, perN: m.perN, bySize: m.bySize, byTokens: newAbsentOrder(m.NC, tc, m.T),
		logs: m.logs, entropies: m.entropies, target: m.target,
	}
	n.once.Do(func() {}) // the tables are there
	n.groups = newGrouping(len(tc), func(c int) [2]float64 { return [2]float64{m.NC[c], tc[c]} })
	for c := range tc {
		n.tokens[c] = newClassFactors(m.tokenSum, totals.ClassSum(c).Plus(table.Pair{}), &m.logs)
		n.tokens[c].of(&n.documents[c])
	}
	return n
}

// prepare fills the tables of functions of counts. It must be called, before the tables
// are read, if a chosen measure may need them.
func (m *Margins) prepare() {
	m.once.Do(func() {
		m.logs.fill(m.N)
		m.entropies = entropies(m.N)
		s := side{entropies: m.entropies}
		for c := range m.documents {
			s.weigh(&m.documents[c])
		}
	})
}

// Classes returns the number of classes.
func (m *Margins) Classes() int { return len(m.NC) }

// An absentOrder finds the class from which the largest value of an absent class
// can come: every standard measure is monotone in the size of a class where the
// term does not occur, except that classes without documents have no association.
type absentOrder struct {
	order []uint32 // classes that have documents, by their documents or tokens
	empty []uint32 // the others
	// extremes are the smallest, the largest that is not everything (no term is
	// absent from that), and an empty one, as far as there are.
	extremes []uint32
	// places are those of the classes in order, and more than it has for an empty one; nil
	// for more classes than a word has bits.
	places []uint8
}

func newAbsentOrder(documents, size []float64, total float64) absentOrder {
	var o absentOrder
	for c, n := range documents {
		if n > 0 {
			o.order = append(o.order, uint32(c))
		} else {
			o.empty = append(o.empty, uint32(c))
		}
	}
	slices.SortStableFunc(o.order, func(i, j uint32) int { return cmp.Compare(size[i], size[j]) })
	last := len(o.order) - 1
	for last >= 0 && size[o.order[last]] == total {
		last--
	}
	if last >= 0 {
		o.extremes = append(o.extremes, o.order[0], o.order[last])
	}
	o.extremes = append(o.extremes, o.empty[:min(1, len(o.empty))]...)
	if len(documents) <= 64 {
		o.places = make([]uint8, len(documents))
		for _, c := range o.empty {
			o.places[c] = 64
		}
		for i, c := range o.order {
			o.places[c] = uint8(i)
		}
	}
	return o
}

// end returns the smallest or the largest class that is not present.
func (o *absentOrder) end(present []uint32, largest bool) (class uint32, ok bool) {
	if o.places != nil {
		return o.endOfFew(present, largest)
	}
	for i := range o.order {
		if largest {
			i = len(o.order) - 1 - i
		}
		if _, found := slices.BinarySearch(present, o.order[i]); !found {
			return o.order[i], true
		}
	}
	return 0, false
}

// endOfFew is end for classes that a word has bits for. A search for one class after another
// took 40 % of the time of chi-square, where terms are in nearly all of 50 classes.
func (o *absentOrder) endOfFew(present []uint32, largest bool) (class uint32, ok bool) {
	left := uint64(1)<<len(o.order) - 1
	for _, c := range present {
		left &^= 1 << o.places[c]
	}
	if left == 0 {
		return 0, false
	}
	if largest {
		return o.order[bits.Len64(left)-1], true
	}
	return o.order[bits.TrailingZeros64(left)], true
}

// logTables hold ln n and ln(n+½) of small counts: a look-up near the one before, since terms come in the order of
// their frequency, costs a tenth of a logarithm. Few terms of any corpus have larger counts.
type logTables struct{ whole, half []float64 }

// logTableMax bounds the tables to 512 KiB each.
const logTableMax = 1 << 16

func (l *logTables) fill(n float64) {
	size := int(min(n+1, logTableMax))
	whole, half := make([]float64, size), make([]float64, size)
	for i := range size {
		whole[i], half[i] = kernels.Log(float64(i)), kernels.Log(float64(i)+.5)
	}
	l.whole, l.half = whole, half
}

// of returns ln n. The table has the same bits as the function.
func (l *logTables) of(n float64) float64 {
	if i := int(n); uint(i) < uint(len(l.whole)) && float64(i) == n {
		return l.whole[i]
	}
	return kernels.Log(n)
}

// ofHalf returns ln(n + ½).
func (l *logTables) ofHalf(n float64) float64 {
	if i := int(n); uint(i) < uint(len(l.half)) && float64(i) == n {
		return l.half[i]
	}
	return kernels.Log(n + .5)
}
