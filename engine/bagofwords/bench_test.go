package bagofwords_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/bagofwords"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

// listed are texts in a list.
type listed [][]byte

func (l listed) Len() int { return len(l) }

func (l listed) At(i int) []byte { return l[i] }

// newsgroups returns the texts of a part of 20 Newsgroups.
func newsgroups(t testing.TB, split string) (texts listed, bytes int64) {
	t.Helper()
	for d, err := range enginetest.Newsgroups(t, split).Documents() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, []byte(strings.Clone(string(d.Text))))
		bytes += int64(len(d.Text))
	}
	return texts, bytes
}

// BenchmarkBag measures texts to a vocabulary and a matrix in the types of NumPy.
func BenchmarkBag(b *testing.B) {
	texts, size := newsgroups(b, "train")
	for _, ngrams := range []string{"1", "1-2"} {
		for threads := 1; threads <= 2; threads++ {
			b.Run(fmt.Sprintf("impl=termsift/ngrams=%s/set=20ng/threads=%d", ngrams, threads), func(b *testing.B) {
				b.SetBytes(size)
				for b.Loop() {
					v, r, err := bagofwords.Fit(b.Context(), texts, bagofwords.Options{Analysis: analysis.Options{NGrams: ngrams, MaxToken: 1 << 30}, Threads: threads})
					if err != nil {
						b.Fatal(err)
					}
					start, columns, values := make([]int32, r.Len()+1), make([]int32, r.Stored()), make([]int64, r.Stored())
					bagofwords.CopyStart(r, start)
					bagofwords.CopyColumns(r, columns)
					bagofwords.CopyValues(r, values)
					if ngrams == "1" && (v.Len() != 130_107 || r.Stored() != 1_787_565) {
						b.Fatal(v.Len(), r.Stored())
					}
				}
			})
		}
	}
}
