package score

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/table"
)

// This file combines the class values of terms for the measures that count the same:
// documents, or tokens.

// A fold combines the class values of one measure into one.
type fold struct {
	choice int
	value  func(t *counts) float64
	columnForms
	role     role
	negative bool                      // the value of an absent class is not above 0
	finish   func(sum float64) float64 // or nil
}

// A role is how values are combined and which absent classes matter. The folds of a set
// are in the order of their roles.
type role uint8

const (
	// Of absent classes, only the smallest or the largest can matter, by what the
	// tables count, or by documents where they count tokens.
	largestOfSmallest role = iota
	largestOfLargest
	largestOfSmallestBySize
	largestOfLargestBySize

	largestOfAll // nothing is known: all absent classes
	sumOfPresent // absent classes add 0, or finish adds them
	sumOfAll
	shareOfPresent // sums weighted by P(c)
	shareOfAll
	roles
)

// A foldSet holds the folds of the measures that use the same counts.
type foldSet struct {
	folds []fold
	first [roles + 1]int // of each role
	words bool           // it counts tokens
	kept  tables

	side    *side
	classes []classFactors
	order   *absentOrder // of the classes by what is counted
	one     counts       // a table whose values are computed
	columns columns
	// columnar reports whether some fold has a function of columns.
	columnar bool

	// Of the tile at hand:
	places []uint32 // by cell: the row of its table, if those of its term are kept
	few    []int32  // by term: its documents or tokens if its tables are kept, else -1
	runs   []run    // terms whose tables are kept

	// Of a run, rows by term:
	largestRows []folded
	sumRows     []float64

	// Of the term at hand:
	present presentCells
	acc     []folded
	n, low  float64 // documents or tokens, and what these lack of an exact sum
	place   int     // of class 0, a = 0, in the tables that are kept; -1 = none are
}

// folded is a value in bits: the key of one whose maximum is looked for, the bits
// of one that is added. The maximum of integers takes no branch, which would go
// wrong a few times a row and measure.
type folded = int64

// keyOf returns the key of a value: keys compare as their values do. It is its own
// inverse.
func keyOf(bits folded) folded { return bits ^ int64(uint64(bits>>63)>>1) }

func bitsOf(x float64) folded { return folded(math.Float64bits(x)) }

func valueOf(x folded) float64 { return math.Float64frombits(uint64(x)) }

// prepare completes a set whose folds are known. Without keep, it keeps no tables.
func (s *foldSet) prepare(side *side, classes []classFactors, order *absentOrder, words, keep bool) {
	sort.SliceStable(s.folds, func(i, j int) bool { return s.folds[i].role < s.folds[j].role }) // few: smaller code than SortStableFunc
	s.acc = make([]folded, len(s.folds))
	for r := range s.first {
		s.first[r], _ = slices.BinarySearchFunc(s.folds, role(r), func(f fold, r role) int { return cmp.Compare(f.role, r) })
	}
	s.side, s.classes, s.order, s.words = side, classes, order, words
	s.columns.side, s.columns.factors = side, classes
	s.columnar = slices.ContainsFunc(s.folds, func(f fold) bool { return f.order != nil || f.bound != nil || f.values != nil })
	if len(s.folds) > 0 {
		n := 0
		if keep {
			n = len(classes)
		}
		s.kept = newTables(s.first[sumOfPresent], len(s.folds), n)
	}
}

// tile computes the values of the terms of a tile for all folds: columns[choice][i] is
// that of its term i.
func (s *foldSet) tile(p *Panel, t *table.Tile, columns [][]float64) {
	if len(s.folds) == 0 {
		return
	}
	x := t.A
	if s.words {
		x = t.S
	}
	s.locate(p, t, x)
	all := s.asksAllAbsent() || s.first[shareOfPresent] < s.first[roles]
	if !all {
		s.reduce(p, t, columns)
	}
	for i, few := range s.few {
		if few >= 0 && !all {
			continue
		}
		s.term(p, t, i, x)
		for j := range s.folds {
			columns[s.folds[j].choice][i] = s.result(j, s.acc[j])
		}
	}
}

// count returns the documents or tokens of term i of a tile.
func (s *foldSet) count(t *table.Tile, i int) float64 {
	if s.words {
		return t.CF[i]
	}
	return float64(t.DF[i])
}

// set prepares what the tables of a term of n documents or tokens share.
func (s *foldSet) set(p *Panel, n float64) {
	if s.words {
		p.tokensOf(table.Pair{High: n, Low: s.low})
	} else {
		p.documentsOf(n)
	}
}

// fold returns the value of a table, as the role of fold j needs it.
func (s *foldSet) fold(j int, t *counts) folded {
	v := bitsOf(s.folds[j].value(t))
	if j < s.first[sumOfPresent] {
		v = keyOf(v)
	}
	return v
}

