package store

import "github.com/termsift/termsift/kernels"

// This file counts the documents of several terms in every class: a tile. Which
// way depends on the length of the list, as measured (BENCHMARKS.md, Counts by
// length):
//
//	short lists   counts[class]++
//	middle lists  ends[class] = i+1, a store without a load: documents of one
//	              class follow each other, and incrementing the same counter
//	              waits for the store before
//	long lists    range popcount and boundary search on Roaring containers
//
// Documents with several labels are scattered over their slots.

// incrementsBelow is the document frequency up to which increments beat storing
// ends and scanning the row.
const incrementsBelow = 32

// tileTerms is the number of terms that are counted before the first of them is
// looked at. A vector load right behind the stores of single counts has to wait
// until they have left the store buffer: 18 ns a term for the maximum of
// chi-square instead of 8.
const tileTerms = 16

// byteCodes is the number of codes that a byte has. A row is longer than that where
// codes are bytes, as far as the compiler can tell, and needs no check of an index;
// the tile has room for the last one.
const byteCodes = 1 << 8

// tile is the memory of a [Tile].
type tile struct {
	Tile
	ends []uint32 // rows like those of the counts; all 0 between tiles
}

func newTile(x *Index) *tile {
	codes := len(x.Classes) + 1 // one more for the unlabelled
	if x.multi {
		codes = len(x.Classes) + slotCount + 1
	}
	t := &tile{}
	t.Stride = (codes + 15) &^ 15
	t.Counts, t.ends = make([]uint32, tileTerms*t.Stride+byteCodes), make([]uint32, tileTerms*t.Stride+byteCodes)
	t.DF = make([]float64, 0, tileTerms)
	return t
}

// tiled visits up to a tile of terms from t on, and returns the next one.
func (r *rowCounter) tiled(t, to int, visitor Visitor) int {
	to = r.count(t, min(to, t+tileTerms))
	if v, ok := visitor.(TileVisitor); ok && !r.opt.Cells {
		v.Tile(&r.tile.Tile)
		return to
	}
	row, k := &r.row, len(r.x.Classes)
	for i, df := range r.tile.DF {
		row.Term, row.DF, row.Dense = t+i, df, r.tile.Counts[i*r.tile.Stride:][:k]
		row.cells()
		visitor.Row(row)
	}
	return to
}

// count fills the tile with the terms [t, to), or as many as do not come by their
// classes, and returns the next one.
func (r *rowCounter) count(t, to int) int {
	tile, k, multi := r.tile, len(r.x.Classes), r.x.multi
	tile.First, tile.DF = t, tile.DF[:0]
	clear(tile.Counts)
	firstEnds, lastEnds := 0, 0
	for ; t < to && !r.isFew(t); t++ {
		i := t - tile.First
		counts := tile.Counts[i*tile.Stride:]
		df := r.x.df[t]
		switch {
		case multi:
			r.x.readDocs(t, &r.postings)
			r.v.slots.count(counts[:tile.Stride], r.postings.Docs, r.x)
		case t < r.x.numDense():
			if err := r.v.partition.Count(counts[:k], r.x.bitmapBytes(t)); err != nil {
				panic(err) // Build wrote it, or decode has parsed it
			}
		case df < incrementsBelow:
			increment(counts, r.x.short(t), &r.v.codes)
		default:
			if lastEnds == 0 {
				firstEnds = i
			}
			lastEnds = i + 1
			storeEnds(tile.ends[i*tile.Stride:], r.x.short(t), &r.v.codes)
		}
		tile.DF = append(tile.DF, float64(df))
	}
	for i := firstEnds; i < lastEnds; i++ { // lists come by length: these follow each other
		row := i * tile.Stride
		kernels.CountEnds(tile.Counts[row:][:k+1], tile.ends[row:][:k+1])
	}
	return t
}

func increment(counts, docs []uint32, c *codes) {
	if c.bytes == nil {
		for _, d := range docs {
			counts[c.shorts[d]]++
		}
		return
	}
	row, blocks, bytes := (*[byteCodes]uint32)(counts), c.blocks, c.bytes
	if blocks == nil {
		for _, d := range docs {
			row[bytes[d]]++
		}
		return
	}
	for _, d := range docs {
		row[inBlock(d, blocks, bytes)]++
	}
}

// storeEnds notes, for the class of every document, the place behind it.
func storeEnds(ends, docs []uint32, c *codes) {
	if c.bytes == nil {
		for i, d := range docs {
			ends[c.shorts[d]] = uint32(i + 1)
		}
		return
	}
	row, blocks, bytes := (*[byteCodes]uint32)(ends), c.blocks, c.bytes
	if blocks == nil {
		for i, d := range docs {
			row[bytes[d]] = uint32(i + 1)
		}
		return
	}
	for i, d := range docs {
		row[inBlock(d, blocks, bytes)] = uint32(i + 1)
	}
}

// cells lists the classes of the dense row that have documents.
func (r *Row) cells() {
	n := kernels.Occupied(r.Class[:cap(r.Class)], r.Dense)
	r.resize(n)
	for i, c := range r.Class {
		r.Docs[i] = r.Dense[c]
		r.A[i] = float64(r.Dense[c])
	}
}
