package score

import (
	"maps"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// randomRow is a term of a random single-label corpus.
func randomRow(r *rand.Rand) (*Margins, *table.Tile) {
	k := 1 + r.IntN(6)
	nc, tc := make([]float64, k), make([]float64, k)
	n, total := 0.0, 0.0
	row := &table.Tile{DF: []uint32{0}, CF: []float64{0}}
	for c := range k {
		nc[c] = float64(1 + r.IntN(50))
		a := float64(r.IntN(int(nc[c]) + 1))
		s := a + float64(r.IntN(20))*min(a, 1)
		tc[c] = s + float64(r.IntN(500)) + 1
		n += nc[c]
		total += tc[c]
		if a > 0 {
			row.Class = append(row.Class, uint32(c))
			row.A = append(row.A, a)
			row.S = append(row.S, s)
			row.Q = append(row.Q, s*s/a+float64(r.IntN(9)))
			row.DF[0] += uint32(a)
			row.CF[0] += s
		}
	}
	row.W, row.Start = row.S, []int{0, len(row.Class)}
	return NewMargins(n, total, nc, tc), row
}

// one computes a measure of a tile of one term by a panel of its own.
func one(m Measure, info Info, combine string, margins *Margins, row *table.Tile) float64 {
	var v [1]float64
	NewPanel([]Choice{{m, info, combine}}, margins).Tile(row, [][]float64{v[:]})
	return v[0]
}

// The values' bits are part of the contract: this digest must be the same for
// every CPU, and for builds that may fuse multiplications with additions.
func TestBitsOfAllMeasures(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	registry := NewRegistry(Options{})
	digests := map[bool]uint64{} // by Info.New
	for range 500 {
		margins, row := randomRow(r)
		if row.DF[0] == 0 {
			continue
		}
		for _, info := range registry.Infos() {
			if info.Target {
				continue // see TestBitsOfTargets
			}
			m, _, _ := registry.Lookup(info.Name)
			for _, combine := range []string{"", Max, Avg, Sum, Mean} {
				if combine != "" && !info.Combinable {
					continue
				}
				v := one(m, info, combine, margins, row)
				testkit.Equal(testkit.Stop(t), math.IsNaN(v), false, info.Name, combine, "is not a number for", row)
				digests[info.New] = digests[info.New]*31 + math.Float64bits(v)
			}
		}
	}
	want := map[bool]uint64{false: 0x925d0f1630b236cd, true: 0xe0f22ad2884ef020}
	testkit.Equal(testkit.Stop(t), maps.Equal(digests, want), true, "digests", digests, "want", want)
}

// A measure of one's own is a type with two methods.
type share struct{}

func (share) Name() string           { return "share" }
func (share) Class(t *Table) float64 { return t.A / t.N }

func TestOwnMeasure(t *testing.T) {
	registry := NewRegistry(Options{}, share{})
	m, info, ok := registry.Lookup("share")
	if !ok || info.Default != Max || !info.Combinable {
		t.Fatalf("%+v", info)
	}
	margins := NewMargins(10, 10, []float64{4, 6}, []float64{5, 5})
	row := &table.Tile{DF: []uint32{3}, CF: []float64{3}, Start: []int{0, 1}, Class: []uint32{1}, A: []float64{3}, S: []float64{3}, Q: []float64{3}}
	testkit.Equal(testkit.Stop(t), one(m, info, "", margins, row), .3)
}

func TestOptionsOutOfRange(t *testing.T) {
	for _, o := range []Options{{Base: 1}, {Base: -2}, {Base: math.NaN()}, {RSD: -1}, {RSD: math.Inf(1)}} {
		if o.Validate() == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}

// The table of n ln n against logarithms of 200 bits, at small counts, around the
// powers of two and at random ones.
func TestEntropies(t *testing.T) {
	table := entropies(entropyMax - 1)
	r := rand.New(rand.NewPCG(3, 4))
	counts := []int{entropyMax - 2, entropyMax - 1}
	for n := range 200 {
		counts = append(counts, n, 1<<13-100+n, 1<<14-100+n, r.IntN(entropyMax), r.IntN(entropyMax))
	}
	for _, n := range counts {
		e := table[n]
		if e.hi*(1<<20) != math.Trunc(e.hi*(1<<20)) || math.Abs(e.lo) > 1./(1<<21) {
			t.Fatalf("the parts of %d are %v", n, e)
		}
		lost := new(big.Float).Sub(bigEntropy(n), big.NewFloat(e.hi).SetPrec(200))
		if d, _ := lost.Sub(lost, big.NewFloat(e.lo)).Float64(); math.Abs(d) > 0x1p-61 {
			t.Errorf("%d ln %d is off by %v", n, n, d)
		}
	}
}

// bigEntropy is n ln n: ln n = k ln 2 + 2 atanh((x-1)/(x+1)), n = 2^k·x, and ln 2 =
// 2 atanh(1/3).
func bigEntropy(n int) *big.Float {
	if n == 0 {
		return new(big.Float)
	}
	number := func(x int64) *big.Float { return new(big.Float).SetPrec(200).SetInt64(x) }
	atanh := func(p, q int64) *big.Float { // of p/q <= 1/3
		x := new(big.Float).Quo(number(p), number(q))
		square, power, sum := new(big.Float).Mul(x, x), x, number(0)
		for i := int64(1); i < 140; i += 2 {
			sum.Add(sum, new(big.Float).Quo(power, number(i)))
			power = new(big.Float).Mul(power, square)
		}
		return sum
	}
	k := bits.Len(uint(n)) - 1
	ln := new(big.Float).Mul(number(int64(k)), atanh(1, 3))
	ln.Add(ln, atanh(int64(n-1<<k), int64(n+1<<k)))
	return ln.Mul(ln, number(2*int64(n)))
}

// Information gain by the table and by the deviations is the same, where both keep
// their digits.
func TestGainsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		n := 4 + r.IntN(1<<(3+r.IntN(17)))
		df, nc := 1+r.IntN(n-1), 1+r.IntN(n-1)
		if r.IntN(2) == 0 {
			df = 1 + r.IntN(min(n-1, 100))
		}
		low, high := max(0, df+nc-n), min(df, nc)
		a := low + r.IntN(high-low+1)
		m := NewMargins(float64(n), 0, []float64{float64(nc), float64(n - nc)}, []float64{0, 0})
		tile := &table.Tile{DF: []uint32{uint32(df)}, Start: []int{0, 2}, Class: []uint32{0, 1}, A: []float64{float64(a), float64(df - a)}}
		p := NewPanel(nil, m)
		var by [1]float64
		p.gain(tile, by[:])
		p.entropies = entropies(m.N)
		if byTable := p.tabledGain(tile, 0) / float64(n); math.Abs(by[0]-byTable) > 1e-12*by[0]+1e-17 {
			t.Fatalf("%d %d %d %d: %v by the table, %v by deviations", n, df, nc, a, byTable, by)
		}
	}
}

