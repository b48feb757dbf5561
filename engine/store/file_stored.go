package store

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
)

// This file handles the optional contents of a file: values that can be computed from
// the lists and are stored for callers that need them often. They are verified and
// copied out of the file when they are requested, so that the copies do not depend on
// the file.

// stored is the optional contents of a file, which may not have been verified yet.
type stored struct {
	forward Forward

	cells storedCells

	weights   []float32
	weighting table.Weighting
}

func (s *stored) hasForward() bool { return len(s.forward.start) > 0 }

func readStored(f *file, meta *fileMeta) stored {
	form := plainCells
	switch {
	case f.features&wideFeature != 0:
		form = wideCells
	case f.features&centredFeature != 0:
		form = centredCells
	}
	return stored{
		forward: Forward{elementsOf[uint64](f.content(forwardStarts)), elementsOf[uint32](f.content(forwardTerms))},
		cells: storedCells{
			present: meta.Cells, form: form, rounded: f.features == centredFeature,
			terms: f.content(cellTerms), classes: f.content(cellClasses), docs: f.content(cellDocs),
			sums: f.content(cellSums), squares: f.content(cellSquares), escapes: elementsOf[float64](f.content(cellEscapes)),
		},
		weights: elementsOf[float32](f.content(weightSection)), weighting: meta.Weights,
	}
}

// Stored returns which optional contents the index's file has.
func (x *Index) Stored() WriteOptions {
	return WriteOptions{Forward: x.stored.hasForward(), Cells: x.stored.cells.present, Weights: x.stored.weighting}
}

// A SectionSize is the number of bytes of a section of a file, without padding.
type SectionSize struct {
	Name  string
	Bytes int
}

// Sections returns the sections of the file that the index came from, in order, without
// empty ones. It returns nil for an index that was built.
func (x *Index) Sections() []SectionSize {
	if x.file == nil {
		return nil
	}
	var sizes []SectionSize
	for kind, s := range x.file.sections {
		if s.length > 0 {
			sizes = append(sizes, SectionSize{sectionNames[kind], s.length})
		}
	}
	return sizes
}

// alwaysStored is the number of cells up to which they are stored if they are asked for.
// More are left out where they are more than half of the postings, as with 100,000 classes:
// they would double the file, and be read no faster than they are counted.
const alwaysStored = 1 << 16

// mostCells returns the number of cells up to which they are stored.
func mostCells(postings int) int { return max(alwaysStored, postings/2) }

// derive computes the optional contents that a file is to have.
func (x *Index) derive(ctx context.Context, opt WriteOptions) (*stored, error) {
	s := &stored{weighting: opt.Weights}
	if opt.Forward {
		f, err := x.Forward(ctx, opt.Threads)
		if err != nil {
			return nil, err
		}
		s.forward = *f
	}
	if opt.Cells {
		counts := opt.Counted
		if counts == nil {
			var err error
			if counts, err = x.Count(ctx, CountOptions{Threads: opt.Threads}); err != nil {
				return nil, err
			}
		}
		if counts.Len() <= mostCells(x.NumPostings()) {
			s.cells = x.newStoredCells(&counts.Cells)
		}
	}
	if opt.Weights == "" {
		return s, nil
	}
	w, err := x.Weights(ctx, opt.Weights)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(w.values, isNotFinite); i >= 0 {
		return nil, fmt.Errorf("store: a weight of %v cannot be kept: %v", opt.Weights, w.values[i])
	}
	s.weights = w.values
	return s, nil
}

func isNotFinite(v float32) bool { return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) }

// forwardChunk is the number of postings that a worker verifies and copies at a time.
const forwardChunk = 1 << 18

// storedForward is [Index.Forward] from the file.
func (x *Index) storedForward(ctx context.Context, threads int) (*Forward, error) {
	f := &Forward{make([]uint64, x.Documents()+1), make([]uint32, x.NumPostings())}
	err := x.Guard(func() error {
		if err := x.checkForwardStarts(); err != nil {
			return err
		}
		copy(f.start, x.stored.forward.start)
		return nil
	})
	if err != nil {
		return nil, err
	}
	chunks := pool.Split(x.Documents(), forwardChunk, 1, func(d int) int64 { return int64(f.start[d+1]-f.start[d]) + 1 })
	err = x.Run(ctx, threads, len(chunks), func(_, chunk int) error {
		if err := x.checkForward(chunks[chunk]); err != nil {
			return err
		}
		from, to := f.start[chunks[chunk].From], f.start[chunks[chunk].To]
		copy(f.terms[from:to], x.stored.forward.terms[from:to])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// storedWeights is [Index.Weights] from the file.
func (x *Index) storedWeights(ctx context.Context) (*Weights, error) {
	w := &Weights{x.start, make([]float32, x.NumPostings())}
	chunks := x.Chunks()
	err := x.Run(ctx, 1, len(chunks), func(_, chunk int) error {
		if err := x.checkWeights(chunks[chunk]); err != nil {
			return err
		}
		from, to := x.start[chunks[chunk].From], x.start[chunks[chunk].To]
		copy(w.values[from:to], x.stored.weights[from:to])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}
