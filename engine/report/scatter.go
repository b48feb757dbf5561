package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A scatter shows the terms of two corpora by their relative frequencies, both axes
// logarithmic and alike, so that terms that both use alike are on the diagonal.
type scatter struct {
	frame
	Label, Diagonal string
	Points          []point
	Names           []pointName
}

// A point is a term of a scatter.
type point struct {
	Class       string // "more", "less", "other"
	X, Y        px
	Term, Title string
	Link        string // to the evidence, or ""
}

// A pointName is a name beside a point.
type pointName struct {
	Class, Anchor, Text string
	X, Y                px
	Link                string // to the evidence, or ""
}

const (
	scatterLeft   = 46.0
	scatterRight  = 390.0
	scatterTop    = 12.0
	scatterBottom = scatterTop + scatterRight - scatterLeft
	mostNames     = 15 // of either sign
)

// across and up return the places in the plot of a place in [0, 1].
func across(at float64) float64 { return scatterLeft + float64(at*(scatterRight-scatterLeft)) }
func up(at float64) float64     { return scatterBottom - float64(at*(scatterBottom-scatterTop)) }

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

// scatter returns the scatter plot, nil if there are no terms. where has links to the evidence of
// terms.
func (k *KeyWords) scatter(where map[string]string) *scatter {
	if len(k.Keys)+len(k.Points) == 0 {
		return nil
	}
	axis := k.axis()
	s := &scatter{
		frame:    newFrame(scatterLeft, scatterRight, scatterTop, scatterBottom, axis.ticks(across), axis.ticks(up)),
		Label:    fmt.Sprintf("Terms by their frequency in %s and in %s", visible(k.Target.Name), visible(k.Reference.Name)),
		Diagonal: fmt.Sprintf("M%v %vL%v %v", px(scatterLeft), px(scatterBottom), px(scatterRight), px(scatterTop)),
	}
	for _, f := range k.Points {
		s.Points = append(s.Points, k.point(axis, f, "other"))
	}
	var keys []point
	for _, key := range k.Keys {
		class := "more"
		if !key.Positive {
			class = "less"
		}
		p := k.point(axis, key.Frequency, class)
		p.Link = where[key.Term]
		keys = append(keys, p)
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
			label = Count(int(math.Pow10(min(power, 15))))
			if power > 5 {
				label = "10^" + strconv.Itoa(power)
			}
		case power < 0:
			label = strconv.FormatFloat(math.Pow10(power), 'g', -1, 64)
		}
		marks = append(marks, tick{px(place((float64(power) - a.lo) / (a.hi - a.lo))), label})
	}
	return marks
}

func (k *KeyWords) point(a frequencyAxis, f Frequency, class string) point {
	p := point{Class: class, Term: visible(f.Term)}
	p.X, p.Y = px(across(a.position(f.Target, k.Target.Words))), px(up(a.position(f.Reference, k.Reference.Words)))
	p.Title = fmt.Sprintf("%s: %s and %s times, %s and %s per million", p.Term, Count(f.Target), Count(f.Reference),
		formatRate(perMillion(f.Target, k.Target.Words)), formatRate(perMillion(f.Reference, k.Reference.Words)))
	return p
}

// nameKeys returns names for the best keys of either sign, those left out that would be
// over another one.
func nameKeys(keys []point) (names []pointName) {
	type box struct{ left, right, y px }
	var taken []box
	count := map[string]int{}
	for _, p := range keys {
		if count[p.Class] == mostNames {
			continue
		}
		text := fit(p.Term, labelWidth)
		width := px(textWidth(text))
		n := pointName{p.Class, "start", text, p.X + 5, p.Y + 4, p.Link}
		b := box{p.X + 5, p.X + 5 + width, p.Y}
		if b.right > scatterRight+8 {
			n.Anchor, n.X = "end", p.X-5
			b = box{p.X - 5 - width, p.X - 5, p.Y}
		}
		if slices.ContainsFunc(taken, func(o box) bool {
			return b.left < o.right+3 && o.left < b.right+3 && math.Abs(float64(b.y-o.y)) < labelHeight-1
		}) {
			continue
		}
		count[p.Class]++
		taken, names = append(taken, b), append(names, n)
	}
	slices.SortStableFunc(names, func(a, b pointName) int { return cmp.Compare(a.Class, b.Class) })
	return names
}
