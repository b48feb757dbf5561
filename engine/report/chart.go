package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
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
	labelHeight = 17.0
	labelWidth  = 90.0 // the greatest width of labels at the ends of lines
)

// A chart has the curves of one classifier and metric, with all
// places computed.
type chart struct {
	theme
	frame
	Label, Heading    string
	Above, FileHeight px // for a file, which has its heading above the chart
	Curves            []curve
	Omitted           int // number of points that cannot be drawn
}

// canvas adds a chart to a page. metric is "" if its curves are no methods.
func (m *markup) canvas(c *chart, of metric) {
	m.add(`<div class="canvas"><svg class="curves"%s`, when(of != "", ` data-metric="`+literal(of)+`"`))
	m.add(" viewBox=\"0 0 %s %s\" data-left=\"%s\" data-right=\"%s\" data-top=\"%s\" data-bottom=\"%s\" role=\"group\" aria-label=\"%s\">\n",
		c.Width, c.Height, c.Left, c.Right, c.Top, c.Bottom, c.Label)
	c.write(m)
	m.add("</svg><div class=\"readout\" role=\"status\"></div></div>\n")
}

// writeFile writes a chart as an SVG file, with the names of the methods beside the lines.
func (c *chart) writeFile(w io.Writer) error {
	var m markup
	m.add(`<svg xmlns="http://www.w3.org/2000/svg" width="600" viewBox="0 %s %s %s" role="img" aria-label="%s" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="13">
<title>%s</title>
<rect y="%s" width="%s" height="%s" fill="%s"/>
<text x="8" y="-6" font-weight="600" fill="%s">%s</text>
`, c.Above, c.Width, c.FileHeight, c.Label, c.Label, c.Above, c.Width, c.FileHeight, c.Paper, c.Ink, c.Heading)
	c.write(&m)
	m.add("</svg>\n")
	_, err := io.WriteString(w, m.String())
	return err
}

// write adds the axes and the curves.
func (c *chart) write(m *markup) {
	m.add(`<g class="grid"><g class="values">`)
	for _, y := range c.Y {
		m.add(`<path d="M%s %sH%s" stroke="%s"/><text x="%s" y="%s" dy="4" text-anchor="end" fill="%s">%s</text>`,
			c.Left, y.At, c.Right, c.Grid, c.TextX, y.At, c.Soft, y.Label)
	}
	m.add("</g>")
	for _, x := range c.X {
		length := 3
		if x.Label != "" {
			length = 6
		}
		m.add(`<path d="M%s %sv%s" stroke="%s"/>`, x.At, c.Bottom, length, c.Axis)
		if x.Label != "" {
			m.add(`<text x="%s" y="%s" text-anchor="middle" fill="%s">%s</text>`, x.At, c.TickY, c.Soft, x.Label)
		}
	}
	m.add(`
<path class="axis" d="M%s %sV%sH%s" fill="none" stroke="%s"/>
<text x="%s" y="%s" text-anchor="middle" fill="%s">terms (log scale)</text></g>
`, c.Left, c.Top, c.Bottom, c.Right, c.Axis, c.MiddleX, c.TitleY, c.Soft)
	for i := range c.Curves {
		c.Curves[i].write(m, c.Paper)
	}
}

// write adds the line of a method with its markers and its name.
func (c *curve) write(m *markup, paper string) {
	fill := c.Colour
	if c.Hollow {
		fill = paper
	}
	m.add(`<g class="curve %s" data-method="%s" data-name="%s">
<path class="line" d="%s" fill="none" stroke="%s" stroke-width="1.8" stroke-linejoin="round"%s/>
`, c.Class, c.Method, c.Name, c.Line, c.Colour, c.dashes())
	if c.Spreads != "" {
		m.add(`<path class="spread" d="%s" fill="none" stroke="%s" stroke-width="1"/>`, c.Spreads, c.Colour)
	}
	for _, p := range c.Points {
		m.add(`<path class="mark%s" data-x="%s" data-y="%s" data-k="%s" data-v="%s" data-f="%s"`, when(c.Hollow, " hollow"), p.X, p.Y, p.K, p.Value, p.Exact)
		if p.Spread != "" {
			m.add(` data-s="%s"`, p.Spread)
		}
		m.add(" d=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.4\"><title>%s</title></path>\n", p.Path, fill, c.Colour, p.Title)
	}
	m.add(`<path class="leader" d="%s" fill="none" stroke="%s" stroke-width="0.8" stroke-opacity="0.6"/>
<text class="name" x="%s" y="%s" fill="%s">%s</text></g>
`, c.End.Leader, c.Colour, c.End.X, c.End.Y, c.Colour, c.End.Text)
}

