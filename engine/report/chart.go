package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// The lengths in a chart, in its own pixels. It is narrow, so that its letters are still
// legible on a phone, which shows it at nine tenths of its size.
const (
	chartWidth  = 400.0
	plotHeight  = 220.0
	plotTop     = 16.0
	plotLeft    = 42.0
	axisRoom    = 44.0 // below the plot
	headingRoom = 22.0 // above the chart of a file
	inset       = 10.0 // between the axes and the outermost points
	labelHeight = 14.0
	labelWidth  = 90.0 // the greatest width of labels at the ends of lines
)

// A chart has what chart.svg.tmpl shows: the curves of one classifier and metric, with all
// places computed.
type chart struct {
	theme
	frame
	Label, Heading    string
	Above, FileHeight px // for a file, which has its heading above the chart
	Curves            []curve
	Omitted           int // number of points that cannot be drawn
}

// A curve is the line of one method with its markers.
type curve struct {
	look
	Method  int
	Name    string
	Line    string
	Points  []mark
	Spreads string
	End     endLabel
}

// A mark is the marker of a point with its texts.
type mark struct {
	X, Y            px
	Path            string
	K, Value, Title string
	Exact, Spread   string // for the script; Spread is "" if there is none
}

// An endLabel is the name beside the end of a line, joined to it by the leader.
type endLabel struct {
	X, Y         px
	Text, Leader string
	x, y         float64 // of the line's end
}

// A frame has the edges of a plot, what is beside them, and the ticks of its axes.
type frame struct {
	Width, Height            px
	Left, Right, Top, Bottom px
	MiddleX, TextX           px // where the title of the lower axis stands, and the labels of the values
	TickY, TitleY            px
	X, Y                     []tick
}

func newFrame(left, right, top, bottom float64, x, y []tick) frame {
	return frame{
		Width: chartWidth, Height: px(bottom + axisRoom), Left: px(left), Right: px(right), Top: px(top), Bottom: px(bottom),
		MiddleX: px((left + right) / 2), TextX: px(left - 7), TickY: px(bottom + 18), TitleY: px(bottom + 37), X: x, Y: y,
	}
}

// isDrawable reports whether a point has a place in the chart of a metric.
func (p Point) isDrawable(m metric) bool {
	v, _ := m.valueOf(p)
	return p.K > 0 && isF1(v)
}

// A place is a point of a curve: a value at a number of terms, with its text.
type place struct {
	k         int
	v, spread float64
	text      string
}

// chart places the curves of a classifier; ok is false if there is no point to draw.
func (r *Report) chart(classifier string, m metric, t theme) (c chart, ok bool) {
	methods := r.methods()
	c = chart{theme: t, Label: fmt.Sprintf("%s of %s by number of terms", m, visible(classifier)), Heading: fit(visible(classifier), chartWidth-100) + ": " + string(m)}
	of := make([][]place, len(methods))
	for _, p := range r.Points {
		switch {
		case p.Classifier != classifier, math.IsNaN(p.MicroF1) && m == microF1, math.IsNaN(p.MacroF1) && m == macroF1:
		case !p.isDrawable(m):
			c.Omitted++
		default:
			i := slices.Index(methods, p.Method)
			v, spread := m.valueOf(p)
			of[i] = append(of[i], place{p.K, v, spread, withSpread(v, spread)})
		}
	}
	lo, hi := r.valueExtent(m)
	return c, c.draw(methods, of, lo, hi)
}

// draw places the curves of the named places on axes from lo to hi, and reports whether
// there is any.
func (c *chart) draw(names []string, of [][]place, lo, hi float64) bool {
	var ks []int
	for _, places := range of {
		for _, p := range places {
			ks = append(ks, p.k)
		}
	}
	if len(ks) == 0 {
		return false
	}
	slices.Sort(ks)
	right, bottom := plotEnd(names, of)
	x := newCountAxis(slices.Compact(ks), plotLeft+inset, right-inset)
	y := newValueAxis(lo, hi, plotTop, bottom)
	c.frame = newFrame(plotLeft, right, plotTop, bottom, x.ticks(), y.ticks())
	c.Above, c.FileHeight = -headingRoom, headingRoom+c.Height
	for i, places := range of {
		if len(places) > 0 {
			c.Curves = append(c.Curves, newCurve(c.lookOf(i), i, visible(names[i]), places, x, y))
		}
	}
	c.labelEnds(right, bottom)
	return true
}

// valueExtent returns the smallest and largest value of all classifiers. Their charts have
// the same axis, so that they can be compared by eye.
func (r *Report) valueExtent(m metric) (lo, hi float64) {
	lo, hi = 1, 0
	for _, p := range r.Points {
		if p.isDrawable(m) {
			v, spread := m.valueOf(p)
			if !isF1(spread) {
				spread = 0
			}
			lo, hi = min(lo, max(0, v-spread)), max(hi, min(1, v+spread))
		}
	}
	return lo, hi
}

// plotEnd returns the right and lower edge of a plot of the points of each method. Labels at
// the ends of lines take some of the width, and many of them need more height.
func plotEnd(names []string, of [][]place) (right, bottom float64) {
	widest, labels := 0.0, 0
	for i, places := range of {
		if len(places) > 0 {
			widest = max(widest, textWidth(fit(visible(names[i]), labelWidth)))
			labels++
		}
	}
	return chartWidth - widest - 18, plotTop + max(plotHeight, labelHeight*float64(labels))
}

func newCurve(l look, method int, name string, places []place, x countAxis, y valueAxis) curve {
	c := curve{look: l, Method: method, Name: name}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.k, b.k) })
	var line, spreads strings.Builder
	for i, p := range places {
		at, up := x.at(p.k), y.at(p.v)
		fmt.Fprintf(&line, "%s%v %v", []string{"M", "L"}[min(i, 1)], px(at), px(up))
		m := mark{
			X: px(at), Y: px(up), Path: c.marker(at, up), K: Count(p.k), Value: p.text, Exact: exact(p.v),
			Title: fmt.Sprintf("%s, %s: %s", name, formatPlural(p.k, "term"), p.text),
		}
		if isF1(p.spread) && p.spread > 0 {
			high, low := y.at(min(1, p.v+p.spread)), y.at(max(0, p.v-p.spread))
			fmt.Fprintf(&spreads, "M%v %vh6m-3 0V%vm-3 0h6", px(at-3), px(high), px(low))
			m.Spread = exact(p.spread)
		}
		c.Points = append(c.Points, m)
		c.End = endLabel{x: at, y: up}
	}
	c.Line, c.Spreads = line.String(), spreads.String()
	return c
}

// labelEnds puts the names beside the ends of the lines, none of them over another.
func (c *chart) labelEnds(right, bottom float64) {
	order := make([]int, len(c.Curves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Curves[a].End.y, c.Curves[b].End.y) })
	places := make([]float64, len(order))
	for i, o := range order {
		places[i] = c.Curves[o].End.y
	}
	for i, at := range spreadOut(places, labelHeight, plotTop, bottom) {
		e := &c.Curves[order[i]].End
		e.Leader = fmt.Sprintf("M%v %vL%v %vL%v %v", px(e.x), px(e.y), px(right), px(places[i]), px(right+9), px(at))
		e.X, e.Y, e.Text = px(right+12), px(at+4), fit(c.Curves[order[i]].Name, labelWidth)
	}
}
