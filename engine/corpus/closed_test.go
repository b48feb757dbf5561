package corpus_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/store"
)

// corporaToClose gives the corpus of some documents in every place where it can lie: in
// memory, in a file that is mapped or was read, in a temporary file.
func corporaToClose(t *testing.T, docs []document.Document) map[string]func() *corpus.Corpus {
	built := func() *corpus.Corpus {
		return testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{}))
	}
	path := filepath.Join(t.TempDir(), "closed.idx")
	testkit.OK(built().Save(t.Context(), path, corpus.SaveOptions{}))
	return map[string]func() *corpus.Corpus{
		"built":  built,
		"mapped": func() *corpus.Corpus { return testkit.Must(corpus.Open(path, corpus.OpenOptions{})) },
		"read":   func() *corpus.Corpus { return testkit.Must(corpus.Open(path, corpus.OpenOptions{Read: true})) },
		"spilled": func() *corpus.Corpus {
			f := testkit.Must(files.CreateTemporary(nil, t.TempDir()))
			testkit.Must(built().WriteTo(f))
			return testkit.Must(corpus.New(testkit.Must(store.OpenTemporary(f, store.OpenOptions{}))))
		},
	}
}

// Every call after Close says that the corpus was closed.
func TestCallsAfterClose(t *testing.T) {
	docs := enginetest.ManyTexts(300)
	a := enginetest.AsideOf(t, docs)
	for place, open := range corporaToClose(t, docs) {
		c := open()
		all := a.Calls(c, 2)
		for range 2 {
			testkit.Is(testkit.Stop(t), c.Close(), nil, place)
		}
		for name, call := range all {
			testkit.Is(t, call(t.Context()), postings.ErrClosed, place, "corpus", name, "after Close")
		}
		if c.Documents() != 300 || c.Term(0) == "" || len(c.Classes()) != 7 || c.DF(0) == 0 {
			t.Errorf("%s corpus: what needs no list is gone", place)
		}
	}
}

// closedDuring gives the error of a call during which the corpus is closed.
func closedDuring(t *testing.T, c *corpus.Corpus, call func(context.Context) error, wait time.Duration) (err error) {
	t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() { err = call(t.Context()) })
	time.Sleep(wait)
	testkit.Is(t, c.Close(), nil)
	wg.Wait()
	return err
}

// Calls during which the corpus is closed give what they always gave, or ErrClosed.
func TestCloseWhileInUse(t *testing.T) {
	docs := enginetest.ManyTexts(100)
	a := enginetest.AsideOf(t, docs)
	failed, finished := 0, 0
	for place, open := range corporaToClose(t, docs) {
		for name := range a.Calls(nil, 2) {
			for _, r := range testkit.Cases(t, 30) {
				c := open()
				call := a.Calls(c, 2)[name]
				switch err := closedDuring(t, c, call, time.Duration(r.IntN(300))*time.Microsecond); {
				case err == nil:
					finished++
				case errors.Is(err, postings.ErrClosed):
					failed++
				default:
					t.Errorf("%s corpus, %s: %v", place, name, err)
				}
			}
		}
	}
	if maps, err := os.ReadFile("/proc/self/maps"); err == nil && strings.Contains(string(maps), "closed.idx") {
		t.Error("files are still mapped")
	}
	t.Logf("%d calls finished, %d found the corpus closed", finished, failed)
}

// A corpus may be closed by what it calls, and between the chunks of a pass: the pass
// ends with an error and nobody waits for himself.
func TestCloseWithinACall(t *testing.T) {
	counted := enginetest.ManyChunks(t)
	path := filepath.Join(t.TempDir(), "a.idx")
	testkit.OK(counted.Save(t.Context(), path, corpus.SaveOptions{}))
	for _, threads := range []int{1, 3} {
		c := testkit.Must(corpus.Open(path, corpus.OpenOptions{}))
		closes := &enginetest.Stopper{At: 10, Stopped: make(chan struct{}), Stop: func() {
			testkit.OK(c.Close())
		}}
		by := rank.Options{Measure: "stopper", Combine: rank.Sum, Own: []score.Measure{closes}, Threads: threads}
		r, err := rank.Permute(t.Context(), c, rank.PermuteOptions{By: by, B: 3})
		if !errors.Is(err, postings.ErrClosed) || r != nil {
			t.Errorf("%d threads: a result: %v, error %v", threads, r != nil, err)
		}
	}
}

// A closingFile closes a corpus at the end of the n-th guard: each asks for the state of the file
// when its work is done. No other call has the corpus then, so that its memory is unmapped as soon as the guard has
// ended, and to read there ends the process.
type closingFile struct {
	files.Temporary
	at, guards atomic.Int64
	close      func() error
}

// Stat implements [files.Temporary].
func (f *closingFile) Stat() (fs.FileInfo, error) {
	info, err := f.Temporary.Stat()
	if n := f.at.Load(); n > 0 && f.guards.Add(1) == n {
		err = errors.Join(err, f.close())
	}
	return info, err
}

// openClosing maps a corpus that is closed at the end of the n-th guard after it was opened.
func openClosing(t *testing.T, c *corpus.Corpus, o corpus.SaveOptions, n int64) (*corpus.Corpus, *closingFile) {
	f := &closingFile{Temporary: testkit.Must(files.CreateTemporary(nil, t.TempDir()))}
	testkit.Must(c.Write(t.Context(), f, o))
	mapped := testkit.Must(corpus.New(testkit.Must(store.OpenTemporary(f, store.OpenOptions{}))))
	f.close = mapped.Close
	f.at.Store(n)
	return mapped, f
}

// Nothing borrowed from a mapping outlives its guard: every call is closed behind each of its guards in
// turn, and finishes or says that the corpus was closed.
func TestCloseBehindEveryGuard(t *testing.T) {
	docs := enginetest.ManyTexts(120)
	a, built := enginetest.AsideOf(t, docs), testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{}))
	places := 0
	for _, file := range []corpus.SaveOptions{{NoCells: true}, {}} {
		for name := range a.Calls(nil, 2) {
			n := int64(1)
			for ; closedBehind(t, a.Calls, built, file, name, n); n++ {
			}
			places += int(n - 1)
		}
	}
	if places < 350 {
		t.Errorf("there are %d guards in all calls; the test does not close behind them", places)
	}
	testkit.TriedCases(t, places)
}

// closedBehind makes a call of a corpus that is closed behind its n-th guard. It reports whether the call has so many.
func closedBehind(t *testing.T, calls func(*corpus.Corpus, int) map[string]func(context.Context) error, built *corpus.Corpus, file corpus.SaveOptions, name string, n int64) bool {
	t.Helper()
	c, f := openClosing(t, built, file, n)
	if err := calls(c, 2)[name](t.Context()); err != nil && !errors.Is(err, postings.ErrClosed) {
		t.Errorf("%s, closed behind guard %d: %v", name, n, err)
	}
	testkit.OK(c.Close())
	return f.guards.Load() >= n
}
