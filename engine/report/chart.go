package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
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

// A chart has curves over the number of terms, on axes that they share.
type chart struct {
	theme
	label         string
	names         []string  // of the curves; none is drawn for a name without places
	of            [][]place // by name, ascending
	x             countAxis
	y             valueAxis
	right, bottom float64 // the edges of the plot
}

// A place is a point of a curve: a value at a number of terms, with its text.
type place struct {
	k         int
	v, spread float64
	text      string
}

// newChart returns a chart of places under their names, for values from lo to hi; ok is false if there are none.
// Labels at the ends of lines take some of the width, and many of them need more height.
func newChart(label string, t theme, names []string, of [][]place, lo, hi float64) (c *chart, ok bool) {
	c = &chart{theme: t, label: label, of: of}
	var ks []int
	widest, labels := 0.0, 0
	for i, places := range of {
		c.names = append(c.names, visible(names[i]))
		if len(places) == 0 {
			continue
		}
		slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.k, b.k) })
		for _, p := range places {
			ks = append(ks, p.k)
		}
		widest = max(widest, textWidth(fit(c.names[i], labelWidth)))
		labels++
	}
	if labels == 0 {
		return c, false
	}
	slices.Sort(ks)
	c.right, c.bottom = chartWidth-widest-18, plotTop+max(plotHeight, labelHeight*float64(labels))
	c.x = newCountAxis(slices.Compact(ks), plotLeft+inset, c.right-inset)
	c.y = newValueAxis(lo, hi, plotTop, c.bottom)
	return c, true
}

// chart returns the curves of a classifier; ok is false if there is no point to draw. omitted counts the points
// that cannot be drawn.
func (r *Report) chart(classifier string, m metric, t theme) (c *chart, omitted int, ok bool) {
	methods := r.methods()
	of := make([][]place, len(methods))
	lo, hi := 1.0, 0.0 // of all classifiers, whose charts have the same axis, so that they can be compared by eye
	for _, p := range r.Points {
		v, spread := m.valueOf(p)
		drawable := p.K > 0 && isF1(v)
		if drawable {
			around := spread
			if !isF1(spread) {
				around = 0
			}
			lo, hi = min(lo, max(0, v-around)), max(hi, min(1, v+around))
		}
		switch {
		case p.Classifier != classifier || math.IsNaN(v):
		case !drawable:
			omitted++
		default:
			i := slices.Index(methods, p.Method)
			of[i] = append(of[i], place{p.K, v, spread, withSpread(v, spread)})
		}
	}
	c, ok = newChart(fmt.Sprintf("%s of %s by number of terms", m, visible(classifier)), t, methods, of, lo, hi)
	return c, omitted, ok
}

// canvas adds a chart to a page. metric is "" if its curves are no methods.
func (m *markup) canvas(c *chart, of metric) {
	m.add(`<div class="canvas"><svg class="curves"%s`, when(of != "", ` data-metric="`+literal(of)+`"`))
	m.add(" viewBox=\"0 0 %s %s\" data-left=\"%s\" data-right=\"%s\" data-top=\"%s\" data-bottom=\"%s\" role=\"group\" aria-label=\"%s\">\n",
		chartWidth, px(c.bottom+axisRoom), plotLeft, px(c.right), plotTop, px(c.bottom), c.label)
	c.write(m)
	m.add("</svg><div class=\"readout\" role=\"status\"></div></div>\n")
}

// writeFile writes a chart as an SVG file, with the names of the methods beside the lines.
func (c *chart) writeFile(w io.Writer, heading string) error {
	var m markup
	height := px(headingRoom + c.bottom + axisRoom)
	m.add(`<svg xmlns="http://www.w3.org/2000/svg" width="600" viewBox="0 %s %s %s" role="img" aria-label="%s" font-family="system-ui, Helvetica, Arial, sans-serif" font-size="13">
<title>%s</title>
<rect y="%s" width="%s" height="%s" fill="%s"/>
<text x="8" y="-6" font-weight="600" fill="%s">%s</text>
`, -headingRoom, chartWidth, height, c.label, c.label, -headingRoom, chartWidth, height, c.Paper, c.Ink, heading)
	c.write(&m)
	m.add("</svg>\n")
	_, err := io.WriteString(w, m.String())
	return err
}

