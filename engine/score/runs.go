package score

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file combines the values of terms whose tables are kept. Tables with the values of all
// folds are rows: a cell costs a look-up of its row and a vector operation for eight folds.

// A run is the terms [from, to) of a tile.
type run struct{ from, to int }

// locate finds the places of the cells in the tables that are kept, and computes the
// tables and bounds that are new.
func (s *foldSet) locate(p *Panel, t *table.Tile, x []float64) {
	s.few = slices.Grow(s.few[:0], len(t.DF))[:len(t.DF)]
	s.places = slices.Grow(s.places[:0], len(t.Class))[:len(t.Class)]
	s.runs = s.runs[:0]
	s.kept.prepare()
	if s.words && t.Centred { // tables are of whole numbers
		for i := range s.few {
			s.few[i] = -1
		}
		return
	}
	for from := 0; from < len(t.DF); {
		n, to := s.count(t, from), from+1
		for to < len(t.DF) && s.count(t, to) == n {
			to++
		}
		few := int32(-1)
		if s.turns(t, from, n) {
			s.kept.turn(int(n))
		}
		if s.kept.keeps(n) && s.locateRun(p, t, from, to, int(n), x) {
			few = int32(n)
			s.addRun(from, to)
		}
		for i := from; i < to; i++ {
			s.few[i] = few
		}
		from = to
	}
}

// turns reports whether it pays to keep the tables of the terms of n documents or tokens from term
// i of a tile on: where so many terms are in as many documents that they share tables.
func (s *foldSet) turns(t *table.Tile, i int, n float64) bool {
	k := &s.kept
	beyond := n > float64(k.largest) && n <= float64(k.most) && n == float64(int(n)) && !k.keeps(n)
	return beyond && k.pays() && t.Repeats(i, int(n))
}

// addRun adds terms whose tables are kept to the runs.
func (s *foldSet) addRun(from, to int) {
	if last := len(s.runs) - 1; last >= 0 && s.runs[last].to == from {
		s.runs[last].to = to
		return
	}
	s.runs = append(s.runs, run{from, to})
}

// locateRun is locate for terms of n documents or tokens each. It returns false if their
// values are not whole, or more than n, as those of a file of real values may be.
func (s *foldSet) locateRun(p *Panel, t *table.Tile, from, to, n int, x []float64) bool {
	if !s.kept.bounded[n] {
		s.begin(p, float64(n))
		s.learnBounds(p, n)
	}
	base, ids, row, most := s.kept.before(n), s.kept.ids, s.kept.classes, float64(n)
	first, end := t.Start[from]-t.Start[0], t.Start[to]-t.Start[0]
	classes := t.Class[first:end]
	places, x, rows := s.places[first:end][:len(classes)], x[first:end][:len(classes)], s.kept.rows
	for k, class := range classes {
		if x[k] > most {
			return false
		}
		a := int(x[k])
		place := base + a*row + int(class)
		if ids[place] == 0 {
			if float64(a) != x[k] {
				return false
			}
			s.learn(p, float64(n), class, x[k], place)
		}
		places[k] = ids[place] - 1
	}
	s.kept.tell(n, len(classes), s.kept.rows-rows)
	return t.Whole || !slices.ContainsFunc(x, isFraction)
}

func isFraction(v float64) bool { return v != math.Trunc(v) }

// learn computes the values of a table that is to be kept.
func (s *foldSet) learn(p *Panel, n float64, class uint32, a float64, place int) {
	s.set(p, n)
	s.present.table = -1
	s.side.cell(&s.one, &s.classes[class], a, 0)
	row := s.kept.add(place)
	for j := range s.folds {
		s.kept.set(j, row, s.fold(j, &s.one))
	}
}

// learnBounds computes the largest value that a class without the term can have, for terms
// of n documents or tokens and all maxima.
func (s *foldSet) learnBounds(p *Panel, n int) {
	for r := range largestOfAll {
		o := s.orderOf(p, r)
		for j := s.first[r]; j < s.first[r+1]; j++ {
			bound := leastKey
			if len(o.order) > 0 {
				c := o.extreme(r)
				bound = math.MaxInt64 // there may be no such table: it is not absent
				if s.classes[c].n <= s.side.term.none {
					bound = s.ofAbsent(p, c, j)
				}
			}
			if len(o.empty) > 0 {
				bound = max(bound, s.ofAbsent(p, o.empty[0], j))
			}
			s.kept.bounds[j][n] = bound
		}
	}
	s.kept.bounded[n] = true
}

