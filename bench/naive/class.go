package naive

import "math"

// This file holds the class values: FORMULAS 2 to 4, 5.2 and 11, conventions of
// section 1.

// A cell is the 2x2 table of a term and a class, in documents or in tokens.
type cell struct{ a, b, c, d float64 }

func (x cell) n() float64 { return x.a + x.b + x.c + x.d }

// flat says that the term is everywhere or nowhere; lopsided that the class has
// nothing or everything.
func (x cell) flat() bool     { return x.a+x.b == 0 || x.c+x.d == 0 }
func (x cell) lopsided() bool { return x.a+x.c == 0 || x.b+x.d == 0 }

func (tb *Tables) documents(t, c int) cell {
	a := tb.A[t][c]
	b, miss := tb.DF[t]-a, tb.NC[c]-a
	return cell{a, b, miss, tb.N - a - b - miss}
}

func (tb *Tables) tokens(t, c int) cell {
	a := tb.S[t][c]
	b, miss := tb.CF[t]-a, tb.TC[c]-a
	return cell{a, b, miss, tb.T - a - b - miss}
}

func chi(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 0
	}
	det := x.a*x.d - x.b*x.c
	return x.n() * det * det / ((x.a + x.b) * (x.c + x.d) * (x.a + x.c) * (x.b + x.d))
}

// part is o·ln(o·n/(row·column)), 0 for o = 0.
func part(o, n, row, column float64) float64 {
	if o == 0 {
		return 0
	}
	return o * math.Log(o*n/(row*column))
}

func g2(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 0
	}
	n := x.n()
	return 2 * (part(x.a, n, x.a+x.b, x.a+x.c) + part(x.b, n, x.a+x.b, x.b+x.d) +
		part(x.c, n, x.c+x.d, x.a+x.c) + part(x.d, n, x.c+x.d, x.b+x.d))
}

func mi(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 0
	}
	return math.Log(x.n() * x.a / ((x.a + x.b) * (x.a + x.c)))
}

func zeroOver(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

func rates(x cell) (in, out float64) { return zeroOver(x.a, x.a+x.c), zeroOver(x.b, x.b+x.d) }

// quantile inverts the normal distribution function by bisection.
func quantile(p float64) float64 {
	low, high := -10.0, 10.0
	for range 200 {
		mid := (low + high) / 2
		if math.Erfc(-mid/math.Sqrt2)/2 < p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

func bns(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 0
	}
	in, out := rates(x)
	clip := func(p float64) float64 { return math.Min(math.Max(p, 0.0005), 0.9995) }
	return math.Abs(quantile(clip(in)) - quantile(clip(out)))
}

func odds(x cell) float64 {
	if x.lopsided() {
		return 1
	}
	return (x.a + .5) * (x.d + .5) / ((x.b + .5) * (x.c + .5))
}

func oddsRaw(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 1
	}
	return x.a * x.d / (x.b * x.c)
}

func oddsMladenic(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 1
	}
	small := 1 / (x.n() * x.n())
	fix := func(p float64) float64 {
		switch p {
		case 0:
			return small
		case 1:
			return 1 - small
		}
		return p
	}
	in, out := rates(x)
	in, out = fix(in), fix(out)
	return in * (1 - out) / ((1 - in) * out)
}

func relevancy(x cell, other, d float64) float64 {
	if x.lopsided() {
		return 0
	}
	return math.Log((x.a/(x.a+x.c) + d) / (other/(x.b+x.d) + d))
}

func ratioOfRates(x cell, half bool) float64 {
	if x.flat() || x.lopsided() {
		return 1
	}
	b := x.b
	if b == 0 && half {
		b = .5
	}
	return x.a * (x.b + x.d) / (b * (x.a + x.c))
}

func ndm(x cell) float64 {
	if x.flat() || x.lopsided() {
		return 0
	}
	in, out := rates(x)
	least := math.Min(in, out)
	if least == 0 {
		least = 1 / x.n()
	}
	return math.Abs(in-out) / least
}

// dirichlet is the informative prior of 10 tokens; 0 where every token is the
// term.
func dirichlet(x cell) (delta, z float64) {
	if x.lopsided() || x.a+x.b == x.n() {
		return 0, 0
	}
	prior := 10 * (x.a + x.b) / x.n()
	delta = math.Log((x.a+prior)/(x.a+x.c+10-x.a-prior)) - math.Log((x.b+prior)/(x.b+x.d+10-x.b-prior))
	return delta, delta / math.Sqrt(1/(x.a+prior)+1/(x.b+prior))
}

