package ingest_test

import (
	"io"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
)

// A build that spills, to a file or to an index, survives the fault of any call of its
// temporary files: it returns the error or gives the right bytes.
func TestFaultsWhileSpilling(t *testing.T) {
	docs := enginetest.ManyTexts(40)
	built := testkit.Must(corpus.Build(t.Context(), enginetest.Stream(docs), ingest.Options{}))
	for _, inMemory := range []bool{false, true} {
		want := enginetest.BytesOf(t, built)
		if inMemory { // an index of a temporary file, which nobody asked for the cells
			want = enginetest.PlainBytesOf(t, built)
		}
		enginetest.EachTemporaryFault(t, 7, want, func(sys *faults.Temporary, dir string, w io.Writer) error {
			opt := ingest.Options{Threads: 1, TempDir: dir}
			return ingest.BuildFailing(t.Context(), w, sys, enginetest.InBatches(docs, 20), opt, 130<<10, inMemory)
		})
	}
}
