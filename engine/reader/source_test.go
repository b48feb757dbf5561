package reader

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestReadableTwice(t *testing.T) {
	dir := t.TempDir()
	for input, want := range map[string]bool{"-": false, os.DevNull: false, dir: true, filepath.Join(dir, "none"): true} {
		testkit.Equal(t, ReadableTwice(input), want, input)
	}
}

// Progress grows with what is read, to the size of the inputs where that is known.
func TestProgress(t *testing.T) {
	var lines bytes.Buffer
	for i := range 40_000 {
		fmt.Fprintf(&lines, "{\"id\":\"%d\",\"labels\":[\"a\"],\"text\":\"some words of document %d\"}\n", i, i*i)
	}
	packed := zip(t, lines.Bytes())
	dir := t.TempDir()
	plain, gz, tree := filepath.Join(dir, "plain.jsonl"), filepath.Join(dir, "packed.jsonl.gz"), filepath.Join(dir, "tree", "a")
	testkit.OK(os.MkdirAll(tree, 0o755))
	for path, data := range map[string][]byte{plain: lines.Bytes(), gz: packed, filepath.Join(tree, "x"): []byte("a document")} {
		testkit.Write(path, data)
	}
	both := int64(lines.Len() + len(packed))
	for _, c := range []struct {
		inputs      []string
		size, taken int64
	}{
		{[]string{plain}, int64(lines.Len()), int64(lines.Len())},
		{[]string{gz}, int64(len(packed)), int64(len(packed))},
		{[]string{plain, gz}, both, both},
		{[]string{"-"}, 0, int64(lines.Len())},
		{[]string{filepath.Dir(tree)}, 0, int64(len("a document"))},
		{[]string{filepath.Dir(tree), plain}, 0, int64(len("a document") + lines.Len())},
	} {
		s := testkit.Must(Read(t.Context(), c.inputs, Options{Stdin: strings.NewReader(lines.String())}))
		if taken, size := s.Progress(); taken != 0 || size != c.size {
			t.Errorf("%q: at the beginning %d of %d, want 0 of %d", c.inputs, taken, size, c.size)
		}
		var seen []int64
		for range testkit.All(s.Documents()) {
			if taken, _ := s.Progress(); len(seen) == 0 || taken != seen[len(seen)-1] {
				seen = append(seen, taken)
			}
		}
		for i := 1; i < len(seen); i++ {
			if seen[i] < seen[i-1] {
				t.Errorf("%q: %v", c.inputs, seen)
			}
		}
		if taken, _ := s.Progress(); taken != c.taken || len(seen) > 1 && seen[0] >= c.taken {
			t.Errorf("%q: at the end %d, want %d, by way of %v", c.inputs, taken, c.taken, seen)
		}
	}
}
