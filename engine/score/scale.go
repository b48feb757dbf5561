package score

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/table"
)

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
