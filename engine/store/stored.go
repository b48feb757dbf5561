package store

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// This file has what a file may hold beside an index: what could be computed from
// the lists, kept for those who need it often. It is copied out of the file, verified on
// the way, when it is asked for: who has it need not mind what becomes of the file.

// stored is that part of a file, which may not have been verified yet.
type stored struct {
	forward Forward

	cellStart           []uint64
	cellClass, cellDocs []uint32
	cellSum, cellSquare []float64
	tokens              []float64 // by term, of all documents

	weights   []float32
	weighting Weighting
}

func (s *stored) hasForward() bool { return len(s.forward.start) > 0 }
func (s *stored) hasCells() bool   { return len(s.cellStart) > 0 }

func readStored(f *file, w Weighting) stored {
	return stored{
		forward:   Forward{elementsOf[uint64](f.content(forwardStarts)), elementsOf[uint32](f.content(forwardTerms))},
		cellStart: elementsOf[uint64](f.content(cellStarts)),
		cellClass: elementsOf[uint32](f.content(cellClasses)), cellDocs: elementsOf[uint32](f.content(cellDocs)),
		cellSum: elementsOf[float64](f.content(cellSums)), cellSquare: elementsOf[float64](f.content(cellSquares)),
		tokens:  elementsOf[float64](f.content(termTokens)),
		weights: elementsOf[float32](f.content(weightSection)), weighting: w,
	}
}

// Stored says what the file that the index came from holds beside it.
func (x *Index) Stored() WriteOptions {
	return WriteOptions{Forward: x.stored.hasForward(), Cells: x.stored.hasCells(), Weights: x.stored.weighting}
}

// A SectionSize is the bytes that a section takes in a file, without its padding.
type SectionSize struct {
	Name  string
	Bytes int
}

// Sections lists the sections of the file that the index came from, in their order,
// empty ones left out; nil of an index that was built.
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

// derive computes what a file is to hold.
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
		counts, err := x.Count(ctx, CountOptions{Threads: opt.Threads})
		if err != nil {
			return nil, err
		}
		s.keepCells(counts)
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

func (s *stored) keepCells(c *Statistics) {
	s.cellStart = make([]uint64, len(c.CellStart))
	for t, at := range c.CellStart {
		s.cellStart[t] = uint64(at)
	}
	s.cellDocs = make([]uint32, len(c.A))
	for i, a := range c.A {
		s.cellDocs[i] = uint32(a)
	}
	s.cellClass, s.cellSum, s.cellSquare, s.tokens = c.CellClass, c.S, c.Q, c.CF
}

// storedStatistics are those of [Index.Count] for all documents, from the file.
func (x *Index) storedStatistics(ctx context.Context, threads int) (*Statistics, error) {
	cells := len(x.stored.cellClass)
	c := &counter{x: x, s: &Statistics{Classes: x.Classes, Pruned: x.Pruned, Terms: x.Terms}}
	c.countDocuments(nil)
	s := c.s
	s.DF, s.CF, s.CellStart, s.CellClass = c.df, c.cf, make([]int, x.Terms.Len()+1), make([]uint32, cells)
	s.A, s.S, s.Q = make([]float64, cells), make([]float64, cells), make([]float64, cells)
	if err := x.Guard(x.checkCellStarts); err != nil {
		return nil, err
	}
	chunks := x.chunks()
	err := x.Run(ctx, threads, len(chunks), func(_, chunk int) error {
		if err := x.checkCells(chunks[chunk]); err != nil {
			return err
		}
		x.stored.copyCells(s, chunks[chunk])
		return nil
	})
	if err != nil {
		return nil, err
	}
	for t, n := range x.df {
		s.DF[t] = float64(n)
	}
	s.Tokens, s.ClassTokens = s.addTokens(chunks)
	return s, nil
}

// copyCells copies the cells of terms that have been checked.
func (s *stored) copyCells(to *Statistics, terms pool.Range) {
	for t := terms.From; t < terms.To; t++ {
		to.CellStart[t+1] = int(s.cellStart[t+1])
	}
	from, end := s.cellStart[terms.From], s.cellStart[terms.To]
	copy(to.CF[terms.From:terms.To], s.tokens[terms.From:])
	copy(to.CellClass[from:end], s.cellClass[from:])
	copy(to.S[from:end], s.cellSum[from:])
	copy(to.Q[from:end], s.cellSquare[from:])
	for i, n := range s.cellDocs[from:end] {
		to.A[from:end][i] = float64(n)
	}
}

// addTokens adds up the tokens of the cells of chunks of terms, in the order of
// [addParts].
func (s *Statistics) addTokens(chunks []pool.Range) (total float64, of []float64) {
	parts := make([]tokenPart, len(chunks))
	var sum tokenSum
	for i, chunk := range chunks {
		sum.begin(&parts[i], len(s.Classes))
		for _, cf := range s.CF[chunk.From:chunk.To] {
			parts[i].total += cf
		}
		for k := s.CellStart[chunk.From]; k < s.CellStart[chunk.To]; k++ {
			sum.add(s.CellClass[k], s.S[k])
		}
	}
	sum.end()
	return addParts(parts, len(s.Classes))
}

// forwardChunk is how many postings a worker checks and copies at a time.
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
	chunks := x.chunks()
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