// Independence of all classes is exactly 0.
func TestGainOfIndependence(t *testing.T) {
	m, info, _ := NewRegistry(Options{}).Lookup("ig")
	margins := NewMargins(30, 0, []float64{10, 20}, []float64{0, 0})
	row := &table.Tile{DF: []uint32{3}, Start: []int{0, 2}, Class: []uint32{0, 1}, A: []float64{1, 2}}
	testkit.Equal(t, one(m, info, "", margins, row), 0, "independence")
}

// A tile without terms has no values, whatever the measure.
func TestTileOfNoTerms(t *testing.T) {
	registry := NewRegistry(Options{}, share{})
	margins := NewMargins(10, 10, []float64{4, 6}, []float64{5, 5})
	for _, info := range registry.Infos() {
		m, _, _ := registry.Lookup(info.Name)
		NewPanel([]Choice{{m, info, ""}}, margins).Tile(&table.Tile{}, [][]float64{nil})
	}
}

// The whole numbers against logarithms of 200 bits, in small tables and beyond 2^20.
func TestFixedEntropy(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 17))
	for _, size := range []int{0, 1, 2, 3, 10, 1000, 1<<13 - 1, 1 << 13, 1 << 14, 1<<20 + 100_000} {
		table := NewFixedEntropy(size)
		testkit.Equal(testkit.Stop(t), len(table.Of), size+1, "elements up to", size)
		if last := table.Of[size]; last >= 1<<60 {
			t.Errorf("%d ln %d is %d", size, size, last)
		}
		counts := []int{size}
		for n := range 20 {
			counts = append(counts, min(n, size), max(size-n, 0), r.IntN(size+1), min(1<<14-10+n, size))
		}
		for _, n := range counts {
			want := bigEntropy(n)
			want.SetMantExp(want, table.Bits)
			off, _ := want.Sub(want, new(big.Float).SetInt64(table.Of[n])).Float64()
			if off > .51 || off < -.51 {
				t.Errorf("up to %d: %d ln %d is off by %v", size, n, n, off)
			}
		}
	}
}

// The variance within classes from the squared distances of the values is that of all documents, those
// without the term too: 3, 5, 0 and 0 in a class, 7, 0 and 0 in the other.
func TestCentredVariance(t *testing.T) {
	m := NewMargins(2, 7, []float64{4, 3}, []float64{8, 7})
	got := m.centredVariance([]uint32{0, 1}, []float64{2, 1}, []float64{8, 7}, []float64{2, 0})
	if want := (18 + 98./3) / 5; math.Abs(got-want) > 1e-14*want {
		t.Errorf("%v, want %v", got, want)
	}
}
