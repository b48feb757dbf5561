package score

// A Table is what a measure may look at for one (term, class) pair: the
// documents and tokens of the term, of the class and of both. The caller fills
// the fields.
type Table struct {
	// Documents: all, with the term, of the class, of the class with the term.
	N, DF, NC, A float64
	// Tokens: all, of the term, of the class, of the term in the class.
	T, CF, TC, S float64
	// Q is the sum of the squares of the occurrences in each document of the class. [Formula] alone reads it.
	Q float64
	// Pooled is the within-class standard deviation of tf, pooled over the
	// classes (the s of the t-test); the same in every class of a term.
	Pooled float64

	inClasses     float64 // the occurrences of the term in all classes
	tokensOfClass float64 // the tokens of a class on average
}

// scaleOf returns N/(df(N-df)).
func scaleOf(total, df float64) float64 { return total / float64(df*(total-df)) }

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x == 0 {
		return 0
	}
	return 1 / x
}

// ratio returns x/y, and 0 for 0/0.
func ratio(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}
