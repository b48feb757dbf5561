package classify

import (
	"math"
	"slices"
)

// A router has, for every column, the scopes that it belongs to: a row is cut to all of
// them in one pass over its elements, however many scopes there are.
type router struct {
	start []uint32 // columns + 1
	to    []destination
	open  []uint32 // scopes that need nothing
}

type destination struct {
	scope, column uint32
	opens         bool // the scope takes a row that has the column
}

func newRouter(scopes []Scope, columns int) router {
	r := router{start: make([]uint32, columns+1)}
	for i, s := range scopes {
		for _, c := range s.Columns {
			r.start[c+1]++
		}
		if s.Needs == nil {
			r.open = append(r.open, uint32(i))
		}
	}
	for c := range columns {
		r.start[c+1] += r.start[c]
	}
	r.to = make([]destination, r.start[columns])
	next := slices.Clone(r.start)
	for i, s := range scopes {
		for j, c := range s.Columns {
			_, opens := slices.BinarySearch(s.Needs, c)
			r.to[next[c]] = destination{uint32(i), uint32(j), opens}
			next[c]++
		}
	}
	return r
}

// sizes returns the number of scopes of each column.
func (r *router) sizes() []uint32 {
	sizes := make([]uint32, len(r.start)-1)
	for c := range sizes {
		sizes[c] = r.start[c+1] - r.start[c]
	}
	return sizes
}

func (s *scoped) NewScorer() Scorer {
	x := &scopedScorer{s: s, rows: make([]scopedRow, len(s.scopes)), scorers: make([]Scorer, len(s.scopes))}
	for i, m := range s.models {
		x.scorers[i] = m.NewScorer()
	}
	for _, i := range s.router.open {
		x.rows[i].taken = true
	}
	return x
}

type scopedScorer struct {
	s       *scoped
	scorers []Scorer
	rows    []scopedRow // by scope
	touched []uint32    // scopes that have an element of the row
	score   [1]float64
}

// A scopedRow is a row cut to a scope.
type scopedRow struct {
	index []uint32
	value []float32
	taken bool
}

func (x *scopedScorer) Score(index []uint32, value []float32, scores []float64) (evidence bool) {
	for c := range scores {
		scores[c] = math.Inf(-1)
	}
	x.route(index, value)
	for _, i := range x.s.router.open {
		x.ask(i, scores)
		evidence = true
	}
	for _, i := range x.touched {
		row := &x.rows[i]
		if row.taken && x.s.scopes[i].Needs != nil {
			x.ask(i, scores)
			evidence, row.taken = true, false
		}
		row.index, row.value = row.index[:0], row.value[:0]
	}
	return evidence
}

// route cuts a row to the scopes.
func (x *scopedScorer) route(index []uint32, value []float32) {
	r := &x.s.router
	x.touched = x.touched[:0]
	for j, c := range index {
		if int(c) >= x.s.columns || value[j] == 0 {
			continue
		}
		for _, p := range r.to[r.start[c]:r.start[c+1]] {
			row := &x.rows[p.scope]
			if len(row.index) == 0 {
				x.touched = append(x.touched, p.scope)
			}
			row.index, row.value = append(row.index, p.column), append(row.value, value[j])
			row.taken = row.taken || p.opens
		}
	}
}

func (x *scopedScorer) ask(i uint32, scores []float64) {
	row := &x.rows[i]
	x.scorers[i].Score(row.index, row.value, x.score[:])
	scores[x.s.scopes[i].Class] = x.score[0]
}
