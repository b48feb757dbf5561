package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// setCells are the arguments of kernels over sets, each in a ground of its own.
type setCells struct {
	allSets, allMet       *ground[uint64]
	allA, allS, allQ      *ground[byte]
	allOf                 *ground[uint32]
	allFloat              *ground[float64]
	allDst, allSquares    *ground[float64]
	allTotals             *ground[float64]
	allPairs              *ground[[2]float64]
	sets, met             []uint64
	a, s, q               []byte
	of                    []uint32
	float                 []float64 // of, as numbers
	dst, squares, totals  []float64
	pairs                 [][2]float64
	classes               int
	sizes, weights, roots []float64
	cells                 [][]setCell // by term
	pairTable             [][2]float64
}

// A setCell is a cell of a term: its class and its place in the columns.
type setCell struct{ class, at int }

func newSetCells(t *testing.T) *setCells {
	words, bytes := func() *ground[uint64] { return newGround[uint64](t, most, 5) }, func() *ground[byte] { return newGround[byte](t, most*SetClasses, 7) }
	numbers := func() *ground[float64] { return newGround(t, most, math.Inf(1)) }
	return &setCells{
		allSets: words(), allMet: words(), allA: bytes(), allS: bytes(), allQ: bytes(), allOf: newGround[uint32](t, most, 3),
		allFloat: numbers(), allDst: numbers(), allSquares: numbers(), allTotals: numbers(), allPairs: newGround(t, most, [2]float64{9, 9}),
	}
}

// draw takes so many terms, in about one of each so many classes, with the cells at the given
// place.
func (c *setCells) draw(r *rand.Rand, terms int, at place) {
	anywhere := func() place { return somePlaces[r.IntN(len(somePlaces))] }
	c.classes = []int{1, 7, 8, 9, 20, 50, 63, 64}[r.IntN(8)]
	c.sets, c.met = c.allSets.take(terms, anywhere()), c.allMet.take(terms, anywhere())
	c.of, c.float = c.allOf.take(terms, anywhere()), c.allFloat.take(terms, anywhere())
	c.dst, c.squares, c.totals, c.pairs = c.allDst.take(terms, anywhere()), c.allSquares.take(terms, anywhere()), c.allTotals.take(terms, anywhere()), c.allPairs.take(terms, anywhere())
	every, n := 1+r.IntN(12), 0
	c.cells = make([][]setCell, terms)
	for i := range c.sets {
		c.sets[i] = 0
		for class := range c.classes {
			if r.IntN(every) == 0 {
				c.sets[i] |= 1 << class
				c.cells[i] = append(c.cells[i], setCell{class, n})
				n++
			}
		}
		c.of[i] = uint32(r.IntN(3) * 40)
		c.float[i] = float64(c.of[i])
	}
	rows := 1 + r.IntN(256)
	c.a, c.s, c.q = c.allA.take(n, at), c.allS.take(n, anywhere()), c.allQ.take(n, anywhere())
	for i := range c.a {
		c.a[i], c.s[i], c.q[i] = byte(r.IntN(rows)), byte(r.IntN(256)), byte(r.IntN(256))
	}
	c.sizes, c.weights, c.roots = make([]float64, SetClasses), make([]float64, SetClasses), make([]float64, SetClasses)
	for class := range c.classes {
		c.sizes[class], c.weights[class], c.roots[class] = float64(r.IntN(100_000)), r.Float64(), r.Float64()
		if like := r.IntN(class + 1); r.IntN(4) == 0 { // as large a product
			c.sizes[class], c.roots[class] = c.sizes[like], c.roots[like]
			if r.IntN(2) == 0 {
				c.sizes[class], c.roots[class] = 3*c.sizes[class], c.roots[class]/3
			}
		}
	}
	c.pairTable = make([][2]float64, 256*SetClasses)
	for i := SetClasses; i < len(c.pairTable); i++ {
		c.pairTable[i] = [2]float64{float64(r.IntN(1000)), float64(r.IntN(1000))}
	}
}

func (c *setCells) check(t *testing.T) {
	t.Helper()
	c.allSets.check(t)
	c.allMet.check(t)
	c.allOf.check(t)
	c.allPairs.check(t)
	for _, g := range []*ground[byte]{c.allA, c.allS, c.allQ} {
		g.check(t)
	}
	for _, g := range []*ground[float64]{c.allFloat, c.allDst, c.allSquares, c.allTotals} {
		g.check(t)
	}
}

// trySets calls run with terms of every number, at every place, and with sets that do not fit,
// which it must refuse.
func trySets(t *testing.T, run func(c *setCells) bool, right func(c *setCells) bool) {
	t.Helper()
	r, c := rand.New(rand.NewPCG(31, 32)), newSetCells(t)
	for terms := 1; terms < 70; terms++ {
		for _, at := range somePlaces {
			c.draw(r, terms, at)
			if !run(c) || !right(c) {
				t.Fatalf("%v of %x, %d classes: %v %v %v %v", c.a, c.sets, c.classes, c.dst, c.squares, c.totals, c.pairs)
			}
			c.check(t)
		}
	}
	for terms := 1; terms < 40; terms++ {
		for i := range terms {
			for _, spoil := range []func(){
				func() { c.sets[i] ^= 1 << r.IntN(c.classes) }, // a bit more or less than there are cells
				func() { c.sets[i], c.classes = 1, 0 },
			} {
				c.draw(r, terms, atTail)
				spoil()
				if run(c) {
					t.Fatalf("%d cells of %x, %d classes: accepted", len(c.a), c.sets, c.classes)
				}
				c.check(t)
			}
		}
	}
}

