package report

import (
	"math"
)

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
	Link                    string // to a place of the page, or ""
}

const (
	barHeight  = 22.0
	nameWidth  = 140.0
	valueWidth = 60.0
)

// newBarChart returns a chart of values beside their names; text returns a value as shown. The bar
// of the largest value, or of atLeast if that is larger, takes all the room.
func newBarChart(label string, names []string, values []float64, atLeast float64, text func(i int) string) barChart {
	zero, room, longest := barRoom(values)
	longest = max(longest, atLeast)
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
