package report

import (
	"math"
	"slices"
	"strconv"
)

// A tick is a mark of an axis.
type tick struct {
	At    string
	Label string // "" for a mark between labelled ones
}

// A valueAxis goes from lo to hi by step, in thousandths: F1 is from 0 to 1, and whole
// numbers have no rounding.
type valueAxis struct {
	lo, hi, step int
	top, bottom  float64
}

// newValueAxis covers the values from lo to hi with at most six steps.
func newValueAxis(lo, hi, top, bottom float64) valueAxis {
	a := valueAxis{top: top, bottom: bottom}
	if hi-lo < .02 { // what is nearly the same is drawn as nearly level
		lo, hi = max(0, lo-.01), min(1, hi+.01)
	}
	for _, a.step = range []int{1, 2, 5, 10, 20, 50, 100, 200} {
		a.lo = int(math.Floor(lo*1000/float64(a.step))) * a.step
		a.hi = int(math.Ceil(hi*1000/float64(a.step))) * a.step
		if a.hi-a.lo <= 6*a.step {
			break
		}
	}
	return a
}

func (a valueAxis) at(v float64) float64 {
	return a.bottom - float64((float64(v*1000)-float64(a.lo))/float64(a.hi-a.lo)*(a.bottom-a.top))
}

func (a valueAxis) ticks() (marks []tick) {
	digits := 3
	for unit := 10; unit <= 100 && a.step%unit == 0; unit *= 10 {
		digits--
	}
	for v := a.lo; v <= a.hi; v += a.step {
		marks = append(marks, tick{px(a.at(float64(v) / 1000)), strconv.FormatFloat(float64(v)/1000, 'f', digits, 64)})
	}
	return marks
}

// A countAxis is logarithmic and goes from the smallest number of terms to the largest.
type countAxis struct {
	ks          []int // those of the points, ascending
	lo, hi      float64
	left, right float64
}

func newCountAxis(ks []int, left, right float64) countAxis {
	a := countAxis{ks: ks, left: left, right: right}
	a.lo, a.hi = math.Log10(float64(ks[0])), math.Log10(float64(ks[len(ks)-1]))
	if a.hi-a.lo < 1e-9 {
		a.lo, a.hi = a.lo-.3, a.hi+.3
	}
	return a
}

func (a countAxis) at(k int) float64 {
	return a.left + float64((math.Log10(float64(k))-a.lo)/(a.hi-a.lo)*(a.right-a.left))
}

// ticks marks 1, 2, 5, 10, 20 and so on. It labels all of them where there is room, else
// powers of ten, else those that stand free. Where there are fewer than two, it marks
// the numbers of the points themselves.
func (a countAxis) ticks() []tick {
	round := a.round()
	if a.roomFor(round) && len(round) > 1 {
		return a.marks(round, round)
	}
	for apart := 1; ; apart++ { // every power of ten, every second, every third
		powers := powersOf(round, apart)
		if len(powers) < 2 {
			break
		}
		if a.roomFor(powers) {
			return a.marks(round, powers)
		}
	}
	if free := a.free(round); len(free) > 1 {
		return a.marks(round, free)
	}
	return a.marks(a.ks, a.free(a.ks))
}

// round gives 1, 2, 5, 10, 20, ... within the axis.
func (a countAxis) round() (ks []int) {
	for decade := 1; ; decade *= 10 {
		for _, digit := range []int{1, 2, 5} {
			if k := decade * digit; k >= a.ks[0] && k <= a.ks[len(a.ks)-1] && k/digit == decade {
				ks = append(ks, k)
			}
		}
		if decade > math.MaxInt/10 {
			return ks
		}
	}
}

func (a countAxis) marks(ks, labelled []int) (marks []tick) {
	for _, k := range ks {
		m := tick{At: px(a.at(k))}
		if slices.Contains(labelled, k) {
			m.Label = count(k)
		}
		marks = append(marks, m)
	}
	return marks
}

// free gives the numbers whose labels do not touch those before.
func (a countAxis) free(ks []int) (free []int) {
	last := math.Inf(-1)
	for _, k := range ks {
		x, half := a.at(k), width(count(k))/2
		if x-half > last+6 {
			free, last = append(free, k), x+half
		}
	}
	return free
}

func (a countAxis) roomFor(ks []int) bool { return len(a.free(ks)) == len(ks) }

// powersOf gives the powers of ten among ascending numbers whose exponents are multiples
// of apart.
func powersOf(ks []int, apart int) (powers []int) {
	for exponent, power := 0, 1; ; exponent, power = exponent+1, power*10 {
		if exponent%apart == 0 && slices.Contains(ks, power) {
			powers = append(powers, power)
		}
		if power > math.MaxInt/10 {
			return powers
		}
	}
}

// apart moves places that ascend so that they are at least gap apart and within lo and
// hi, as little as the sum of squares allows: places that would overlap form a block
// around their mean (isotonic regression by pooling neighbours).
func apart(places []float64, gap, lo, hi float64) []float64 {
	type block struct {
		sum float64
		n   int
	}
	var blocks []block
	for i, p := range places {
		b := block{p - float64(i)*gap, 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.sum/float64(last.n) < b.sum/float64(b.n) {
				break
			}
			b = block{b.sum + last.sum, b.n + last.n}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	var moved []float64
	for _, b := range blocks {
		for range b.n {
			at := max(lo, min(hi-float64(len(places)-1)*gap, b.sum/float64(b.n)))
			moved = append(moved, at+float64(len(moved))*gap)
		}
	}
	return moved
}
