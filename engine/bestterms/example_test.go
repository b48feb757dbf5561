package bestterms_test

import (
	"context"
	"fmt"

	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

func ExampleChoose() {
	ctx := context.Background()
	c, err := corpus.Build(ctx, document.Of(
		document.Document{Labels: []string{"sea"}, Text: []byte("The anchor dragged and the wind rose.")},
		document.Document{Labels: []string{"sea"}, Text: []byte("Wind and tide took the boat past the anchor buoy.")},
		document.Document{Labels: []string{"garden"}, Text: []byte("Plant the beans out of the wind.")},
		document.Document{Labels: []string{"garden"}, Text: []byte("The beans climb, the roses do not.")},
	), corpus.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := bestterms.Choose(ctx, c, bestterms.Options{Function: "chi", P: .25})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range best.Classes {
		fmt.Printf("%s: %d documents, %d kept", c.Class, c.Documents, c.KeptDocuments)
		for _, t := range c.Positive {
			fmt.Printf(" +%s", t.Term)
		}
		for _, t := range c.Negative {
			fmt.Printf(" -%s", t.Term)
		}
		fmt.Println()
	}
	// Output:
	// garden: 2 documents, 2 kept +beans
	// sea: 2 documents, 2 kept +anchor
}
