package learn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/kernels"
)

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

func (b *naiveBayes) newScorer() scorer {
	var groups []float64 // by group of classes, the sum of the table of absences over the row
	if b.absent != nil {
		groups = make([]float64, b.absent.groups)
	}
	return func(index []uint32, value []float32, scores []float64) bool {
		return b.score(index, value, scores, groups)
	}
}

func (b *naiveBayes) score(index []uint32, value []float32, scores, groups []float64) (evidence bool) {
	copy(scores, b.base)
	clear(groups)
	total, present := 0.0, false
	for i, column := range index {
		x := float64(value[i])
		if x == 0 {
			continue
		}
		if b.presence {
			x = 1
		}
		present, total = true, total+x
		b.cells.add(scores, column, x)
		if b.absent != nil {
			from := int(b.absent.kind[column]) * b.absent.groups
			for g, v := range b.absent.value[from : from+b.absent.groups] {
				groups[g] += float64(x * v)
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
			scores[c] += groups[g]
		}
	}
	return present || b.presence && b.columns > 0
}

// newNaiveBayes makes a model that has learnt what depends on the sizes of the classes alone. Its score of a class is
// ln P(c, row), with P(c) the class's share of the (row, label) pairs. With rest every class is a binary problem of
// its own, against the rows that do not have it, unlabelled ones included, and the score is ln P(c|row) - ln P(not
// c|row), above 0 where the posterior is above 1/2.
func newNaiveBayes(kind string, m *Matrix, rest bool, sizes []float64) *naiveBayes {
	b := &naiveBayes{header: headerOf(kind, m, rest)}
	pairs, rows := float64(m.LabelStart[m.Rows()]-m.LabelStart[0]), float64(m.Rows())
	b.base, b.each = make([]float64, len(sizes)), make([]float64, len(sizes))
	for c, n := range sizes {
		b.base[c] = kernels.Log(n / pairs)
		if rest {
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

// trainMultinomial learns from counts, or any other weights of 0 and more.
func trainMultinomial(ctx context.Context, m *Matrix, alpha float64, rest bool) (*naiveBayes, error) {
	if err := m.checkTraining(0); err != nil {
		return nil, err
	}
	b := newNaiveBayes(kindMultinomial, m, rest, m.sizes())
	t := &multinomial{smoothing: smoothing(alpha), b: b, prior: alpha * float64(m.Columns)}
	if rest {
		t.againstRest(m)
	}
	return t.b, t.b.cells.learn(ctx, m, one, t.finish)
}

// one is the scale of every row.
func one(int) float64 { return 1 }

// A smoothing is what is added to every count, alpha.
type smoothing float64

// log returns ln(n + alpha).
func (a smoothing) log(n float64) float64 { return kernels.Log(n + float64(a)) }

// multinomial is the state of learning.
type multinomial struct {
	smoothing
	b     *naiveBayes
	prior float64   // alpha V
	total []float64 // of columns over all rows; nil without rest
	all   float64
}

// againstRest sums up the columns over all rows.
func (t *multinomial) againstRest(m *Matrix) {
	t.total = make([]float64, m.Columns)
	for i, column := range m.Index {
		t.total[column] += float64(m.Value[i])
	}
	b := t.b
	b.absent = &absences{make([]uint32, m.Columns), make([]uint32, len(m.Classes)), 1, make([]float64, m.Columns)}
	none := t.log(0)
	for column, n := range t.total {
		t.all += n
		b.absent.kind[column], b.absent.value[column] = uint32(column), none-t.log(n)
	}
}

// finish turns S(t,c) into ln(alpha+S(t,c)) - ln alpha, against the rest less the same
// of the rest, and less what absent says already.
func (t *multinomial) finish(class int, c *classCells) {
	tokens, none := 0.0, t.log(0)
	for _, s := range c.values {
		tokens += s
	}
	t.b.each[class] = none - kernels.Log(tokens+t.prior)
	if t.total == nil {
		for i, s := range c.values {
			c.values[i] = t.log(s) - none
		}
		return
	}
	t.b.each[class] = kernels.Log(max(t.all-tokens, 0)+t.prior) - kernels.Log(tokens+t.prior)
	for i, s := range c.values {
		total := t.total[c.columns[i]]
		c.values[i] = (t.log(s) - t.log(max(total-s, 0))) - (none - t.log(total))
	}
}

// trainBernoulli learns from presence and absence: any value other than 0 is a
// presence. Neither learning nor scoring touches the absent terms: the sum of their
// ln(1 - P(t|c)) is part of the base, and a present term takes its own out again.
func trainBernoulli(ctx context.Context, m *Matrix, alpha float64, rest bool) (*naiveBayes, error) {
	if err := m.checkTraining(0); err != nil {
		return nil, err
	}
	sizes := m.sizes()
	b := newNaiveBayes(kindBernoulli, m, rest, sizes)
	b.presence = true
	t := bernoulli{smoothing: smoothing(alpha), b: b, sizes: sizes, rows: float64(m.Rows())}
	if rest {
		t.againstRest(m)
	}
	present := *m
	present.Value = slices.Repeat([]float32{1}, len(m.Value))
	return t.b, t.b.cells.learn(ctx, &present, one, t.finish)
}

// bernoulli is the state of learning.
type bernoulli struct {
	smoothing
	b     *naiveBayes
	sizes []float64 // n_c
	rows  float64
	rest  *restAbsences // nil without rest
}

// present returns ln p - ln(1-p) of a term that n of the rows have.
func (t *bernoulli) present(n, rows float64) float64 { return t.log(n) - t.log(rows-n) }

// missing returns ln(1-p) of a term that n of the rows have, less ln(1-p) of a term that
// none has.
func (t *bernoulli) missing(n, rows float64) float64 { return t.log(rows-n) - t.log(rows) }

// nowhere returns the sum of ln(1-p) over all columns as if no row had any of them. It uses
// Log1p because the logarithm is small and is multiplied by the number of columns.
func (t *bernoulli) nowhere(rows float64) float64 {
	return float64(float64(t.b.columns) * -kernels.Log1p(float64(t.smoothing)/(rows+float64(t.smoothing))))
}

func (t *bernoulli) finish(class int, c *classCells) {
	n := t.sizes[class]
	base, each := t.nowhere(n), t.present(0, n)
	if t.rest != nil {
		base -= t.rest.missing[t.b.absent.group[class]]
	}
	for i, a := range c.values {
		missing, present := t.missing(a, n), t.present(a, n)-each
		if t.rest != nil {
			m, p := t.restCell(class, c.columns[i], a)
			missing, present = missing-m, present-p
		}
		base += missing
		c.values[i] = present
	}
	t.b.base[class] += base
	t.b.each[class] = each
}

// restAbsences has what is the same for all classes of a size about the rows of the other
// classes: it depends on the df of the terms and on the size alone.
type restAbsences struct {
	df      []float64 // of each kind of column
	missing []float64 // of each group, Σ ln(1-p) over all columns that the rest has room for
}

// againstRest makes the tables of the terms that a class does not have, by the df of the
// term and the size of the class.
func (t *bernoulli) againstRest(m *Matrix) {
	df := make([]float64, m.Columns)
	for _, column := range m.Index {
		df[column]++
	}
	kind, kinds := numbered(df, m.Rows())
	group, sizes := numbered(t.sizes, m.Rows())
	a := &absences{kind, group, len(sizes), make([]float64, len(kinds)*len(sizes))}
	count := make([]float64, len(kinds))
	for _, k := range kind {
		count[k]++
	}
	t.b.absent, t.rest = a, &restAbsences{kinds, make([]float64, len(sizes))}
	for g, size := range sizes {
		rest := t.rows - size
		t.rest.missing[g] = t.nowhere(rest)
		for k, n := range kinds {
			if n <= rest { // else every term of this df is in the class
				a.value[k*a.groups+g] = -t.present(n, rest)
				t.rest.missing[g] += float64(count[k] * kernels.Log1p(-n/(rest+float64(t.smoothing))))
			}
		}
	}
}

// restCell returns ln(1-p) and ln p - ln(1-p) among the other rows for a term that a rows
// of the class have, less what the table of absences has for the df of the term.
func (t *bernoulli) restCell(class int, column uint32, a float64) (missing, present float64) {
	x := t.b.absent
	df, rest := t.rest.df[x.kind[column]], t.rows-t.sizes[class]
	missing, present = t.missing(df-a, rest), t.present(df-a, rest)
	if df <= rest {
		missing -= t.missing(df, rest)
		present -= t.present(df, rest)
	}
	return missing, present
}

// numbered returns the distinct values, ascending, and the index of each value among them.
// Values must be integers from 0 to limit.
func numbered(values []float64, limit int) (number []uint32, distinct []float64) {
	place := make([]uint32, limit+1)
	for _, v := range values {
		place[int(v)] = 1
	}
	for v, there := range place {
		if there != 0 {
			place[v] = uint32(len(distinct))
			distinct = append(distinct, float64(v))
		}
	}
	number = make([]uint32, len(values))
	for i, v := range values {
		number[i] = place[int(v)]
	}
	return number, distinct
}
