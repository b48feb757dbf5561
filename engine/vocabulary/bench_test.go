package vocabulary_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/vocabulary"
)

// newsgroups returns the texts of a part of 20 Newsgroups.
func newsgroups(t testing.TB, split string) (texts [][]byte, bytes int64) {
	t.Helper()
	for d := range testkit.All(enginetest.Newsgroups(t, split).Documents()) {
		texts = append(texts, []byte(strings.Clone(string(d.Text))))
		bytes += int64(len(d.Text))
	}
	return texts, bytes
}

// copied has a matrix in the types of NumPy.
type copied struct {
	start, columns []int32
	values         []int64
}

func copyOf(r *vocabulary.Rows) copied {
	c := copied{make([]int32, r.Len()+1), make([]int32, r.Stored()), make([]int64, r.Stored())}
	vocabulary.CopyStart(r, c.start)
	vocabulary.CopyColumns(r, c.columns)
	vocabulary.CopyValues(r, c.values)
	return c
}

// BenchmarkBag measures texts to a vocabulary and a matrix in the types of NumPy, which are those of the
// reference.
func BenchmarkBag(b *testing.B) {
	texts, size := newsgroups(b, "train")
	for _, r := range []rules{{least: 1, most: 1}, {least: 1, most: 2}} {
		r.options.Analysis = analysis.Options{NGrams: fmt.Sprintf("%d-%d", r.least, r.most), MaxToken: math.MaxInt}
		var plain []string
		for _, text := range texts {
			plain = append(plain, string(text))
		}
		want := r.fit(plain)
		b.Run(fmt.Sprintf("impl=naive/ngrams=%d/set=20ng/threads=1", r.most), func(b *testing.B) {
			b.SetBytes(size)
			for b.Loop() {
				if got := r.fit(plain); len(got.terms) != len(want.terms) {
					b.Fatal(len(got.terms))
				}
			}
		})
		for r.options.Threads = 1; r.options.Threads <= 2; r.options.Threads++ {
			b.Run(fmt.Sprintf("impl=termsift/ngrams=%d/set=20ng/threads=%d", r.most, r.options.Threads), func(b *testing.B) {
				b.SetBytes(size)
				for b.Loop() {
					v, rows, err := vocabulary.Fit(b.Context(), texts, r.options)
					if err != nil {
						b.Fatal(err)
					}
					checkCopied(b, copyOf(rows), want, v.Len())
				}
			})
		}
	}
}

// checkCopied compares the size of a matrix, and each row's first element and length, with the reference.
func checkCopied(b *testing.B, got copied, want bag, terms int) {
	b.Helper()
	if len(want.terms) != terms || len(want.rows)+1 != len(got.start) {
		b.Fatalf("%d rows of %d terms, want %d of %d", len(got.start)-1, terms, len(want.rows), len(want.terms))
	}
	for i, row := range want.rows {
		from, to := got.start[i], got.start[i+1]
		if int(to-from) != len(row) || to > from && (element{int(got.columns[from]), got.values[from]}) != row[0] {
			b.Fatalf("row %d has %d elements, want %d", i, to-from, len(row))
		}
	}
}

// BenchmarkTransform measures rows of other texts, and of one of 2 kB.
func BenchmarkTransform(b *testing.B) {
	texts, _ := newsgroups(b, "train")
	others, size := newsgroups(b, "test")
	v, _, err := vocabulary.Fit(b.Context(), texts, vocabulary.Options{})
	if err != nil {
		b.Fatal(err)
	}
	one := others[slices.IndexFunc(others, func(text []byte) bool { return len(text) > 1900 && len(text) < 2100 }):][:1]
	for name, some := range map[string]struct {
		texts  [][]byte
		size   int64
		stored int64
	}{"all": {others, size, 1_107_956}, "one": {one, int64(len(one[0])), 0}} {
		b.Run(fmt.Sprintf("texts=%s/set=20ng/threads=1", name), func(b *testing.B) {
			b.SetBytes(some.size)
			b.ReportAllocs()
			for b.Loop() {
				rows, err := v.Transform(b.Context(), some.texts, 1)
				if err != nil || some.stored != 0 && rows.Stored() != some.stored {
					b.Fatal(rows.Stored(), err)
				}
			}
		})
	}
}
