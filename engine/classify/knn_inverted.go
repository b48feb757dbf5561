package classify

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

// An inverted index has, for up to 65,536 training rows, those of each column, in
// floats of single precision: it finds candidates, whose cosines are then computed from
// the rows themselves. So few rows have numbers of 16 bits, which index an array of
// that length without a check of bounds, and their sums fit the second cache.
type inverted struct {
	first int      // row
	start []uint32 // columns+1
	list  []uint32 // packed rows, less first, and weights

	// rest[l][row] is the length of what the unit row has in columns above level l, for
	// Cauchy and Schwarz: 0 of the last level.
	rest [levels][]float32
	// plain says that no product with such a weight is negative or underflows.
	plain bool
}

const partRows = 1 << 16

// levels is how many there are: columns of level l occur in no more than a bound of the
// rows that grows by a factor of sqrt(2) from one level to the next.
const levels = 14

// leastPlain is the least weight whose products with another such weight do not underflow
// in single precision.
const leastPlain = 1e-18

// levels returns the level of each column, from 0 to levels-1; frequent columns have high
// levels.
func (m *Matrix) levels() []uint8 {
	var bounds [levels - 1]float64
	bound := float64(m.Rows())
	for l := range bounds {
		bound /= math.Sqrt2
		bounds[len(bounds)-1-l] = bound
	}
	level := make([]uint8, m.Columns)
	for column, n := range m.frequencies() {
		l, _ := slices.BinarySearch(bounds[:], float64(n))
		level[column] = uint8(l)
	}
	return level
}

// fill inverts up to partRows rows from first on.
func (p *inverted) fill(ctx context.Context, x *neighbours, first int) error {
	m := x.m
	p.first, p.plain = first, true
	end := min(first+partRows, m.Rows())
	postings := m.Index[m.Start[first]:m.Start[end]]
	p.start = make([]uint32, m.Columns+1)
	for _, column := range postings {
		p.start[column]++
	}
	n := uint32(0)
	for column, df := range p.start {
		p.start[column] = n
		n += df
	}
	p.list = make([]uint32, len(postings))
	for l := range p.rest {
		p.rest[l] = make([]float32, end-first)
	}
	for row := first; row < end; row++ {
		if row%4096 == 0 && ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		p.add(x, row)
	}
	copy(p.start[1:], p.start[:m.Columns])
	p.start[0] = 0
	return nil
}

// add appends a row to the lists of its columns: start has the end of each list so far.
func (p *inverted) add(x *neighbours, row int) {
	var squares [levels]float64
	index, value := x.m.Row(row)
	scale := inverse(x.length[row])
	for i, column := range index {
		v := float64(float64(value[i]) * scale)
		at := p.start[column]
		p.start[column] = at + 1
		p.list[at] = packed(uint16(row-p.first), float32(v))
		p.plain = p.plain && v >= leastPlain
		squares[x.level[column]] += float64(v * v)
	}
	above := 0.0
	for l := levels - 2; l >= 0; l-- {
		above += squares[l+1]
		p.rest[l][row-p.first] = roundUp(math.Sqrt(above))
	}
}

// of returns the list of a column.
func (p *inverted) of(column uint32) []uint32 { return p.list[p.start[column]:p.start[column+1]] }

// roundUp returns a float32 that is larger than v by a few units in the last place.
func roundUp(v float64) float32 { return float32(v * (1 + 1e-6)) }

// packed has the row in its lower and the weight in its upper half: read as a float
// it is the weight, but for the row in the last digits of the mantissa. The upper half
// is chosen such that the float is nearest, within packedError of the weight.
func packed(row uint16, weight float32) uint32 {
	return (math.Float32bits(weight)-uint32(row)+1<<15)&^(1<<16-1) | uint32(row)
}

// packedError is the largest relative error of a packed weight.
const packedError = 1. / 256

// addProducts adds a multiple of the weights of a list to the sums. Eight at a time as
// an array take one check of bounds.
func addProducts(sums *[partRows]float32, list []uint32, by float32) {
	for ; len(list) >= 8; list = list[8:] {
		p := (*[8]uint32)(list)
		sums[uint16(p[0])] += float32(by * math.Float32frombits(p[0]))
		sums[uint16(p[1])] += float32(by * math.Float32frombits(p[1]))
		sums[uint16(p[2])] += float32(by * math.Float32frombits(p[2]))
		sums[uint16(p[3])] += float32(by * math.Float32frombits(p[3]))
		sums[uint16(p[4])] += float32(by * math.Float32frombits(p[4]))
		sums[uint16(p[5])] += float32(by * math.Float32frombits(p[5]))
		sums[uint16(p[6])] += float32(by * math.Float32frombits(p[6]))
		sums[uint16(p[7])] += float32(by * math.Float32frombits(p[7]))
	}
	for _, p := range list {
		sums[uint16(p)] += float32(by * math.Float32frombits(p))
	}
}
