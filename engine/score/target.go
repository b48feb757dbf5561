package score

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/table"
)

// This family compares a term with a target: whether documents have it, or how often, with the number
// of each document. All are functions of Pearson's coefficient r, of the numbers or of their ranks.

func ofTargets(o Options) []*definition {
	size := func(_ *Margins, a *association) float64 { return a.coefficient() }
	of := occurrences
	if o.Presence {
		of = presence
	}
	pearson := ofTarget("pearson", "Pearson's correlation with the target", "|r|, r = (NΣxy - ΣxΣy)/√((NΣx² - (Σx)²)(NΣy² - (Σy)²))",
		"Pearson 1895", of, signed(o, size)).tells(
		"how close to a straight line are count and number?", "0 to 1, -1 to 1 with `--signed`; 0 where either is constant",
		"a single large count or number can make it", "pearson1895")
	pearson.UsesTokens, pearson.squares = !o.Presence, !o.Presence
	return []*definition{
		pearson,
		ofTarget("trend", "Cochran–Armitage trend test", "|r|·√N of presence; its square is χ² of the trend",
			"Cochran 1954; Armitage 1955", presence, signed(o, func(m *Margins, a *association) float64 { return a.share().Times(m.N).Root().High })).tells(
			"does the share of documents with the term rise with the number?", "0 to √N",
			"sees only linear trends: the distances between the numbers count", "cochran1954", "armitage1955"),
		ofTarget("spearman", "Spearman's rank correlation with the target", "|r| of mid-ranks", "Spearman 1904", ranked, signed(o, size)).tells(
			"does the number rise where the count does, by any curve?", "0 to 1",
			"for rare terms nearly all counts tie", "spearman1904"),
	}
}

// A comparison says what of a term is compared with what of a target.
type comparison uint8

const (
	occurrences comparison = iota // values with numbers
	presence                      // presence with numbers
	ranked                        // presence with ranks of numbers
)

// ofTarget is a measure of a target, without class values.
func ofTarget(name, title, text, source string, of comparison, value func(m *Margins, a *association) float64) *definition {
	d := define(name, title, text, source, "")
	d.Default, d.Combinable, d.Target, d.Kind = "global", false, true, OfNumbers
	d.whole = func(p *Panel, t *table.Tile, dst []float64) {
		for i := range dst {
			a := p.margins.association(t, i, of)
			dst[i] = value(p.margins, &a)
		}
	}
	return d
}

// signed gives a size its sign, if that is asked for.
func signed(o Options, size func(m *Margins, a *association) float64) func(m *Margins, a *association) float64 {
	if !o.Signed {
		return size
	}
	return func(m *Margins, a *association) float64 {
		if v := size(m, a); a.gap.High < 0 {
			return -v
		} else {
			return v
		}
	}
}

// An association is what Pearson's coefficient r of a term and a target is made of: r² = gap²/product.
type association struct {
	gap     table.Pair // NΣxy - ΣxΣy
	product table.Pair // (NΣx² - (Σx)²)(NΣy² - (Σy)²); 0 where x or y is constant
	rest    table.Pair // product - gap², exactly 0 where |r| = 1
}

// associate returns the association of a term with the spread NΣx² - (Σx)², if it is exact: sums of
// whole numbers.
func associate(gap, spread table.Pair, y *axis, exact bool) association {
	if spread.High <= 0 || y.spread.High <= 0 {
		return association{}
	}
	a := association{gap: gap, product: spread.By(y.spread).Plus(table.Pair{})}
	a.rest = a.product.Minus(gap.By(gap))
	if a.rest.High > float64(a.product.High*nearlyNothing) {
		return a
	}
	a.rest = table.Pair{}
	if exact = exact && y.whole; exact && max(math.Abs(gap.High), spread.High, y.spread.High) < mostExactPair {
		a.rest.High = exactRest(gap, spread, y.spread)
	}
	return a
}

const (
	// nearlyNothing is the part of a product that a difference must exceed: a smaller one may be what
	// rounding leaves.
	nearlyNothing = 1. / (1 << 60) / (1 << 30)
	// mostExactPair is a number below which sums of whole numbers in two parts are exact.
	mostExactPair = 1 << 100
)

