package corpus_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/reader"
)

// most is how much more ten times the input may take: linear work takes ten times as
// much, sorting 13 times, noise the rest, and quadratic work a hundred.
const most = 25

// grows compares the CPU time and the memory of f for an input and for one ten times as
// large. It tries several times, because other programs share the caches.
func grows(t *testing.T, name string, n int, f func(n int) error) {
	t.Helper()
	var cpu, bytes float64
	for range 5 {
		before, small := spent(func() error { return f(n) })
		after, large := spent(func() error { return f(10 * n) })
		if cpu, bytes = after/before, large/small; cpu <= most && bytes <= most {
			return
		}
	}
	t.Errorf("%s: ten times the input takes %.0f times the CPU time and %.0f times the memory", name, cpu, bytes)
}

// spent returns the CPU seconds of f, the least of three runs, and the bytes that it allocates.
func spent(f func() error) (seconds, bytes float64) {
	var before, after runtime.MemStats
	for range 3 {
		runtime.ReadMemStats(&before)
		start := testkit.UserCPU()
		testkit.OK(f())
		took := (testkit.UserCPU() - start).Seconds()
		runtime.ReadMemStats(&after)
		if seconds == 0 || took < seconds {
			seconds, bytes = took, float64(after.TotalAlloc-before.TotalAlloc)
		}
	}
	return seconds, bytes
}

// manyLabels is a document of n labels and as many repeats of them.
func manyLabels(n int) document.Document {
	d := document.Document{ID: "a", Text: []byte("some text")}
	for range 2 {
		for i := range n {
			d.Labels = append(d.Labels, "label"+strconv.Itoa(i))
		}
	}
	return d
}

// The labels of a document are a set whose size does not make it slow, whoever builds it.
func TestManyLabelsOfADocument(t *testing.T) {
	const n = 4_000
	docs := map[int][]document.Document{n: {manyLabels(n)}, 10 * n: {manyLabels(10 * n)}}
	build := func(opt corpus.Options) func(n int) error {
		return func(n int) error {
			c, err := corpus.Build(t.Context(), enginetest.Stream(docs[n]), opt)
			if err == nil && len(c.Labels(0)) != n {
				err = fmt.Errorf("%d labels", len(c.Labels(0)))
			}
			return err
		}
	}
	grows(t, "built", n, build(corpus.Options{Threads: 1}))
	grows(t, "built on threads", n, build(corpus.Options{Threads: 3}))
	grows(t, "built without repeats", n, build(corpus.Options{Threads: 1, Dedupe: true}))
	grows(t, "read", n, func(n int) error {
		line := `{"text":"some text","labels":["` + strings.Join(docs[n][0].Labels, `","`) + `"]}`
		s, err := reader.Read(t.Context(), []string{"-"}, reader.Options{Stdin: strings.NewReader(line), MaxLabels: 2 * n})
		if err != nil {
			return err
		}
		_, err = corpus.BuildBatches(t.Context(), s.Batches(), corpus.Options{Threads: 1})
		return err
	})
	parts := map[int][]*corpus.Corpus{}
	for size, own := range docs {
		parts[size] = []*corpus.Corpus{testkit.Must(corpus.Build(t.Context(), enginetest.Stream(own), corpus.Options{})), testkit.Must(corpus.Build(t.Context(), enginetest.Stream(own), corpus.Options{}))}
	}
	grows(t, "merged", n, func(n int) error {
		return corpus.Merge(t.Context(), &strings.Builder{}, corpus.MergeOptions{AllowRepeats: true}, parts[n]...)
	})
}

// A label that a document has again is not lost with the next document, whose set is its own.
func TestRepeatedLabels(t *testing.T) {
	docs := []document.Document{
		{ID: "0", Labels: []string{"b", "a", "b", "a"}, Text: []byte("one")},
		{ID: "1", Labels: []string{"a", "a"}, Text: []byte("two")},
		{ID: "2", Text: []byte("three")},
		{ID: "3", Labels: []string{"c", "b", "c"}, Text: []byte("four")},
	}
	for threads := 1; threads <= 3; threads++ {
		c := testkit.Must(corpus.BuildBatches(t.Context(), enginetest.InBatches(docs, 1), corpus.Options{Threads: threads}))
		testkit.Equal(t, fmt.Sprint(c.Labels(0), c.Labels(1), c.Labels(2), c.Labels(3)), "[0 1] [0] [1 2] []", threads,
			"threads")
	}
}
