package report

import (
	"math"
	"slices"
	"strconv"
)

// A tick is a mark of an axis.
type tick struct {
	At    px
	Label string // "" for a mark between labelled ones
}

// A valueAxis has ticks from lo to hi by step, all in thousandths, so that values of F1 are
// whole numbers without rounding.
type valueAxis struct {
	lo, hi, step int
	top, bottom  float64
}

// newValueAxis returns an axis for the values from lo to hi with at most six steps.
func newValueAxis(lo, hi, top, bottom float64) valueAxis {
	a := valueAxis{top: top, bottom: bottom}
	if hi-lo < .02 { // else small differences would look large
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

// at returns the place of a value.
func (a valueAxis) at(v float64) float64 {
	return a.bottom - float64((float64(v*1000)-float64(a.lo))/float64(a.hi-a.lo)*(a.bottom-a.top))
}

// ticks returns the ticks with their labels.
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
	ks          []int // numbers of terms of the points, ascending
	lo, hi      float64
	left, right float64
}

// newCountAxis returns an axis between the least and the greatest of ks, which ascend.
func newCountAxis(ks []int, left, right float64) countAxis {
	a := countAxis{ks: ks, left: left, right: right}
	a.lo, a.hi = math.Log10(float64(ks[0])), math.Log10(float64(ks[len(ks)-1]))
	if a.hi-a.lo < 1e-9 {
		a.lo, a.hi = a.lo-.3, a.hi+.3
	}
	return a
}

// at returns the place of a number of terms.
func (a countAxis) at(k int) float64 {
	return a.left + float64((math.Log10(float64(k))-a.lo)/(a.hi-a.lo)*(a.right-a.left))
}

// ticks returns a tick at each number of terms that was measured, with labels for those
// that have room: the greatest, then from the left those that touch no other.
func (a countAxis) ticks() []tick { return a.ticksAt(a.ks, a.withoutTouching(a.ks)) }

// ticksAt returns ticks at ks, with labels for those in labelled.
func (a countAxis) ticksAt(ks, labelled []int) (marks []tick) {
	for _, k := range ks {
		m := tick{At: px(a.at(k))}
		if slices.Contains(labelled, k) {
			m.Label = Count(k)
		}
		marks = append(marks, m)
	}
	return marks
}

// withoutTouching returns the last of the numbers and those whose labels touch neither
// its label nor the ones before.
func (a countAxis) withoutTouching(ks []int) (free []int) {
	half := func(k int) float64 { return textWidth(Count(k)) / 2 }
	greatest := ks[len(ks)-1]
	last, end := math.Inf(-1), a.at(greatest)-half(greatest)
	for _, k := range ks[:len(ks)-1] {
		if x := a.at(k); x-half(k) > last+6 && x+half(k)+6 < end {
			free, last = append(free, k), x+half(k)
		}
	}
	return append(free, greatest)
}

// spreadOut moves places, which ascend, so that they are at least gap apart and within lo
// and hi, with the least sum of squares: places that would overlap form a block around
// their mean (isotonic regression by pooling neighbours).
func spreadOut(places []float64, gap, lo, hi float64) []float64 {
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
