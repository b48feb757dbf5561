package table

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func exact(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }

// far returns by how much got is off, as a share of size.
func far(got float64, want *big.Rat, size float64) float64 {
	d := new(big.Rat).Sub(exact(got), want)
	f, _ := d.Float64()
	return math.Abs(f) / size
}

// Pairs have the digits that a difference of large products leaves.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 2000 {
		x, y := math.Ldexp(r.NormFloat64(), r.IntN(60)), math.Ldexp(r.NormFloat64(), r.IntN(60))
		p := Pair{High: x}.Plus(Pair{High: y})
		if sum := new(big.Rat).Add(exact(p.High), exact(p.Low)); sum.Cmp(new(big.Rat).Add(exact(x), exact(y))) != 0 || p.High != x+y {
			t.Fatalf("%v + %v is %v", x, y, p)
		}
		if got := p.Beyond(x); far(got, exact(y), math.Abs(y)) > 0x1p-52 {
			t.Fatalf("%v + %v is %v above the first", x, y, got)
		}
		n, m := float64(1+r.IntN(1000)), float64(1+r.IntN(1000))
		q := Product(x, n)
		if product := new(big.Rat).Add(exact(q.High), exact(q.Low)); product.Cmp(new(big.Rat).Mul(exact(x), exact(n))) != 0 {
			t.Fatalf("%v * %v is %v", x, n, q)
		}
		// q·m - (x·m + y)·n = -y·n, whatever x is.
		own := Product(x, m).Plus(Pair{High: y})
		if want := new(big.Rat).Mul(exact(-y), exact(n)); far(q.gap(m, own, n), want, math.Abs(float64(y*n))) > 1e-12 {
			t.Fatalf("the gap of %v and %v is %v, not %v", q, own, q.gap(m, own, n), -y*n)
		}
	}
}

// A part has the values of one term in three classes.
type part [3][]float64

// cells returns the cells of a part, centred or with sums of squares alone.
func (p *part) cells(centred bool) *Cells {
	c := &Cells{}
	df, cf, m2 := 0.0, 0.0, []float64(nil)
	for class, values := range p {
		if len(values) == 0 {
			continue
		}
		sum, squares := 0.0, 0.0
		for _, v := range values {
			sum += v
			squares += float64(v * v)
		}
		own, _ := p.of(class)
		f, _ := own.Float64()
		m2 = append(m2, f)
		c.Append(uint32(class), float64(len(values)), sum, squares)
		df, cf = df+float64(len(values)), cf+sum
	}
	if !centred {
		c.EndTerm(df, cf)
		return c
	}
	lowCF, lowS := exact(-cf), []float64(nil)
	for class, values := range p {
		if len(values) == 0 {
			continue
		}
		_, total := p.of(class)
		lowCF.Add(lowCF, total)
		var tile Tile
		c.DF, c.Start = []uint32{0}, []int{0, c.Len()}
		c.CF.low = []uint8{0}
		c.Read(&tile, 0, 1, true)
		f, _ := new(big.Rat).Sub(total, exact(tile.S[len(lowS)])).Float64()
		lowS = append(lowS, f)
	}
	c.DF, c.Start, c.CF = nil, nil, Column{}
	low, _ := lowCF.Float64()
	c.EndCentredTerm(df, cf, low, lowS, m2)
	return c
}

// of returns the squared distances of a class from its mean, and its sum.
func (p *part) of(class int) (m2, sum *big.Rat) {
	m2, sum = new(big.Rat), new(big.Rat)
	n := int64(len(p[class]))
	for _, v := range p[class] {
		sum.Add(sum, exact(v))
	}
	for _, v := range p[class] {
		d := new(big.Rat).Sub(exact(v), new(big.Rat).Mul(sum, big.NewRat(1, n)))
		m2.Add(m2, d.Mul(d, d))
	}
	return m2, sum
}

