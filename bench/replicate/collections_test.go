package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// Every file that an experiment reads is known, and the error without it says where it is to be
// had.
func TestMissingCollections(t *testing.T) {
	all, err := lab.TryOf(func() []*Protocol { return All() })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for _, recipe := range p.Corpora {
			if _, known := collections[recipe.File]; !known {
				t.Errorf("%s: %s is not known", p.Name, recipe.File)
			}
		}
		name := p.Corpora[p.Steps[0].Corpus].File
		for _, folder := range []string{t.TempDir(), "nowhere"} {
			err := lab.Try(func() { p.Run(t.Context(), folder, func(string) {}) })
			if !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("%s: %v", p.Name, err)
			}
			if got := err.Error(); !strings.Contains(got, name) || !strings.Contains(got, " bytes with SHA-256 ") {
				t.Errorf("%s: %s", p.Name, got)
			}
		}
	}
}

// The sizes and sums are those of the collections that the tests have.
func TestCollections(t *testing.T) {
	for name, c := range collections {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(lab.Corpus(t, name))
			if err != nil {
				t.Fatal(err)
			}
			if sum := fmt.Sprintf("%x", sha256.Sum256(data)); int64(len(data)) != c.bytes || sum != c.sha256 {
				t.Errorf("%d bytes, SHA-256 %s", len(data), sum)
			}
		})
	}
}