// exactRest returns x*y - gap², of whole numbers.
func exactRest(gap, x, y table.Pair) float64 {
	product, square := new(big.Int).Mul(wholeNumber(x), wholeNumber(y)), wholeNumber(gap)
	rest, _ := new(big.Float).SetInt(product.Sub(product, square.Mul(square, square))).Float64()
	return rest
}

// wholeNumber returns a pair that is a whole number.
func wholeNumber(p table.Pair) *big.Int {
	high, _ := big.NewFloat(p.High).Int(nil)
	low, _ := big.NewFloat(p.Low).Int(nil)
	return high.Add(high, low)
}

// share returns r².
func (a *association) share() table.Pair {
	switch {
	case a.product.High == 0:
		return table.Pair{}
	case a.rest.High <= 0:
		return table.Pair{High: 1}
	}
	return a.gap.By(a.gap).Over(a.product)
}

// belowOne is the largest number below 1.
const belowOne = 1 - 1./mostWhole

// coefficient returns |r|, which is 1 only if it is exactly.
func (a *association) coefficient() float64 {
	if a.product.High != 0 && a.rest.High <= 0 {
		return 1
	}
	return min(belowOne, a.share().Root().High)
}

// association returns that of term i of a tile with the target.
func (m *Margins) association(t *table.Tile, i int, c comparison) association {
	df := float64(t.DF[i])
	if c == occurrences {
		return m.ofOccurrences(t, i)
	}
	y := m.axisOf(c == ranked)
	from, to := t.Range(i)
	along := y.along(t.Class[from:to], t.A[from:to], df)
	return associate(m.gap(along, table.Pair{High: df}, y), table.Product(df, m.N-df), y, true)
}

// gap returns NΣxy - ΣxΣy from Σxy and Σx.
func (m *Margins) gap(along, sum table.Pair, y *axis) table.Pair {
	return along.Times(m.N).Minus(sum.By(y.sum))
}

// ofOccurrences returns the association of the values of term i of a tile with the numbers of documents.
func (m *Margins) ofOccurrences(t *table.Tile, i int) association {
	from, to := t.Range(i)
	class, sums := t.Class[from:to], t.S[from:to]
	y, total := &m.targets().scores, table.Pair{High: t.CF[i]}
	gap := m.gap(y.along(class, sums, total.High), total, y)
	if t.M2 != nil {
		return associate(gap, table.Pair{High: m.spreadOfMoments(t, i)}, y, false)
	}
	squares := squaresOf(t.Q[from:to])
	whole := float64(squares.High*m.N) < mostExactPair
	return associate(gap, m.spreadOfSums(Sums{X: total, Squares: squares, Whole: whole}), y, whole)
}

// squaresOf returns the sum of sums of squares, each of which is exact.
func squaresOf(squares []float64) table.Pair {
	sum := table.Pair{High: sumOf(squares)}
	if sum.High < mostWhole {
		return sum
	}
	sum = table.Pair{}
	for _, q := range squares {
		sum = sum.Plus(table.Pair{High: q})
	}
	return sum
}

// spreadOfMoments returns NΣx² - (Σx)² of term i of a tile that has squared distances.
func (m *Margins) spreadOfMoments(t *table.Tile, i int) float64 {
	from, to := t.Range(i)
	docs, mean := float64(t.DF[i]), t.CF[i]/m.N
	spread := float64((m.N - docs) * float64(mean*mean))
	for k := from; k < to; k++ {
		gap := t.S[k]/t.A[k] - mean
		spread += t.M2[k] + float64(t.A[k]*float64(gap*gap))
	}
	if spread <= float64(m.N*float64(mean*mean))*nearlyNothing { // of equal values
		return 0
	}
	return float64(m.N * spread)
}

// Sums are those of the values x of a term in the documents that have it, and of their products with the
// numbers of these documents, as [Margins.Along] has them.
type Sums struct {
	X, Squares, Along table.Pair
	Whole             bool // the values are whole numbers
}

