package report

import "fmt"

// A look tells a method from others: by colour, by marker and by dashes, so that it
// can be told without colours too.
type look struct {
	Class  string // has the colours for light and dark in style.css
	Colour string // on white paper, in SVG files
	Dash   string
	Hollow bool
	shape  int
}

// colours are dark enough for lines on white (more than 3:1) and differ in lightness
// or in the yellow-blue direction, which people with red-green blindness see.
func colours() []string {
	return []string{"#0060a8", "#c04a00", "#007a5a", "#a8428c", "#6b5200", "#00758c"}
}

// lookOf gives twelve looks before any comes again: six colours and shapes, full with
// solid lines, then hollow with dashes and other colours for the shapes.
func lookOf(method int) look {
	c := colours()
	colour, round := method%len(c), method/len(c)
	l := look{Class: fmt.Sprintf("s%d", colour), Colour: c[colour], shape: (method + round) % len(c), Hollow: round%2 == 1}
	if l.Hollow {
		l.Dash = "6 3"
	}
	return l
}

// marker draws a shape of about eight pixels around a place.
func (l look) marker(x, y float64) string {
	at := func(dx, dy float64) string { return px(x+dx) + " " + px(y+dy) }
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