// dashes returns the attribute of a dashed line.
func (l look) dashes() literal {
	return made(func(m *markup) {
		if l.Dash != "" {
			m.add(` stroke-dasharray="%s"`, l.Dash)
		}
	})
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

// minBarLength is the length of the shortest bar of a value that is not 0, in pixels.
const minBarLength = 1.0

// A barChart has a bar for each name, to the right and to the left of zero.
type barChart struct {
	Label               string
	Width, Height, Zero px
	Bars                []bar
}

// A bar is a bar of a barChart with its name and value.
type bar struct {
	Class                   string // "more", "less"
	X, Y, Width             px
	NameX, NameY, ValueX    px
	NameAnchor, ValueAnchor string
	Name, Value, Title      string
}

const (
	barHeight  = 22.0
	nameWidth  = 140.0
	valueWidth = 60.0
)

// newBarChart returns a chart of values beside their names; text returns a value as shown. The bar
// of the largest value takes all the room.
func newBarChart(label string, names []string, values []float64, text func(i int) string) barChart {
	zero, room, longest := barRoom(values)
	c := barChart{Label: label, Width: chartWidth, Height: px(barHeight*float64(len(values)) + 4), Zero: px(zero)}
	for i, v := range values {
		length := 0.0
		switch {
		case math.IsInf(v, 0):
			length = room
		case v != 0 && longest > 0 && !math.IsNaN(v):
			length = max(minBarLength, math.Abs(v)/longest*room)
		}
		y := barHeight*float64(i) + 2
		b := bar{
			Class: "more", X: px(zero), Y: px(y + 3), Width: px(length), Name: fit(names[i], nameWidth-10), NameX: px(zero - 7), NameY: px(y + 15),
			NameAnchor: "end", ValueX: px(zero + length + 5), ValueAnchor: "start", Value: text(i), Title: names[i] + ": " + text(i),
		}
		if v < 0 {
			b.Class, b.X, b.NameX, b.NameAnchor = "less", px(zero-length), px(zero+7), "start"
			b.ValueX, b.ValueAnchor = px(zero-length-5), "end"
		}
		c.Bars = append(c.Bars, b)
	}
	return c
}

// write adds the bars with their names and values.
func (c *barChart) write(m *markup) {
	m.add(`<svg class="bars" viewBox="0 0 %s %s" role="img" aria-label="%s">`, c.Width, c.Height, c.Label)
	for _, b := range c.Bars {
		m.add(`<g class="bar %s"><title>%s</title><rect x="%s" y="%s" width="%s" height="16" rx="2"/>`, b.Class, b.Title, b.X, b.Y, b.Width)
		m.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, b.NameX, b.NameY, b.NameAnchor, b.Name)
		m.add("<text class=\"value\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text></g>\n", b.ValueX, b.NameY, b.ValueAnchor, b.Value)
	}
	m.add("<path class=\"zero\" d=\"M%s 0V%s\"/></svg>\n", c.Zero, c.Height)
}

// barRoom returns the place of zero, the length of the longest bar, and its value.
func barRoom(values []float64) (zero, room, longest float64) {
	var more, less bool
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			longest = max(longest, math.Abs(v))
		}
		more, less = more || v > 0, less || v < 0
	}
	switch {
	case more && less:
		return chartWidth / 2, chartWidth/2 - valueWidth, longest
	case less:
		return chartWidth - nameWidth, chartWidth - nameWidth - valueWidth, longest
	default:
		return nameWidth, chartWidth - nameWidth - valueWidth, longest
	}
}

// A look is how a method is drawn. Methods differ by colour, by marker and by dashes, so
// that they can be told apart without colours, too.
type look struct {
	Class  string // has the colours for light and dark in style.css
	Colour string // of the theme, in SVG files
	Dash   string
	Hollow bool
	shape  int
}