// Along returns the numbers of the classes that [Sums] are made with: their scores in a unit of their own, or
// ranks. The slice must not be modified.
func (m *Margins) Along(ranked bool) []float64 { return m.axisOf(ranked).of }

func (m *Margins) axisOf(ranked bool) *axis {
	if ranked {
		return &m.targets().ranks
	}
	return &m.targets().scores
}

// Correlate returns Pearson's coefficient of sums, 0 where the values or the numbers are constant. The classes must
// have numbers.
func (m *Margins) Correlate(s Sums, ranked bool) float64 {
	y := m.axisOf(ranked)
	a := associate(m.gap(s.Along, s.X, y), m.spreadOfSums(s), y, s.Whole)
	return math.Copysign(a.coefficient(), a.gap.High)
}

// spreadOfSums returns NΣx² - (Σx)², and 0 for what rounding leaves of equal values.
func (m *Margins) spreadOfSums(s Sums) table.Pair {
	squares := s.Squares.Times(m.N)
	spread := squares.Minus(s.X.By(s.X))
	if !s.Whole && spread.High <= float64(squares.High*nearlyNothing) {
		return table.Pair{}
	}
	return spread
}

// A Scale has the classes of a corpus as numbers, for the measures of a target: the number
// of a document is the name of its class.
type Scale struct {
	scores []float64 // by class
	// units are the scores in another unit: whole numbers from 0 on if whole is set.
	units []float64
	whole bool
	order []uint32 // the classes by score
}

// NewScale returns the scale of classes with these names, or nil if there are none or one of them
// is not a finite decimal number.
func NewScale(names []string) *Scale {
	s := &Scale{scores: make([]float64, len(names)), order: make([]uint32, len(names))}
	for c, name := range names {
		v, ok := number(name)
		if !ok {
			return nil
		}
		s.scores[c], s.order[c] = v, uint32(c)
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortStableFunc(s.order, func(i, j uint32) int { return cmp.Compare(s.scores[i], s.scores[j]) })
	if s.units, s.whole = decimals(s.scores); !s.whole {
		from := fromLeast(s.scores)
		if s.units, s.whole = decimals(from); !s.whole {
			s.units = fractions(from)
		}
	}
	return s
}

// fromLeast returns what scores exceed the smallest by, where all these differences are exact, else the scores, which
// then are not all far from zero: what depends on differences alone keeps its digits.
func fromLeast(scores []float64) []float64 {
	least, from := slices.Min(scores), make([]float64, len(scores))
	for c, v := range scores {
		d := table.Pair{High: v}.Minus(table.Pair{High: least})
		if from[c] = d.High; d.Low != 0 {
			return scores
		}
	}
	return from
}

// number returns the value of a decimal number.
func number(text string) (v float64, ok bool) {
	if strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false // names such as Inf, 0x1p3 and 1_0 are words here
	}
	v, err := strconv.ParseFloat(text, 64)
	return v + 0, err == nil && finite(v)
}

// Scores returns the numbers by class. The slice must not be modified.
func (s *Scale) Scores() []float64 { return s.scores }

// mostWhole is the number from which float64 does not hold all whole numbers.
const mostWhole = 1 << 53

// decimals returns scores with up to six decimal places as whole numbers: what they exceed the
// smallest by, in units of the largest number that divides all these differences. It returns false if
// some score has more places, or too many digits.
func decimals(scores []float64) (units []float64, ok bool) {
	const places = 1e6
	units = make([]float64, len(scores))
	least, most := math.Inf(1), math.Inf(-1)
	for c, v := range scores {
		n := math.Round(v * places)
		if math.Abs(n) >= mostWhole || n/places != v {
			return nil, false
		}
		units[c], least, most = n, min(least, n), max(most, n)
	}
	if most-least >= mostWhole {
		return nil, false
	}
	divisor := uint64(0)
	for c := range units {
		units[c] -= least
		divisor = commonDivisor(divisor, uint64(units[c]))
	}
	for c := range units {
		units[c] /= max(1, float64(divisor))
	}
	return units, true
}

