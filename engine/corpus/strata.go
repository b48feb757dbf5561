package corpus

import (
	"slices"

	"github.com/termsift/termsift/engine/document"
)

// strata say which classes the labels of an index mean, which are pairs of a class and a stratum:
// see [table.Strata].
type strata struct {
	classes []string // by bytes
	of      []int32  // by label of the index: its class, or [table.AllClasses] for none
}

// labels returns the classes that the labels of a document mean, ascending.
func (s *strata) labels(own []uint32) (classes []uint32) {
	for _, label := range own {
		if class := s.of[label]; class >= 0 {
			classes = append(classes, uint32(class))
		}
	}
	slices.Sort(classes)
	return slices.Compact(classes)
}

// Labelled returns the number of documents of a corpus that have a label.
func Labelled(c *Corpus) int {
	if c.strata == nil {
		return c.head().Labelled()
	}
	n := c.Documents()
	for label, size := range c.head().ClassSizes() {
		if c.head().Classes[label] == document.WithoutClass {
			n -= int(size)
		}
	}
	return n
}
