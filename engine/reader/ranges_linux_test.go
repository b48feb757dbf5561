package reader

import (
	"bytes"
	"os"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// The files of /proc have size 0, and are read all the same.
func TestRangesOfFilesWithoutSize(t *testing.T) {
	const path = "/proc/self/limits"
	data := testkit.Must(os.ReadFile(path))
	got := takeAll(mustSource(t)(Read(t.Context(), []string{path}, Options{Format: Lines})))
	if want := bytes.Count(data, []byte{'\n'}); len(got.docs) != want || got.err != "" {
		t.Errorf("%d lines of %d, %q", len(got.docs), want, got.err)
	}
}
