package corpus_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
)

// A merge whose result holds more than an index needs, and so goes to a file first.
func TestFaultsWhileMerging(t *testing.T) {
	docs := enginetest.ManyTexts(60)
	first, second := enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs[:30]), corpus.Options{})), enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs[30:]), corpus.Options{}))
	more := corpus.SaveOptions{Forward: true, Weights: "ltc"}
	var want bytes.Buffer
	if _, err := enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{})).Write(t.Context(), &want, more); err != nil {
		t.Fatal(err)
	}
	enginetest.EachTemporaryFault(t, 3, want.Bytes(), func(sys *faults.Temporary, dir string, w io.Writer) error {
		opt := corpus.MergeOptions{Store: more, Threads: 1, Dir: dir}
		return corpus.MergeFailing(t.Context(), w, sys, opt, first, second)
	})
}
