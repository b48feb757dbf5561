package classify

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/usage"
)

// firstRest is the largest length of the part of a unit query that the first level may
// leave out. On 20 Newsgroups 0.17 takes less time than 0.14 and 0.2: with ltc weights
// 39,000 of a query's 267,000 products are added and 31 of 11,314 rows are candidates.
const firstRest = 0.17

// blockRows is the largest number of rows in a block, of which one bound is kept.
const blockRows = 16

// A search finds neighbours with scratch of its own: it belongs to one goroutine.
//
// It adds up the products of the rarer columns only, those up to a level. What the
// others can add to a cosine is at most the product of the lengths of what both rows
// have in them, so a row whose bound is below the k-th best cosine found so far is no
// neighbour; the cosines of the few others are computed from their rows. Were too many
// rows left, more levels are added.
type search struct {
	x      *neighbours
	query  []float32       // by column
	length float64         // of the query, columns that the model does not know included
	square [levels]float64 // of the unit query, by level
	margin float64         // more than what single precision can lose
	small  bool            // some weight of the query is not plain

	// Of the part that is searched:
	p      *inverted
	sums   *[partRows]float32 // by row: the products of the columns up to the level, of unit rows
	level  int
	cost   [levels]int // postings of the query's columns, by level
	rest   float32     // length of what the unit query has above the level
	block  int         // rows whose largest bound is kept
	bounds []float32

	tops       nearest // rows of the blocks with the largest bounds
	candidates []uint16
	found      nearest
}

// newSearch returns a search for one goroutine.
func (x *neighbours) newSearch() *search {
	return &search{
		x: x, query: make([]float32, x.m.Columns), sums: new([partRows]float32),
		block: min(max(min(x.m.Rows(), partRows)/(16*x.k), 4), blockRows),
	}
}

// neighbours gives the k nearest rows, the nearest first; fewer where fewer have a
// cosine above 0. The slice is reused by the next call.
func (s *search) neighbours(index []uint32, value []float32) []neighbour {
	s.found = s.found[:0]
	if s.length = length(value); s.length == 0 || math.IsInf(s.length, 0) || math.IsNaN(s.length) {
		return nil
	}
	n := 0
	for n < len(index) && int(index[n]) < len(s.query) {
		n++
	}
	index, value = index[:n], value[:n]
	s.prepare(index, value)
	for i := range s.x.parts {
		s.searchPart(&s.x.parts[i], index)
	}
	for _, column := range index {
		s.query[column] = 0
	}
	slices.SortFunc(s.found, nearer)
	return s.found
}

// prepare stores the query by column and sums its squares by level.
func (s *search) prepare(index []uint32, value []float32) {
	s.square, s.small = [levels]float64{}, false
	scale := 1 / s.length
	for i, column := range index {
		s.query[column] = value[i]
		v := float64(float64(value[i]) * scale)
		s.square[s.x.level[column]] += float64(v * v)
		s.small = s.small || v < leastPlain
	}
	// A sum of n products in single precision, of factors that were rounded, is off
	// by no more than (n+3)/2^24 of the sum of the absolute products, which is at most
	// 1; the bound has four roundings more.
	s.margin = packedError + float64(len(index)+8)/(1<<22)
}

// searchPart adds levels until few rows of a part can be neighbours, and offers these rows.
func (s *search) searchPart(p *inverted, index []uint32) {
	rows := len(p.rest[0])
	s.p, s.level, s.cost = p, -1, [levels]int{}
	s.bounds = slices.Grow(s.bounds[:0], partRows)[:(rows+s.block-1)/s.block]
	clear(s.sums[:rows])
	for _, column := range index {
		s.cost[s.x.level[column]] += int(p.start[column+1] - p.start[column])
	}
	length := 1 + len(p.list)/rows // on average
	for level := s.levelOf(firstRest); ; level++ {
		s.raise(index, level)
		s.bound()
		s.choose(s.threshold())
		if level == levels-1 || len(s.candidates)*length <= s.cost[level+1]+rows {
			break
		}
	}
	tops := s.tops
	for _, row := range s.candidates {
		n := neighbour{Row: p.first + int(row)}
		if len(tops) > 0 && tops[0].Row == n.Row {
			n, tops = tops[0], tops[1:]
		} else {
			n.Cosine = s.cosine(n.Row)
		}
		if n.Cosine > 0 {
			s.found.offer(n, s.x.k)
		}
	}
}

// levelOf returns the lowest level above which the unit query has no more than the length
// rest.
func (s *search) levelOf(rest float64) int {
	above, level := 0.0, levels-1
	for ; level > 0; level-- {
		above += s.square[level]
		if above > rest*rest {
			break
		}
	}
	return level
}

// raise adds the products of the columns above s.level up to a level.
func (s *search) raise(index []uint32, level int) {
	above := 0.0
	for l := level + 1; l < levels; l++ {
		above += s.square[l]
	}
	scale := 1 / s.length
	for _, column := range index {
		if l := int(s.x.level[column]); s.level < l && l <= level {
			addProducts(s.sums, s.p.of(column), float32(float64(s.query[column])*scale))
		}
	}
	s.level, s.rest = level, roundUp(math.Sqrt(above))
}

