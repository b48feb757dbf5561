//go:build unix

package indexfile

import (
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
)

// A file that is cut while it is read gives an error and no crash.
func TestCutWhileMapped(t *testing.T) {
	built := build(t, randomSource(4, 4000, false, false))
	data, want := encoded(t, built), countOf(t, built, postings.CountOptions{})
	cut, runs := 0, 0
	for _, r := range testkit.Cases(t, 200) {
		runs++
		path := saved(t, data)
		x := open(t, path, OpenOptions{})
		var wg sync.WaitGroup
		wait, size := time.Duration(r.IntN(3000))*time.Microsecond, r.Int64N(int64(len(data)))
		wg.Go(func() {
			time.Sleep(wait)
			if err := os.Truncate(path, size); err != nil {
				t.Error(err)
			}
		})
		for range 20 {
			got, err := x.Count(t.Context(), postings.CountOptions{Threads: 2})
			if err != nil {
				if !errors.Is(err, files.ErrTruncated) {
					t.Fatal(err)
				}
				cut++
				break
			}
			sameStatistics(t, got, want)
		}
		wg.Wait()
		if _, err := x.Bitmap(0); !errors.Is(err, files.ErrTruncated) {
			t.Fatalf("after the cut: %v", err)
		}
		if _, err := x.InputOrder(); !errors.Is(err, files.ErrTruncated) {
			t.Fatalf("after the cut: %v", err)
		}
		if x.Close() != nil {
			t.Fatal("it does not close")
		}
	}
	t.Logf("%d of %d cuts came while counting", cut, runs)
}