// write adds the axes and the curves.
func (c *chart) write(m *markup) {
	m.add(`<g class="grid"><g class="values">`)
	for _, y := range c.y.ticks() {
		m.add(`<path d="M%s %sH%s" stroke="%s"/><text x="%s" y="%s" dy="4" text-anchor="end" fill="%s">%s</text>`,
			plotLeft, y.At, px(c.right), c.Grid, plotLeft-7, y.At, c.Soft, y.Label)
	}
	m.add("</g>")
	for _, x := range c.x.ticks() {
		length := 3
		if x.Label != "" {
			length = 6
		}
		m.add(`<path d="M%s %sv%s" stroke="%s"/>`, x.At, px(c.bottom), length, c.Axis)
		if x.Label != "" {
			m.add(`<text x="%s" y="%s" text-anchor="middle" fill="%s">%s</text>`, x.At, px(c.bottom+18), c.Soft, x.Label)
		}
	}
	m.add(`
<path class="axis" d="M%s %sV%sH%s" fill="none" stroke="%s"/>
<text x="%s" y="%s" text-anchor="middle" fill="%s">terms (log scale)</text></g>
`, plotLeft, plotTop, px(c.bottom), px(c.right), c.Axis, px((plotLeft+c.right)/2), px(c.bottom+37), c.Soft)
	labels := c.endLabels()
	for i, places := range c.of {
		if len(places) > 0 {
			c.writeCurve(m, i, labels[i])
		}
	}
}

