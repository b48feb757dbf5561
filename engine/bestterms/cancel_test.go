package bestterms_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
)

// One class of many documents is left at once when the context ends: within a pass
// over them as well.
func TestBestTermsCancelledWithinAClass(t *testing.T) {
	const documents = 5000
	c := enginetest.CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Features: []document.Feature{{Term: "t" + strconv.Itoa(d%7), Value: 1}, {Term: "all", Value: 1}}}
		if d%3 > 0 || d%7 == 1 {
			doc.Labels = []string{"a"}
		}
		return doc
	}, documents)
	f := testkit.Must(bestterms.NewForward(t.Context(), c, 1))
	for _, counts := range []string{bestterms.CountsTraining, bestterms.CountsReduced} {
		o := bestterms.Options{Scope: bestterms.ScopeAll, Counts: counts, Threads: 1}
		for checks := 0; ; checks++ {
			b, err := f.Choose(faults.NewCountdown(t, checks), o)
			if err == nil {
				if checks < 2*documents/256 {
					t.Errorf("%s: %d looks at the context", counts, checks)
				}
				break
			}
			if !errors.Is(err, faults.ErrStop) || b != nil {
				t.Fatalf("%s, stopped at check %d: %v, error %v", counts, checks, b, err)
			}
		}
	}
}

func TestBestTermsCancelled(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1]))
	f := testkit.Must(bestterms.NewForward(t.Context(), c, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Choose(ctx, bestterms.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := bestterms.Choose(ctx, c, bestterms.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
