package table

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func rational(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// Pairs are exact sums and products.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 2000 {
		x, y := math.Ldexp(r.NormFloat64(), r.IntN(60)), math.Ldexp(r.NormFloat64(), r.IntN(60))
		p := Pair{High: x}.Plus(Pair{High: y})
		if sum := new(big.Rat).Add(rational(p.High), rational(p.Low)); sum.Cmp(new(big.Rat).Add(rational(x), rational(y))) != 0 || p.High != x+y {
			t.Fatalf("%v + %v is %v", x, y, p)
		}
		q := Product(x, y)
		if product := new(big.Rat).Add(rational(q.High), rational(q.Low)); product.Cmp(new(big.Rat).Mul(rational(x), rational(y))) != 0 {
			t.Fatalf("%v * %v is %v", x, y, q)
		}
	}
}

// cells returns the cells of one term whose values are of one class.
func cells(form Form, values []float64) *Cells {
	c, sum := &Cells{Form: form}, ClassSum{}
	for _, v := range values {
		sum.AddValue(1, v, form)
	}
	c.Append(0, sum.A, sum.S, sum.Q)
	c.EndTerm(sum.A, sum.S)
	return c
}

// joined returns the sum of two cells, or their difference by the sign.
func joined(a, b *Cells, sign float64) *Cells {
	c, classes := &Cells{Form: max(a.Form, b.Form)}, []uint32{0}
	c.AppendSum(&Operand{Cells: a, Classes: classes, Sign: 1}, &Operand{Cells: b, Classes: classes, Sign: sign}, 0, 0)
	return c
}

// offBy returns the relative errors of the sum and of the squared distances of cells of these values.
func offBy(c *Cells, values []float64) (sum, distances float64) {
	s, n := new(big.Rat), big.NewRat(int64(len(values)), 1)
	for _, v := range values {
		s.Add(s, rational(v))
	}
	m2, mean := new(big.Rat), new(big.Rat).Quo(s, n)
	for _, v := range values {
		d := new(big.Rat).Sub(rational(v), mean)
		m2.Add(m2, d.Mul(d, d))
	}
	var tile Tile
	c.Read(&tile, 0, 1, true)
	relative := func(got float64, want *big.Rat) float64 {
		off, _ := new(big.Rat).Quo(new(big.Rat).Sub(rational(got), want), want).Float64()
		return math.Abs(off)
	}
	return relative(tile.S[0], s), relative(tile.M2[0], m2)
}

// The moments of values whose deviation is a millionth of their mean have the digits that the package says: of one
// run, of a thousand parts in any order, and of what is left without a fold.
func TestMomentsKeepTheirBound(t *testing.T) {
	const bound = 1e-9
	for round := range 6 {
		r := rand.New(rand.NewPCG(43, uint64(round)))
		mean := math.Pow(10, float64(3*round-6))
		var parts []*Cells
		var all []float64
		for range 1000 {
			var own []float64
			for range 1 + r.IntN(9) {
				own = append(own, mean*(1+r.NormFloat64()/1e6))
			}
			parts, all = append(parts, cells(RealValues, own)), append(all, own...)
		}
		fold := all[:len(all)/5]
		for name, c := range map[string]*Cells{"a run": cells(RealValues, all), "forth": nil, "back": nil, "shuffled": nil} {
			if c == nil {
				order := r.Perm(len(parts))
				for i := range order {
					switch name {
					case "forth":
						order[i] = i
					case "back":
						order[i] = len(parts) - 1 - i
					}
				}
				c = parts[order[0]]
				for _, i := range order[1:] {
					c = joined(c, parts[i], 1)
				}
			}
			for what, got := range map[string]struct {
				cells  *Cells
				values []float64
			}{"all": {c, all}, "without a fold": {joined(c, cells(RealValues, fold), -1), all[len(fold):]}} {
				sum, distances := offBy(got.cells, got.values)
				if !(sum <= bound && distances <= bound) {
					t.Errorf("mean %g, %s, %s: the sum is off by %g, squared distances by %g", mean, name, what, sum, distances)
				}
			}
		}
	}
}

// One document that is left has no squared distance from its mean: not what rounding leaves of the others'.
func TestOneValueThatIsLeftHasNoDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	for range 200 {
		gone := []float64{r.Float64(), r.Float64()}[:1+r.IntN(2)]
		rest := joined(cells(RealValues, append([]float64{r.Float64()}, gone...)), cells(RealValues, gone), -1)
		if rest.impossible || rest.Q.At(0, 0) != 0 {
			t.Fatalf("without %v: %v", gone, rest.Q.At(0, 0))
		}
	}
}

// Counts have sums of squares until these are too large to be exact, be it by adding them; then squared distances.
func TestSquaresOfCountsBecomeDistances(t *testing.T) {
	for value, form := range map[float64]Form{1: Counts, 1 << 25: Counts, 6e7: LargeCounts} {
		half := &Table{ClassNames: []string{"a"}, Cells: *cells(Counts, []float64{value, value + 1})}
		half.Cells.Margins = Margins{Documents: 2, Labelled: 2, Tokens: 2*value + 1, ClassDocs: []float64{2}, ClassTokens: []float64{2*value + 1}}
		half.Names = NamedBy(1, func(int) string { return "x" })
		got := testkit.Must(AddCounts(half, half))
		testkit.Equal(t, got.Cells.Form, form, value)
		testkit.Equal(t, got.Real(), false, value)
		if form == LargeCounts {
			testkit.Equal(t, got.Cells.Q.At(0, 0), 1, value)
		}
		testkit.OK(got.Check())
	}
}
