// Package redundancy chooses terms one after the other, each for what it tells about
// the class beside those that were chosen before. Of a term only its occurrence
// counts.
//
// The joint distribution is over (document, label) pairs: a document of two labels
// counts twice, an unlabelled one not at all. Values are sums of whole numbers, which
// nothing rounds while they are compared; equal ones go by the number of the term.
package redundancy

import (
	"context"

	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

// A task says what to choose from an index, by checked options.
type task struct {
	criterion  string // one of [Names]
	k          int    // terms; all candidates where there are fewer
	candidates []int  // the numbers of the terms to choose from, each once
	cells      *table.Cells
}

// A choice is a chosen term with the value that the criterion gave it then, in nats.
// The value of the first is I(f;C).
type choice struct {
	term  int
	value float64
}

// choose chooses the terms of an index. What is chosen for a smaller k comes first.
//
// Beside 8 bytes a pair and 64 a candidate it takes memory for the terms that it looks
// at closely: at most 12 bytes a posting for candidates, 256 for chosen terms.
func choose(ctx context.Context, x *store.Index, t task) ([]choice, error) {
	u := newUniverse(x)
	g := &greedy{by: criterionOf(t.criterion), u: u, i: newInformation(u.size())}
	g.begin(t)
	var choices []choice
	err := x.Guard(func() (err error) {
		choices, err = g.choose(ctx, min(t.k, len(g.candidates)))
		return err
	})
	return choices, err
}
