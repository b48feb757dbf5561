package pvalue

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"
)

// TestSameBits asserts one digest in every build, with fused multiply-add
// (GOAMD64=v3, arm64) and without.
func TestSameBits(t *testing.T) {
	const want = 0xdf7357fa349de49a
	var all []byte
	add := func(values ...float64) {
		for _, v := range values {
			all = binary.LittleEndian.AppendUint64(all, math.Float64bits(v))
		}
	}
	for _, k := range knownValues(t) {
		add(k.got...)
	}
	r := rand.New(rand.NewPCG(5, 6))
	power := func() float64 { return math.Ldexp(1+r.Float64(), r.IntN(24)-8) }
	for range 3000 {
		x, degrees, more := power(), math.Round(1+power()), 1+power()
		add(ChiSquare(x, 1), ChiSquare(x, degrees), ChiSquare(x, more), F(x, degrees, more), Student(x, degrees), Normal(x))
		table := randomTable(r, 1<<r.IntN(20))
		add(of3(table)...)
		a := table.Approximation()
		add(a.Exact, a.ChiSquare, a.LeastExpected)
	}
	lnp := make([]float64, 1000)
	for i := range lnp {
		lnp[i] = ChiSquare(power(), 1)
	}
	for _, adjust := range []func(dst, lnp []float64){AdjustFDR, AdjustFWE, AdjustHolm} {
		dst := make([]float64, len(lnp))
		adjust(dst, lnp)
		add(dst...)
	}
	if got := xxh3.Hash(all); got != want {
		t.Errorf("the digest is %#x, want %#x", got, uint64(want))
	}
}

func randomTable(r *rand.Rand, most int64) Table {
	return Table{r.Int64N(most), r.Int64N(most), r.Int64N(most), r.Int64N(most)}
}
