package selection

import (
	"context"

	"github.com/termsift/termsift/engine/corpus"
)

// A Method is a way to select terms. Package methods has those of the engine, under the
// names that --by of the command takes; package evaluate compares methods of any origin.
type Method interface {
	// Name returns the name of the method in results.
	Name() string
	// Validate returns an error for a request that is wrong whatever the data.
	Validate() error
	// Select selects k terms of a corpus, best first, or all of them if there are fewer.
	// The terms for a smaller k are the first of those for a larger one. If k is 0, it
	// selects as many terms as the method can rank.
	Select(ctx context.Context, c *corpus.Corpus, k int) (*Selection, error)
}

// A SelfSized method decides how many terms it selects. Its Select returns an error for
// every k but 0.
type SelfSized interface {
	Method
	SelfSized()
}