// result returns the value of a term from what fold j has combined.
func (s *foldSet) result(j int, acc folded) float64 {
	if j < s.first[sumOfPresent] {
		acc = keyOf(acc)
	}
	if f := s.folds[j].finish; f != nil {
		return f(valueOf(acc))
	}
	return valueOf(acc)
}

// leastKey is the key of -Inf.
var leastKey = keyOf(bitsOf(math.Inf(-1)))

// orderOf returns the order of the classes that a role asks for.
func (s *foldSet) orderOf(p *Panel, r role) *absentOrder {
	if r >= largestOfSmallestBySize {
		return &p.margins.bySize
	}
	return s.order
}

// begin prepares a term of n documents or tokens.
func (s *foldSet) begin(p *Panel, n float64) {
	s.set(p, n)
	s.n, s.place = n, -1
	if s.kept.keeps(n) {
		s.place = s.kept.before(int(n))
	}
}

// term combines the class values of term i of a tile in s.acc.
func (s *foldSet) term(p *Panel, t *table.Tile, i int, x []float64) {
	from, to := t.Range(i)
	p.wholeTerm(t, i)
	if s.low = 0; s.words && t.Centred {
		s.low = t.LowCF[i]
	}
	s.begin(p, s.count(t, i))
	classes := t.Class[from:to]
	if s.few[i] >= 0 {
		s.takePlaces(p, classes, s.places[from:to])
	} else {
		s.place = -1
		s.takeTables(p, classes, x[from:to], t.A[from:to], t.LowS[min(from, len(t.LowS)):])
	}
	s.absent(p, classes, 0, s.first[largestOfAll])
	if s.asksAllAbsent() {
		s.allAbsent(p, classes)
	}
}

// share returns the weight of a class in fold j.
func (s *foldSet) share(p *Panel, j int, class uint32) float64 {
	if j >= s.first[shareOfPresent] {
		return p.shares[class]
	}
	return 1
}

// takeTables combines the cells of a term that shares its tables with no other.
// low is what x lacks of exact sums; empty if it lacks nothing.
func (s *foldSet) takeTables(p *Panel, classes []uint32, x, docs, low []float64) {
	s.present = presentCells{classes: classes, x: x, docs: docs, low: low, table: -1}
	if s.columnar {
		s.columns.set(classes, x, low)
	}
	for j := range s.folds {
		if j >= s.first[sumOfPresent] {
			s.acc[j] = bitsOf(s.sum(p, j))
		} else {
			s.acc[j] = s.largest(&s.folds[j])
		}
	}
}

// presentCells are the cells of a term that shares its tables with no other.
type presentCells struct {
	classes      []uint32
	x, docs, low []float64
	table        int // the cell of which foldSet.one is the table, or -1
}

// valueOf returns the value of cell k.
func (s *foldSet) valueOf(f *fold, k int) float64 {
	if cells := &s.present; cells.table != k {
		cells.table = k
		low := 0.0
		if len(cells.low) > 0 {
			low = cells.low[k]
		}
		s.side.cell(&s.one, &s.classes[cells.classes[k]], cells.x[k], low)
		s.one.docs = cells.docs[k]
	}
	return f.value(&s.one)
}

// sum returns the weighted sum of the values of fold j.
func (s *foldSet) sum(p *Panel, j int) float64 {
	f, classes, sum := &s.folds[j], s.present.classes, 0.0
	if f.values != nil {
		for k, v := range f.values(&s.columns) {
			sum += float64(s.share(p, j, classes[k]) * v)
		}
		return sum
	}
	for k, class := range classes {
		sum += float64(s.share(p, j, class) * s.valueOf(f, k))
	}
	return sum
}

// largest returns the largest key of the values of a fold.
func (s *foldSet) largest(f *fold) folded {
	switch {
	case len(s.present.classes) == 0:
		return leastKey
	case f.values != nil:
		return largestKey(f.values(&s.columns))
	case f.order != nil:
		return s.keyOf(f, firstLargest(f.order(&s.columns)))
	case f.bound != nil:
		return s.largestOfBounded(f)
	}
	largest := leastKey
	for k := range s.present.classes {
		largest = max(largest, s.keyOf(f, k))
	}
	return largest
}

// largestOfBounded is largest for a fold that has bounds. It computes the value with the
// largest bound, and then those whose bounds are not below it: a few of fifty.
func (s *foldSet) largestOfBounded(f *fold) folded {
	bounds := f.bound(&s.columns)
	first := firstLargest(bounds.values)
	largest := s.keyOf(f, first)
	least := valueOf(keyOf(largest))
	least -= float64(math.Abs(least) * boundError)
	if bounds.squares {
		least = max(least, 0)
		least = float64(least * least)
	}
	for k, bound := range bounds.values {
		if !(float64(bound*bounds.factor) < least) && k != first {
			largest = max(largest, s.keyOf(f, k))
		}
	}
	return largest
}

