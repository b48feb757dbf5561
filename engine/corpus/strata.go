package corpus

import (
	"fmt"
	"slices"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// strata say which classes the labels of an index mean, which are pairs of a class and a stratum:
// see [table.Strata].
type strata struct {
	classes []string // by bytes
	of      []int32  // by label of the index: its class, or -1 for none
}

// newStrata returns the strata of the labels of an index with a control.
func newStrata(labels []string, control string) (*strata, error) {
	s := &strata{of: make([]int32, len(labels))}
	for _, label := range labels {
		class, _, ok := document.CutStratum(label)
		if !ok {
			return nil, usage.NewError(usage.ErrData, fmt.Sprintf("the documents are divided by the control %q, but the label %q has no stratum: build the index again", control, usage.Cut(label)))
		}
		if class != "" {
			s.classes = append(s.classes, class)
		}
	}
	slices.Sort(s.classes)
	s.classes = slices.Compact(s.classes)
	for i, label := range labels {
		class, _, _ := document.CutStratum(label)
		s.of[i] = -1
		if k, ok := slices.BinarySearch(s.classes, class); ok {
			s.of[i] = int32(k)
		}
	}
	return s, nil
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
