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
	"fmt"

	"github.com/termsift/termsift/engine/store"
)

// Options say what to choose.
type Options struct {
	Criterion string // one of [Criteria]
	K         int    // terms; all of them where there are fewer
	// Candidates are the numbers of the terms to choose from, each once; nil means all.
	Candidates []int
	// Threads bounds the goroutines of the counting, which comes first; 0 means
	// GOMAXPROCS. The choice itself takes one.
	Threads int
}

// A Choice is a chosen term with the value that the criterion gave it then, in nats.
// The value of the first is I(f;C).
type Choice struct {
	Term  int
	Value float64
}

// Select chooses the terms of an index. What is chosen for a smaller K comes first.
//
// Beside 8 bytes a pair and 64 a candidate it takes memory for the terms that it looks
// at closely: at most 12 bytes a posting for candidates, 256 for chosen terms.
func Select(ctx context.Context, x *store.Index, o Options) ([]Choice, error) {
	by := criterionOf(o.Criterion)
	if by == nil {
		return nil, fmt.Errorf("redundancy: there is no criterion %q", o.Criterion)
	}
	u := newUniverse(x)
	g := &greedy{by: by, u: u, i: newInformation(u.size())}
	if err := g.begin(ctx, o); err != nil {
		return nil, err
	}
	var choices []Choice
	err := x.Guard(func() (err error) {
		choices, err = g.choose(ctx, max(min(o.K, len(g.candidates)), 0))
		return err
	})
	return choices, err
}
