package naive

import "math"

// Agreement compares selections of terms, each a set, by pairs.
type Agreement struct{ Jaccard, Kuncheva, Nogueira, Low, High float64 }

// Agree compares selections of a vocabulary of n terms. An index that is not defined is
// NaN.
func Agree(selections [][]int, n int) Agreement {
	var a Agreement
	pairs := 0.
	for i := range selections {
		for j := range i {
			x, y := selections[i], selections[j]
			common := float64(Shared(x, y))
			k := float64(len(x))
			pairs++
			if union := float64(len(x)+len(y)) - common; union == 0 {
				a.Jaccard++
			} else {
				a.Jaccard += common / union
			}
			if len(x) != len(y) {
				a.Kuncheva = math.NaN()
			}
			// Kuncheva 2007; 0/0 for none and for all.
			a.Kuncheva += (common*float64(n) - k*k) / (k * (float64(n) - k))
		}
	}
	a.Jaccard /= pairs
	a.Kuncheva /= pairs
	a.nogueira(selections, n)
	return a
}

// nogueira is the estimator and the interval of Nogueira, Sechidis & Brown 2018, over
// the matrix of zeros and ones.
func (a *Agreement) nogueira(selections [][]int, n int) {
	m, d := float64(len(selections)), float64(n)
	z := matrix(len(selections), n)
	size, total := make([]float64, len(selections)), 0.
	for i, own := range selections {
		for _, t := range own {
			z[i][t] = 1
			size[i]++
			total++
		}
	}
	if total == 0 || total == m*d {
		a.Nogueira, a.Low, a.High = math.NaN(), math.NaN(), math.NaN()
		return
	}
	share, variance := make([]float64, n), 0.
	for t := range share {
		for i := range z {
			share[t] += z[i][t] / m
		}
		variance += m / (m - 1) * share[t] * (1 - share[t]) / d
	}
	k := total / m
	a.Nogueira = 1 - variance/(k/d*(1-k/d))
	phi, mean := make([]float64, len(z)), 0.
	for i, row := range z {
		for t, selected := range row {
			phi[i] += selected * share[t] / d
		}
		phi[i] += -size[i]*k/(d*d) + a.Nogueira/2*(2*k*size[i]/(d*d)-size[i]/d-k/d+1)
		phi[i] /= k / d * (1 - k/d)
		mean += phi[i] / m
	}
	spread := 0.
	for _, v := range phi {
		spread += 4 / (m * m) * (v - mean) * (v - mean)
	}
	half := 1.959963984540054 * math.Sqrt(spread)
	a.Low, a.High = a.Nogueira-half, a.Nogueira+half
}
