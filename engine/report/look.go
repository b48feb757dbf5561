package report

import (
	"fmt"
)

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