// PooledVariance is s² of the t-test, by the definition: deviations from the
// class means over (document, label) pairs.
func (tb *Tables) PooledVariance(t int) float64 {
	sum, occupied := 0.0, 0.0
	for c, docs := range tb.documentsC {
		if len(docs) == 0 {
			continue
		}
		occupied++
		mean := tb.S[t][c] / tb.NC[c]
		for _, d := range docs {
			sum += (tb.TF[d][t] - mean) * (tb.TF[d][t] - mean)
		}
	}
	if tb.Pairs <= occupied {
		return 0
	}
	return sum / (tb.Pairs - occupied)
}

// student is the signed t of a class; root says whether m_k has its root.
func (tb *Tables) student(t, c int, root bool) float64 {
	if tb.NC[c] == 0 || tb.NC[c] == tb.N {
		return 0
	}
	num := (tb.S[t][c]*tb.N - tb.CF[t]*tb.NC[c]) / (tb.NC[c] * tb.N)
	if num == 0 {
		return 0
	}
	m := 1/tb.NC[c] - 1/tb.N
	if root {
		m = math.Sqrt(m)
	}
	return num / (m * math.Sqrt(tb.PooledVariance(t)))
}

// Class gives the value of a measure for a term and a class.
func (tb *Tables) Class(key string, t, c int) float64 {
	x, k := tb.documents(t, c), tb.tokens(t, c)
	n := x.n()
	in, out := rates(x)
	onTokens := func(f func(cell) float64) float64 {
		if tb.NC[c] == 0 || tb.NC[c] == tb.N {
			return 0
		}
		return f(k)
	}
	switch key {
	case "df_count":
		return x.a
	case "df_p_t_given_c":
		return in
	case "cf":
		return tb.S[t][c]
	case "dia":
		return zeroOver(x.a, x.a+x.b)
	case "mi_nats":
		return mi(x)
	case "mi_bits":
		return mi(x) / math.Ln2
	case "mi_nats_zero_if_A0":
		if x.a == 0 {
			return 0
		}
		return mi(x)
	case "mi_half_nats":
		return mi(cell{x.a + .5, x.b + .5, x.c + .5, x.d + .5})
	case "emi_nats":
		return g2(x) / (2 * n)
	case "emi_bits":
		return g2(x) / (2 * n) / math.Ln2
	case "chi":
		return chi(x)
	case "ngl":
		return math.Copysign(math.Sqrt(chi(x)), x.a*x.d-x.b*x.c)
	case "gss":
		return (x.a*x.d - x.b*x.c) / (n * n)
	case "ece_nats":
		return part(x.a, n, x.a+x.b, x.a+x.c) / n
	case "kl_part_nats":
		return part(x.a, n, x.a+x.b, x.a+x.c) / tb.DF[t]
	case "ig_part_nats":
		return (part(x.a, n, x.a+x.b, x.a+x.c) + part(x.c, n, x.c+x.d, x.a+x.c)) / n
	case "or_raw":
		return oddsRaw(x)
	case "or_half":
		return odds(x)
	case "ln_or_half":
		return math.Log(odds(x))
	case "or_mladenic":
		return oddsMladenic(x)
	case "rs_sebastiani_d1_6":
		return relevancy(x, x.d, 1./6)
	case "rs_sebastiani_d0_001":
		return relevancy(x, x.d, .001)
	case "rs_wiener_d1_6":
		if x.flat() {
			return 0
		}
		return relevancy(x, x.b, 1./6)
	case "bns_0_0005":
		return bns(x)
	case "acc2":
		if x.flat() || x.lopsided() {
			return 0
		}
		return math.Abs(in - out)
	case "ndm_eps_1_over_N":
		return ndm(x)
	case "pr_raw":
		return ratioOfRates(x, false)
	case "pr_half_if_B0":
		return ratioOfRates(x, true)
	case "g2_doc":
		return g2(x)
	case "g2_token":
		return onTokens(g2)
	case "chi_tf":
		return onTokens(chi)
	case "rf":
		return math.Log2(2 + x.a/math.Max(1, x.b))
	case "t_signed":
		return tb.student(t, c, true)
	case "t_abs":
		return math.Abs(tb.student(t, c, true))
	case "t_abs_no_root_in_m":
		return math.Abs(tb.student(t, c, false))
	case "logodds_dirichlet_a0_10":
		return onTokens(func(k cell) float64 { delta, _ := dirichlet(k); return delta })
	case "logodds_dirichlet_z_a0_10":
		return onTokens(func(k cell) float64 { _, z := dirichlet(k); return z })
	}
	panic("naive: unknown measure " + key)
}
