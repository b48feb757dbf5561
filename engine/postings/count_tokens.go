package postings

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// MostTokens returns an upper bound on the sum of all counts, without reading the
// lists: the most that the bytes can hold, plus the escaped counts. If values are real,
// it returns their sum, for which it reads all lists.
func (x *Index) MostTokens(ctx context.Context) (float64, error) {
	if x.Real() {
		return x.sumReals(ctx)
	}
	most := float64((Escape - 1) * uint64(x.NumPostings()-len(x.Values.Escaped)))
	for _, n := range x.Values.Escaped {
		most += float64(n)
	}
	return most, nil
}

// sumReals returns the sum of the real values.
func (x *Index) sumReals(ctx context.Context) (sum float64, err error) {
	err = x.Each(ctx, x.Terms.Len(), func(t int) error {
		if err := x.Ready(pool.Range{From: t, To: t + 1}, true); err != nil {
			return err
		}
		for _, v := range x.Values.Single[x.Start[t]:x.Start[t+1]] {
			sum += float64(v)
		}
		return nil
	})
	return sum, err
}

// tokenSums adds up the tokens of ranges of terms: first within each, then over all, so that sums
// of real values have the same bits for any number of workers.
type tokenSums struct {
	Total   float64
	ByClass []float64 // by class
	part    []float64 // of a range; all zero between ranges
	met     []uint32  // the classes of part
}

func NewTokenSums(classes int) *tokenSums {
	return &tokenSums{ByClass: make([]float64, classes), part: make([]float64, classes)}
}

// Add adds the terms [from, to) of cells. It stops at the first tile for which check, unless nil,
// returns an error.
func (s *tokenSums) Add(c *table.Cells, from, to int, check func(t *table.Tile) error) (err error) {
	total := 0.0
	c.Tiles(&table.Tile{}, from, to, true, func(t *table.Tile) {
		if err == nil && check != nil {
			err = check(t)
		}
		if err != nil {
			return
		}
		for _, cf := range t.CF {
			total += cf
		}
		for i, class := range t.Class {
			if s.part[class] == 0 {
				s.met = append(s.met, class)
			}
			s.part[class] += t.S[i]
		}
	})
	s.Total += total
	for _, class := range s.met {
		s.ByClass[class] += s.part[class]
		s.part[class] = 0
	}
	s.met = s.met[:0]
	return err
}

// ClassSizes returns the number of documents of each class.
func (x *Memory) ClassSizes() []uint32 {
	sizes := make([]uint32, len(x.Classes))
	if !x.Multi {
		for from := 0; from < len(x.LabelOf); {
			n := runLength(x.LabelOf[from:])
			sizes[x.LabelOf[from]] = uint32(n)
			from += n
		}
		return sizes
	}
	for _, c := range x.LabelOf {
		sizes[c]++
	}
	return sizes
}

// runLength returns how many of the first labels, which ascend, are the same. It takes
// steps of one, two, four, ...: a million increments of fifty counters took 3 ms.
func runLength(labels []uint32) int {
	end := 1
	for end < len(labels) && labels[end] == labels[0] {
		end *= 2
	}
	end = min(end, len(labels))
	from := end / 2 // of the run
	n, _ := slices.BinarySearch(labels[from:end], labels[0]+1)
	return from + n
}
