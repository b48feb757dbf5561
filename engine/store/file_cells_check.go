package store

import (
	"bytes"
	"context"
	"math"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file verifies stored cells of counts, and adds up their tokens, in one pass over the
// bytes. Sums of counts are exact in any order: where they may not be, see [Index.centring],
// cells have another form, or are not used.

// checkedTerms is the number of terms whose cells are verified at a time.
const checkedTerms = 4096

// A cellChecker verifies cells of counts.
type cellChecker struct {
	x       *Index
	s       *Statistics
	margins cellMargins
	limits  []uint32 // by class, of as many as its bytes can tell: the documents; 0 where there is no class
	tokens  []uint64 // by class
	total   uint64
	// narrowBelow is the document frequency from which terms are no narrow ones.
	narrowBelow uint32
	sets        []uint64 // by term, see [Statistics.ClassSets]; nil if they are not made
	tile        cells.Tile
	next        int // the first cell, from those that were verified on, with a number in a list
}

// checkCells completes the cells of counts, and verifies them.
func (x *Index) checkCells(ctx context.Context, s *Statistics) error {
	if !s.CF.Whole() || !s.S.Whole() || !s.Q.Whole() {
		return broken("cell-escapes", 0, ErrFormat, "a sum of counts is not a whole number")
	}
	width := classWidth(len(x.Classes))
	k := &cellChecker{
		x: x, s: s, margins: cellMargins{x: x, classDocs: s.ClassDocs, unlabelled: s.Documents - s.Labelled},
		limits: make([]uint32, 1<<(8*width)), tokens: make([]uint64, 1<<(8*width)),
	}
	for class, docs := range s.ClassDocs {
		k.limits[class] = uint32(min(docs, math.MaxInt32))
	}
	if kernels.HasSets() && len(s.Classes) <= kernels.SetClasses {
		k.sets = make([]uint64, len(x.df))
	}
	k.findNext(0)
	k.setNarrow(width)
	stored := s.Cells.Terms()
	for from := 0; from < stored; from += checkedTerms {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		for t := from; t < min(from+checkedTerms, stored); t++ {
			if s.DF[t] < k.narrowBelow && k.narrow(t) {
				continue
			}
			first, end := s.Start[t], s.Start[t+1]
			x.stored.cells.readClasses(s.Class[first:end], first, width)
			if err := k.term(t); err != nil {
				return err
			}
			if k.sets != nil {
				s.SetsOfClasses(k.sets, t, t+1)
			}
		}
	}
	if err := k.singles(stored); err != nil {
		return err
	}
	s.sets = k.sets
	s.Tokens, s.ClassTokens = float64(k.total), make([]float64, len(s.Classes))
	for class := range s.ClassTokens {
		s.ClassTokens[class] = float64(k.tokens[class])
	}
	return nil
}

// findNext sets k.next to the first cell from one on that has a number in a list.
func (k *cellChecker) findNext(from int) {
	c := &k.s.Cells
	k.next = min(c.A.NextEscape(from), c.S.NextEscape(from), c.Q.NextEscape(from))
}

// setNarrow sets the document frequency below which terms are narrow: they have documents of
// one label each, whose classes are bytes, and fewer documents than any class, so that only
// their sums must be looked at. No term is narrow if a cell has no document.
func (k *cellChecker) setNarrow(width int) {
	if width > 1 || k.x.multi || bytes.IndexByte(k.s.A.Bytes(), 0) >= 0 {
		return
	}
	k.narrowBelow = math.MaxInt32
	for class := range k.s.ClassDocs {
		k.narrowBelow = min(k.narrowBelow, k.limits[class])
	}
}

// narrow is term for a narrow term, whose classes it reads from the file. It returns false,
// and leaves everything as it was, if the term is wrong, or has a number in a list. Of 14.2
// million cells it takes 24 ms where reading the classes and term took 47.
func (k *cellChecker) narrow(t int) bool {
	c := &k.s.Cells
	from, to := c.Start[t], c.Start[t+1]
	df, low := c.DF[t], c.CF.Bytes()[t]
	if k.next < to || low == cells.Escape {
		return false
	}
	codes := k.x.stored.cells.classes[from:to]
	classes, a, over := c.Class[from:to][:len(codes)], c.A.Bytes()[from:to][:len(codes)], c.S.Bytes()[from:to][:len(codes)]
	tokens := (*[1 << 8]uint64)(k.tokens)
	falls, next, docs, above, set := uint32(0), uint32(0), uint32(0), uint32(0), uint64(0)
	for i, class := range codes {
		d, v := uint32(a[i]), uint32(over[i])
		classes[i] = uint32(class)
		set |= 1 << (class % kernels.SetClasses)
		falls |= uint32(class) - next
		next = uint32(class) + 1
		docs += d
		above += v
		tokens[class] += uint64(d + v)
	}
	possible := docs == df && above == uint32(low)
	if k.margins.unlabelled > 0 {
		possible = docs <= df && docs+above <= df+uint32(low) && float64(docs) >= float64(df)-k.margins.unlabelled
	}
	if !possible || int32(falls) < 0 || next > uint32(len(k.s.Classes)) {
		for i, class := range codes {
			tokens[class] -= uint64(a[i]) + uint64(over[i])
		}
		return false
	}
	k.total += uint64(df) + uint64(low)
	if k.sets != nil {
		k.sets[t] = set
	}
	return true
}

// term verifies the cells of a term. What is wrong leaves a sign bit in a mask, which is looked
// at once a term; then the numbers are looked at one by one, for the error.
func (k *cellChecker) term(t int) error {
	c := &k.s.Cells
	from, to := c.Start[t], c.Start[t+1]
	df, low := c.DF[t], c.CF.Bytes()[t]
	if k.next < to || low == cells.Escape || df > math.MaxInt32-cells.Escape {
		return k.numbers(t)
	}
	n := to - from
	classes, a, over := c.Class[from:to], c.A.Bytes()[from:][:n], c.S.Bytes()[from:][:n]
	cf := df + uint32(low)
	limits, tokens := k.limits, k.tokens
	wrong, next, docs, sum := uint32(0), uint32(0), uint32(0), uint32(0)
	for i, class := range classes {
		d := uint32(a[i])
		v := d + uint32(over[i])
		wrong |= (d - 1) | (limits[class] - d) | (class - next) | (df - d) | (cf - v)
		next, docs, sum = class+1, docs+d, sum+v
		tokens[class] += uint64(v)
	}
	if !k.x.multi {
		wrong |= (df - docs) | (cf - sum)
		if k.margins.unlabelled == 0 {
			wrong |= (docs - df) | (sum - cf)
		}
	}
	if int32(wrong) < 0 || float64(docs) < float64(df)-k.margins.unlabelled {
		for i, class := range classes {
			tokens[class] -= uint64(a[i]) + uint64(over[i])
		}
		return k.numbers(t)
	}
	k.total += uint64(cf)
	return nil
}

// numbers verifies the cells of a term as numbers.
func (k *cellChecker) numbers(t int) error {
	k.s.Read(&k.tile, t, t+1, true)
	if err := k.x.checkTile(k.s, &k.tile); err != nil {
		return err
	}
	for i, class := range k.tile.Class {
		k.tokens[class] += uint64(k.tile.S[i])
	}
	k.total += uint64(k.tile.CF[0])
	if to := k.s.Start[t+1]; k.next < to {
		k.findNext(to)
	}
	return nil
}

// singles appends the cells of the terms from one on, which are not stored: each is in one
// document.
func (k *cellChecker) singles(from int) error {
	x, s := k.x, k.s
	if err := x.ready(pool.Range{From: from, To: len(x.df)}, true); err != nil {
		return err
	}
	none := uint32(len(x.Classes))
	var p Postings
	classes := make([]uint32, checkedTerms)
	for t := from; t < len(x.df); {
		n := 0
		if !x.multi && t >= x.numDense() {
			base := x.start[x.numDense()]
			docs := x.flat[x.start[t]-base:]
			docs = docs[:min(len(docs), checkedTerms)]
			counts := x.tf.counts[x.start[t]:][:len(docs)]
			x.firstClasses(classes, docs)
			n = s.AppendSingles(classes[:len(docs)], none, counts)
			k.addSingles(t, classes[:n], none, counts)
		}
		if t += n; n == checkedTerms || t == len(x.df) {
			continue
		}
		x.readDocs(t, &p)
		labels, v := x.Labels(int(p.Docs[0])), x.frequency(t)
		s.AppendSingle(labels, float64(v))
		for _, class := range labels {
			k.tokens[class] += uint64(v)
		}
		k.total += uint64(v)
		if k.sets != nil {
			s.SetsOfClasses(k.sets, t, t+1)
		}
		t++
	}
	return nil
}

// addSingles adds the tokens of terms from one on that are in one document each, and makes their
// sets.
func (k *cellChecker) addSingles(t int, classes []uint32, none uint32, counts []uint8) {
	for i, class := range classes {
		v := uint64(counts[i])
		k.total += v
		if class != none {
			k.tokens[class] += v
		}
	}
	if k.sets == nil {
		return
	}
	for i, class := range classes {
		if class != none {
			k.sets[t+i] = 1 << (class % kernels.SetClasses)
		}
	}
}