// commonDivisor returns the largest number that divides both; 0 is divided by all.
func commonDivisor(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// fractions returns scores times the power of two that makes all of them at most 1.
func fractions(scores []float64) []float64 {
	most := 0.0
	for _, v := range scores {
		most = max(most, math.Abs(v))
	}
	_, exponent := math.Frexp(most)
	units := make([]float64, len(scores))
	for c, v := range scores {
		units[c] = math.Ldexp(v, -exponent)
	}
	return units
}

// A target is what the documents of margins make of a scale. It is computed when a measure needs it.
type target struct {
	scale *Scale
	once  sync.Once

	scores, ranks axis
	total         table.Pair // of the numbers of all documents
}

// WithScale sets the numbers of the classes, which measures of a target need, and returns m. nil is for
// classes that have none.
func (m *Margins) WithScale(s *Scale) *Margins {
	m.target = &target{scale: s}
	return m
}

// Scale returns the numbers of the classes, or nil if they have none.
func (m *Margins) Scale() *Scale {
	if m.target == nil {
		return nil
	}
	return m.target.scale
}

// targets returns what the scale makes of the documents.
func (m *Margins) targets() *target {
	t := m.target
	t.once.Do(func() {
		t.scores = newAxis(t.scale.units, t.scale.whole, m.NC, m.N)
		t.rank(m.NC, m.N)
		for c, v := range t.scale.scores {
			t.total = t.total.Plus(table.Product(m.NC[c], v))
		}
	})
	return t
}

// rank sets the ranks: twice the mid-rank of a document, less 1, counted from 0. Their mean is N.
func (t *target) rank(nc []float64, n float64) {
	ranks, before := make([]float64, len(nc)), 0.0
	for rest := t.scale.order; len(rest) > 0; {
		equal, docs := 0, 0.0
		for equal < len(rest) && t.scale.scores[rest[equal]] == t.scale.scores[rest[0]] {
			docs += nc[rest[equal]]
			equal++
		}
		for _, c := range rest[:equal] {
			ranks[c] = 2*before + docs
		}
		rest, before = rest[equal:], before+docs
	}
	t.ranks = newAxis(ranks, true, nc, n)
}

// An axis is a number for each class.
type axis struct {
	of     []float64 // by class
	whole  bool      // the numbers are whole and not negative
	most   float64   // the largest of them
	sum    table.Pair
	spread table.Pair // N·Σ y² - (Σ y)² over the documents; 0 if all have the same
}

func newAxis(of []float64, whole bool, nc []float64, n float64) axis {
	x, squares, least, most := axis{of: of, whole: whole}, table.Pair{}, math.Inf(1), math.Inf(-1)
	for c, v := range of {
		x.most = max(x.most, v)
		if nc[c] > 0 {
			least, most = min(least, v), max(most, v)
		}
		x.sum = x.sum.Plus(table.Product(nc[c], v))
		squares = squares.Plus(table.Product(v, v).Times(nc[c]))
	}
	if least < most {
		x.spread = squares.Times(n).Minus(x.sum.By(x.sum))
	}
	return x
}

// along returns Σ v·y over the cells of a term, of counts that add up to total at most. The sum is
// exact below 2^53, and has an error of a few 2^-105 beyond.
func (x *axis) along(class []uint32, v []float64, total float64) table.Pair {
	if x.whole && float64(total*x.most) < mostWhole {
		sum := 0.0
		for i, c := range class {
			sum += float64(v[i] * x.of[c])
		}
		return table.Pair{High: sum}
	}
	var sum table.Pair
	for i, c := range class {
		sum = sum.Plus(table.Product(v[i], x.of[c]))
	}
	return sum
}

// Means returns the mean number of the documents with a term and of those without it, from the
// documents of its cells. The mean of no document is NaN. The classes must have numbers, and every document a class.
func (m *Margins) Means(class []uint32, docs []float64) (with, without float64) {
	t, df, of := m.targets(), 0.0, table.Pair{}
	for i, c := range class {
		of = of.Plus(table.Product(docs[i], t.scale.scores[c]))
		df += docs[i]
	}
	return mean(of, df), mean(t.total.Minus(of), m.N-df)
}

func mean(sum table.Pair, n float64) float64 {
	if n <= 0 {
		return math.NaN()
	}
	return sum.High / n
}
