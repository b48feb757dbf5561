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
	lastTerm []int      // by class: 1 + the last term that it has
	tile     table.Tile // of the current term: the classes that have it, with documents and tokens
	term     int
	cf       float64
	scale    float64   // T/(cf·(T-cf)), 0 if every token is the term
	excess   []float64 // by cell: AD - BC
	cellChi  []float64 // by cell: chi-square
}

// projectTerm sets the columns of term t.
func (p *projector) projectTerm(t int) {
	cells := &p.counts.Cells
	cells.Read(&p.tile, t, t+1, true)
	p.term, p.cf, p.scale = t, p.tile.CF[0], 0
	if p.cf < cells.Tokens {
		p.scale = cells.Tokens / float64(p.cf*(cells.Tokens-p.cf))
	}
	total := p.scoreCells()
	absent, absentChi := p.bestAbsent()
	largest := max(absentChi, 0)
	for _, v := range p.cellChi {
		largest = max(largest, v)
	}
	p.columns.chi[t], p.total[t] = largest, total
	if largest < float64(p.leastShare*total) {
		p.class[t] = filtered
		return
	}
	at, class := p.positiveCell(), int32(unprojected)
	if at >= 0 {
		class = int32(p.tile.Class[at])
	}
	if p.options.Rule == Literal {
		class, at = p.literalClass(largest, absent, absentChi)
	}
	p.class[t] = class
	p.setRatios(at)
}

// scoreCells sets excess and cellChi, and returns the sum of chi-square over all classes.
func (p *projector) scoreCells() float64 {
	p.excess, p.cellChi = p.excess[:0], p.cellChi[:0]
	total, odds := 0.0, p.allOdds
	for i, c := range p.tile.Class {
		p.lastTerm[c] = p.term + 1
		gap := kernels.DiffOfProducts(p.counts.Cells.Tokens, p.tile.S[i], p.cf, p.counts.Cells.ClassTokens[c])
		chi := p.chiOf(gap, c)
		p.excess, p.cellChi = append(p.excess, gap), append(p.cellChi, chi)
		total += chi
		odds.addTerm(-p.odds[c])
	}
	return total + float64(float64(p.cf*float64(p.cf*p.scale))*max(odds.value(), 0))
}

// chiOf returns the chi-square of a class by its AD - BC.
func (p *projector) chiOf(gap float64, class uint32) float64 {
	return float64(float64(gap*float64(gap*p.inverse[class])) * p.scale)
}

// bestAbsent returns the class with the largest chi-square among those without the term,
// -1 if there is none, and its chi-square.
func (p *projector) bestAbsent() (class int, chi float64) {
	for _, c := range p.byOdds {
		if p.lastTerm[c] != p.term+1 {
			return int(c), p.chiOf(float64(p.cf*p.counts.Cells.ClassTokens[c]), c)
		}
	}
	return -1, 0
}

// positiveCell returns the cell with the largest chi-square among those where the term is
// more frequent than by chance, the first of equal ones; -1 if there is none.
func (p *projector) positiveCell() int {
	largest := 0.0
	for i, excess := range p.excess {
		if excess > 0 {
			largest = max(largest, p.cellChi[i])
		}
	}
	for i, excess := range p.excess {
		if largest > 0 && excess > 0 && p.cellChi[i] >= lowestTie(largest) {
			return i
		}
	}
	return -1
}

// literalClass returns the class with the largest chi-square and its cell, -1 if the class
// does not have the term.
func (p *projector) literalClass(largest float64, absent int, absentChi float64) (class int32, at int) {
	if largest == 0 {
		return unprojected, -1
	}
	class = unprojected
	at = slices.IndexFunc(p.cellChi, func(chi float64) bool { return chi >= lowestTie(largest) })
	if at >= 0 {
		class = int32(p.tile.Class[at])
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
func (p *projector) setRatios(at int) {
	cells, most, df := &p.counts.Cells, p.emptyPR, float64(p.tile.DF[0])
	for i, c := range p.tile.Class {
		v := probabilityRatio(p.tile.A[i], df, cells.ClassDocs[c], cells.Documents)
		most = max(most, v)
		if i == at {
			p.pr[p.term] = v
		}
	}
	if df == cells.Documents {
		most = 1
	}
	p.prMax[p.term] = most
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
