package score

import (
	"math"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/kernels"
)

// This file computes the measures of means and variances of term frequencies.

// free is the number of degrees of freedom within the classes.
func (m *Margins) free() float64 { return m.pairs - m.occupied }

// variances sets p.variance to the variances within classes of the terms of a tile.
func (p *Panel) variances(t *cells.Tile) {
	m := p.margins
	if t.Sets != nil {
		p.momentsOfSets(t)
		return
	}
	p.variance = slices.Grow(p.variance[:0], len(t.DF))[:len(t.DF)]
	free := m.free()
	if t.Centred {
		for i := range p.variance {
			from, to := t.Range(i)
			p.variance[i] = m.centredVariance(t.Class[from:to], t.A[from:to], t.S[from:to], t.M2[from:to])
		}
		return
	}
	if !t.Exact || free <= 0 {
		for i := range p.variance {
			from, to := t.Range(i)
			p.variance[i] = m.varianceWithin(t.Class[from:to], t.S[from:to], t.Q[from:to])
		}
		return
	}
	within := p.variance
	kernels.WithinSums(within, t.Start, t.Class, t.S, t.Q, m.means) // of classes: not negative, by Cauchy and Schwarz
	for i, v := range within {
		within[i] = max(v, 0) / free // a file may say what is impossible
	}
}

// varianceWithin is s² = Σ_k (Q_k - S_k²/N_k) / (Σ N_k - K), over the K classes
// that have documents; 0 when there are no degrees of freedom. The package's
// documentation says how many digits large values leave.
func (m *Margins) varianceWithin(present []uint32, sums, squares []float64) float64 {
	free := m.free()
	if free <= 0 {
		return 0
	}
	var within kernels.Lanes
	for i, c := range present {
		if d := DiffOfProducts(m.NC[c], squares[i], sums[i], sums[i]); d > 0 {
			within.Add(i, d*m.perN[c])
		}
	}
	return within.Sum() / free
}

// centredVariance is [Margins.varianceWithin] from the squared distances of the values of a
// class from their mean: the documents without the term add S²/A - S²/N_k. No term is
// negative, so that nothing cancels.
func (m *Margins) centredVariance(present []uint32, docs, sums, squares []float64) float64 {
	free := m.free()
	if free <= 0 {
		return 0
	}
	within := 0.0
	for i, c := range present {
		without := max(0, m.NC[c]-docs[i])
		within += squares[i] + float64(float64(sums[i]*(sums[i]/docs[i]))*float64(without*m.perN[c]))
	}
	return within / free
}

// lowGap returns a*b - c*d, where a and c are what two sums lack of the exact ones: with
// [DiffOfProducts] of the sums themselves the difference that exact ones have.
func lowGap(a, b, c, d float64) float64 { return float64(a*b) - float64(c*d) }

// studentTile computes the largest size of Student's t over the classes, for the terms of
// a tile. It is the largest |N·S - cf·n_c|/√(n_c(N-n_c)), divided once a term.
func studentTile(p *Panel, t *cells.Tile, dst []float64) {
	if t.Sets != nil {
		p.largestOfSets(t, dst)
	} else {
		p.largestDeviations(t, dst)
		p.largestOfAll(t, dst)
	}
	kernels.RootRatios(dst, p.variance[:len(dst)], math.Sqrt(p.margins.N))
}

// boundOfAbsent is an upper bound of what [Panel.largestAbsentT] gives for a term of one occurrence.
func (m *Margins) boundOfAbsent() float64 {
	bound := 0.0
	for _, c := range m.bySize.extremes {
		bound = max(bound, float64(m.NC[c]*m.roots[c][1]))
	}
	return bound * (1 + 1e-12) // products are rounded
}

// largestOfAll makes the largest deviations of the cells of each term those of all classes.
func (p *Panel) largestOfAll(t *cells.Tile, dst []float64) {
	m, bound := p.margins, p.margins.boundOfAbsent()
	for i, largest := range dst {
		dst[i] = max(largest, 0) // a term without cells has none
		if cf := t.CF[i]; largest < float64(cf*bound) {
			if from, to := t.Range(i); to-from < len(m.NC) {
				dst[i] = max(dst[i], p.largestAbsentT(p.ends(t.Class[from:to], &m.bySize), cf))
			}
		}
	}
}

