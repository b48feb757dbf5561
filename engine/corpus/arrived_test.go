package corpus_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/usage"
)

// Shards that arrive in any order give the provenance of one build of all of them.
func TestArrivedShardsGiveOneBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	docs := enginetest.ManyTexts(90)
	want := enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Provenance()
	var shards []corpus.Arrived
	for from := 0; from < len(docs); from += 17 {
		c := enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs[from:min(from+17, len(docs))]), corpus.Options{}))
		p := c.Provenance()
		p.Documents = c.Documents()
		shards = append(shards, corpus.Arrived{Name: fmt.Sprintf("part-%03d", from), Provenance: p})
	}
	for range 50 {
		r.Shuffle(len(shards), func(i, j int) { shards[i], shards[j] = shards[j], shards[i] })
		if got := enginetest.Must(corpus.JoinArrived(shards, false)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
	if _, err := corpus.JoinArrived(append(shards, shards[0]), false); !errors.Is(err, usage.ErrContradiction) || !strings.Contains(err.Error(), "arrived twice") {
		t.Errorf("a shard that arrived twice: %v", err)
	}
	if _, err := corpus.JoinArrived(nil, false); !errors.Is(err, usage.ErrUsage) {
		t.Errorf("no shards: %v", err)
	}
	shards[0].Analysis = analysis.Options{Stem: "porter"}
	difference, ok := errors.AsType[*ingest.DifferenceError](errorOf(corpus.JoinArrived(shards, false)))
	if !ok || !strings.HasPrefix(difference.Of[0], "part-") {
		t.Errorf("another stemmer: %+v", difference)
	}
}

func errorOf(_ ingest.Provenance, err error) error { return err }
