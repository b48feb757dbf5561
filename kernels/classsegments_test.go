package kernels

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

type deviator = func(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool

// classCells are the arguments of a kernel over segments of cells with classes, each in a
// ground of its own.
type classCells struct {
	starts         *ground[int]
	allClasses     *ground[uint32]
	allA, allB     *ground[float64] // by cell
	allOf          *ground[float64] // by segment
	allDst, allMet *ground[float64]

	start    []int
	classes  []uint32
	a, b     []float64
	of       []float64
	dst, met []float64
	table    [][2]float64
}

func newClassCells(t *testing.T) *classCells {
	numbers := func() *ground[float64] { return newGround(t, most, math.Inf(1)) }
	return &classCells{
		starts: newGround(t, most, -1), allClasses: newGround[uint32](t, most, math.MaxUint32),
		allA: numbers(), allB: numbers(), allOf: numbers(), allDst: numbers(), allMet: numbers(),
	}
}

// draw takes n cells of random segments and classes, a at the given place.
func (c *classCells) draw(r *rand.Rand, n int, at place) {
	anywhere := func() place { return somePlaces[r.IntN(len(somePlaces))] }
	starts := startsOf(r, n)
	k := len(starts) - 1
	c.start, c.classes = c.starts.take(k+1, anywhere()), c.allClasses.take(n, at)
	c.a, c.b, c.of = c.allA.take(n, at), c.allB.take(n, anywhere()), c.allOf.take(k, anywhere())
	c.dst, c.met = c.allDst.take(k, anywhere()), c.allMet.take(k, anywhere())
	copy(c.start, starts)
	c.table = nil
	for range 1 + r.IntN(100) {
		c.table = append(c.table, [2]float64{float64(r.IntN(100_000)), r.Float64()})
	}
	for i := range c.classes {
		c.classes[i], c.a[i], c.b[i] = uint32(r.IntN(len(c.table))), float64(r.IntN(1000)), r.Float64()*1e6
	}
	for i := range c.of {
		c.of[i] = float64(r.IntN(5000))
		if r.IntN(8) == 0 { // in proportion: 0
			c.of[i] = 100_000
			for j := starts[i] - starts[0]; j < starts[i+1]-starts[0]; j++ {
				c.a[j] = c.table[c.classes[j]][0]
			}
		}
	}
}

func (c *classCells) check(t *testing.T) {
	t.Helper()
	c.starts.check(t)
	c.allClasses.check(t)
	for _, g := range []*ground[float64]{c.allA, c.allB, c.allOf, c.allDst, c.allMet} {
		g.check(t)
	}
}

// each calls f for every segment with the places of its cells.
func (c *classCells) each(f func(segment int, cells []int)) {
	for i := range c.of {
		var cells []int
		for j := c.start[i]; j < c.start[i+1]; j++ {
			cells = append(cells, j-c.start[0])
		}
		f(i, cells)
	}
}

// tryClassCells calls run with cells of every length and at every place, and with classes that
// are out of range and starts that do not ascend, which it must refuse.
func tryClassCells(t *testing.T, run func(c *classCells) bool, right func(c *classCells) bool) {
	t.Helper()
	r, c := rand.New(rand.NewPCG(25, 26)), newClassCells(t)
	for _, n := range everyLength() {
		for _, at := range somePlaces {
			c.draw(r, n, at)
			if len(c.of) == 0 {
				continue
			}
			if !run(c) || !right(c) {
				t.Fatalf("%v of %v in %v by %v: %v", c.a, c.classes, c.table, c.start, c.dst)
			}
			c.check(t)
		}
	}
	for n := 1; n < 20; n++ { // each cell in turn is out of range
		for i := range n {
			for _, class := range []uint32{3, 8, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32} {
				numbers := make([]float64, n)
				bad := &classCells{
					start: []int{7, 7 + n/2, 7 + n}, classes: make([]uint32, n), a: numbers, b: numbers,
					of: make([]float64, 2), dst: make([]float64, 2), met: make([]float64, 2), table: make([][2]float64, 3),
				}
				bad.classes[i] = class
				testkit.Equal(testkit.Stop(t), run(bad), false, "class", class, "of 3 in cell", i, "of", n, "accepted")
			}
		}
	}
	for _, start := range [][]int{{0, 5, 3}, {0, 2, 1, 3}, {0, 1, 9, 3}, {9, 20, 12}, {0, 1, 11, 2, 3}} {
		k := len(start) - 1
		numbers := make([]float64, 3)
		bad := &classCells{
			start: start, classes: make([]uint32, 3), a: numbers, b: numbers,
			of: make([]float64, k), dst: make([]float64, k), met: make([]float64, k), table: make([][2]float64, 1),
		}
		testkit.Equal(t, run(bad), false, "segments by", start, "accepted")
	}
}

func TestDeviationMaxima(t *testing.T) {
	forEach(t, func(p implementation) deviator { return p.deviationMaxima }, func(t *testing.T, maxima deviator) {
		form := Squared
		tryClassCells(t, func(c *classCells) bool {
			form = (form + 1) % (Signed + 1)
			return maxima(c.dst, c.start, c.classes, c.a, c.of, c.table, 100_000, form)
		}, func(c *classCells) bool {
			want := make([]float64, len(c.of)) // products are converted, so that no compiler fuses them with what follows
			c.each(func(i int, cells []int) {
				want[i] = math.Inf(-1)
				for _, j := range cells {
					x, y := float64(100_000*c.a[j]), float64(c.of[i]*c.table[c.classes[j]][0])
					weight := c.table[c.classes[j]][1]
					v := x - y
					switch form {
					case Squared:
						y = v * weight
						v *= y
					case Absolute:
						v = math.Abs(v * weight)
					case Signed:
						v *= weight
					}
					want[i] = math.Max(want[i], v)
				}
				want[i] += 0
			})
			return slices.EqualFunc(c.dst, want, same)
		})
	})
}

// startsOf cuts n elements into segments of random lengths: many of few elements or none, and
// some long ones. They begin at a number other than 0, as those of a tile do.
func startsOf(r *rand.Rand, n int) []int {
	starts := []int{r.IntN(100)}
	for left := n; left > 0; {
		length := r.IntN(4)
		if r.IntN(4) == 0 {
			length = r.IntN(40)
		}
		length = min(length, left)
		starts = append(starts, starts[len(starts)-1]+length)
		left -= length
	}
	for range r.IntN(3) {
		starts = append(starts, starts[len(starts)-1])
	}
	return starts
}

func TestSegmentsOfNone(*testing.T) {
	DeviationMaxima(nil, []int{5}, nil, nil, nil, nil, 1, Signed)
}