// Cells of real values add up to those of all of them and subtract again, though the sums of
// squares have no digit of the variance left.
func TestCentredCellsAddAndSubtract(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	classes := []uint32{0, 1, 2}
	for round := range 400 {
		v := math.Pow(10, float64(r.IntN(21)-5))
		var a, b, all part
		for class := range classes {
			for range r.IntN(5) {
				a[class] = append(a[class], v+r.Float64())
			}
			for range r.IntN(5) {
				b[class] = append(b[class], v+r.Float64())
			}
			all[class] = append(append(all[class], a[class]...), b[class]...)
		}
		sum := &Cells{Margins: Margins{ClassDocs: make([]float64, 3), ClassTokens: make([]float64, 3)}}
		sum.AppendSum(&Operand{Cells: a.cells(true), Classes: classes, Sign: 1}, &Operand{Cells: b.cells(true), Classes: classes, Sign: 1}, 0, 0)
		rest := &Cells{Margins: sum.Margins}
		rest.AppendSum(&Operand{Cells: all.cells(true), Classes: classes, Sign: 1}, &Operand{Cells: a.cells(true), Classes: classes, Sign: -1}, 0, 0)
		if !sum.settleAll() || !rest.settleAll() {
			t.Fatalf("round %d: the rest is negative", round)
		}
		for name, c := range map[string]struct {
			got  *Cells
			want *part
		}{"sum": {sum, &all}, "rest": {rest, &b}} {
			var tile Tile
			c.got.Read(&tile, 0, 1, true)
			for i, class := range tile.Class {
				whole, _ := all.of(int(class))
				m2, total := c.want.of(int(class))
				size, _ := whole.Float64()
				if far(tile.M2[i], m2, max(size, math.SmallestNonzeroFloat64)) > 1e-13 {
					t.Fatalf("round %d, %s, v = %v: squared distances of %v, want %v", round, name, v, tile.M2[i], m2.FloatString(20))
				}
				got := new(big.Rat).Add(exact(tile.S[i]), exact(tile.LowS[i]))
				if f, _ := got.Sub(got, total).Float64(); math.Abs(f) > 1e-29*v {
					t.Fatalf("round %d, %s, v = %v: a sum is off by %v", round, name, v, f)
				}
			}
		}
	}
}

// One document that is left has no squared distance from its mean: not what rounding leaves of the others'.
func TestOneValueThatIsLeftHasNoDistance(t *testing.T) {
	r, classes := rand.New(rand.NewPCG(45, 46)), []uint32{0, 1, 2}
	for range 200 {
		var gone, all part
		for range 1 + r.IntN(3) {
			gone[0] = append(gone[0], r.Float64())
		}
		all[0] = append([]float64{r.Float64()}, gone[0]...)
		rest := &Cells{Margins: Margins{ClassDocs: make([]float64, 3), ClassTokens: make([]float64, 3)}}
		rest.AppendSum(&Operand{Cells: all.cells(true), Classes: classes, Sign: 1}, &Operand{Cells: gone.cells(true), Classes: classes, Sign: -1}, 0, 0)
		if !rest.settleAll() || len(rest.Centred.M2) != 1 || rest.Centred.M2[0] != 0 {
			t.Fatalf("%v without %v: %v", all[0], gone[0], rest.Centred.M2)
		}
	}
}

// Cells of counts need nothing else until their squares are too large to be exact, be it by
// adding them.
func TestCountsAreNotCentred(t *testing.T) {
	classes := []uint32{0, 1, 2}
	for _, c := range []struct {
		value   float64
		centred bool
	}{{1, false}, {1 << 25, false}, {6e7, true}} {
		p := part{{c.value, c.value + 1}, {c.value}}
		x := &Cells{Margins: Margins{ClassDocs: make([]float64, 3), ClassTokens: make([]float64, 3)}}
		x.AppendSum(&Operand{Cells: p.cells(false), Classes: classes, Sign: 1}, &Operand{Cells: p.cells(false), Classes: classes, Sign: 1}, 0, 0)
		if !x.settleAll() || (x.LowQ != nil) != c.centred || x.Centred != nil {
			t.Errorf("counts of %v: squares lack %v", c.value, x.LowQ)
		}
		var tile Tile
		x.Read(&tile, 0, 1, true)
		if c.centred && (!tile.Centred || tile.M2[0] != 1 || tile.M2[1] != 0) {
			t.Errorf("counts of %v: squared distances of %v", c.value, tile.M2)
		}
	}
}

// Terms with and without what is centred may be joined: it is made of the sums of squares.
func TestCentredAndOtherTermsJoin(t *testing.T) {
	p, q := part{{1.5, 2}, {3, 4, 5}}, part{{2, 4}, nil, {7}}
	for _, order := range [][2]*Cells{{p.cells(true), q.cells(false)}, {q.cells(false), p.cells(true)}} {
		c := &Cells{}
		c.AppendTerms(order[0], 0, 1)
		c.AppendTerms(order[1], 0, 1)
		c.EndTerm(0, 0)
		if n := len(c.Centred.M2); n != c.Len() || len(c.Centred.S) != n || len(c.Centred.CF) != 3 {
			t.Fatalf("%d cells of %d", n, c.Len())
		}
		for i := range 2 {
			var x, y Tile
			c.Read(&x, i, i+1, true)
			order[i].centre()
			order[i].Read(&y, 0, 1, true)
			testkit.Equal(t, x.lacksAs(&y), true, "term", i, x.M2, "want", y.M2)
		}
	}
}
