package matrix

import (
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/usage"
)

// A Request asks for the values of all terms by measures that count documents.
type Request struct {
	Choices []score.Choice
	Classes []string // names, as in Options: sums over classes are in their order
	// Values has a slice for each choice, and DF numbers of documents: an element for each
	// column. Both are set. DF may be nil. A term without a document has the value NaN.
	Values [][]float64
	DF     []float64
	// Threads bounds the goroutines; 0 means GOMAXPROCS. Values do not depend on it.
	Threads int
}

// check checks the lengths of slices.
func (r *Request) check(columns int) error {
	if len(r.Values) != len(r.Choices) {
		return usage.Errorf("matrix: Request.Values has %d slices for %d choices", len(r.Values), len(r.Choices))
	}
	for j, values := range r.Values {
		if len(values) != columns {
			return usage.Errorf("matrix: Request.Values[%d] has %d elements for %d columns", j, len(values), columns)
		}
	}
	if r.DF != nil && len(r.DF) != columns {
		return usage.Errorf("matrix: Request.DF has %d elements for %d columns", len(r.DF), columns)
	}
	return nil
}
