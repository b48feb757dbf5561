package corpus_test

import (
	"context"
	"errors"
	"io/fs"
	"sync/atomic"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/postings/indexfile"
)

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
	mapped := testkit.Must(corpus.New(testkit.Must(indexfile.OpenTemporary(f, indexfile.OpenOptions{}))))
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
	if places < 400 {
		t.Errorf("there are %d guards in all calls; the test does not close behind them", places)
	}
	t.Logf("closed behind %d guards", places)
}

// closedBehind makes a call of a corpus that is closed behind its n-th guard. It reports whether the call has so many.
func closedBehind(t *testing.T, calls func(*corpus.Corpus, int) map[string]func(context.Context) error, built *corpus.Corpus, file corpus.SaveOptions, name string, n int64) bool {
	t.Helper()
	c, f := openClosing(t, built, file, n)
	if err := calls(c, 2)[name](t.Context()); err != nil && !errors.Is(err, postings.ErrClosed) {
		t.Errorf("%s, closed behind guard %d: %v", name, n, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	return f.guards.Load() >= n
}
