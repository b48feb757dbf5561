package words

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A Measure tells how strongly words attract each other, or of key words ([Keyness]) how much more often a corpus uses
// them. The zero value is [LL].
//
// In the formulas of this file O is the frequency of the n-gram, R1 and C1 are the marginals of its two words, f_i
// those of n words, N is the number of all n-grams and E = R1·C1/N, of n words the product of f_i by
// N^(n-1). O11 = O, O12 = R1-O, O21 = C1-O and O22 = N-R1-C1+O are the cells. Of every measure a larger
// value is a stronger attraction. What is said of two words alone is undefined, NaN, of more.
type Measure string

// The measures of collocations.
const (
	// PMI is pointwise mutual information, log2(O/E), or to another base: Church and Hanks 1990. It
	// finds rare words: ask for a least frequency with it.
	PMI Measure = "pmi"
	// NPMI is PMI in [-1, 1], ln(O/E)/(-(n-1)·ln(O/N)), and 1 for O = N: Bouma 2009.
	NPMI Measure = "npmi"
	// MI2 and MI3 are log2(O²/E), of two words, and log2(O³/E), to the base of PMI: Daille 1994.
	MI2 Measure = "mi2"
	MI3 Measure = "mi3"
	// T is (O-E)/√O: Church, Gale, Hanks and Hindle 1991.
	T Measure = "t"
	// Z is (O-E)/√E, of two words.
	Z Measure = "z"
	// LL is the log-likelihood ratio 2·Σ O·ln(O/E) over all cells, negative where O < E: Dunning 1993.
	// Against it stands the independence of all n words.
	LL Measure = "ll"
	// Chi2 is chi-square of the four cells of two words, unsigned, and 0 on a zero margin.
	Chi2 Measure = "chi2"
	// Dice is n·O/Σf_i, in [0, 1].
	Dice Measure = "dice"
	// LogDice is 14 + log2 Dice, of two words, 14 at most: Rychlý 2008, of frequencies of words.
	LogDice Measure = "logdice"
	// MinSens is min(O/R1, O/C1), of two words: Pedersen and Bruce 1996.
	MinSens Measure = "minsens"
	// DeltaP21 is O11/R1 - O21/(N-R1), in [-1, 1]: what the first word tells of the second; DeltaP12 is
	// O11/C1 - O12/(N-C1), what the second tells of the first. Of two words, 0 on a zero margin:
	// Gries 2013.
	DeltaP21 Measure = "deltap21"
	DeltaP12 Measure = "deltap12"
	// PS is O·(ln(O/E) - 1), of two words: Quasthoff and Wolff 2002.
	PS Measure = "ps"
	// Lambda is the interaction of all words in a saturated log-linear model, Σ (-1)^(n-b)·ln(cell + 1/2)
	// over the cells, of which b words match: Blaheta and Johnson 2001. LambdaZ is Lambda by its standard
	// error √(Σ 1/(cell + 1/2)).
	Lambda  Measure = "lambda"
	LambdaZ Measure = "lambda_z"
)

// A definition says what a measure is.
type definition struct {
	Measure
	of    func(j *judgement) float64
	pairs bool // of two words alone
	table bool // it reads cells, and is undefined where they are not known or negative
	// lnP returns ln p of a value for n words; nil where the measure is no test.
	lnP func(value float64, n int) float64
}

// measures has all measures.
var measures = []definition{
	{Measure: LL, of: (*judgement).deviance, table: true, lnP: func(v float64, n int) float64 {
		return pvalue.ChiSquare(math.Abs(v), float64(int(1)<<n-n-1))
	}},
	{Measure: PMI, of: func(j *judgement) float64 { return j.lnRatio / j.base }},
	{Measure: NPMI, of: (*judgement).npmi},
	{Measure: MI2, pairs: true, of: func(j *judgement) float64 { return j.mutual(1) }},
	{Measure: MI3, of: func(j *judgement) float64 { return j.mutual(2) }},
	{Measure: T, of: func(j *judgement) float64 { return j.gap / math.Sqrt(j.O) }},
	{Measure: Z, pairs: true, of: func(j *judgement) float64 { return j.gap / math.Sqrt(j.e) }},
	{Measure: Chi2, pairs: true, table: true, of: (*judgement).chiSquare, lnP: func(v float64, _ int) float64 { return pvalue.ChiSquare(v, 1) }},
	{Measure: Dice, of: (*judgement).dice},
	{Measure: LogDice, pairs: true, of: func(j *judgement) float64 { return 14 + kernels.Log2(j.dice()) }},
	{Measure: MinSens, pairs: true, of: func(j *judgement) float64 { return j.O / max(j.Marginals[0], j.Marginals[1]) }},
	{Measure: DeltaP21, pairs: true, table: true, of: func(j *judgement) float64 { return j.deltaP(j.Marginals[0]) }},
	{Measure: DeltaP12, pairs: true, table: true, of: func(j *judgement) float64 { return j.deltaP(j.Marginals[1]) }},
	{Measure: PS, pairs: true, of: func(j *judgement) float64 { return float64(j.O * (j.lnRatio - 1)) }},
	{Measure: Lambda, table: true, of: (*judgement).lambda},
	{Measure: LambdaZ, table: true, of: (*judgement).lambdaZ, lnP: func(v float64, _ int) float64 { return pvalue.Normal(v) }},
}