// reduce sets the values of all folds for the terms of a tile whose tables are kept.
func (s *foldSet) reduce(p *Panel, t *table.Tile, columns [][]float64) {
	for _, r := range s.runs {
		places, start := s.places[t.Start[r.from]-t.Start[0]:t.Start[r.to]-t.Start[0]], t.Start[r.from:r.to+1]
		for i, b := range s.kept.maxima {
			s.largestRows = rowsOf(s.largestRows, r, b.log)
			kernels.RowMaxima(s.largestRows, b.ofRows(s.kept.rows), places, start, leastKey, b.log)
			first := i * blockFolds
			for j := first; j < min(first+blockFolds, s.kept.first); j++ {
				s.finishMaxima(p, t, j, r, columns[s.folds[j].choice], s.largestRows[j-first:], b.log)
			}
		}
		for i, b := range s.kept.sums {
			s.sumRows = rowsOf(s.sumRows, r, b.log)
			kernels.RowSums(s.sumRows, b.ofRows(s.kept.rows), places, start, b.log)
			first := s.kept.first + i*blockFolds
			for j := first; j < min(first+blockFolds, len(s.folds)); j++ {
				s.finishSums(j, columns[s.folds[j].choice][r.from:r.to], s.sumRows[j-first:], b.log)
			}
		}
	}
}

// rowsOf returns room for the rows of a run.
func rowsOf[T any](s []T, r run, log int) []T {
	n := (r.to-r.from)<<log + kernels.RowPadding
	return slices.Grow(s[:0], n)[:n]
}

// finishMaxima sets the values of fold j, a maximum, for a run of terms. rows have the largest
// keys of the cells of each, 1<<log elements apart. log is at most 3; masked, it needs no check in
// the loop.
func (s *foldSet) finishMaxima(p *Panel, t *table.Tile, j int, r run, column []float64, rows []folded, log int) {
	bounds, few, dst := s.kept.bounds[j], s.few[r.from:r.to], column[r.from:r.to]
	for i := range dst {
		largest := rows[i<<(log&3)]
		if largest < bounds[few[i]] {
			largest = s.withAbsent(p, t, j, r.from+i, largest)
		}
		dst[i] = valueOf(keyOf(largest))
	}
}

// withAbsent returns the largest key of fold j for term i of a tile over all classes; largest is
// that of the present ones.
func (s *foldSet) withAbsent(p *Panel, t *table.Tile, j, i int, largest folded) folded {
	from, to := t.Range(i)
	if to-from == len(s.classes) {
		return largest
	}
	s.begin(p, float64(s.few[i]))
	s.acc[j] = largest
	s.absent(p, t.Class[from:to], j, j+1)
	return s.acc[j]
}

// finishSums sets dst to the values of fold j, a sum, for a run of terms. rows have the sums of
// each, 1<<log elements apart; log is masked as in finishMaxima.
func (s *foldSet) finishSums(j int, dst, rows []float64, log int) {
	finish := s.folds[j].finish
	for i := range dst {
		v := rows[i<<(log&3)]
		if finish != nil {
			v = finish(v)
		}
		dst[i] = v
	}
}

// takePlaces combines the cells of a term whose tables are kept.
func (s *foldSet) takePlaces(p *Panel, classes, places []uint32) {
	for j := range s.folds {
		if j < s.first[sumOfPresent] {
			largest := leastKey
			for _, place := range places {
				largest = max(largest, s.kept.value(j, place))
			}
			s.acc[j] = largest
			continue
		}
		sum := 0.0
		for k, place := range places {
			sum += float64(s.share(p, j, classes[k]) * valueOf(s.kept.value(j, place)))
		}
		s.acc[j] = bitsOf(sum)
	}
}
