package postings

import (
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// A PartCounter counts cells of lists that are no index yet, with what sums of them lose.
type PartCounter struct {
	labels *Index
	*ListCounter
}

// NewPartCounter returns a counter of lists of the documents of x.
func (x *Index) NewPartCounter() *PartCounter {
	c := x.NewListCounter(true)
	c.exact = true
	return &PartCounter{x, c}
}

// Count returns the cells of the lists in m, and whether some value is no whole number.
func (c *PartCounter) Count(m Memory) (cells *table.Cells, fraction bool, err error) {
	l := c.labels
	m.Classes, m.LabelStart, m.LabelOf, m.Multi = l.Classes, l.LabelStart, l.LabelOf, l.Multi
	c.x = New(m, nil, nil)
	s := &Sample{x: c.x, once: true, codes: l.classCodes()}
	cells = &table.Cells{}
	err = c.appendTo(cells, s, pool.Range{To: len(m.DocFreq)})
	return cells, c.fraction, err
}