// Measures lists the measures of collocations, the default first.
func Measures() (names []Measure) {
	for i := range measures {
		names = append(names, measures[i].Measure)
	}
	return names
}

// Tests lists the measures that have p-values.
func Tests() (names []Measure) {
	for i := range measures {
		if measures[i].lnP != nil {
			names = append(names, measures[i].Measure)
		}
	}
	return names
}

// Parameters are the constants of the measures. The zero value has the usual ones.
type Parameters struct {
	// Base is that of the logarithms of PMI, MI2 and MI3, above 1; 0 is 2.
	Base float64
	// Yates corrects Chi2 for continuity: |O-E| is less by 1/2, or 0.
	Yates bool
}

// check returns a [usage.ErrUsage] for constants that make no sense.
func (o *Parameters) check() error {
	if o.Base != 0 && !(o.Base > 1 && o.Base <= math.MaxFloat64) {
		return usage.Errorf("the base of logarithms must be a number above 1, not %v", o.Base)
	}
	return nil
}

// definitionOf returns the definition of a measure, nil for an unknown one.
func definitionOf(m Measure) *definition {
	for i := range measures {
		if measures[i].Measure == m {
			return &measures[i]
		}
	}
	return nil
}

// CheckMeasure returns a [usage.ErrUsage] that names similar measures, unless m is one.
func CheckMeasure(m Measure) error {
	if definitionOf(m) != nil {
		return nil
	}
	return rank.UnknownMeasure("measure of collocation", string(m), namesOf(Measures()))
}

func namesOf[T ~string](values []T) (names []string) {
	for _, v := range values {
		names = append(names, string(v))
	}
	return names
}

// value returns the value of counts, NaN where it is undefined.
func (d *definition) value(j *judgement) float64 {
	noTable := len(j.Cells) == 0 || j.Cells[0] < 0 // word marginals may leave less than nothing for the places without either word
	if d.pairs && j.n != 2 || d.table && noTable || j.Expected > 0 && !slices.Contains(pairMeasures, d.Measure) {
		return math.NaN()
	}
	return d.of(j)
}

func (j *judgement) npmi() float64 {
	if j.O == j.N {
		return 1
	}
	return j.lnRatio / (float64(j.n-1) * kernels.Log1p((j.N-j.O)/j.O))
}

// mutual is PMI with the given power of O more.
func (j *judgement) mutual(power float64) float64 {
	return (j.lnRatio + float64(power*kernels.Log(j.O))) / j.base
}

func (j *judgement) chiSquare() float64 {
	gap, r1, c1 := math.Abs(j.gap), j.Marginals[0], j.Marginals[1]
	if r1 == j.N || c1 == j.N {
		return 0
	}
	if j.yates {
		gap = max(0, gap-.5)
	}
	return float64(gap/j.e*gap) * float64(j.N/(j.N-r1)*(j.N/(j.N-c1)))
}

func (j *judgement) dice() float64 {
	sum := 0.
	for _, m := range j.Marginals {
		sum += m
	}
	return float64(float64(j.n)*j.O) / sum
}

// deltaP is by how much a word with this marginal makes the other likelier.
func (j *judgement) deltaP(marginal float64) float64 {
	if marginal == j.N {
		return 0
	}
	return j.excess / float64(marginal*(j.N-marginal))
}

func (j *judgement) lambda() float64 {
	lambda, _ := j.interaction()
	return lambda
}

func (j *judgement) lambdaZ() float64 {
	lambda, variance := j.interaction()
	return lambda / math.Sqrt(variance)
}

// counts are what the measures read of an n-gram, or of any two events. All are whole numbers but
// Expected.
type counts struct {
	// O is the number of joint occurrences, 1 or more, N that of all places where the n-gram could be.
	O, N float64
	// Marginals are the occurrences of each word at its place; their number is n.
	Marginals []float64
	// Cells are the numbers of places by which of the words stand there: bit i of the index is set if
	// the word of position i does. Without them measures of the whole table are undefined.
	Cells []float64
	// Expected is the expected number of joint occurrences where it does not follow from the marginals
	// as their product by N^(n-1); 0 where it does.
	Expected float64
}

// A judgement is the counts of an n-gram with what several measures make of them.
type judgement struct {
	*counts
	n       int
	e       float64 // expected
	gap     float64 // O - e
	excess  float64 // gap·N^(n-1), which of whole numbers is exact below 2^53
	lnRatio float64 // ln(O/e)
	base    float64 // the natural logarithm of the base of the options
	yates   bool
}

