//go:build unix

package store

import (
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
			testkit.OK(os.Truncate(path, size))
		})
		for range 20 {
			got, err := x.Count(t.Context(), postings.CountOptions{Threads: 2})
			if err != nil {
				testkit.Is(testkit.Stop(t), err, files.ErrTruncated)
				cut++
				break
			}
			sameStatistics(t, got, want)
		}
		wg.Wait()
		testkit.Is(testkit.Stop(t), testkit.Err(x.Bitmap(0)), files.ErrTruncated, "after the cut")
		testkit.Is(testkit.Stop(t), testkit.Err(x.InputOrder()), files.ErrTruncated, "after the cut")
		if x.Close() != nil {
			t.Fatal("it does not close")
		}
	}
	t.Logf("%d of %d cuts came while counting", cut, runs)
}