// A theme has the colours of an SVG file, which no style sheet can change: those of
// style.css, light or dark.
type theme struct {
	Paper, Ink, Soft, Axis, Grid string
	curves                       []string
}

// light has curves that are dark enough for lines on white (more than 3:1) and differ in
// lightness or in the yellow-blue direction, which people with red-green blindness see.
func light() theme {
	return theme{
		Paper: "#ffffff", Ink: "#222", Soft: "#444", Axis: "#777", Grid: "#d8d8d8",
		curves: []string{"#0060a8", "#c04a00", "#007a5a", "#a8428c", "#6b5200", "#00758c"},
	}
}

// dark has the curves for lines on a dark background, with the same contrast.
func dark() theme {
	return theme{
		Paper: "#16181c", Ink: "#e8eaee", Soft: "#aab1bd", Axis: "#8a919e", Grid: "#3a3f49",
		curves: []string{"#6cb6ff", "#ff9b5e", "#4fd0a3", "#f08fd0", "#e3c26b", "#6fd6e8"},
	}
}

// lookOf returns the look of a method by its number. The first twelve differ: six shapes
// with a colour each, filled and with solid lines, then hollow, dashed and with other
// colours.
func (t theme) lookOf(method int) look {
	c := t.curves
	colour, round := method%len(c), method/len(c)
	l := look{Class: fmt.Sprintf("s%d", colour), Colour: c[colour], shape: (method + round) % len(c), Hollow: round%2 == 1}
	if l.Hollow {
		l.Dash = "6 3"
	}
	return l
}

// marker returns the SVG path of the marker, about eight pixels wide, at a place.
func (l look) marker(x, y float64) string {
	at := func(dx, dy float64) string { return fmt.Sprint(px(x+dx), " ", px(y+dy)) }
	switch l.shape {
	case 0: // circle
		return "M" + at(-3.8, 0) + "a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0z"
	case 1: // square
		return "M" + at(-3.4, -3.4) + "h6.8v6.8h-6.8z"
	case 2: // triangle
		return "M" + at(0, -4.6) + "l4.4 7.8h-8.8z"
	case 3: // diamond
		return "M" + at(0, -5) + "l5 5l-5 5l-5 -5z"
	case 4: // triangle on its head
		return "M" + at(0, 4.6) + "l4.4 -7.8h-8.8z"
	default: // cross
		return "M" + at(-4.2, -1.5) + "h2.7v-2.7h3v2.7h2.7v3h-2.7v2.7h-3v-2.7h-2.7z"
	}
}

// Files yields the files of a report and what writes each: the page html, and for each
// classifier and metric with a curve two files like svm-micro-f1.svg and
// svm-micro-f1-dark.svg in the folder svg, which must be there. Either may be "", for none.
func (r *Report) Files(html, svg string) iter.Seq2[string, func(io.Writer) error] {
	return func(yield func(string, func(io.Writer) error) bool) {
		if html != "" && !yield(html, r.WriteHTML) {
			return
		}
		if svg == "" {
			return
		}
		taken := map[string]bool{}
		for _, classifier := range r.classifiers() {
			for _, m := range metrics {
				bright, ok := r.chart(classifier, m, light())
				if !ok {
					continue
				}
				dim, _ := r.chart(classifier, m, dark())
				base := filepath.Join(svg, fileName(classifier, m, taken))
				if !yield(base+".svg", func(w io.Writer) error { return bright.writeFile(w) }) ||
					!yield(base+"-dark.svg", func(w io.Writer) error { return dim.writeFile(w) }) {
					return
				}
			}
		}
	}
}

// fileName returns the name of a classifier's SVG file. It keeps ASCII letters and digits,
// and numbers names that are equal on a file system that ignores case. taken has the names
// in use.
func fileName(classifier string, m metric, taken map[string]bool) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(classifier))
	name = strings.Trim(name[:min(len(name), 60)], "-")
	if name == "" {
		name = "classifier"
	}
	base := name + "-" + strings.ToLower(string(m))
	for i := 2; ; i++ {
		if !taken[base] {
			taken[base] = true
			return base
		}
		base = fmt.Sprintf("%s-%d-%s", name, i, strings.ToLower(string(m)))
	}
}
