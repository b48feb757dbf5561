package document

import (
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestInBatches(t *testing.T) {
	for _, size := range []int{0, 1, 1000} {
		var docs []Document
		for i := range size {
			docs = append(docs, Document{ID: strconv.Itoa(i), Text: make([]byte, i*10)})
		}
		batches, n := 0, 0
		for batch := range testkit.All(InBatches(docs)) {
			batches++
			for d, err := range batch {
				if err != nil || d.ID != strconv.Itoa(n) {
					t.Fatalf("document %q is number %d, %v", d.ID, n, err)
				}
				n++
			}
		}
		if n != size || size == 1000 && (batches < 10 || batches > 50) {
			t.Errorf("%d documents: %d in %d batches", size, n, batches)
		}
	}
}
