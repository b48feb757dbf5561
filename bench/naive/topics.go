package naive

import (
	"cmp"
	"math"
	"slices"
)

// ctfidf is the c-TF-IDF of Grootendorst 2022: each class is one document. cf and the mean of the tokens
// are sums over the classes.
func ctfidf(tb *Tables, o Options) classFunc {
	mean := tb.tokensOfClasses()
	return func(t, c int) float64 {
		if tb.TC[c] == 0 || tb.S[t][c] == 0 {
			return 0
		}
		cf := 0.
		for _, n := range tb.S[t] {
			cf += n
		}
		share, idf := tb.S[t][c]/tb.TC[c], math.Log1p(mean/cf)
		if o.BM25 {
			idf = lnRatio(mean+1, cf+.5, mean+.5-cf)
		}
		if o.ReduceFrequent {
			share = math.Sqrt(share)
		}
		if slices.Contains(o.Seeds, t) {
			idf *= cmp.Or(o.SeedMultiplier, 2)
		}
		return share * idf
	}
}

// tokensOfClasses is the mean of the tokens of the classes, rounded down.
func (tb *Tables) tokensOfClasses() float64 {
	tokens := 0.
	for _, n := range tb.TC {
		tokens += n
	}
	return math.Floor(tokens / float64(len(tb.TC)))
}
