package store

import (
	"github.com/termsift/termsift/engine/table"
)

// A cellForm says what cells have beside their counts and sums.
type cellForm uint8

const (
	plainCells   cellForm = iota
	centredCells          // what [table.Centred] holds, of real values
	wideCells             // what sums of squares lack, [table.Cells.LowQ], of counts
)

// formOf returns the form of cells.
func formOf(c *table.Cells) cellForm {
	switch {
	case c.Centred != nil:
		return centredCells
	case c.LowQ != nil:
		return wideCells
	default:
		return plainCells
	}
}

// features returns the features of a file whose cells have a form.
func (f cellForm) features() uint64 {
	switch f {
	case centredCells:
		return centredFeature | exactFeature
	case wideCells:
		return wideFeature
	default:
		return 0
	}
}

// has reports whether cells of a form have a stream.
func (f cellForm) has(s cellStream) bool {
	switch {
	case s == lowSquareStream || s == escapeStreams+lowSquareColumn:
		return f == wideCells
	case s == lowTokenStream || s == lowSumStream || s == distanceStream || s >= escapeStreams+lowTokenColumn:
		return f == centredCells
	default:
		return true
	}
}

// hasNumbers reports whether a block of cells of a form has a column.
func (f cellForm) hasNumbers(column int) bool {
	switch {
	case column == lowSquareNumbers:
		return f == wideCells
	case column >= lowTokenNumbers:
		return f == centredCells
	default:
		return true
	}
}
