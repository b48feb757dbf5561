package store

import "github.com/termsift/termsift/kernels"

// This file counts the documents of several terms in every class: a tile. The
// method depends on the length of the list, as measured (BENCHMARKS.md, Counts by
// length):
//
//	short lists   counts[class]++
//	middle lists  ends[class] = i+1, a store without a load: documents of one
//	              class follow each other, and incrementing the same counter
//	              waits for the store before
//	long lists    range popcount and boundary search on Roaring containers
//
// Documents with several labels are scattered over their slots.

// incrementsBelow is the document frequency below which increments are faster than
// storing ends and scanning the row.
const incrementsBelow = 32

// tileTerms is the number of terms that are counted before the first of them is read. A
// vector load directly after the stores of single counts waits until those have left
// the store buffer: the maximum of chi-square took 18 ns per term instead of 8.
const tileTerms = 16

// byteCodes is the number of codes that fit into a byte. Rows are converted to arrays
// of this length where codes are bytes, so that the compiler omits the bounds checks;
// the tile has that much room after its last row.
const byteCodes = 1 << 8

// tile is the memory in which a worker makes a [Tile].
type tile struct {
	Tile
	ends []uint32 // rows like those of Counts; all zero between tiles
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

// tiled passes up to tileTerms terms from t on to the visitor. It returns the term
// after them.
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

// count fills the tile with the terms from t on, up to to or to the first term for
// which isFew. It returns the term after them.
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
			r.v.slots().count(counts[:tile.Stride], r.postings.Docs, r.x)
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
	for i := firstEnds; i < lastEnds; i++ { // lists come in order of length: these are neighbours
		row := i * tile.Stride
		kernels.CountEnds(tile.Counts[row:][:k+1], tile.ends[row:][:k+1])
	}
	return t
}

// increment adds 1 to the count of the class of every document.
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

// storeEnds stores, for the class of every document, the place after that document.
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

// cells fills Class, Docs and A from the dense row: the classes that have documents.
func (r *Row) cells() {
	n := kernels.Occupied(r.Class[:cap(r.Class)], r.Dense)
	r.resize(n)
	for i, c := range r.Class {
		r.Docs[i] = r.Dense[c]
		r.A[i] = float64(r.Dense[c])
	}
}
