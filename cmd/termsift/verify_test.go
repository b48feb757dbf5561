package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/usage"
)

// No byte of a model, a features file or statistics can change without verify saying so.
func TestVerifyFindsEveryFlip(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	text := `{"labels":["a"],"text":"one one two"}` + "\n" + `{"labels":["b"],"text":"two three"}` + "\n"
	testkit.Write(at("docs.jsonl"), text)
	termsift(t, exitOK, "index", at("docs.jsonl"), "--stats-only", "-o", at("x.stats"))
	termsift(t, exitOK, "select", "-k", "2", at("docs.jsonl"), "-o", at("x.tsv"))
	termsift(t, exitOK, "train", "-k", "2", "--classifier", "nb", at("docs.jsonl"), "-o", at("x.model"))
	for _, name := range []string{"x.stats", "x.tsv", "x.model"} {
		data := testkit.Must(os.ReadFile(at(name)))
		termsift(t, exitOK, "verify", at(name))
		a := newApp(nil, io.Discard, io.Discard)
		for i := range data {
			changed := bytes.Clone(data)
			changed[i] ^= 1 << (i % 8)
			testkit.Write(at("changed"), changed)
			if err := a.verify(at("changed")); err == nil || usage.ExitCode(err) != exitCorrupt || !strings.Contains(err.Error(), "changed") {
				t.Fatalf("%s: bit %d of byte %d: %v", name, i%8, i, err)
			}
		}
	}
}