// endLabels returns the heights of the names beside the ends of the lines, none of them over another.
func (c *chart) endLabels() []float64 {
	ends, heights := []float64{}, make([]float64, len(c.of))
	order := []int{}
	for i, places := range c.of {
		if len(places) > 0 {
			heights[i] = c.y.at(places[len(places)-1].v)
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	for _, i := range order {
		ends = append(ends, heights[i])
	}
	for i, at := range spreadOut(ends, labelHeight, plotTop, c.bottom) {
		heights[order[i]] = at
	}
	return heights
}

// writeCurve adds a line with its markers and its name, which stands at a height.
func (c *chart) writeCurve(m *markup, i int, height float64) {
	l, name := c.lookOf(i), c.names[i]
	fill := l.Colour
	if l.Hollow {
		fill = c.Paper
	}
	var line, spreads strings.Builder
	var at, up float64
	marks := made(func(m *markup) {
		for k, p := range c.of[i] {
			at, up = c.x.at(p.k), c.y.at(p.v)
			fmt.Fprintf(&line, "%s%v %v", []string{"M", "L"}[min(k, 1)], px(at), px(up))
			m.add(`<path class="mark%[1]s" data-x="%[2]s" data-y="%[3]s" transform="translate(%[2]s %[3]s)" data-k="%[4]s" data-v="%[5]s" data-f="%[6]s"`, when(l.Hollow, " hollow"), px(at), px(up), Count(p.k), p.text, exact(p.v))
			if isF1(p.spread) && p.spread > 0 {
				high, low := c.y.at(min(1, p.v+p.spread)), c.y.at(max(0, p.v-p.spread))
				fmt.Fprintf(&spreads, "M%v %vh6m-3 0V%vm-3 0h6", px(at-3), px(high), px(low))
				m.add(` data-s="%s"`, exact(p.spread))
			}
			title := fmt.Sprintf("%s, %s: %s", name, formatPlural(p.k, "term"), p.text)
			m.add(" d=\"%s\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.4\"><title>%s</title></path>\n", l.Marker, fill, l.Colour, title)
		}
	})
	m.add(`<g class="curve %s" data-method="%s" data-name="%s">
<path class="line" d="%s" fill="none" stroke="%s" stroke-width="1.8" stroke-linejoin="round"%s/>
`, l.Class, i, name, line.String(), l.Colour, l.dashes())
	if spreads.Len() > 0 {
		m.add(`<path class="spread" d="%s" fill="none" stroke="%s" stroke-width="1"/>`, spreads.String(), l.Colour)
	}
	leader := fmt.Sprintf("M%v %vL%v %vL%v %v", px(at), px(up), px(c.right), px(up), px(c.right+9), px(height))
	m.add(`%s<path class="leader" d="%s" fill="none" stroke="%s" stroke-width="0.8" stroke-opacity="0.6"/>
<text class="name" x="%s" y="%s" fill="%s">%s</text></g>
`, marks, leader, l.Colour, px(c.right+12), px(height+4), l.Colour, fit(name, labelWidth))
}

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
func (a countAxis) ticks() (marks []tick) {
	half := func(k int) float64 { return textWidth(Count(k)) / 2 }
	greatest := a.ks[len(a.ks)-1]
	last, end := math.Inf(-1), a.at(greatest)-half(greatest)
	for _, k := range a.ks {
		x := a.at(k)
		m := tick{At: px(x)}
		if k == greatest || x-half(k) > last+6 && x+half(k)+6 < end {
			m.Label, last = Count(k), x+half(k)
		}
		marks = append(marks, m)
	}
	return marks
}

// spreadOut moves places, which ascend, so that they are at least gap apart and within lo and hi, with the least sum of
// squares: a place is the largest of the least means of those from one before it to one behind it (isotonic regression).
func spreadOut(places []float64, gap, lo, hi float64) []float64 {
	moved, last := make([]float64, len(places)), hi-float64(len(places)-1)*gap
	for i := range places {
		largest := math.Inf(-1)
		for from := range i + 1 {
			sum, least := 0.0, math.Inf(1)
			for to := from; to < len(places); to++ {
				sum += places[to] - float64(to)*gap
				if to >= i {
					least = min(least, sum/float64(to-from+1))
				}
			}
			largest = max(largest, least)
		}
		moved[i] = max(lo, min(last, largest)) + float64(i)*gap
	}
	return moved
}

const (
	minBarLength = 1.0 // of a value that is not 0
	barHeight    = 22.0
	nameWidth    = 140.0
	valueWidth   = 60.0
)

// bars adds a figure of values as bars to the right and to the left of zero, and the table that has them, too: a row
// begins with the name of a value and with the value as shown. The bar of the largest value takes all the room.
func (m *markup) bars(label string, values []float64, t *table) {
	if len(values) == 0 {
		m.add(`<p class="note">No terms.</p>`)
		return
	}
	longest, less := 0.0, false
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			longest = max(longest, math.Abs(v))
		}
		less = less || v < 0
	}
	zero, room := nameWidth, chartWidth-nameWidth-valueWidth
	if less {
		zero, room = chartWidth/2, chartWidth/2-valueWidth
	}
	height := px(barHeight*float64(len(values)) + 4)
	m.add(`<svg class="bars" viewBox="0 0 %s %s" role="img" aria-label="%s">`, chartWidth, height, label)
	for i, v := range values {
		name, text, y, length := t.Rows[i][0].Text, t.Rows[i][1].Text, barHeight*float64(i)+2, 0.0
		switch {
		case math.IsInf(v, 0):
			length = room
		case v != 0 && longest > 0 && !math.IsNaN(v):
			length = max(minBarLength, math.Abs(v)/longest*room)
		}
		class, left, nameX, nameAnchor, valueX, valueAnchor := "more", zero, zero-7, "end", zero+length+5, "start"
		if v < 0 {
			class, left, nameX, nameAnchor, valueX, valueAnchor = "less", zero-length, zero+7, "start", zero-length-5, "end"
		}
		m.add(`<g class="bar %s"><title>%s</title><rect x="%s" y="%s" width="%s" height="16" rx="2"/>`, class, name+": "+text, px(left), px(y+3), px(length))
		m.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, px(nameX), px(y+15), nameAnchor, fit(name, nameWidth-10))
		m.add("<text class=\"value\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text></g>\n", px(valueX), px(y+15), valueAnchor, text)
	}
	m.add("<path class=\"zero\" d=\"M%s 0V%s\"/></svg>\n", px(zero), height)
	m.tableBelow(t)
}

