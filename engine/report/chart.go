package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The measures of a chart in its own pixels. It is narrow, so that its letters are
// still legible on a phone, where it is shown at nine tenths of its size.
const (
	chartWidth  = 400.0
	plotHeight  = 220.0
	plotTop     = 16.0
	plotLeft    = 42.0
	axisRoom    = 44.0 // below the plot
	headingRoom = 22.0 // above the chart of a file
	inset       = 10.0 // between the axes and the outermost points
	labelHeight = 14.0
	labelWidth  = 90.0 // the most that labels at the ends of lines have
)

// A chart has the curves of one classifier and metric, placed.
type chart struct {
	Label, Heading           string
	Width, Height            string
	Above, FileHeight        string // of a file, which has its heading above
	Left, Right, Top, Bottom string
	MiddleX, MiddleY, TextX  string // where axis titles stand, and the labels of the values
	TickY, TitleY            string
	X, Y                     []tick
	Curves                   []curve
	Omitted                  int // points that have no place
}

type curve struct {
	look
	Method  int
	Name    string
	Line    string
	Points  []mark
	Spreads string
	End     endLabel
}

type mark struct {
	X, Y, Path      string
	K, Value, Title string
}

// An endLabel stands beside the end of a line; the leader joins them.
type endLabel struct {
	X, Y, Text, Leader string
	x, y               float64 // of the line's end
}

// drawable says whether a value can be an F1.
func drawable(v float64) bool { return v >= 0 && v <= 1 }

func (p Point) drawable(m Metric) bool {
	v, _ := m.of(p)
	return p.K > 0 && drawable(v)
}

// chart places the curves of a classifier; ok is false if there is no point to draw.
func (r *Report) chart(classifier string, m Metric) (c chart, ok bool) {
	methods := r.methods()
	c = chart{Label: fmt.Sprintf("%s of %s by number of terms", m, visible(classifier)), Heading: fit(visible(classifier), chartWidth-100) + ": " + string(m)}
	of := make([][]Point, len(methods))
	var ks []int
	for _, p := range r.Points {
		switch {
		case p.Classifier != classifier:
		case !p.drawable(m):
			c.Omitted++
		default:
			i := slices.Index(methods, p.Method)
			of[i] = append(of[i], p)
			ks = append(ks, p.K)
		}
	}
	if len(ks) == 0 {
		return c, false
	}
	slices.Sort(ks)
	f := newFrame(methods, of)
	x := newCountAxis(slices.Compact(ks), plotLeft+inset, f.right-inset)
	lo, hi := r.extent(m)
	y := newValueAxis(lo, hi, plotTop, f.bottom)
	c.frame(f, x, y)
	for i, points := range of {
		if len(points) > 0 {
			c.Curves = append(c.Curves, newCurve(i, visible(methods[i]), points, m, x, y))
		}
	}
	c.labelEnds(f)
	return c, true
}

// extent gives the smallest and largest value of all classifiers: their charts have
// the same axis, so that they can be compared by eye.
func (r *Report) extent(m Metric) (lo, hi float64) {
	lo, hi = 1, 0
	for _, p := range r.Points {
		if p.drawable(m) {
			v, spread := m.of(p)
			if !drawable(spread) {
				spread = 0
			}
			lo, hi = min(lo, max(0, v-spread)), max(hi, min(1, v+spread))
		}
	}
	return lo, hi
}

// A frame is the room of a plot: labels want width, and many of them height.
type frame struct {
	right, bottom float64
}

func newFrame(methods []string, of [][]Point) frame {
	widest, labels := 0.0, 0
	for i, points := range of {
		if len(points) > 0 {
			widest = max(widest, width(fit(visible(methods[i]), labelWidth)))
			labels++
		}
	}
	return frame{
		right:  chartWidth - widest - 18,
		bottom: plotTop + max(plotHeight, labelHeight*float64(labels)),
	}
}

func (c *chart) frame(f frame, x countAxis, y valueAxis) {
	c.Width, c.Height = px(chartWidth), px(f.bottom+axisRoom)
	c.Above, c.FileHeight = px(-headingRoom), px(headingRoom+f.bottom+axisRoom)
	c.Left, c.Right, c.Top, c.Bottom = px(plotLeft), px(f.right), px(plotTop), px(f.bottom)
	c.MiddleX, c.MiddleY, c.TextX = px((plotLeft+f.right)/2), px((plotTop+f.bottom)/2), px(plotLeft-7)
	c.TickY, c.TitleY = px(f.bottom+18), px(f.bottom+37)
	c.X, c.Y = x.ticks(), y.ticks()
}

func newCurve(method int, name string, points []Point, m Metric, x countAxis, y valueAxis) curve {
	c := curve{look: lookOf(method), Method: method, Name: name}
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.K, b.K) })
	var line, spreads strings.Builder
	for i, p := range points {
		v, spread := m.of(p)
		at, up := x.at(p.K), y.at(v)
		line.WriteString([]string{"M", "L"}[min(i, 1)] + px(at) + " " + px(up))
		if drawable(spread) && spread > 0 {
			high, low := y.at(min(1, v+spread)), y.at(max(0, v-spread))
			fmt.Fprintf(&spreads, "M%s %sh6m-3 0V%sm-3 0h6", px(at-3), px(high), px(low))
		}
		c.Points = append(c.Points, mark{
			X: px(at), Y: px(up), Path: c.marker(at, up), K: count(p.K), Value: withSpread(v, spread),
			Title: fmt.Sprintf("%s, %s terms: %s", name, count(p.K), withSpread(v, spread)),
		})
		c.End = endLabel{x: at, y: up}
	}
	c.Line, c.Spreads = line.String(), spreads.String()
	return c
}

// labelEnds puts the names beside the ends of the lines, none over another.
func (c *chart) labelEnds(f frame) {
	order := make([]int, len(c.Curves))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.Curves[a].End.y, c.Curves[b].End.y) })
	places := make([]float64, len(order))
	for i, o := range order {
		places[i] = c.Curves[o].End.y
	}
	for i, at := range apart(places, labelHeight, plotTop, f.bottom) {
		e := &c.Curves[order[i]].End
		e.Leader = fmt.Sprintf("M%s %sL%s %sL%s %s", px(e.x), px(e.y), px(f.right), px(places[i]), px(f.right+9), px(at))
		e.X, e.Y, e.Text = px(f.right+12), px(at+4), fit(c.Curves[order[i]].Name, labelWidth)
	}
}
