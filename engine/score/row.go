package score

// A Row is one term: its totals and its cells, that is the classes where it
// occurs, ascending, with documents A, tokens S, sums of squares Q and sums of
// weights W (nil unless asked for). Absent classes are not listed.
type Row struct {
	*Margins
	DF, CF float64
	// Dense holds the documents of every class, or is nil. A panel that needs no
	// cells (see [Panel.NeedsCells]) takes a row without them.
	Dense   []uint32
	Class   []uint32
	A, S, Q []float64
	W       []float64

	variance float64 // pooled within classes; set by the panel
	docs     *side   // likewise
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
		if d := DiffOfProducts(n, r.Q[i], r.S[i], r.S[i]); d > 0 {
			within += float64(d * r.documents[c].perN)
		}
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
	scaled := 0.0
	for i, c := range r.Class {
		// n_k(x/n_k - m)² by the numerator of the bracket, exact for counts.
		d := DiffOfProducts(x[i], r.pairs, r.NC[c], total)
		scaled += float64(float64(d*d) * r.documents[c].perN)
	}
	sum += scaled / float64(r.pairs*r.pairs)
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

// absentFrom says that the term does not occur in class c.
func (r *Row) absentFrom(c uint32) bool {
	if r.Dense != nil {
		return r.Dense[c] == 0
	}
	low, high := 0, len(r.Class)
	for low < high {
		mid := (low + high) / 2
		if r.Class[mid] < c {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low == len(r.Class) || r.Class[low] != c
}

// side gives what all tables of documents of the term share.
func (r *Row) side() *side {
	if r.docs != nil {
		return r.docs
	}
	r.prepare()
	s := &side{logs: &r.logs, entropies: r.entropies, term: newTermFactors(r.N, r.DF, &r.logs)}
	s.term.weigh(s.entropies)
	return s
}