func TestSetMaxima(t *testing.T) {
	forEach(t, func(p implementation) func([]float64, []uint64, []byte, []uint32, []float64, []float64, float64, uint64, Deviation) bool {
		return p.setMaxima
	}, func(t *testing.T, maxima func([]float64, []uint64, []byte, []uint32, []float64, []float64, float64, uint64, Deviation) bool) {
		form := Squared
		trySets(t, func(c *setCells) bool {
			form = (form + 1) % (Signed + 1)
			return maxima(c.dst, c.sets, c.a, c.of, c.sizes, c.weights, 100_000, beyondClasses(c.classes), form)
		}, func(c *setCells) bool {
			for i, cells := range c.cells {
				a := make([]float64, c.classes)
				for _, cell := range cells {
					a[cell.class] = float64(c.a[cell.at])
				}
				want := math.Inf(-1)
				for class, x := range a {
					if x != 255 {
						want = max(want, weightedDeviation(x, c.float[i], c.sizes[class], c.weights[class], form))
					}
				}
				if !same(c.dst[i], want+0) {
					return false
				}
			}
			return true
		})
	})
}

// weightedDeviation is the deviation of a cell, whose products are converted, so that no compiler
// fuses them with what follows.
func weightedDeviation(a, of, size, weight float64, form Deviation) float64 {
	x, y := float64(100_000*a), float64(of*size)
	v := x - y
	switch form {
	case Squared:
		return v * float64(v*weight)
	case Absolute:
		return math.Abs(v * weight)
	}
	return v * weight
}

func TestSetSums(t *testing.T) {
	forEach(t, func(p implementation) func([][2]float64, []uint64, []uint64, []byte, [][2]float64, uint64) bool {
		return p.setSums
	},
		func(t *testing.T, sums func([][2]float64, []uint64, []uint64, []byte, [][2]float64, uint64) bool) {
			run := func(c *setCells) bool {
				return sums(c.pairs, c.met, c.sets, c.a, c.pairTable, beyondClasses(c.classes))
			}
			trySets(t, run, func(c *setCells) bool {
				for i, cells := range c.cells {
					want, met := [2]float64{}, uint64(0)
					for _, cell := range cells {
						part := c.pairTable[int(c.a[cell.at])*SetClasses+cell.class]
						want[0], want[1], met = want[0]+part[0], want[1]+part[1], met+uint64(c.a[cell.at])
					}
					if c.pairs[i] != want || c.met[i] != met {
						return false
					}
				}
				return true
			})
		})
}

func TestSetMoments(t *testing.T) {
	type moments = func(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of, sizes, inverses, roots []float64, n float64, beyond uint64) bool
	forEach(t, func(p implementation) moments { return p.setMoments }, func(t *testing.T, f moments) {
		trySets(t, func(c *setCells) bool {
			return f(c.dst, c.squares, c.totals, c.sets, c.a, c.s, c.q, c.float, c.sizes, c.weights, c.roots, 100_000, beyondClasses(c.classes))
		}, func(c *setCells) bool {
			for i, cells := range c.cells {
				tokens, total, want := make([]float64, c.classes), 0.0, 0.0
				for _, cell := range cells {
					tokens[cell.class] = float64(c.a[cell.at]) + float64(c.s[cell.at])
					total += tokens[cell.class] + float64(c.q[cell.at])
				}
				for class, s := range tokens {
					want = max(want, weightedDeviation(s, c.float[i], c.sizes[class], c.roots[class], Absolute))
				}
				if !same(c.dst[i], want) || !same(c.squares[i], squaresOf(tokens, c.weights)) || c.totals[i] != total {
					return false
				}
			}
			return true
		})
	})
}

func TestSetSquares(t *testing.T) {
	trySets(t, func(c *setCells) bool {
		return setSquares(c.squares, c.totals, c.sets, c.a, c.s, c.weights, beyondClasses(c.classes))
	}, func(c *setCells) bool {
		for i, cells := range c.cells {
			tokens, total := make([]float64, c.classes), 0.0
			for _, cell := range cells {
				tokens[cell.class] = float64(c.a[cell.at]) + float64(c.s[cell.at])
				total += tokens[cell.class]
			}
			if !same(c.squares[i], squaresOf(tokens, c.weights)) || c.totals[i] != total {
				return false
			}
		}
		return true
	})
}

// Terms without cells need no columns.
func TestSetsWithoutCells(t *testing.T) {
	sets, column := make([]uint64, 3), make([]float64, SetClasses)
	numbers := func() []float64 { return []float64{9, 9, 9} }
	largest, squares, totals, of := numbers(), numbers(), numbers(), make([]float64, 3)
	SetMaxima(largest, sets, nil, make([]uint32, 3), column, column, 2, 5, Squared)
	SetMoments(largest, squares, totals, sets, nil, nil, nil, of, column, column, column, 2, 5)
	SetSquares(squares, totals, sets, nil, nil, column, 2)
	sums, met := make([][2]float64, 3), make([]uint64, 3)
	SetSums(sums, met, sets, nil, make([][2]float64, 256*SetClasses), 2)
	for _, got := range [][]float64{largest, squares, totals} {
		if !slices.Equal(got, make([]float64, 3)) {
			t.Errorf("%v", got)
		}
	}
}

// squaresOf adds up the weighted squares of the tokens of all classes.
func squaresOf(tokens, weights []float64) float64 {
	sum := eightLanes{}
	for class, s := range tokens {
		square := s * s
		square *= weights[class]
		sum[class%8] += float64(square)
	}
	return sum.folded()
}