// boundError is more than the relative error of any bound and value.
const boundError = 1e-9

// firstLargest returns the place of the first of the largest values.
func firstLargest(values []float64) int {
	first, largest := 0, math.Inf(-1)
	for k, v := range values {
		if v > largest {
			first, largest = k, v
		}
	}
	return first
}

// largestKey returns the largest key of values.
func largestKey(values []float64) folded {
	largest := leastKey
	for _, v := range values {
		largest = max(largest, keyOf(bitsOf(v)))
	}
	return largest
}

// keyOf returns the key of the value of cell k.
func (s *foldSet) keyOf(f *fold, k int) folded { return keyOf(bitsOf(s.valueOf(f, k))) }

// ofAbsent returns the value of a class without the term at hand for fold j.
func (s *foldSet) ofAbsent(p *Panel, class uint32, j int) folded {
	if s.place >= 0 {
		place := s.place + int(class)
		if s.kept.ids[place] == 0 {
			s.learn(p, s.n, class, 0, place)
		}
		return s.kept.value(j, s.kept.ids[place]-1)
	}
	s.one.docs, s.present.table = 0, -1
	s.side.cell(&s.one, &s.classes[class], 0, 0)
	return s.fold(j, &s.one)
}

// absent takes the classes without the term at hand, an end of their order, for those of
// the folds [from, to) that are maxima of standard measures.
func (s *foldSet) absent(p *Panel, present []uint32, from, to int) {
	if len(present) == len(s.classes) {
		return
	}
	for j := from; j < to; j++ {
		r := s.folds[j].role
		o := s.orderOf(p, r)
		if s.mayExceed(p, o, j) {
			if c, ok := o.end(present, r&1 == 1); ok {
				s.acc[j] = max(s.acc[j], s.ofAbsent(p, c, j))
			}
		}
		if len(o.empty) > 0 {
			s.acc[j] = max(s.acc[j], s.ofAbsent(p, o.empty[0], j))
		}
	}
}

// mayExceed reports whether a class without the term could have a larger value of fold j
// than the present classes, if it could be any class. For most terms it cannot, and the
// absent classes need not be determined.
func (s *foldSet) mayExceed(p *Panel, o *absentOrder, j int) bool {
	f := &s.folds[j]
	if len(o.order) == 0 || f.negative && s.acc[j] > keyOf(0) {
		return false
	}
	c := o.extreme(f.role)
	return s.classes[c].n > s.side.term.none || s.ofAbsent(p, c, j) > s.acc[j]
}

// extreme returns the class at the end of the order that a role asks for.
func (o *absentOrder) extreme(r role) uint32 {
	if r&1 == 1 {
		return o.order[len(o.order)-1]
	}
	return o.order[0]
}

// ends returns the smallest and the largest class that is not present, and an empty one if
// there is any.
func (p *Panel) ends(present []uint32, o *absentOrder) []uint32 {
	p.without = p.without[:0]
	if c, ok := o.end(present, false); ok {
		p.without = append(p.without, c)
		c, _ = o.end(present, true)
		p.without = append(p.without, c)
	}
	if len(o.empty) > 0 {
		p.without = append(p.without, o.empty[0])
	}
	return p.without
}

func (s *foldSet) asksAllAbsent() bool {
	return s.first[largestOfAll] < s.first[sumOfPresent] || s.first[sumOfAll] < s.first[shareOfPresent] ||
		s.first[shareOfAll] < s.first[roles]
}

// allAbsent combines the classes without the term at hand for the roles that need all of
// them, one class for each group.
func (s *foldSet) allAbsent(p *Panel, present []uint32) {
	groups := &p.margins.sizes
	if s.words {
		groups = &p.margins.groups
	}
	p.left = p.left[:0]
	for _, g := range groups.groups {
		p.left = append(p.left, g.size)
	}
	for _, c := range present {
		p.left[groups.of[c]]--
	}
	for g, left := range p.left {
		if left == 0 {
			continue
		}
		c := groups.groups[g].class
		for j := range s.folds {
			switch r := s.folds[j].role; r {
			case largestOfAll:
				s.acc[j] = max(s.acc[j], s.ofAbsent(p, c, j))
			case sumOfAll:
				s.acc[j] = bitsOf(valueOf(s.acc[j]) + float64(float64(left)*valueOf(s.ofAbsent(p, c, j))))
			case shareOfAll:
				s.acc[j] = bitsOf(valueOf(s.acc[j]) + float64(float64(p.shares[c]*float64(left))*valueOf(s.ofAbsent(p, c, j))))
			}
		}
	}
}
