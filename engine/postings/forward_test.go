package postings

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestForward(t *testing.T) {
	for _, docs := range []int{4, 5, 64, 700, 5000} {
		for _, multi := range []bool{false, true} {
			t.Run(fmt.Sprintf("docs=%d/multi=%v", docs, multi), func(t *testing.T) {
				x := build(randomSource(uint64(docs), docs, multi, false))
				want := make([][]uint32, docs)
				var p List
				for term := range x.Terms.Len() {
					x.ReadDocs(term, &p)
					for _, d := range p.Docs {
						want[d] = append(want[d], uint32(term))
					}
				}
				for threads := 1; threads <= 3; threads++ {
					f := testkit.Must(x.Forward(t.Context(), threads))
					if f.Documents() != docs || f.Len() != x.NumPostings() {
						t.Fatalf("%d documents and %d postings", f.Documents(), f.Len())
					}
					for d := range docs {
						if got := append([]uint32(nil), f.Terms(d)...); !reflect.DeepEqual(got, want[d]) {
							t.Fatalf("%d threads: document %d has %v, want %v", threads, d, got, want[d])
						}
					}
				}
			})
		}
	}
}

func TestForwardBits(t *testing.T) {
	for _, c := range []struct {
		documents int
		postings  uint64
		want      int
	}{{0, 0, 0}, {1, 1, 1}, {11_314, 1_700_000, 11}, {1_000_000, 104_000_000, 12}, {100_000_000, 10_000_000_000, 16}} {
		if got := forwardBits(c.documents, c.postings); got != c.want {
			t.Errorf("%d documents with %d postings: %d bits, want %d", c.documents, c.postings, got, c.want)
		}
	}
}

func TestForwardCancelled(t *testing.T) {
	x := build(randomSource(1, 100, false, false))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for threads := 1; threads <= 3; threads++ {
		if _, err := x.Forward(ctx, threads); !errors.Is(err, context.Canceled) {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}
