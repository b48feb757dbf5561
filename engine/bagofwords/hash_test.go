package bagofwords_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/bagofwords"
)

// The reference knows the hashes of METHODS: those of others' programs.
func TestReferenceHashes(t *testing.T) {
	for text, want := range map[string]uint32{"": 0, "test": 0xba6bd213, "Hello, world!": 0xc0363e43, "The quick brown fox jumps over the lazy dog": 0x2e4ff723} {
		if got := uint32(naive.Hash(text)); got != want {
			t.Errorf("%q: %#x, want %#x", text, got, want)
		}
	}
}

// hash is what Hash must give.
func (r rules) hash(texts []string, o bagofwords.HashOptions) (rows [][]element) {
	for _, text := range texts {
		counts := map[int]int64{}
		for _, term := range r.terms(text) {
			column, add := int(naive.Column(term, int64(o.Features))), int64(1)
			if o.AlternateSign && naive.Hash(term) < 0 {
				add = -1
			}
			counts[column] += add
		}
		for c := range counts {
			if o.Binary {
				counts[c] = 1
			}
		}
		rows = append(rows, ascending(counts))
	}
	return rows
}

// Rows of hashes are those of the rules, on any number of threads, and when counters are given up.
func TestHashIsTheReference(t *testing.T) {
	bagofwords.SmallShares(t, 1<<30)
	for name, r := range settings() {
		texts := randomTexts(3, 120)
		for _, features := range []int{1, 7, 1000, 1 << 20, math.MaxInt32} {
			for _, alternate := range []bool{true, false} {
				o := bagofwords.HashOptions{Analysis: r.options.Analysis, Features: features, AlternateSign: alternate, Binary: r.options.Binary}
				want := r.hash(texts, o)
				for o.Threads = range 4 {
					rows, err := bagofwords.Hash(t.Context(), listOf(texts), o)
					if err != nil {
						t.Fatal(name, err)
					}
					checkRows(t, fmt.Sprint(name, o), rowsOf(t, rows), want)
				}
			}
		}
	}
	bagofwords.SmallGrowth(t)
	r := settings()["pairs too"]
	o := bagofwords.HashOptions{Analysis: r.options.Analysis, Features: 50, AlternateSign: true, Threads: 1}
	texts := randomTexts(4, 100)
	rows := testkit.Must(bagofwords.Hash(t.Context(), listOf(texts), o))
	checkRows(t, "given up", rowsOf(t, rows), r.hash(texts, o))
}

func TestHashErrors(t *testing.T) {
	tooMany := math.MaxInt32
	tooMany++ // below 0 where an int has 32 bits
	for _, features := range []int{0, -1, tooMany} {
		if _, err := bagofwords.Hash(t.Context(), listed{}, bagofwords.HashOptions{Features: features}); err == nil || !strings.Contains(err.Error(), "number of features") {
			t.Errorf("%d: %v", features, err)
		}
	}
}

// Terms that are hashed already have no names.
func TestHashedTermsAreRefused(t *testing.T) {
	hashed := analysis.Options{HashBits: 20}
	_, asked := bagofwords.Hash(t.Context(), listed{}, bagofwords.HashOptions{Analysis: hashed, Features: 8})
	_, _, fitted := bagofwords.Fit(t.Context(), listed{}, bagofwords.Options{Analysis: hashed})
	for _, err := range []error{asked, fitted} {
		if err == nil || !strings.Contains(err.Error(), "HashBits") {
			t.Error(err)
		}
	}
}