// A look is how a method is drawn. Methods differ by colour, by marker and by dashes, so
// that they can be told apart without colours, too.
type look struct {
	Class  string // has the colours for light and dark in style.css
	Colour string // of the theme, in SVG files
	Hollow bool   // its line is dashed, too
	Marker literal
}

// A theme has the colours of an SVG file, which no style sheet can change: those of
// style.css, light or dark.
type theme struct {
	Paper, Ink, Soft, Axis, Grid string
	curves                       []string
}

// light has curves that are dark enough for lines on white (more than 3:1) and differ in
// lightness or in the yellow-blue direction, which people with red-green blindness see.
var light = theme{
	Paper: "#ffffff", Ink: "#222", Soft: "#444", Axis: "#777", Grid: "#d8d8d8",
	curves: []string{"#0060a8", "#c04a00", "#007a5a", "#a8428c", "#6b5200", "#00758c"},
}

// dark has the curves for lines on a dark background, with the same contrast.
var dark = theme{
	Paper: "#16181c", Ink: "#e8eaee", Soft: "#aab1bd", Axis: "#8a919e", Grid: "#3a3f49",
	curves: []string{"#6cb6ff", "#ff9b5e", "#4fd0a3", "#f08fd0", "#e3c26b", "#6fd6e8"},
}

// lookOf returns the look of a method by its number. The first twelve differ: six shapes
// with a colour each, filled and with solid lines, then hollow, dashed and with other
// colours.
func (t theme) lookOf(method int) look {
	c := t.curves
	colour, round := method%len(c), method/len(c)
	return look{Class: fmt.Sprintf("s%d", colour), Colour: c[colour], Marker: markers[(method+round)%len(c)], Hollow: round%2 == 1}
}

// dashes returns the attribute of a dashed line.
func (l look) dashes() literal { return when(l.Hollow, ` stroke-dasharray="6 3"`) }

// markers are the SVG paths of the shapes, about eight pixels wide, around 0.
var markers = []literal{
	"M-3.8 0a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0z",      // circle
	"M-3.4 -3.4h6.8v6.8h-6.8z",                               // square
	"M0 -4.6l4.4 7.8h-8.8z",                                  // triangle
	"M0 -5l5 5l-5 5l-5 -5z",                                  // diamond
	"M0 4.6l4.4 -7.8h-8.8z",                                  // triangle on its head
	"M-4.2 -1.5h2.7v-2.7h3v2.7h2.7v3h-2.7v2.7h-3v-2.7h-2.7z", // cross
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
				bright, _, ok := r.chart(classifier, m, light)
				if !ok {
					continue
				}
				dim := *bright
				dim.theme = dark
				heading := fit(visible(classifier), chartWidth-100) + ": " + string(m)
				base := filepath.Join(svg, fileName(classifier, m, taken))
				if !yield(base+".svg", func(w io.Writer) error { return bright.writeFile(w, heading) }) ||
					!yield(base+"-dark.svg", func(w io.Writer) error { return dim.writeFile(w, heading) }) {
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
	name = cmp.Or(strings.Trim(name[:min(len(name), 60)], "-"), "classifier")
	end := "-" + strings.ToLower(string(m))
	base := name + end
	for i := 2; taken[base]; i++ {
		base = fmt.Sprintf("%s-%d%s", name, i, end)
	}
	taken[base] = true
	return base
}
