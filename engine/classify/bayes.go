package classify

import (
	"cmp"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// NaiveBayesOptions change naive Bayes. The zero value has Laplace's smoothing and
// one decision among all classes.
type NaiveBayesOptions struct {
	// Alpha is added to every count; 0 is 1.
	Alpha float64
	// OneVsRest makes one binary problem of each class, against the rows that do not
	// have it, unlabelled ones included. The score of a class is then ln P(c|row) -
	// ln P(not c|row), above 0 where the posterior is above 1/2. Without it the score
	// is ln P(c, row), and P(c) the class's share of the (row, label) pairs.
	OneVsRest bool
	// Threads is the number of workers; 0 is GOMAXPROCS.
	Threads int
}

// naiveBayes is a multinomial or multivariate Bernoulli model:
//
//	multinomial  P(t|c) = (alpha + S(t,c)) / (alpha V + T_c)   each occurrence of t counts
//	bernoulli    P(t|c) = (alpha + A(t,c)) / (2 alpha + n_c)   and 1 - P(t|c) of each absent t
//
// (McCallum and Nigam 1998), with V columns, S(t,c) the sum of the values in class c
// and T_c of all of them, A(t,c) its rows with t and n_c all its rows. A class
// without training rows has the score -Inf, and against the rest one of all training
// rows has +Inf; no score is NaN as long as the values of the row are finite.
//
// A row gives the multinomial model no evidence if all its values are 0. To the
// Bernoulli model absent terms are evidence too, so there always is some.
//
// Its kind is "multinomial" or "bernoulli".
type naiveBayes struct {
	header
	presence bool // values other than 0 count as 1

	// The score of class c is
	//
	//	base[c] + Σ x_t (each[c] + absent(t,c) + cell(t,c))
	//
	// where cell is 0 for a term that does not occur in the class and absent is what
	// each does not say about such a term; only models against the rest have it.
	base, each []float64
	absent     *absences
	cells      cells
}

// An absences table has the part of a score that is the same for all terms of a kind and
// all classes of a group. For Bernoulli's model the terms of a kind have equal df and the
// classes of a group equal size; for the multinomial model each term is a kind and all
// classes are one group. The table has fewer elements than twice the postings times the
// square root of the pairs, and mostly far fewer.
type absences struct {
	kind, group []uint32  // of columns, of classes
	groups      int       // at least 1
	value       []float64 // [kind*groups+group]
}

func (a *absences) row(column uint32) []float64 {
	from := int(a.kind[column]) * a.groups
	return a.value[from : from+a.groups]
}

// NewScorer makes a scorer for one goroutine. It leaves out columns that the model
// does not know.
func (b *naiveBayes) NewScorer() Scorer {
	s := &bayesScorer{b: b}
	if b.absent != nil {
		s.groups = make([]float64, b.absent.groups)
	}
	return s
}

type bayesScorer struct {
	b      *naiveBayes
	groups []float64 // by group of classes, the sum of the table of absences over the row
}

func (s *bayesScorer) Score(index []uint32, value []float32, scores []float64) bool {
	b := s.b
	copy(scores, b.base)
	clear(s.groups)
	total, present := 0.0, false
	for i, column := range index {
		x := float64(value[i])
		if x == 0 || int(column) >= b.columns {
			continue
		}
		if b.presence {
			x = 1
		}
		present, total = true, total+x
		b.cells.add(scores, column, x)
		if b.absent != nil {
			for g, v := range b.absent.row(column) {
				s.groups[g] += float64(x * v)
			}
		}
	}
	if present {
		for c, v := range b.each {
			scores[c] += float64(total * v)
		}
	}
	if b.absent != nil {
		for c, g := range b.absent.group {
			scores[c] += s.groups[g]
		}
	}
	return present || b.presence && b.columns > 0
}

func (o NaiveBayesOptions) check() error {
	if math.IsNaN(o.Alpha) || math.IsInf(o.Alpha, 0) || o.Alpha < 0 {
		return usage.Errorf("alpha must be positive, not %v", o.Alpha)
	}
	return nil
}

// logs computes ln(n + alpha), from a table for small integers n, as most counts are.
type logs struct {
	alpha float64
	table []float64
}

func newLogs(alpha float64, n int) logs {
	l := logs{alpha, make([]float64, n)}
	for i := range l.table {
		l.table[i] = kernels.Log(float64(i) + alpha)
	}
	return l
}

func (l *logs) of(n float64) float64 {
	if i := int(n); i >= 0 && i < len(l.table) && float64(i) == n {
		return l.table[i]
	}
	return kernels.Log(n + l.alpha)
}

// newNaiveBayes makes a model that has learnt what depends on the sizes of the classes alone.
func newNaiveBayes(kind string, m *Matrix, o NaiveBayesOptions, sizes []float64) *naiveBayes {
	b := &naiveBayes{header: headerOf(kind, m, o.OneVsRest)}
	pairs, rows := float64(m.LabelStart[m.Rows()]-m.LabelStart[0]), float64(m.Rows())
	b.base, b.each = make([]float64, len(sizes)), make([]float64, len(sizes))
	for c, n := range sizes {
		b.base[c] = kernels.Log(n / pairs)
		if o.OneVsRest {
			b.base[c] = kernels.Log(n / (rows - n))
		}
	}
	return b
}

// code codes whether classes are against the rest, base and each by class, the absent terms
// if they are, and the cells.
func (b *naiveBayes) code(c *coder) {
	c.bool(&b.alone)
	c.floats(&b.base)
	c.floats(&b.each)
	if c.reads {
		b.presence = b.kind == kindBernoulli
	}
	if b.alone {
		b.absent = cmp.Or(b.absent, &absences{})
		a := b.absent
		c.uint32s(&a.kind)
		c.uint32s(&a.group)
		c.count(&a.groups)
		c.floats(&a.value)
	}
	b.cells.code(c, &b.header)
	switch {
	case !c.hasRead():
	case len(b.base) != len(b.classes) || len(b.each) != len(b.classes):
		c.fail("%d and %d values of %d classes", len(b.base), len(b.each), len(b.classes))
	case slices.ContainsFunc(b.base, math.IsNaN) || slices.ContainsFunc(b.each, infinite):
		c.fail("a score that is no number")
	case b.alone:
		b.absent.check(c, &b.header)
	}
}

// check fails the coder unless the table has an element for every column and class.
func (a *absences) check(c *coder, h *header) {
	kinds := 0
	if a.groups > 0 {
		kinds = len(a.value) / a.groups
	}
	switch {
	case len(a.kind) != h.columns || len(a.group) != len(h.classes) || a.groups < 1 || kinds*a.groups != len(a.value):
		c.fail("absent terms of %d columns, %d classes, %d values in groups of %d", len(a.kind), len(a.group), len(a.value), a.groups)
	case slices.ContainsFunc(a.kind, func(k uint32) bool { return int(k) >= kinds }),
		slices.ContainsFunc(a.group, func(g uint32) bool { return int(g) >= a.groups }):
		c.fail("a kind or group of absent terms that is not there")
	case slices.ContainsFunc(a.value, infinite):
		c.fail("a value of absent terms that is no number")
	}
}
