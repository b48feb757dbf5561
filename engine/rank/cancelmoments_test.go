package rank_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
)

// someText is documents of random words.
func someText(documents, words int) []document.Document {
	r := rand.New(rand.NewPCG(61, 62))
	docs := make([]document.Document, documents)
	for d := range docs {
		var text strings.Builder
		for range words {
			fmt.Fprintf(&text, "w%d ", int(20_000*r.Float64()*r.Float64()))
		}
		docs[d] = document.Document{ID: fmt.Sprint(d), Labels: []string{fmt.Sprint("c", d%7)}, Text: []byte(text.String())}
	}
	return docs
}

// Cancelled at random moments, from building to saving, opening and scoring, work ends
// soon with the cause: after a small part of the CPU time that all of it takes. The file is
// the old one or the new one, and nothing is left.
func TestCancelledAtRandomMoments(t *testing.T) {
	docs := someText(1500, 150)
	path := filepath.Join(t.TempDir(), "x.idx")
	begin, beginCPU := time.Now(), pool.CPU()
	testkit.OK(buildSaveScore(t.Context(), docs, path))
	whole, wholeCPU := time.Since(begin), pool.CPU()-beginCPU
	want := testkit.Must(os.ReadFile(path))
	goroutines := runtime.NumGoroutine()
	var sum, longest time.Duration
	cancelled := 0
	moments := 0
	for _, r := range testkit.Cases(t, 500) {
		moments++
		ctx, cancel := context.WithCancelCause(t.Context())
		var at time.Duration
		timer := time.AfterFunc(time.Duration(r.Int64N(int64(whole))), func() { at = pool.CPU(); cancel(faults.ErrStop) })
		err := buildSaveScore(ctx, docs, path)
		returned := pool.CPU()
		if timer.Stop() { // it was faster
			cancel(nil)
		} else {
			<-ctx.Done()
		}
		if err != nil {
			testkit.Is(testkit.Stop(t), err, faults.ErrStop)
			cancelled++
			took := returned - at
			sum, longest = sum+took, max(longest, took)
		}
		testkit.EqualSlices(testkit.Stop(t), testkit.Must(os.ReadFile(path)), want, "a file of", "bytes")
		testkit.Equal(testkit.Stop(t), len(testkit.Must(os.ReadDir(filepath.Dir(path)))), 1, "left behind")
	}
	faults.NoneLeft(t, goroutines)
	if cancelled == 0 {
		t.Fatal("nothing was cancelled")
	}
	mean := sum / time.Duration(cancelled)
	if mean > wholeCPU/4 {
		t.Errorf("runs of %v of CPU time went on for %v, %v at most", wholeCPU, mean, longest)
	}
	t.Logf("%d of %d runs of %v of CPU time cancelled; they went on for %v, %v at most", cancelled, moments, wholeCPU, mean, longest)
}

// buildSaveScore is what a user does with a corpus from the text to a ranking.
func buildSaveScore(ctx context.Context, docs []document.Document, path string) error {
	built, err := corpus.Build(ctx, document.Of(docs...), corpus.Options{})
	if err != nil {
		return err
	}
	if err := built.Save(ctx, path, corpus.SaveOptions{}); err != nil {
		return err
	}
	c, err := corpus.Open(path, corpus.OpenOptions{})
	if err != nil {
		return err
	}
	if _, err = rank.Several(ctx, c, rank.Options{Measure: "chi"}, rank.Options{Measure: "ttest"}, rank.Options{Measure: "ocfs", Weight: "ltc"}); err == nil {
		_, err = bestterms.Choose(ctx, c, bestterms.Options{})
	}
	return errors.Join(err, c.Close())
}
