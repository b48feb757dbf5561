package naive

import (
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
)

// A Collocation is an n-gram among all n-grams of its length. Its methods compute the measures from exact
// fractions, with logarithms of 160 bits, and round once, at the end. What is not defined is NaN.
type Collocation struct {
	O, N      int64
	Marginals []int64 // of each word
	Cells     []int64 // by the positions that match: bit i is position i
}

// Grams lists the n-grams of documents, repeated ones too.
func Grams(documents []string, n int) (all [][]string) {
	for _, text := range documents {
		words := strings.Fields(text)
		for i := 0; i+n <= len(words); i++ {
			all = append(all, words[i:i+n])
		}
	}
	return all
}

// Collocate counts an n-gram among others, position by position.
func Collocate(gram []string, all [][]string) Collocation {
	c := Collocation{N: int64(len(all)), Marginals: make([]int64, len(gram)), Cells: make([]int64, 1<<len(gram))}
	for _, other := range all {
		matches := 0
		for i := range gram {
			if gram[i] == other[i] {
				c.Marginals[i]++
				matches |= 1 << i
			}
		}
		c.Cells[matches]++
	}
	c.O = c.Cells[len(c.Cells)-1]
	return c
}

// CollocateWords counts a pair whose words count anywhere.
func CollocateWords(pair []string, documents []string) Collocation {
	c := Collocate(pair, Grams(documents, 2))
	words := Grams(documents, 1)
	c.N, c.Marginals = int64(len(words)), make([]int64, 2)
	for _, word := range words {
		for i := range pair {
			if word[0] == pair[i] {
				c.Marginals[i]++
			}
		}
	}
	c.Cells = []int64{c.N - c.Marginals[0] - c.Marginals[1] + c.O, c.Marginals[0] - c.O, c.Marginals[1] - c.O, c.O}
	return c
}

// Expected is the product of the marginals by N^(n-1).
func (c Collocation) Expected() *big.Rat {
	e := fraction(c.N, 1)
	for _, m := range c.Marginals {
		e = mul(e, fraction(m, c.N))
	}
	return e
}

// Measures returns all measures by their names in golden_methods.json.
func (c Collocation) Measures() map[string]float64 {
	o, n, e := fraction(c.O, 1), int64(len(c.Marginals)), c.Expected()
	ratio, gap := quo(o, e), sub(o, e)
	root := func(r *big.Rat) *big.Float { return new(big.Float).Sqrt(wide(r)) }
	over := func(a, b *big.Float) float64 { return rounded(new(big.Float).Quo(a, b)) }
	all := map[string]float64{
		"pmi": rounded(logTwo(ratio)), "mi3": rounded(logTwo(mul(ratio, mul(o, o)))), "t": over(wide(gap), root(o)),
		"npmi": 1, "dice": rounded(wide(c.dice())),
	}
	if c.O != c.N {
		ln := lnWide(fraction(c.N, c.O))
		all["npmi"] = over(lnWide(ratio), ln.Mul(ln, wide(fraction(n-1, 1))))
	}
	for _, name := range []string{"mi2", "z", "logdice", "minsens", "ps", "ll", "chi2", "chi2_yates", "deltap_21", "deltap_12", "lambda", "lambda_z"} {
		all[name] = math.NaN()
	}
	isTable := slices.Min(c.Cells) >= 0
	if isTable {
		all["ll"] = c.likelihood(gap.Sign())
		all["lambda"], all["lambda_z"] = c.interaction()
	}
	if len(c.Marginals) != 2 {
		return all
	}
	all["mi2"] = rounded(logTwo(mul(ratio, o)))
	all["z"] = over(wide(gap), root(e))
	all["logdice"] = rounded(logTwo(mul(c.dice(), fraction(1<<14, 1))))
	all["minsens"] = math.Min(float64(c.O)/float64(c.Marginals[0]), float64(c.O)/float64(c.Marginals[1]))
	ps := lnWide(ratio)
	ps.Sub(ps, wide(fraction(1, 1)))
	all["ps"] = rounded(ps.Mul(ps, wide(o)))
	if isTable {
		all["chi2"], all["chi2_yates"] = c.chiSquare(new(big.Rat)), c.chiSquare(fraction(1, 2))
		all["deltap_21"] = c.difference(c.Marginals[0], c.Cells[2])
		all["deltap_12"] = c.difference(c.Marginals[1], c.Cells[1])
	}
	return all
}

