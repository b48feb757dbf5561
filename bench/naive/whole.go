package naive

import "math"

// This file holds the values of a term over all classes, the weightings
// (FORMULAS 6) and the orthogonal centroid scores (FORMULAS 4.9).

// Whole gives a value of direct_global for a term.
func (tb *Tables) Whole(key string, t int) float64 {
	sum := func(class string) float64 {
		total := 0.0
		for c := range tb.Classes {
			total += tb.Class(class, t, c)
		}
		return total
	}
	switch key {
	case "ig_nats":
		return sum("ig_part_nats")
	case "ig_bits":
		return sum("ig_part_nats") / math.Ln2
	case "ece_nats":
		return sum("ece_nats")
	case "ece_bits":
		return sum("ece_nats") / math.Ln2
	case "kl_nats":
		return sum("kl_part_nats")
	case "gini":
		return tb.gini(t)
	case "dfs":
		return tb.dfs(t)
	case "anova_f":
		return tb.anova(t)
	case "chi_2xK":
		return tb.chiAll(t)
	}
	panic("naive: unknown measure " + key)
}

func (tb *Tables) gini(t int) float64 {
	sum := 0.0
	for c := range tb.Classes {
		in, _ := rates(tb.documents(t, c))
		p := tb.A[t][c] / tb.DF[t]
		sum += in * in * p * p
	}
	return sum
}

func (tb *Tables) dfs(t int) float64 {
	sum := 0.0
	for c := range tb.Classes {
		x := tb.documents(t, c)
		_, out := rates(x)
		sum += x.a / (x.a + x.b) / (zeroOver(x.c, x.a+x.c) + out + 1)
	}
	return sum
}

func (tb *Tables) anova(t int) float64 {
	occupied, total := 0.0, 0.0
	for c := range tb.Classes {
		total += tb.S[t][c]
		if tb.NC[c] > 0 {
			occupied++
		}
	}
	if occupied < 2 {
		return 0
	}
	between, mean := 0.0, total/tb.Pairs
	for c := range tb.Classes {
		if tb.NC[c] > 0 {
			d := tb.S[t][c]/tb.NC[c] - mean
			between += tb.NC[c] * d * d
		}
	}
	return zeroOver(between/(occupied-1), tb.PooledVariance(t))
}

// chiAll is the statistic of the whole 2 x K table.
func (tb *Tables) chiAll(t int) float64 {
	sum := 0.0
	for c := range tb.Classes {
		x := tb.documents(t, c)
		for _, o := range []struct{ seen, row float64 }{{x.a, x.a + x.b}, {x.c, x.c + x.d}} {
			expected := o.row * (x.a + x.c) / x.n()
			if expected > 0 {
				sum += (o.seen - expected) * (o.seen - expected) / expected
			}
		}
	}
	return sum
}

// Weights gives w(d, t) of a weighting of golden_small.json, or "tf", "binary".
func (tb *Tables) Weights(name string) [][]float64 {
	w := dense(len(tb.TF), len(tb.Terms))
	for d, row := range tb.TF {
		sum := 0.0
		for t, tf := range row {
			if tf > 0 {
				w[d][t] = weight(name, tf, tb.N, tb.DF[t])
				sum += w[d][t] * w[d][t]
			}
		}
		if unit := name == "ltc_unit" || name == "tfidf_unit"; !unit || sum == 0 {
			continue
		}
		for t := range row {
			w[d][t] /= math.Sqrt(sum)
		}
	}
	return w
}

func weight(name string, tf, n, df float64) float64 {
	switch name {
	case "tf":
		return tf
	case "binary":
		return 1
	case "tfidf", "tfidf_unit":
		return tf * math.Log(n/df)
	case "ltc", "ltc_unit":
		return (1 + math.Log(tf)) * math.Log(n/df)
	case "thuctc":
		return math.Log10(tf+1) * math.Log10(n/df+1)
	}
	panic("naive: unknown weighting " + name)
}

// A Centroid holds the OCFS scores of a weighting with what they come from.
type Centroid struct {
	Score     []float64
	Centroids [][]float64 // [class][term]
	Mean      []float64
}

// OCFS scores the terms over (document, label) pairs.
func (tb *Tables) OCFS(weighting string) Centroid {
	w := tb.Weights(weighting)
	x := Centroid{
		Score: make([]float64, len(tb.Terms)), Mean: make([]float64, len(tb.Terms)),
		Centroids: dense(len(tb.Classes), len(tb.Terms)),
	}
	for t := range tb.Terms {
		for c, docs := range tb.documentsC {
			for _, d := range docs {
				x.Centroids[c][t] += w[d][t] / tb.NC[c]
				x.Mean[t] += w[d][t] / tb.Pairs
			}
		}
		for c := range tb.Classes {
			d := x.Centroids[c][t] - x.Mean[t]
			x.Score[t] += tb.NC[c] / tb.Pairs * d * d
		}
	}
	return x
}
