package naive

import "math"

// A Classifier scores every class for a row of term frequencies or weights by term.
type Classifier func(row []float64) []float64

// Rows are the weights of the documents by term, and Labels those of the documents.
func (tb *Tables) Rows() [][]float64 { return tb.tf }

// Multinomial is naive Bayes with theta = (alpha + S)/(alpha V + T_c): the
// log joint, P(c) being the class's share of the (document, label) pairs.
func (tb *Tables) Multinomial(alpha float64) Classifier {
	return tb.each(func(row []float64, c int) float64 {
		return math.Log(tb.NC[c]/tb.Pairs) + tb.occurrences(row, alpha, tb.inClass(tb.S, c))
	})
}

// MultinomialRest is the log odds of a class against the documents without it.
func (tb *Tables) MultinomialRest(alpha float64) Classifier {
	return tb.each(func(row []float64, c int) float64 {
		in := tb.occurrences(row, alpha, tb.inClass(tb.S, c))
		return math.Log(tb.NC[c]/(tb.N-tb.NC[c])) + in - tb.occurrences(row, alpha, tb.outside(tb.CF, tb.S, c))
	})
}

// Bernoulli is multivariate naive Bayes with theta = (alpha + A)/(2 alpha + n_c).
func (tb *Tables) Bernoulli(alpha float64) Classifier {
	return tb.each(func(row []float64, c int) float64 {
		return math.Log(tb.NC[c]/tb.Pairs) + tb.presence(row, alpha, tb.NC[c], tb.inClass(tb.A, c))
	})
}

// BernoulliRest is the log odds of a class against the documents without it.
func (tb *Tables) BernoulliRest(alpha float64) Classifier {
	return tb.each(func(row []float64, c int) float64 {
		in := tb.presence(row, alpha, tb.NC[c], tb.inClass(tb.A, c))
		return math.Log(tb.NC[c]/(tb.N-tb.NC[c])) + in - tb.presence(row, alpha, tb.N-tb.NC[c], tb.outside(tb.DF, tb.A, c))
	})
}

// inClass gives the counts of the terms in a class, outside those elsewhere.
func (tb *Tables) inClass(counts [][]float64, c int) func(t int) float64 {
	return func(t int) float64 { return counts[t][c] }
}

func (tb *Tables) outside(all []float64, counts [][]float64, c int) func(t int) float64 {
	return func(t int) float64 { return all[t] - counts[t][c] }
}

// each scores class by class.
func (tb *Tables) each(score func(row []float64, c int) float64) Classifier {
	return func(row []float64) []float64 {
		scores := make([]float64, len(tb.NC))
		for c := range scores {
			scores[c] = score(row, c)
		}
		return scores
	}
}

// occurrences is the sum of x ln theta where the terms have the counts.
func (tb *Tables) occurrences(row []float64, alpha float64, count func(t int) float64) float64 {
	total := alpha * float64(len(tb.DF))
	for t := range tb.DF {
		total += count(t)
	}
	sum := 0.
	for t, x := range row {
		if x != 0 {
			sum += x * math.Log((alpha+count(t))/total)
		}
	}
	return sum
}

// presence is the sum of ln theta over the terms of the row and of ln(1 - theta) over
// the others.
func (tb *Tables) presence(row []float64, alpha, documents float64, count func(t int) float64) float64 {
	sum := 0.
	for t, x := range row {
		n := count(t)
		if x == 0 {
			n = documents - n
		}
		sum += math.Log((alpha + n) / (2*alpha + documents))
	}
	return sum
}