// blockOf returns the sums of a block of rows and the lengths of what these leave out.
func (s *search) blockOf(b int) (sums, rest []float32) {
	rests := s.p.rest[s.level]
	from := b * s.block
	to := min(from+s.block, len(rests))
	return s.sums[from:to], rests[from:to]
}

// bound sets the largest bound of each block of rows, 0 where none is above it. As
// integers the bits of positive floats have the same order, those of negative ones are
// below 0, and their maximum needs no branch: as floats half of the time went into
// mispredictions.
func (s *search) bound() {
	by := s.rest
	for b := range s.bounds {
		sums, rest := s.blockOf(b)
		rest = rest[:len(sums)]
		largest := int32(0)
		for i, v := range sums {
			v += float32(by * rest[i])
			largest = max(largest, int32(math.Float32bits(v)))
		}
		s.bounds[b] = math.Float32frombits(uint32(largest))
	}
}

// threshold returns a bound that every neighbour reaches. The rows with the largest bounds
// of the k best blocks have k cosines, the least of which is no better than the k-th best of
// all rows; nor is the k-th best of the parts before. The cosines are kept in s.tops.
func (s *search) threshold() float32 {
	k, least := s.x.k, float32(0)
	s.tops = s.tops[:0]
	for b, bound := range s.bounds {
		if bound > least {
			s.tops.offer(neighbour{b, float64(bound)}, k)
			if len(s.tops) == k {
				least = float32(s.tops[0].Cosine)
			}
		}
	}
	worst := math.Inf(1)
	for i, top := range s.tops {
		row := s.best(top.Row)
		s.tops[i] = neighbour{row, s.cosine(row)}
		worst = min(worst, s.tops[i].Cosine)
	}
	slices.SortFunc(s.tops, func(a, b neighbour) int { return a.Row - b.Row })
	if len(s.tops) < k {
		worst = 0
	}
	if len(s.found) == k {
		worst = max(worst, s.found[0].Cosine)
	}
	if worst <= 0 && s.level == levels-1 && s.p.plain && !s.small {
		return math.SmallestNonzeroFloat32 // no other row has a cosine above 0
	}
	return float32(max(worst, 0) - s.margin)
}

// best returns the row of a block with the largest bound.
func (s *search) best(block int) int {
	sums, rest := s.blockOf(block)
	i := 0
	for sums[i]+float32(s.rest*rest[i]) < s.bounds[block] {
		i++
	}
	return s.p.first + block*s.block + i
}

// choose sets s.candidates to the rows whose bounds reach the threshold.
func (s *search) choose(threshold float32) {
	s.candidates = s.candidates[:0]
	by := s.rest
	for b, bound := range s.bounds {
		if bound < threshold {
			continue
		}
		sums, rest := s.blockOf(b)
		rest = rest[:len(sums)]
		for i, v := range sums {
			if v+float32(by*rest[i]) >= threshold {
				s.candidates = append(s.candidates, uint16(b*s.block+i))
			}
		}
	}
}

// cosine returns the cosine of the query and a row. It adds in float64, where products of
// float32 are exact, to four partial sums: with one, each addition waits for the one before.
func (s *search) cosine(row int) float64 {
	index, value := s.x.m.Row(row)
	query, value := s.query, value[:len(index)]
	var a, b, c, d float64
	for len(index) >= 4 && len(value) >= 4 {
		a += float64(float64(query[index[0]]) * float64(value[0]))
		b += float64(float64(query[index[1]]) * float64(value[1]))
		c += float64(float64(query[index[2]]) * float64(value[2]))
		d += float64(float64(query[index[3]]) * float64(value[3]))
		index, value = index[4:], value[4:]
	}
	for i, column := range index {
		a += float64(float64(query[column]) * float64(value[i]))
	}
	sum := (a + b) + (c + d)
	if sum == 0 {
		return 0
	}
	return sum / float64(s.length*s.x.length[row])
}

// A neighbour is a training row with its cosine to a row.
type neighbour struct {
	Row    int
	Cosine float64
}

// nearer compares neighbours for sorting the nearest first, by cosine, then by row.
func nearer(a, b neighbour) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Row, b.Row))
}

// nearest is a heap of neighbours with the farthest at its root.
type nearest []neighbour

// offer adds n to the heap if it is among the k nearest so far.
func (h *nearest) offer(n neighbour, k int) {
	s := *h
	if len(s) < k {
		s = append(s, n)
		*h = s
		for i := len(s) - 1; i > 0; {
			up := (i - 1) / 2
			if nearer(s[i], s[up]) <= 0 {
				return
			}
			s[i], s[up] = s[up], s[i]
			i = up
		}
		return
	}
	if n.Cosine < s[0].Cosine || nearer(n, s[0]) >= 0 {
		return
	}
	s[0] = n
	for i := 0; ; {
		far, left := i, 2*i+1
		for _, down := range [2]int{left, left + 1} {
			if down < k && nearer(s[down], s[far]) > 0 {
				far = down
			}
		}
		if far == i {
			return
		}
		s[i], s[far] = s[far], s[i]
		i = far
	}
}

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
