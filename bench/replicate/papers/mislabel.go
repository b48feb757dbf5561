package papers

import (
	"math/rand/v2"
	"slices"

	"github.com/termsift/termsift/engine/document"
)

// mislabelled gives a share of the documents another of the classes instead of their
// own, each document on its own, the same ones in every run.
func mislabelled(docs document.Stream, classes []string, share float64) document.Stream {
	return func(yield func(document.Document, error) bool) {
		random := rand.New(rand.NewPCG(1, 2))
		for d, err := range docs {
			if err == nil && random.Float64() < share {
				others := slices.DeleteFunc(slices.Clone(classes), func(c string) bool { return slices.Contains(d.Labels, c) })
				d.Labels = []string{others[random.IntN(len(others))]}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
