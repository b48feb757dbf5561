package collocation

import (
	"context"
	"math"
	"math/bits"

	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// Counts are what the measures read of an n-gram, or of any two events. All are whole numbers but
// Expected.
type Counts struct {
	// O is the number of joint occurrences, 1 or more, N that of all places where the n-gram could be.
	O, N float64
	// Marginals are the occurrences of each word at its place; their number is n.
	Marginals []float64
	// Cells are the numbers of places by which of the words stand there: bit i of the index is set if
	// the word of position i does. They are needed of three words and more; of two they follow from the
	// marginals. Without them [LL] and [Lambda] are undefined.
	Cells []float64
	// Expected is the expected number of joint occurrences where it does not follow from the marginals
	// as their product by N^(n-1); 0 where it does. Measures of the whole table are undefined with it.
	Expected float64
}

// A judgement is the counts of an n-gram with what several measures make of them.
type judgement struct {
	*Counts
	n       int
	e       float64 // expected
	gap     float64 // O - e
	excess  float64 // gap·N^(n-1), which of whole numbers is exact below 2^53
	lnRatio float64 // ln(O/e)
	log     logarithm
	yates   bool
}

// A logarithm is that of the base of the options, for a number given by its natural logarithm.
type logarithm struct{ ln float64 }

func (l logarithm) of(ln float64) float64 { return ln / l.ln }

// judge returns the judgement of counts.
func (o *Parameters) judge(c *Counts) judgement {
	j := judgement{Counts: c, n: len(c.Marginals), log: logarithm{kernels.Log(o.base())}, yates: o.Yates}
	if c.Expected > 0 {
		j.e, j.gap, j.lnRatio = c.Expected, c.O-c.Expected, kernels.Log(c.O/c.Expected)
		return j
	}
	product, power := table.Pair{High: 1}, table.Pair{High: 1}
	for i, m := range c.Marginals {
		product = product.Times(m)
		if i > 0 {
			power = power.Times(c.N)
		}
	}
	gap := power.Times(c.O).Minus(product)
	j.e, j.gap, j.excess = product.High/power.High, gap.High/power.High, gap.High
	if share := gap.High / product.High; math.Abs(share) < .5 {
		j.lnRatio = kernels.Log1p(share) // with all its digits where O is near to e
	} else {
		j.lnRatio = kernels.Log(c.O / j.e)
	}
	return j
}

// isTable reports whether the cells are those of a table: word marginals may leave less than nothing
// for the places without either word.
func (j *judgement) isTable() bool {
	if j.Expected > 0 {
		return false
	}
	if j.n > 2 {
		return len(j.Cells) == 1<<j.n
	}
	return j.neither() >= 0
}

// neither returns the number of places where neither of two words stands.
func (j *judgement) neither() float64 { return j.N - j.Marginals[0] - j.Marginals[1] + j.O }

// cell returns a cell of the table, by the positions that match.
func (j *judgement) cell(positions int) float64 {
	if j.n > 2 {
		return j.Cells[positions]
	}
	switch positions {
	case 0:
		return j.neither()
	case 1:
		return j.Marginals[0] - j.O
	case 2:
		return j.Marginals[1] - j.O
	}
	return j.O
}

// deviance returns twice the sum of o·ln(o/e) over all cells, of independent positions. The
// differences o - e add up to 0: with them no summand is negative, and none cancels another.
func (j *judgement) deviance() float64 {
	sum := 0.
	for positions := range 1 << j.n {
		product, power := table.Pair{High: 1}, table.Pair{High: 1}
		for i, m := range j.Marginals {
			if positions>>i&1 == 0 {
				m = j.N - m
			}
			product = product.Times(m)
			if i > 0 {
				power = power.Times(j.N)
			}
		}
		o := j.cell(positions)
		gap := power.Times(o).Minus(product)
		sum += pvalue.Deviance(o, product.High/power.High, gap.High/power.High)
	}
	return 2 * sum
}

// interaction returns λ, the parameter of highest order of the saturated log-linear model, and its
// variance, with 1/2 added to each cell.
func (j *judgement) interaction() (lambda, variance float64) {
	for positions := range 1 << j.n {
		cell := j.cell(positions) + .5
		ln := kernels.Log(cell)
		if (j.n-bits.OnesCount(uint(positions)))%2 == 1 {
			ln = -ln
		}
		lambda, variance = lambda+ln, variance+1/cell
	}
	return lambda, variance
}

// The cells of an n-gram of three words and more count the n-grams in which some of the words stand at
// their positions, and others at the rest.

// patterns count the n-grams of one length that have certain words at some of their positions.
type patterns struct {
	words int
	at    map[pattern]float64
}

// A pattern has the words at a set of positions, two or more but not all, from the first position on.
type pattern struct {
	positions uint8
	words     [mostWords - 1]uint32
}

// patternOf returns the pattern of an n-gram at a set of positions.
func patternOf(ids []uint32, positions int) (p pattern) {
	p.positions = uint8(positions)
	i := 0
	for position, id := range ids {
		if positions>>position&1 == 1 {
			p.words[i] = id
			i++
		}
	}
	return p
}

// each calls f with the patterns of an n-gram.
func (p *patterns) each(ids []uint32, f func(pattern)) {
	for positions := range 1<<p.words - 1 {
		if bits.OnesCount(uint(positions)) > 1 {
			f(patternOf(ids, positions))
		}
	}
}

// of returns the cells of an n-gram, nil if nothing was counted.
func (p *patterns) of(ids []uint32, all float64, marginals []float64, occurrences float64) []float64 {
	if p == nil {
		return nil
	}
	cells := make([]float64, 1<<p.words)
	for positions := range cells {
		switch bits.OnesCount(uint(positions)) {
		case 0:
			cells[positions] = all
		case 1:
			cells[positions] = marginals[bits.TrailingZeros(uint(positions))]
		case p.words:
			cells[positions] = occurrences
		default:
			cells[positions] = p.at[patternOf(ids, positions)]
		}
	}
	// Of those that match at least at a set of positions, some match at one more.
	for position := range p.words {
		for positions := range cells {
			if positions>>position&1 == 0 {
				cells[positions] -= cells[positions|1<<position]
			}
		}
	}
	return cells
}

// countCells counts the cells of the n-grams that each yields: first it collects the patterns, then it
// counts them in all n-grams.
func (s *search) countCells(ctx context.Context, each func(context.Context, func(r *row, name []byte, ids []uint32, c candidate)) error) error {
	for _, r := range s.rows {
		if r.Words > 2 {
			r.cells = &patterns{words: r.Words, at: map[pattern]float64{}}
		}
	}
	err := each(ctx, func(r *row, _ []byte, ids []uint32, _ candidate) {
		if r.cells != nil {
			r.cells.each(ids, func(p pattern) { r.cells.at[p] = 0 })
		}
	})
	if err != nil {
		return err
	}
	return s.from.each(ctx, func(t *store.Term) error {
		n := numWords(t.Name)
		if n < max(3, s.Least) || n > s.Most {
			return nil
		}
		var room [mostWords]uint32
		ids := s.split(room[:0], t.Name)
		s.eachRow(t, n, func(r *row, v, _ float64) {
			r.cells.each(ids, func(p pattern) {
				if _, asked := r.cells.at[p]; asked {
					r.cells.at[p] += v
				}
			})
		})
		return nil
	})
}
