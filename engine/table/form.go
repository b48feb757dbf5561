package table

// A CellForm says what cells have beside their counts and sums.
type CellForm uint8

const (
	PlainCells   CellForm = iota
	CentredCells          // what [Centred] holds, of real values
	WideCells             // what sums of squares lack, [Cells.LowQ], of counts
)

// Form returns the form of the cells.
func (c *Cells) Form() CellForm {
	switch {
	case c.Centred != nil:
		return CentredCells
	case c.LowQ != nil:
		return WideCells
	default:
		return PlainCells
	}
}
