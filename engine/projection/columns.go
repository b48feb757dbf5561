package projection

import (
	"cmp"
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// This file projects one term after another, each from its cells alone.
//
// For a class without the term chi-square on tokens is
//
//	T·(cf·T_c)² / (cf·(T-cf)·T_c·(T-T_c)) = cf·T/(T-cf) · T_c/(T-T_c)
//
// a factor of the term times the odds of the class. The sum over the absent classes
// follows from the sum of all odds minus those of the present ones, and their largest
// value is that of the class with the most tokens. So the time for a term depends on the
// number of its cells, not on the number of classes.

// The values of columns.class for a term without a class.
const (
	filtered    = -1 // the largest chi-square is less than alpha of the sum
	unprojected = -2 // no class of the rule has a chi-square above 0
)

// tieTolerance is the relative difference up to which two values count as equal, for
// rounding may have made it.
const tieTolerance = 1e-12

// columns has the results of all terms, and what the formulas need of the classes. The
// workers share it and write to different terms.
type columns struct {
	options    Options
	counts     *table.Table
	leastShare float64 // share of the sum that the largest chi-square must have

	inverse []float64      // by class: 1/(T_c(T-T_c)), 0 where that is infinite
	odds    []float64      // by class: T_c/(T-T_c), 0 where that is infinite
	allOdds compensatedSum // of odds
	byOdds  []uint32       // classes with odds above 0: most tokens first, then in their order
	emptyPR float64        // the largest PR of a class without the term

	chi, total, pr, prMax []float64 // by term
	class                 []int32
}

// newColumns returns columns with no term projected.
func newColumns(o Options, s *table.Table) *columns {
	m, terms, classes := s, s.Cells.Terms(), len(s.Classes())
	j := &columns{
		options: o, counts: m, leastShare: float64(o.alpha() * (1 - tieTolerance)),
		inverse: make([]float64, classes), odds: make([]float64, classes),
		chi: make([]float64, terms), total: make([]float64, terms), pr: make([]float64, terms), prMax: make([]float64, terms),
		class: make([]int32, terms),
	}
	for c, n := range m.Cells.ClassTokens {
		if m.Cells.ClassDocs[c] == 0 {
			j.emptyPR = 1 // the PR of a class without documents
		}
		if m.Cells.ClassDocs[c] == m.Cells.Documents || n == 0 || n == m.Cells.Tokens {
			continue
		}
		j.inverse[c] = 1 / float64(n*(m.Cells.Tokens-n))
		j.odds[c] = n / (m.Cells.Tokens - n)
		j.allOdds.addTerm(j.odds[c])
		j.byOdds = append(j.byOdds, uint32(c))
	}
	slices.SortStableFunc(j.byOdds, func(a, b uint32) int { return cmp.Compare(m.Cells.ClassTokens[b], m.Cells.ClassTokens[a]) })
	return j
}

// rankValues returns the values by which terms are ranked: chi, or -1 for terms that did
// not pass.
func (j *columns) rankValues() []float64 {
	values := slices.Clone(j.chi)
	for t, class := range j.class {
		if class < 0 {
			values[t] = -1
		}
	}
	return values
}

// chunkTerms is the number of terms that a worker projects at a time.
const chunkTerms = 1 << 12

// projectAll projects all terms on several threads.
func (j *columns) projectAll(ctx context.Context) error {
	workers := make([]*projector, pool.Threads(j.options.Threads))
	terms := len(j.chi)
	return pool.Stage(ctx, "project", func(ctx context.Context) error {
		return pool.Run(ctx, j.options.Threads, (terms+chunkTerms-1)/chunkTerms, func(worker, chunk int) error {
			if workers[worker] == nil {
				workers[worker] = &projector{columns: j, lastTerm: make([]int, len(j.odds))}
			}
			for t := chunk * chunkTerms; t < min(terms, (chunk+1)*chunkTerms); t++ {
				workers[worker].projectTerm(t)
			}
			return nil
		})
	})
}

// A projector projects terms on one goroutine.
type projector struct {
	*columns
	excess, cellChi []float64 // by cell of the current term: AD - BC, chi-square
	lastTerm        []int     // by class: 1 + the last term that it has
	tile            table.Tile
}

// termCells has the cells of a term: the classes that have it, with documents and tokens.
type termCells struct {
	term   int
	df, cf float64
	class  []uint32
	a, s   []float64
}

// projectTerm sets the columns of term t.
func (p *projector) projectTerm(t int) {
	m := p.counts
	m.Cells.Read(&p.tile, t, t+1, true)
	r := &termCells{term: t, df: float64(p.tile.DF[0]), cf: p.tile.CF[0], class: p.tile.Class, a: p.tile.A, s: p.tile.S}
	scale := 0.0 // if every token is the term
	if r.cf < m.Cells.Tokens {
		scale = m.Cells.Tokens / float64(r.cf*(m.Cells.Tokens-r.cf))
	}
	total := p.scoreCells(r, scale)
	absent, absentChi := p.bestAbsent(r, scale)
	largest := max(absentChi, 0)
	for _, v := range p.cellChi {
		largest = max(largest, v)
	}
	p.columns.chi[t], p.total[t] = largest, total
	if largest < float64(p.leastShare*total) {
		p.class[t] = filtered
		return
	}
	at := p.positiveCell(r.class)
	class := int32(unprojected)
	if at >= 0 {
		class = int32(r.class[at])
	}
	if p.options.Rule == Literal {
		class, at = p.literalClass(r.class, largest, absent, absentChi)
	}
	p.class[t] = class
	p.setRatios(r, at)
}

// scoreCells sets excess and cellChi, and returns the sum of chi-square over all classes.
func (p *projector) scoreCells(r *termCells, scale float64) float64 {
	n := len(r.class)
	p.excess, p.cellChi = slices.Grow(p.excess[:0], n)[:n], slices.Grow(p.cellChi[:0], n)[:n]
	total, odds := 0.0, p.allOdds
	for i, c := range r.class {
		p.lastTerm[c] = r.term + 1
		gap := kernels.DiffOfProducts(p.counts.Cells.Tokens, r.s[i], r.cf, p.counts.Cells.ClassTokens[c])
		chi := float64(float64(gap*float64(gap*p.inverse[c])) * scale)
		p.excess[i], p.cellChi[i] = gap, chi
		total += chi
		odds.addTerm(-p.odds[c])
	}
	return total + float64(float64(r.cf*float64(r.cf*scale))*max(odds.value(), 0))
}

// bestAbsent returns the class with the largest chi-square among those without the term,
// -1 if there is none, and its chi-square.
func (p *projector) bestAbsent(r *termCells, scale float64) (class int, chi float64) {
	for _, c := range p.byOdds {
		if p.lastTerm[c] != r.term+1 {
			gap := float64(r.cf * p.counts.Cells.ClassTokens[c])
			return int(c), float64(float64(gap*float64(gap*p.inverse[c])) * scale)
		}
	}
	return -1, 0
}

// positiveCell returns the cell with the largest chi-square among those where the term is
// more frequent than by chance, the first of equal ones; -1 if there is none.
func (p *projector) positiveCell(classes []uint32) int {
	largest := 0.0
	for i := range classes {
		if p.excess[i] > 0 {
			largest = max(largest, p.cellChi[i])
		}
	}
	if largest > 0 {
		for i := range classes {
			if p.excess[i] > 0 && p.cellChi[i] >= lowestTie(largest) {
				return i
			}
		}
	}
	return -1
}

// literalClass returns the class with the largest chi-square and its cell, -1 if the class
// does not have the term.
func (p *projector) literalClass(classes []uint32, largest float64, absent int, absentChi float64) (class int32, at int) {
	if largest == 0 {
		return unprojected, -1
	}
	class, at = unprojected, -1
	for i, c := range classes {
		if p.cellChi[i] >= lowestTie(largest) {
			class, at = int32(c), i
			break
		}
	}
	if absentChi >= lowestTie(largest) && (at < 0 || absent < int(class)) {
		return int32(absent), -1
	}
	return class, at
}

// lowestTie returns the least value that counts as equal to the largest.
func lowestTie(largest float64) float64 { return float64(largest * (1 - tieTolerance)) }

// setRatios sets the term's probability ratio for the class of cell at, which may be -1,
// and the largest over all classes.
func (p *projector) setRatios(r *termCells, at int) {
	most := p.emptyPR
	for i, c := range r.class {
		v := probabilityRatio(r.a[i], r.df, p.counts.Cells.ClassDocs[c], p.counts.Cells.Documents)
		most = max(most, v)
		if i == at {
			p.pr[r.term] = v
		}
	}
	if r.df == p.counts.Cells.Documents {
		most = 1
	}
	p.prMax[r.term] = most
}

// probabilityRatio returns the measure pr, P(t|c)/P(t|not c), with ½ instead of no
// document with the term outside the class; 1 if a margin is zero.
func probabilityRatio(a, df, nc, n float64) float64 {
	if df == n || nc == n || nc == 0 {
		return 1
	}
	b := df - a
	if b == 0 {
		b = .5
	}
	return float64(a*(n-nc)) / float64(b*nc)
}

// A compensatedSum is a sum with the rounding errors of its additions (Knuth's TwoSum).
// It is needed because the odds of many classes cancel down to those of a few.
type compensatedSum struct{ sum, correction float64 }

// addTerm adds x.
func (s *compensatedSum) addTerm(x float64) {
	sum := s.sum + x
	part := sum - s.sum
	s.correction += (s.sum - (sum - part)) + (x - part)
	s.sum = sum
}

func (s *compensatedSum) value() float64 { return s.sum + s.correction }