func (c Collocation) dice() *big.Rat {
	sum := int64(0)
	for _, m := range c.Marginals {
		sum += m
	}
	return fraction(int64(len(c.Marginals))*c.O, sum)
}

// expectedOf is what a cell has if all positions are independent.
func (c Collocation) expectedOf(matches int) *big.Rat {
	e := fraction(c.N, 1)
	for i, m := range c.Marginals {
		if matches>>i&1 == 0 {
			m = c.N - m
		}
		e = mul(e, fraction(m, c.N))
	}
	return e
}

// likelihood is 2 Σ O ln(O/E) over all cells with a sign.
func (c Collocation) likelihood(sign int) float64 {
	sum := new(big.Float).SetPrec(keynessBits)
	for matches, cell := range c.Cells {
		if cell > 0 {
			ln := lnWide(quo(fraction(cell, 1), c.expectedOf(matches)))
			sum.Add(sum, ln.Mul(ln, wide(fraction(2*cell, 1))))
		}
	}
	if sign < 0 {
		sum.Neg(sum)
	}
	return rounded(sum)
}

// chiSquare is Σ (|O-E| - less)²/E over four cells; a difference below less is none, and 0 is the
// value on a zero margin.
func (c Collocation) chiSquare(less *big.Rat) float64 {
	sum := new(big.Rat)
	for matches, cell := range c.Cells {
		e := c.expectedOf(matches)
		if e.Sign() == 0 {
			return 0
		}
		d := sub(fraction(cell, 1), e)
		if d = sub(d.Abs(d), less); d.Sign() > 0 {
			sum.Add(sum, quo(mul(d, d), e))
		}
	}
	return rounded(wide(sum))
}

// difference is P(other | word) - P(other | another word).
func (c Collocation) difference(marginal, without int64) float64 {
	if marginal == c.N {
		return 0
	}
	return rounded(wide(sub(fraction(c.O, marginal), fraction(without, c.N-marginal))))
}

// interaction is λ of the saturated model, and its z.
func (c Collocation) interaction() (lambda, z float64) {
	sum, variance := new(big.Float).SetPrec(keynessBits), new(big.Rat)
	for matches, cell := range c.Cells {
		missing := 0
		for i := range c.Marginals {
			missing += 1 - matches>>i&1
		}
		ln := lnWide(fraction(2*cell+1, 2))
		if missing%2 == 1 {
			ln.Neg(ln)
		}
		sum.Add(sum, ln)
		variance = add(variance, fraction(2, 2*cell+1))
	}
	lambda = rounded(sum)
	return lambda, rounded(sum.Quo(sum, new(big.Float).Sqrt(wide(variance))))
}

// CValueCounts are what the C-value of a candidate is made of, and its values.
type CValueCounts struct {
	F, Longer, Nested, CValue, PlusWords float64
}

// CValues are those of candidates with these frequencies, by Frantzi's algorithm, and with 1 added to the logarithm
// of the length.
func CValues(frequency map[string]float64) map[string]CValueCounts {
	var longest []string
	for a := range frequency {
		longest = append(longest, a)
	}
	words := func(a string) int { return len(strings.Split(a, " ")) }
	sort.Slice(longest, func(i, j int) bool { return words(longest[i]) > words(longest[j]) })
	values := map[string]CValueCounts{}
	for _, a := range longest {
		c := CValueCounts{F: frequency[a]}
		for b, longer := range values {
			if words(b) > words(a) && strings.Contains(" "+b+" ", " "+a+" ") {
				c.Longer++
				c.Nested += longer.F - longer.Nested
			}
		}
		own := c.F
		if c.Longer > 0 {
			own -= c.Nested / c.Longer
		}
		length := math.Log2(float64(words(a)))
		c.CValue, c.PlusWords = length*own, (1+length)*own
		values[a] = c
	}
	return values
}
