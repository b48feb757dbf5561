package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/report/display"
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
	Label, Heading           string
	Width, Height            string
	Above, FileHeight        string // for a file, which has its heading above the chart
	Left, Right, Top, Bottom string
	MiddleX, MiddleY, TextX  string // where axis titles stand, and the labels of the values
	TickY, TitleY            string
	X, Y                     []tick
	Curves                   []curve
	Omitted                  int // number of points that cannot be drawn
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
	X, Y, Path      string
	K, Value, Title string
	Exact, Spread   string // for the script; Spread is "" if there is none
}

// An endLabel is the name beside the end of a line, joined to it by the leader.
type endLabel struct {
	X, Y, Text, Leader string
	x, y               float64 // of the line's end
}

// isDrawable reports whether a point has a place in the chart of a metric.
func (p Point) isDrawable(m Metric) bool {
	v, _ := m.valueOf(p)
	return p.K > 0 && display.IsF1(v)
}

// A place is a point of a curve: a value at a number of terms, with its text.
type place struct {
	k         int
	v, spread float64
	text      string
}

// chart places the curves of a classifier; ok is false if there is no point to draw.
func (r *Report) chart(classifier string, m Metric, t theme) (c chart, ok bool) {
	methods := r.methods()
	c = chart{theme: t, Label: fmt.Sprintf("%s of %s by number of terms", m, display.Name(classifier)), Heading: display.Fit(display.Name(classifier), chartWidth-100) + ": " + string(m)}
	of := make([][]place, len(methods))
	for _, p := range r.Points {
		switch {
		case p.Classifier != classifier:
		case !p.isDrawable(m):
			c.Omitted++
		default:
			i := slices.Index(methods, p.Method)
			v, spread := m.valueOf(p)
			of[i] = append(of[i], place{p.K, v, spread, display.WithSpread(v, spread)})
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
	f := newPlotArea(names, of)
	x := newCountAxis(slices.Compact(ks), plotLeft+inset, f.right-inset)
	y := newValueAxis(lo, hi, plotTop, f.bottom)
	c.setFrame(f, x, y)
	for i, places := range of {
		if len(places) > 0 {
			c.Curves = append(c.Curves, newCurve(c.lookOf(i), i, display.Name(names[i]), places, x, y))
		}
	}
	c.labelEnds(f)
	return true
}

// valueExtent returns the smallest and largest value of all classifiers. Their charts have
// the same axis, so that they can be compared by eye.
func (r *Report) valueExtent(m Metric) (lo, hi float64) {
	lo, hi = 1, 0
	for _, p := range r.Points {
		if p.isDrawable(m) {
			v, spread := m.valueOf(p)
			if !display.IsF1(spread) {
				spread = 0
			}
			lo, hi = min(lo, max(0, v-spread)), max(hi, min(1, v+spread))
		}
	}
	return lo, hi
}

// A plotArea has the right and lower edge of a plot. Labels at the ends of lines take some
// of the width, and many of them need more height.
type plotArea struct {
	right, bottom float64
}

// newPlotArea returns the area for the points of each method.
func newPlotArea(names []string, of [][]place) plotArea {
	widest, labels := 0.0, 0
	for i, places := range of {
		if len(places) > 0 {
			widest = max(widest, display.Width(display.Fit(display.Name(names[i]), labelWidth)))
			labels++
		}
	}
	return plotArea{
		right:  chartWidth - widest - 18,
		bottom: plotTop + max(plotHeight, labelHeight*float64(labels)),
	}
}

// setFrame sets the edges, axes and ticks.
func (c *chart) setFrame(f plotArea, x countAxis, y valueAxis) {
	c.Width, c.Height = display.Pixels(chartWidth), display.Pixels(f.bottom+axisRoom)
	c.Above, c.FileHeight = display.Pixels(-headingRoom), display.Pixels(headingRoom+f.bottom+axisRoom)
	c.Left, c.Right, c.Top, c.Bottom = display.Pixels(plotLeft), display.Pixels(f.right), display.Pixels(plotTop), display.Pixels(f.bottom)
	c.MiddleX, c.MiddleY, c.TextX = display.Pixels((plotLeft+f.right)/2), display.Pixels((plotTop+f.bottom)/2), display.Pixels(plotLeft-7)
	c.TickY, c.TitleY = display.Pixels(f.bottom+18), display.Pixels(f.bottom+37)
	c.X, c.Y = x.ticks(), y.ticks()
}

func newCurve(l look, method int, name string, places []place, x countAxis, y valueAxis) curve {
	c := curve{look: l, Method: method, Name: name}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.k, b.k) })
	var line, spreads strings.Builder
	for i, p := range places {
		at, up := x.at(p.k), y.at(p.v)
		line.WriteString([]string{"M", "L"}[min(i, 1)] + display.Pixels(at) + " " + display.Pixels(up))
		m := mark{
			X: display.Pixels(at), Y: display.Pixels(up), Path: c.marker(at, up), K: display.Count(p.k), Value: p.text, Exact: display.Exact(p.v),
			Title: fmt.Sprintf("%s, %s: %s", name, formatPlural(p.k, "term"), p.text),
		}
		if display.IsF1(p.spread) && p.spread > 0 {
			high, low := y.at(min(1, p.v+p.spread)), y.at(max(0, p.v-p.spread))
			fmt.Fprintf(&spreads, "M%s %sh6m-3 0V%sm-3 0h6", display.Pixels(at-3), display.Pixels(high), display.Pixels(low))
			m.Spread = display.Exact(p.spread)
		}
		c.Points = append(c.Points, m)
		c.End = endLabel{x: at, y: up}
	}
	c.Line, c.Spreads = line.String(), spreads.String()
	return c
}

// labelEnds puts the names beside the ends of the lines, none of them over another.
func (c *chart) labelEnds(f plotArea) {
	order := make([]int, len(c.Curves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Curves[a].End.y, c.Curves[b].End.y) })
	places := make([]float64, len(order))
	for i, o := range order {
		places[i] = c.Curves[o].End.y
	}
	for i, at := range spreadOut(places, labelHeight, plotTop, f.bottom) {
		e := &c.Curves[order[i]].End
		e.Leader = fmt.Sprintf("M%s %sL%s %sL%s %s", display.Pixels(e.x), display.Pixels(e.y), display.Pixels(f.right), display.Pixels(places[i]), display.Pixels(f.right+9), display.Pixels(at))
		e.X, e.Y, e.Text = display.Pixels(f.right+12), display.Pixels(at+4), display.Fit(c.Curves[order[i]].Name, labelWidth)
	}
}
