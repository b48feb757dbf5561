package classify

import (
	"cmp"
	"context"

	"github.com/termsift/termsift/kernels"
)

// trainBernoulli learns from presence and absence: any value other than 0 is a
// presence. Neither learning nor scoring touches the absent terms: the sum of their
// ln(1 - P(t|c)) is part of the base, and a present term takes its own out again.
func trainBernoulli(ctx context.Context, m *Matrix, o NaiveBayesOptions) (*naiveBayes, error) {
	if err := cmp.Or(o.check(), m.checkCounts()); err != nil {
		return nil, err
	}
	o.Alpha = cmp.Or(o.Alpha, 1)
	sizes := m.sizes()
	b := newNaiveBayes(kindBernoulli, m, o, sizes)
	b.presence = true
	t := bernoulli{b: b, alpha: o.Alpha, logs: newLogs(o.Alpha, m.Rows()+1), sizes: sizes, rows: float64(m.Rows())}
	if o.OneVsRest {
		t.againstRest(m)
	}
	err := b.cells.learn(ctx, m, o.Threads, summing{
		add: func(sums []float64, touched []uint32, row int) []uint32 {
			index, _ := m.Row(row)
			return addOnes(sums, touched, index)
		},
		finish: t.finish,
	})
	return b, err
}

// bernoulli is the state of learning. Goroutines write the elements of their own classes
// only.
type bernoulli struct {
	b     *naiveBayes
	alpha float64
	logs  logs
	sizes []float64 // n_c
	rows  float64
	rest  *restAbsences // nil without rest
}

// present returns ln p - ln(1-p) of a term that n of the rows have.
func (t *bernoulli) present(n, rows float64) float64 { return t.logs.of(n) - t.logs.of(rows-n) }

// missing returns ln(1-p) of a term that n of the rows have, less ln(1-p) of a term that
// none has.
func (t *bernoulli) missing(n, rows float64) float64 { return t.logs.of(rows-n) - t.logs.of(rows) }

// nowhere returns the sum of ln(1-p) over all columns as if no row had any of them. It uses
// Log1p because the logarithm is small and is multiplied by the number of columns.
func (t *bernoulli) nowhere(rows float64) float64 {
	return float64(float64(t.b.columns) * -kernels.Log1p(t.alpha/(rows+t.alpha)))
}

func (t *bernoulli) finish(class int, columns []uint32, sums []float64) {
	n := t.sizes[class]
	base, each := t.nowhere(n), t.present(0, n)
	if t.rest != nil {
		base -= t.rest.missing[t.b.absent.group[class]]
	}
	for i, a := range sums {
		missing, present := t.missing(a, n), t.present(a, n)-each
		if t.rest != nil {
			m, p := t.restCell(class, columns[i], a)
			missing, present = missing-m, present-p
		}
		base += missing
		sums[i] = present
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
				t.rest.missing[g] += float64(count[k] * kernels.Log1p(-n/(rest+t.alpha)))
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
