package store

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// randomSource is a corpus with long and short lists, escapes, several labels
// and unlabelled documents.
func randomSource(seed uint64, docs int, multi, real bool) postings.Source {
	r := rand.New(rand.NewPCG(seed, 1))
	s := postings.Source{LabelStart: []uint32{0}, Columns: postings.Columns{DocStart: []uint64{0}}, Classes: []string{"zebra", "ant", "cow", "bee"}}
	for t := range 300 {
		s.Names = append(s.Names, fmt.Sprintf("%c%d", 'z'-rune(t%26), t))
	}
	for d := range docs {
		s.IDs = append(s.IDs, fmt.Sprintf("doc%d", d))
		for k := range s.Classes {
			if d < 4 && k == d || d >= 4 && multi && r.IntN(4) == 0 || d >= 4 && !multi && d%5 == k {
				s.Labels = append(s.Labels, uint32(k))
			}
		}
		s.LabelStart = append(s.LabelStart, uint32(len(s.Labels)))
		for t := range s.Names {
			if r.IntN(t+1) < 2 {
				s.Terms = append(s.Terms, uint32(t))
				value := 1 + r.IntN(3)
				if r.IntN(50) == 0 {
					value = 250 + r.IntN(100000)
				}
				if real {
					s.Values = append(s.Values, float64(value)+r.Float64())
				} else {
					s.Counts = append(s.Counts, uint32(value))
				}
			}
		}
		s.DocStart = append(s.DocStart, uint64(len(s.Terms)))
	}
	return s
}

func build(t testing.TB, s postings.Source) *postings.Index {
	return testkit.Must(postings.Build(t.Context(), s, postings.BuildOptions{}))
}

func encoded(t testing.TB, x *postings.Index) []byte {
	return written(t, x, WriteOptions{Cells: HasCells(x)})
}

func countOf(t testing.TB, x *postings.Index, opt postings.CountOptions) *table.Table {
	return testkit.Must(x.Count(t.Context(), opt))
}

// typed says that an error is a files.FileError with one of the reasons.
func typed(err error) bool {
	var fe *files.FileError
	return errors.As(err, &fe) &&
		(errors.Is(err, files.ErrFormat) || errors.Is(err, files.ErrVersion) || errors.Is(err, files.ErrChecksum) || errors.Is(err, files.ErrTruncated))
}

func sameStatistics(t *testing.T, got, want *table.Table) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), got.Names.Len(), want.Names.Len(), "terms")
	for i := range want.Names.Len() {
		testkit.Equal(testkit.Stop(t), got.Names.Term(i), want.Names.Term(i), "term", i)
	}
	testkit.Equal(testkit.Stop(t), got.Hash(), want.Hash(), "other counts")
}

// Indexes that were made of others are as good as built ones: their files open, and have their columns.
// Those made of an opened file are those of the index that it has.
func TestFilesOfDerivedIndexes(t *testing.T) {
	for seed, real := range []bool{false, true} {
		x := build(t, randomSource(uint64(50+seed), 300, !real, real))
		opened := testkit.Must(Decode(encoded(t, x)))
		docs := roaring.New()
		for d := uint32(0); d < 300; d += 3 {
			docs.Add(d)
		}
		for _, keep := range []bool{false, true} {
			subset := func(x *postings.Index) []byte {
				n := testkit.Must(x.Subset(t.Context(), docs, keep, postings.BuildOptions{Meta: []byte("{}")}))
				return encoded(t, testkit.Must(n.Index(t.Context())))
			}
			want := subset(x)
			if !bytes.Equal(subset(opened), want) || !bytes.Equal(encoded(t, testkit.Must(Decode(want))), want) {
				t.Errorf("real %v, classes kept %v: another file", real, keep)
			}
		}
		other := build(t, randomSource(uint64(60+seed), 200, !real, real))
		opposed := func(x *postings.Index) []byte {
			n := testkit.Must(postings.Oppose(t.Context(), [2]*postings.Index{x, other}, [2]string{"a", "b"}, postings.BuildOptions{}))
			return encoded(t, testkit.Must(n.Index(t.Context())))
		}
		want := opposed(x)
		testkit.EqualSlices(t, opposed(opened), want, "real", real, "opposed: another file")
		testkit.EqualSlices(t, encoded(t, testkit.Must(Decode(want))), want, "real", real, "opposed: another file")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encoded(f, build(f, randomSource(4, 6, true, false))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Decode(data); err != nil && !typed(err) {
			t.Fatal(err)
		}
	})
}
