package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/kernels"
)

// This file counts lists of one length in each of the three ways that a list can
// be counted in. The lengths where one way overtakes another are the thresholds
// incrementsBelow and longList of engine/store.

const (
	lengthClasses = 50
	lengthStride  = 64 // of a row of counts
	lengthTile    = 16 // terms that are counted together, as in the engine
)

// lists are terms of the same document frequency.
type lists struct {
	df, terms int
	class     []uint8 // of each document
	docs      []uint32
	bitmaps   [][]byte
	partition *bitmap.Partition

	counts, ends []uint32 // of a tile
}

// makeLists draws terms over a collection whose classes are of unequal sizes.
func makeLists(b *testing.B, documents, df int) *lists {
	b.Helper()
	l := &lists{
		df: df, terms: max(4*lengthTile, min(1<<14, 1<<21/df)),
		counts: make([]uint32, lengthTile*lengthStride), ends: make([]uint32, lengthTile*lengthStride),
	}
	bounds := unequal(documents)
	for c := range lengthClasses {
		l.class = append(l.class, slices.Repeat([]uint8{uint8(c)}, int(bounds[c+1]-bounds[c]))...)
	}
	var err error
	if l.partition, err = bitmap.NewPartition(bounds); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, uint64(df)))
	var data []byte
	for range l.terms {
		docs := draw(r, documents, df)
		from := len(data)
		data = bitmap.Append(data, docs)
		l.docs = append(l.docs, docs...)
		l.bitmaps = append(l.bitmaps, data[from:len(data):len(data)])
	}
	return l
}

// unequal gives class c a share of documents proportional to 1/(c+5).
func unequal(documents int) []uint32 {
	shares := []float64{0}
	for c := range lengthClasses {
		shares = append(shares, shares[c]+1/float64(c+5))
	}
	bounds := make([]uint32, len(shares))
	for c, s := range shares {
		bounds[c] = uint32(s / shares[lengthClasses] * float64(documents))
	}
	return bounds
}

// draw takes df different documents at random, ascending: sums of exponential
// gaps are numbers in order.
func draw(r *rand.Rand, documents, df int) []uint32 {
	at, sum := make([]float64, df), 0.0
	for i := range at {
		sum += r.ExpFloat64()
		at[i] = sum
	}
	scale := float64(documents-df+1) / (sum + r.ExpFloat64())
	docs := make([]uint32, df)
	for i := range docs {
		docs[i] = uint32(int(at[i]*scale) + i)
	}
	return docs
}

func (l *lists) list(t int) []uint32 { return l.docs[t*l.df : (t+1)*l.df] }

func (l *lists) row(rows []uint32, i int) []uint32 {
	return rows[i*lengthStride:][:lengthClasses]
}

// increments counts a tile of terms from t on.
func (l *lists) increments(t int) {
	clear(l.counts)
	for i := range lengthTile {
		counts := l.row(l.counts, i)
		for _, d := range l.list(t + i) {
			counts[l.class[d]]++
		}
	}
}

// storeEnds stores the end of each class and takes differences.
func (l *lists) storeEnds(t int) {
	for i := range lengthTile {
		ends := l.row(l.ends, i)
		for j, d := range l.list(t + i) {
			ends[l.class[d]] = uint32(j + 1)
		}
	}
	for i := range lengthTile {
		kernels.CountEnds(l.row(l.counts, i), l.row(l.ends, i))
	}
}

// containers counts Roaring's containers.
func (l *lists) containers(t int) {
	clear(l.counts)
	for i := range lengthTile {
		if err := l.partition.Count(l.row(l.counts, i), l.bitmaps[t+i]); err != nil {
			panic(err) // Append wrote it
		}
	}
}

// BenchmarkLengths is the time of a term by the length of its list.
func BenchmarkLengths(b *testing.B) {
	for _, c := range []struct{ documents, longest int }{{1 << 16, 1 << 13}, {1_000_000, 1 << 16}} {
		for df := 2; df <= c.longest; df *= 2 {
			l := makeLists(b, c.documents, df)
			for _, way := range []struct {
				name  string
				count func(t int)
			}{{"increments", l.increments}, {"ends", l.storeEnds}, {"containers", l.containers}} {
				b.Run(fmt.Sprintf("%s/method=%s/documents=%d/band=%d", impl, way.name, c.documents, df), func(b *testing.B) {
					l.measure(b, way.count)
				})
			}
		}
	}
}

func (l *lists) measure(b *testing.B, count func(t int)) {
	loop(b, func() {
		for t := 0; t < l.terms; t += lengthTile {
			count(t)
		}
	})
	per(b, "term", float64(l.terms))
	per(b, "posting", float64(len(l.docs)))
	last := l.terms - lengthTile
	for i := range lengthTile {
		want := make([]uint32, lengthClasses)
		for _, d := range l.list(last + i) {
			want[l.class[d]]++
		}
		if got := l.row(l.counts, i); !slices.Equal(got, want) {
			b.Fatalf("term %d: %v, want %v", last+i, got, want)
		}
	}
}