// judge returns the judgement of counts.
func (o *Parameters) judge(c *counts) judgement {
	j := judgement{counts: c, n: len(c.Marginals), base: kernels.Log(cmp.Or(o.Base, 2)), yates: o.Yates}
	if c.Expected > 0 {
		j.e, j.gap, j.lnRatio = c.Expected, c.O-c.Expected, kernels.Log(c.O/c.Expected)
		return j
	}
	product, gap, power := c.product(1<<j.n-1, c.O)
	j.e, j.gap, j.excess = product/power, gap/power, gap
	if share := gap / product; math.Abs(share) < .5 {
		j.lnRatio = kernels.Log1p(share) // with all its digits where O is near to e
	} else {
		j.lnRatio = kernels.Log(c.O / j.e)
	}
	return j
}

// product returns the product of the numbers of places by whether they have the word of each position, N^(n-1), which
// divides it, and o times that less the product.
func (c *counts) product(positions int, o float64) (product, gap, power float64) {
	of, all := table.Pair{High: 1}, table.Pair{High: 1}
	for i, m := range c.Marginals {
		if positions>>i&1 == 0 {
			m = c.N - m
		}
		of = of.Times(m)
		if i > 0 {
			all = all.Times(c.N)
		}
	}
	return of.High, all.Times(o).Minus(of).High, all.High
}

// collocation returns what was judged under its name, with the values of all measures.
func (j *judgement) collocation(term string, documents, value float64) Collocation {
	c := Collocation{Term: term, Frequency: int(j.O), Documents: int(documents), Expected: j.e, Value: value, Values: make([]float64, len(measures))}
	for _, m := range j.Marginals {
		c.Marginals = append(c.Marginals, int(m))
	}
	for i := range measures {
		c.Values[i] = measures[i].value(j)
	}
	return c
}

// deviance returns twice the sum of o·ln(o/e) over all cells, of independent positions, with the sign of O - E. The
// differences o - e add up to 0: with them no summand is negative, and none cancels another.
func (j *judgement) deviance() float64 {
	sum := 0.
	for positions, o := range j.Cells {
		product, gap, power := j.product(positions, o)
		sum += pvalue.Deviance(o, product/power, gap/power)
	}
	if j.gap < 0 {
		return -2 * sum
	}
	return 2 * sum
}

// interaction returns λ, the parameter of highest order of the saturated log-linear model, and its
// variance, with 1/2 added to each cell.
func (j *judgement) interaction() (lambda, variance float64) {
	for positions, cell := range j.Cells {
		cell += .5
		ln := kernels.Log(cell)
		if (j.n-bits.OnesCount(uint(positions)))%2 == 1 {
			ln = -ln
		}
		lambda, variance = lambda+ln, variance+1/cell
	}
	return lambda, variance
}

// The cells of an n-gram of three words and more count the n-grams in which some of the words stand at
// their positions, and others at the rest.

// A part of an n-gram has the words at a set of positions, two or more but not all, from the first position on.
type part struct {
	positions uint8
	words     [mostWords - 1]uint32
}

// partOf returns the part of an n-gram at a set of positions.
func partOf(ids []uint32, positions int) (p part) {
	p.positions = uint8(positions)
	i := 0
	for position, id := range ids {
		if positions>>position&1 == 1 {
			p.words[i] = id
			i++
		}
	}
	return p
}

// eachPart calls f with the parts of an n-gram.
func eachPart(ids []uint32, f func(part)) {
	for positions := range 1<<len(ids) - 1 {
		if bits.OnesCount(uint(positions)) > 1 {
			f(partOf(ids, positions))
		}
	}
}

// cellsOf returns the cells of an n-gram by how many have its parts.
func cellsOf(counted map[part]float64, ids []uint32, all float64, marginals []float64, occurrences float64) []float64 {
	cells := make([]float64, 1<<len(ids))
	for positions := range cells {
		switch bits.OnesCount(uint(positions)) {
		case 0:
			cells[positions] = all
		case 1:
			cells[positions] = marginals[bits.TrailingZeros(uint(positions))]
		case len(ids):
			cells[positions] = occurrences
		default:
			cells[positions] = counted[partOf(ids, positions)]
		}
	}
	// Of those that match at least at a set of positions, some match at one more.
	for position := range ids {
		for positions := range cells {
			if positions>>position&1 == 0 {
				cells[positions] -= cells[positions|1<<position]
			}
		}
	}
	return cells
}

// countCells counts the cells of the n-grams that pass: first it collects the parts, then it counts them in all
// n-grams.
func (f *lister) countCells(ctx context.Context) error {
	for _, r := range f.rows {
		r.cells = map[part]float64{}
	}
	err := f.eachPassing(ctx, func(g *ngram) {
		cells := f.row(g).cells
		eachPart(f.split(g.name), func(p part) { cells[p] = 0 })
	})
	if err != nil {
		return err
	}
	return f.each(ctx, max(3, f.least), 1, func(g *ngram) {
		cells := f.row(g).cells
		eachPart(f.split(g.name), func(p part) {
			if _, asked := cells[p]; asked {
				cells[p] += g.occurrences
			}
		})
	})
}
