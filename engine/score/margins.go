package score

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

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

	pairs    float64 // (document, label) pairs: Σ NC
	occupied float64 // classes with documents

	// Classes that absent cells cannot tell apart: of equal NC, and for measures
	// of tokens of equal NC and TC.
	sizes, groups grouping

	// The size of each class and its weight in a deviation: the root, the inverse, and 1.
	roots, inverses, ones [][2]float64
	perN                  []float64 // by class: the inverse of its documents, 0 where infinite
	exact                 bool      // products of document counts stay below 2^53
	bySize, byTokens      absentOrder

	tokensOfClass float64 // the tokens of a class on average

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

// NewMargins derives what the panel needs from the class sizes. It keeps the
// slices.
func NewMargins(n, t float64, nc, tc []float64) *Margins {
	return MarginsOf(&table.Margins{Documents: n, Tokens: t, ClassDocs: nc, ClassTokens: tc})
}

// MarginsOf is NewMargins of the totals of cells, with what they lack.
func MarginsOf(totals *table.Margins) *Margins {
	n, t, nc, tc := totals.Documents, totals.Tokens, totals.ClassDocs, totals.ClassTokens
	m := &Margins{N: n, T: t, NC: nc, exact: float64(n*n) < 1<<53}
	m.sizes = newGrouping(len(nc), func(c int) float64 { return nc[c] })
	for _, size := range nc {
		m.pairs += size
		if size > 0 {
			m.occupied++
		}
		weight := 0.0
		if size > 0 && size < n {
			weight = 1 / float64(size*(n-size))
		}
		m.roots = append(m.roots, [2]float64{size, math.Sqrt(weight)})
		m.inverses = append(m.inverses, [2]float64{size, weight})
		m.ones = append(m.ones, [2]float64{size, 1})
		m.perN = append(m.perN, inverse(size))
	}
	m.bySize = newAbsentOrder(nc, nc, n)
	m.TC, m.tokensOfClass, m.byTokens = tc, tokensOfClasses(tc), newAbsentOrder(nc, tc, t)
	m.groups = newGrouping(len(tc), func(c int) [2]float64 { return [2]float64{nc[c], tc[c]} })
	return m
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

// mostEnds is how many classes [absentOrder.ends] returns at most.
const mostEnds = 3

// ends returns the smallest and the largest class that is not present, and an empty one if
// there is any: n classes.
func (o *absentOrder) ends(present []uint32) (classes [mostEnds]uint32, n int) {
	if first, last, ok := o.outermost(present); ok {
		classes[0], classes[1], n = o.order[first], o.order[last], 2
		if first == last {
			n = 1
		}
	}
	if len(o.empty) > 0 {
		classes[n] = o.empty[0]
		n++
	}
	return classes, n
}

// outermost returns the places of the first and the last class of the order that is not present. Of up to 64 classes
// each has a bit: a search for one after the other took 40 % of the time of chi-square, where terms are in nearly all
// of 50.
func (o *absentOrder) outermost(present []uint32) (first, last int, ok bool) {
	if o.places != nil {
		left := uint64(1)<<len(o.order) - 1
		for _, c := range present {
			left &^= 1 << o.places[c]
		}
		return bits.TrailingZeros64(left), bits.Len64(left) - 1, left != 0
	}
	absent := func(i int) bool {
		_, found := slices.BinarySearch(present, o.order[i])
		return !found
	}
	for first < len(o.order) && !absent(first) {
		first++
	}
	for last = len(o.order) - 1; last > first && !absent(last); last-- {
	}
	return first, last, first < len(o.order)
}

// A Table is what a measure may look at for one (term, class) pair: the
// documents and tokens of the term, of the class and of both. The caller fills
// the fields.
type Table struct {
	// Documents: all, with the term, of the class, of the class with the term.
	N, DF, NC, A float64
	// Tokens: all, of the term, of the class, of the term in the class.
	T, CF, TC, S float64
	// Q is the sum of the squares of the occurrences in each document of the class. [Formula] alone reads it.
	Q float64
	// Pooled is the within-class standard deviation of tf, pooled over the
	// classes (the s of the t-test); the same in every class of a term.
	Pooled float64

	inClasses     float64 // the occurrences of the term in all classes
	tokensOfClass float64 // the tokens of a class on average
}

// scaleOf returns N/(df(N-df)).
func scaleOf(total, df float64) float64 { return total / float64(df*(total-df)) }

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

// ratio returns x/y, and 0 for 0/0.
func ratio(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

// Sign returns 1 where a class has more of a term than all documents have on average, -1 where it
// has less and 0 where it has as much. It compares what the measure compares: documents with the
// term by class, occurrences a document for the t-test, or occurrences a token. Measures of the
// caller compare documents, and formulas occurrences a token if they read tokens.
func Sign(m Measure, t *Table) int {
	tokens := false
	switch m := m.(type) {
	case *definition:
		if m.pooled {
			return signOf(kernels.DiffOfProducts(t.S, t.N, t.CF, t.NC))
		}
		tokens = m.UsesTokens
	case *Formula:
		tokens = m.info.UsesTokens
	}
	if tokens {
		return signOf(kernels.DiffOfProducts(t.S, t.T, t.CF, t.TC))
	}
	return signOf(kernels.DiffOfProducts(t.A, t.N, t.DF, t.NC))
}

func signOf(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// Positive returns the measure whose value for a class is that of m where [Sign] is 1, and -Inf
// elsewhere. So its largest value is that of the classes which have more of the term. It has no value
// of its own over all classes.
func Positive(m Measure) Measure {
	if f, ok := m.(*Formula); ok {
		positive := *f
		positive.positive = true
		return &positive
	}
	d, ok := m.(*definition)
	if !ok {
		return positive{m}
	}
	of := &definition{Info: d.Info, class: d.class, program: d.program, positive: true, negative: true, presentOnly: d.presentOnly, pooled: d.pooled, across: d.across}
	if d.value != nil {
		of.value = positive{d}.Class
	}
	return of
}

// positive is [Positive] of a function of a table.
type positive struct{ Measure }

func (p positive) Class(t *Table) float64 {
	if Sign(p.Measure, t) <= 0 {
		return math.Inf(-1)
	}
	return p.Measure.Class(t)
}
