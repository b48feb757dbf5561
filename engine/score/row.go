package score

import "math"

// Margins are the counts of a corpus that all terms share. Build them with
// [NewMargins]; they are not modified afterwards.
type Margins struct {
	// N counts documents (unlabelled ones too), T their tokens.
	N, T float64
	// NC and TC hold the documents and tokens of each class.
	NC, TC []float64

	pairs    float64 // (document, label) pairs: Σ NC
	occupied float64 // classes with documents
	groups   []group // classes of equal NC and TC, which absent cells cannot tell apart
	groupOf  []uint32
}

// A group stands for all classes with the same numbers of documents and tokens.
type group struct {
	nc, tc float64
	size   int
}

// NewMargins derives what the evaluator needs from the class sizes. It keeps
// the slices.
func NewMargins(n, t float64, nc, tc []float64) *Margins {
	m := &Margins{N: n, T: t, NC: nc, TC: tc, groupOf: make([]uint32, len(nc))}
	index := map[[2]float64]uint32{}
	for c := range nc {
		m.pairs += nc[c]
		if nc[c] > 0 {
			m.occupied++
		}
		key := [2]float64{nc[c], tc[c]}
		g, ok := index[key]
		if !ok {
			g = uint32(len(m.groups))
			index[key] = g
			m.groups = append(m.groups, group{nc: nc[c], tc: tc[c]})
		}
		m.groups[g].size++
		m.groupOf[c] = g
	}
	return m
}

// Classes is the number of classes.
func (m *Margins) Classes() int { return len(m.NC) }

// A Row is one term: its totals and its cells, that is the classes where it
// occurs, ascending, with documents A, tokens S, sums of squares Q and sums of
// weights W (nil unless asked for). Absent classes are not listed.
type Row struct {
	*Margins
	DF, CF  float64
	Class   []uint32
	A, S, Q []float64
	W       []float64

	variance float64 // pooled within classes; set by the evaluator
}

// pooledVariance is s² = Σ_k (Q_k - S_k²/N_k) / (Σ N_k - K), over the K classes
// that have documents; 0 when there are no degrees of freedom.
func (r *Row) pooledVariance() float64 {
	free := r.pairs - r.occupied
	if free <= 0 {
		return 0
	}
	within := 0.0
	for i, c := range r.Class {
		n := r.NC[c]
		within += max(0, diffOfProducts(n, r.Q[i], r.S[i], r.S[i])) / n
	}
	return within / free
}

// between is Σ_k (n_k/n)(x_k/n_k - m)² with m = Σ x/n over the n pairs, the
// spread of the class means of a column. Absent classes have mean 0.
func (r *Row) between(x []float64) float64 {
	if r.pairs == 0 {
		return 0
	}
	total, met := 0.0, 0.0
	for i, c := range r.Class {
		total += x[i]
		met += r.NC[c]
	}
	mean := total / r.pairs
	sum := float64((r.pairs - met) * float64(mean*mean))
	for i, c := range r.Class {
		// x/n_k - m as one fraction: exact numerator for counts.
		d := diffOfProducts(x[i], r.pairs, r.NC[c], total) / float64(r.NC[c]*r.pairs)
		sum += float64(r.NC[c] * float64(d*d))
	}
	return sum / r.pairs
}

// anova is the F statistic of the classes' mean tf, over (document, label)
// pairs: inf where only the variance within is zero, 0 where both are.
func (r *Row) anova() float64 {
	if r.occupied < 2 {
		return 0
	}
	spread := float64(r.between(r.S)*r.pairs) / (r.occupied - 1)
	return ratio(spread, r.variance)
}

// table fills t with the cell i of the row.
func (r *Row) table(t *Table, i int) {
	c := r.Class[i]
	t.A, t.S, t.NC, t.TC = r.A[i], r.S[i], r.NC[c], r.TC[c]
}

// totals fills the fields of t that all classes of the term share.
func (r *Row) totals(t *Table) {
	t.N, t.T, t.DF, t.CF, t.Pooled = r.N, r.T, r.DF, r.CF, math.Sqrt(r.variance)
}

// sumCells adds f over the classes where the term occurs.
func (r *Row) sumCells(f func(t *Table) float64) float64 {
	var t Table
	r.totals(&t)
	sum := 0.0
	for i := range r.Class {
		r.table(&t, i)
		sum += f(&t)
	}
	return sum
}