// largestDeviations sets dst to the largest |N·S - cf·n_c|/√(n_c(N-n_c)) of the cells of each
// term of a tile; -Inf for a term without cells.
func (p *Panel) largestDeviations(t *cells.Tile, dst []float64) {
	n, roots := p.margins.N, p.margins.roots
	if t.Exact {
		kernels.DeviationMaxima(dst, t.Start, t.Class, t.S, t.CF, roots, n, kernels.Absolute)
		return
	}
	for i, cf := range t.CF {
		largest := math.Inf(-1)
		from, to := t.Range(i)
		for k := from; k < to; k++ {
			class := roots[t.Class[k]]
			d := DiffOfProducts(t.S[k], n, cf, class[0])
			if t.Centred {
				d += lowGap(t.LowS[k], n, t.LowCF[i], class[0])
			}
			largest = max(largest, math.Abs(d*class[1]))
		}
		dst[i] = largest
	}
}

// largestAbsentT returns the largest that any of the classes contributes to studentTile, if
// they do not have the term.
func (p *Panel) largestAbsentT(classes []uint32, cf float64) float64 {
	largest := 0.0
	for _, c := range classes {
		f := &p.margins.documents[c]
		largest = max(largest, float64(math.Abs(DiffOfProducts(0, p.margins.N, cf, f.n))*f.root))
	}
	return largest
}

// orthogonalTile computes the scores of OCFS for the terms of a tile.
func orthogonalTile(p *Panel, t *cells.Tile, dst []float64) {
	if t.Sets != nil {
		p.betweenSets(t, dst)
		return
	}
	if t.ExactW && p.margins.pairs == p.margins.N {
		p.betweenTile(t, t.W, dst)
		return
	}
	for i := range dst {
		from, to := t.Range(i)
		dst[i] = p.margins.between(t.Class[from:to], t.W[from:to], nil)
	}
}

// varianceRatioTile computes the F statistic of the classes' mean tf for the terms of a
// tile, over (document, label) pairs: inf where only the variance within is zero, 0 where
// both are.
func varianceRatioTile(p *Panel, t *cells.Tile, dst []float64) {
	m := p.margins
	switch {
	case m.occupied < 2:
		clear(dst)
		return
	case t.Sets != nil:
		p.betweenSets(t, dst)
	case t.Exact && m.pairs == m.N:
		p.betweenTile(t, t.S, dst)
	default:
		for i := range dst {
			from, to := t.Range(i)
			var low []float64
			if t.Centred {
				low = t.LowS[from:to]
			}
			dst[i] = m.between(t.Class[from:to], t.S[from:to], low)
		}
	}
	for i, between := range dst {
		dst[i] = ratio(float64(between*m.pairs)/(m.occupied-1), p.variance[i])
	}
}

// betweenTile sets dst to [Margins.between] of the terms of a tile, of a column x of it whose
// products with the number of pairs are exact.
func (p *Panel) betweenTile(t *cells.Tile, x, dst []float64) {
	m := p.margins
	if m.pairs == 0 {
		clear(dst)
		return
	}
	totals, met := grown(&p.totals, len(dst)), grown(&p.met, len(dst))
	p.reduced.sums(totals, t, x)
	kernels.DeviationSums(dst, met, t.Start, t.Class, x, totals, m.means, m.pairs)
	squares := float64(m.pairs * m.pairs)
	for i, scaled := range dst {
		dst[i] = kernels.Spread(scaled, met[i], totals[i], m.pairs, squares)
	}
}

// between is Σ_k (n_k/n)(x_k/n_k - m)² with m = Σ x/n over the n pairs, the
// spread of the class means of a column. Absent classes have mean 0. low is what the elements
// of x lack of exact sums, or nil.
func (m *Margins) between(present []uint32, x, low []float64) float64 {
	if m.pairs == 0 {
		return 0
	}
	if low != nil {
		return m.betweenSums(present, x, low)
	}
	total, met := 0.0, 0.0
	for i, c := range present {
		total += x[i]
		met += m.NC[c]
	}
	var scaled kernels.Lanes
	for i, c := range present { // n_k(x/n_k - m)² by the numerator of the bracket
		d := DiffOfProducts(x[i], m.pairs, m.NC[c], total)
		scaled.Add(i, float64(d*d)*m.perN[c])
	}
	return kernels.Spread(scaled.Sum(), met, total, m.pairs, float64(m.pairs*m.pairs))
}

// betweenSums is between for sums that lack something of the exact ones.
func (m *Margins) betweenSums(present []uint32, x, low []float64) float64 {
	total, met := cells.Pair{}, 0.0
	for i, c := range present {
		total = total.Plus(cells.Pair{High: x[i], Low: low[i]})
		met += m.NC[c]
	}
	scaled := 0.0
	for i, c := range present {
		d := DiffOfProducts(x[i], m.pairs, m.NC[c], total.High) + lowGap(low[i], m.pairs, m.NC[c], total.Low)
		scaled += float64(float64(d*d) * m.perN[c])
	}
	return kernels.Spread(scaled, met, total.High, m.pairs, float64(m.pairs*m.pairs))
}
