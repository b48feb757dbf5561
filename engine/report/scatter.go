package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/report/display"
)

// A scatter shows the terms of two corpora by their relative frequencies, both axes
// logarithmic and alike, so that terms that both use alike are on the diagonal.
type scatter struct {
	Label, Width, Height     string
	Left, Right, Top, Bottom string
	TickY, TextX             string
	MiddleX, TitleY          string
	Diagonal                 string
	X, Y                     []tick
	Points                   []point
	Names                    []pointName
}

// A point is a term of a scatter.
type point struct {
	Class       string // "more", "less", "other"
	X, Y        string
	Term, Title string
	x, y        float64
}

// A pointName is a name beside a point.
type pointName struct{ Class, X, Y, Anchor, Text string }

const (
	scatterLeft   = 46.0
	scatterRight  = 390.0
	scatterTop    = 12.0
	scatterBottom = scatterTop + scatterRight - scatterLeft
	mostNames     = 15 // of either sign
)

// A frequencyAxis is a logarithmic axis of occurrences per million.
type frequencyAxis struct{ lo, hi float64 }

// position returns the place of a term in [0, 1]. A term that does not occur is where half
// an occurrence would be.
func (a frequencyAxis) position(n, tokens int) float64 {
	return (logFrequency(n, tokens) - a.lo) / (a.hi - a.lo)
}

// logFrequency returns log10 of the occurrences per million, of half a one for none.
func logFrequency(n, tokens int) float64 {
	return math.Log10(max(.5, float64(n)) * 1e6 / float64(max(1, tokens)))
}

// scatter returns the scatter plot, nil if there are no terms.
func (k *KeyWords) scatter() *scatter {
	if len(k.Keys)+len(k.Points) == 0 {
		return nil
	}
	axis := k.axis()
	s := &scatter{
		Label: fmt.Sprintf("Terms by their frequency in %s and in %s", display.Name(k.Target.Name), display.Name(k.Reference.Name)),
		Width: display.Pixels(chartWidth), Height: display.Pixels(scatterBottom + axisRoom), Left: display.Pixels(scatterLeft), Right: display.Pixels(scatterRight),
		Top: display.Pixels(scatterTop), Bottom: display.Pixels(scatterBottom), TickY: display.Pixels(scatterBottom + 18), TextX: display.Pixels(scatterLeft - 7),
		MiddleX: display.Pixels((scatterLeft + scatterRight) / 2), TitleY: display.Pixels(scatterBottom + 37),
		Diagonal: fmt.Sprintf("M%s %sL%s %s", display.Pixels(scatterLeft), display.Pixels(scatterBottom), display.Pixels(scatterRight), display.Pixels(scatterTop)),
	}
	s.X = axis.ticks(func(at float64) float64 { return scatterLeft + float64(at*(scatterRight-scatterLeft)) })
	s.Y = axis.ticks(func(at float64) float64 { return scatterBottom - float64(at*(scatterBottom-scatterTop)) })
	for _, f := range k.Points {
		s.Points = append(s.Points, k.point(axis, f, "other"))
	}
	var keys []point
	for _, key := range k.Keys {
		class := "more"
		if !key.Positive {
			class = "less"
		}
		keys = append(keys, k.point(axis, key.Frequency, class))
	}
	s.Points = append(s.Points, keys...) // above the others
	s.Names = nameKeys(keys)
	return s
}

// axis returns the axis on which all terms have a place.
func (k *KeyWords) axis() frequencyAxis {
	a := frequencyAxis{math.Inf(1), math.Inf(-1)}
	add := func(f Frequency) {
		for _, v := range []float64{logFrequency(f.Target, k.Target.Words), logFrequency(f.Reference, k.Reference.Words)} {
			a.lo, a.hi = min(a.lo, v), max(a.hi, v)
		}
	}
	for _, f := range k.Points {
		add(f)
	}
	for _, key := range k.Keys {
		add(key.Frequency)
	}
	margin := max(.15, (a.hi-a.lo)*.03)
	return frequencyAxis{a.lo - margin, a.hi + margin}
}

// ticks returns ticks at the powers of ten.
func (a frequencyAxis) ticks(place func(at float64) float64) (marks []tick) {
	for power := int(math.Ceil(a.lo)); float64(power) <= a.hi; power++ {
		label := "1"
		switch {
		case power > 0:
			label = display.Count(int(math.Pow10(min(power, 15))))
			if power > 5 {
				label = "10^" + strconv.Itoa(power)
			}
		case power < 0:
			label = strconv.FormatFloat(math.Pow10(power), 'g', -1, 64)
		}
		marks = append(marks, tick{display.Pixels(place((float64(power) - a.lo) / (a.hi - a.lo))), label})
	}
	return marks
}

func (k *KeyWords) point(a frequencyAxis, f Frequency, class string) point {
	p := point{Class: class, Term: display.Name(f.Term)}
	p.x = scatterLeft + float64(a.position(f.Target, k.Target.Words)*(scatterRight-scatterLeft))
	p.y = scatterBottom - float64(a.position(f.Reference, k.Reference.Words)*(scatterBottom-scatterTop))
	p.X, p.Y = display.Pixels(p.x), display.Pixels(p.y)
	p.Title = fmt.Sprintf("%s: %s and %s times, %s and %s per million", p.Term, display.Count(f.Target), display.Count(f.Reference),
		formatRate(perMillion(f.Target, k.Target.Words)), formatRate(perMillion(f.Reference, k.Reference.Words)))
	return p
}

// nameKeys returns names for the best keys of either sign, those left out that would be
// over another one.
func nameKeys(keys []point) (names []pointName) {
	type box struct{ left, right, y float64 }
	var taken []box
	count := map[string]int{}
	for _, p := range keys {
		if count[p.Class] == mostNames {
			continue
		}
		text := display.Fit(p.Term, labelWidth)
		n := pointName{Class: p.Class, Y: display.Pixels(p.y + 4), Text: text, Anchor: "start", X: display.Pixels(p.x + 5)}
		b := box{p.x + 5, p.x + 5 + display.Width(text), p.y}
		if b.right > scatterRight+8 {
			n.Anchor, n.X = "end", display.Pixels(p.x-5)
			b = box{p.x - 5 - display.Width(text), p.x - 5, p.y}
		}
		if slices.ContainsFunc(taken, func(o box) bool {
			return b.left < o.right+3 && o.left < b.right+3 && math.Abs(b.y-o.y) < labelHeight-1
		}) {
			continue
		}
		count[p.Class]++
		taken, names = append(taken, b), append(names, n)
	}
	slices.SortStableFunc(names, func(a, b pointName) int { return cmp.Compare(a.Class, b.Class) })
	return names
}
