package classify

import (
	"math"
	"slices"
)

// A Search finds neighbours with scratch of its own: it belongs to one goroutine.
//
// It adds up the products of the rarer columns only, those up to a level. What the
// others can add to a cosine is at most the product of the lengths of what both rows
// have in them, so a row whose bound is below the k-th best cosine found so far is no
// neighbour; the cosines of the few others are computed from their rows. In ltc weights
// the 129 most frequent terms of 20 Newsgroups have seven eighths of the products and
// are left out; 22 rows of 11,314 remain. Were too many rows left, more levels are
// added.
type Search struct {
	x      *KNN
	query  []float64 // by column
	length float64   // of the query, columns that the model does not know included
	sums   []float32 // by row: the products of the columns up to the level, both rows of unit length
	level  int
	square [levels]float64 // of the unit query, by level
	cost   [levels]int     // postings of the query's columns, by level
	rest   float32         // length of what the unit query has above the level
	plain  bool
	margin float64 // more than what single precision can lose
	block  int     // rows whose largest bound is kept
	bounds []float32
	tops   nearest // blocks with the largest bounds

	candidates []uint32
	found      nearest
	out        []Neighbour
}

// NewSearch makes a searcher.
func (x *KNN) NewSearch() *Search {
	rows := x.m.Rows()
	s := &Search{x: x, query: make([]float64, x.m.Columns), sums: make([]float32, rows)}
	s.block = min(max(rows/(16*x.k), 4), 64)
	s.bounds = make([]float32, (rows+s.block-1)/s.block)
	return s
}

// Neighbours gives the k nearest rows, the nearest first; fewer where fewer have a
// cosine above 0. The slice is reused by the next call.
func (s *Search) Neighbours(index []uint32, value []float32) []Neighbour {
	s.out = s.out[:0]
	if s.length = length(value); s.length == 0 || math.IsInf(s.length, 0) || math.IsNaN(s.length) {
		return s.out
	}
	s.prepare(index, value)
	s.collect(index)
	for _, column := range index {
		if int(column) < len(s.query) {
			s.query[column] = 0
		}
	}
	s.out = append(s.out, s.found...)
	slices.SortFunc(s.out, nearer)
	return s.out
}

// prepare spreads the query out and looks at its levels.
func (s *Search) prepare(index []uint32, value []float32) {
	x := s.x.index
	clear(s.sums)
	s.square, s.cost, s.plain = [levels]float64{}, [levels]int{}, x.plain
	scale := 1 / s.length
	for i, column := range index {
		if int(column) >= len(s.query) {
			continue
		}
		v := float64(value[i])
		s.query[column] = v
		l := x.level[column]
		s.cost[l] += x.start[column+1] - x.start[column]
		v *= scale
		s.square[l] += float64(v * v)
		s.plain = s.plain && v >= leastPlain
	}
	// A sum of n products in single precision, of factors that were rounded, is off
	// by no more than (n+3)/2^24 of the sum of the absolute products, which is at most
	// 1; the bound has four roundings more.
	s.margin = float64(len(index)+8) / (1 << 23)
	s.level = -1
}

// firstRest is the length that the columns above the first level may have: with it
// the queries of 20 Newsgroups take least time.
const firstRest = 0.2

// collect adds levels until few rows can be neighbours, and finds those.
func (s *Search) collect(index []uint32) {
	length := 1 + len(s.x.m.Index)/len(s.sums) // of a row, on average
	for level := s.levelOf(firstRest); ; level++ {
		s.raise(index, level)
		s.bound()
		s.choose(s.threshold())
		if level == levels-1 || len(s.candidates)*length <= s.cost[level+1]+len(s.sums) {
			break
		}
	}
	s.found = s.found[:0]
	for _, row := range s.candidates {
		if n := (Neighbour{int(row), s.cosine(int(row))}); n.Cosine > 0 {
			s.found.offer(n, s.x.k)
		}
	}
}

// levelOf is the first level that leaves no more than the length.
func (s *Search) levelOf(rest float64) int {
	above, level := 0.0, levels-1
	for ; level > 0; level-- {
		above += s.square[level]
		if above > rest*rest {
			break
		}
	}
	return level
}

// raise adds the products of the columns up to a level.
func (s *Search) raise(index []uint32, level int) {
	x, above := s.x.index, 0.0
	for l := level + 1; l < levels; l++ {
		above += s.square[l]
	}
	scale := 1 / s.length
	for _, column := range index {
		if int(column) >= len(s.query) {
			continue
		}
		if l := int(x.level[column]); s.level < l && l <= level {
			from, to := x.start[column], x.start[column+1]
			addProducts(s.sums, x.row[from:to], x.weight[from:to], float32(s.query[column]*scale))
		}
	}
	s.level, s.rest = level, roundUp(math.Sqrt(above))
}

func addProducts(sums []float32, row []uint32, weight []float32, by float32) {
	weight = weight[:len(row)]
	for i, r := range row {
		sums[r] += float32(by * weight[i])
	}
}

// bound sets the largest bound of each block of rows.
func (s *Search) bound() {
	rests := s.x.index.rest[s.level]
	for b := range s.bounds {
		from := b * s.block
		to := min(from+s.block, len(s.sums))
		sums := s.sums[from:to]
		rest := rests[from:to][:len(sums)]
		largest := float32(math.Inf(-1))
		for i, v := range sums {
			if v += float32(s.rest * rest[i]); v > largest {
				largest = v
			}
		}
		s.bounds[b] = largest
	}
}

func (s *Search) boundOf(row int) float32 {
	return s.sums[row] + float32(s.rest*s.x.index.rest[s.level][row])
}

// threshold is a bound that every neighbour reaches. The rows with the largest bounds
// of the k best blocks give k cosines, none of which is better than the k-th best of
// all rows.
func (s *Search) threshold() float32 {
	s.tops = s.tops[:0]
	for b, bound := range s.bounds {
		s.tops.offer(Neighbour{b, float64(bound)}, s.x.k)
	}
	least := math.Inf(1)
	for _, top := range s.tops {
		least = min(least, s.cosine(s.best(top.Row)))
	}
	if len(s.tops) == s.x.k && least > 0 {
		return float32(least - 2*s.margin) // one of the two for this rounding
	}
	if s.plain && s.level == levels-1 {
		return math.SmallestNonzeroFloat32 // no other row has a cosine above 0
	}
	return float32(-2 * s.margin)
}

// best is the row of a block with its largest bound.
func (s *Search) best(block int) int {
	row := block * s.block
	for s.boundOf(row) < s.bounds[block] {
		row++
	}
	return row
}

// choose lists the rows whose bounds reach the threshold.
func (s *Search) choose(threshold float32) {
	s.candidates = s.candidates[:0]
	for b, bound := range s.bounds {
		if bound < threshold {
			continue
		}
		for row := b * s.block; row < min((b+1)*s.block, len(s.sums)); row++ {
			if s.boundOf(row) >= threshold {
				s.candidates = append(s.candidates, uint32(row))
			}
		}
	}
}

// cosine is exact but for the rounding of float64: products of float32 are.
func (s *Search) cosine(row int) float64 {
	sum := 0.0
	index, value := s.x.m.Row(row)
	value = value[:len(index)]
	for i, column := range index {
		sum += float64(s.query[column] * float64(value[i]))
	}
	if sum == 0 {
		return 0
	}
	return sum / float64(s.length*s.x.length[row])
}
