package vectors_test

import (
	"context"
	"fmt"
	"os"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/vectors"
)

// The documents of a corpus over its two best terms, as a matrix for R with a table of its
// rows. WriteNPZ writes the same matrix for Python.
func ExampleCollect() {
	ctx := context.Background()
	c, err := corpus.Build(ctx, document.Of(
		document.Document{ID: "d1", Labels: []string{"sea"}, Text: []byte("a ship, a boat, a ship")},
		document.Document{ID: "d2", Labels: []string{"air"}, Text: []byte("the wings of a plane")},
		document.Document{ID: "d3", Labels: []string{"sea"}, Text: []byte("the ship")},
	), corpus.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := selection.Select(ctx, c, selection.Options{Keep: selection.Best(2)})
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := vectors.New(s, vectors.TF)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := vectors.Collect(s, t.Corpus(ctx, c))
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := m.WriteMatrixMarket(os.Stdout); err != nil {
		fmt.Println(err)
	}
	if err := m.WriteDocuments(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// %%MatrixMarket matrix coordinate real general
	// % rows are documents, columns are terms
	// 3 2 3
	// 1 1 2
	// 2 2 1
	// 3 1 1
	// id	labels
	// d1	sea
	// d2	air
	// d3	sea
}
