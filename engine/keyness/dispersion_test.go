package keyness

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Sums of distances are exact beyond 64 bits: in the products, in their differences and in the sum.
func TestWideSums(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	draw := func() float64 { return float64(r.Int64N(1 << (1 + r.IntN(52)))) }
	for range 50 {
		var sum wide
		want := new(big.Int)
		for range 1 + r.IntN(30) {
			a, b, c, d := draw(), draw(), draw(), draw()
			sum.addDistance(a, b, c, d)
			left, right := big.NewInt(int64(a)), big.NewInt(int64(c))
			left.Sub(left.Mul(left, big.NewInt(int64(b))), right.Mul(right, big.NewInt(int64(d))))
			want.Add(want, left.Abs(left))
		}
		got := new(big.Int).SetUint64(sum.high)
		if got.Lsh(got, 64).Add(got, new(big.Int).SetUint64(sum.low)); got.Cmp(want) != 0 {
			t.Errorf("%v, want %v", got, want)
		}
		nearest, _ := new(big.Float).SetInt(want).Float64()
		testkit.Equal(t, near(sum.float(), nearest, 0), true, "want", nearest)
	}
}
