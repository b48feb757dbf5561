package methods

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func (x wide) big() *big.Int {
	v := new(big.Int).Lsh(big.NewInt(x.hi), 64)
	return v.Add(v, new(big.Int).SetUint64(x.lo))
}

func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	number := func() int64 { return int64(r.Uint64()) >> r.IntN(64) }
	for range 100_000 {
		v, a, b, m := number(), number(), number(), number()&math.MaxInt64
		b &= math.MaxInt64
		x := whole(v).plus(a)
		want := new(big.Int).Add(big.NewInt(v), big.NewInt(a))
		testkit.Equal(testkit.Stop(t), 0, x.big().Cmp(want), v, "+", a, "is", x.big())
		if m < 1<<62 {
			y := x.plusProduct(m, b)
			want.Add(want, new(big.Int).Mul(big.NewInt(m), big.NewInt(b)))
			if y.big().Cmp(want) != 0 || y.less(x) != (want.Cmp(x.big()) < 0) || x.less(y) != (x.big().Cmp(want) < 0) {
				t.Fatalf("%v + %d·%d is %v", x, m, b, y.big())
			}
			x = y
		}
		z := x.add(whole(a))
		testkit.Equal(testkit.Stop(t), 0, z.big().Cmp(want.Add(want, big.NewInt(a))), x, "+", a, "is", z)
		exact, _ := new(big.Float).SetInt(z.big()).Float64()
		if d := math.Abs(z.float() - exact); d > 0x1p-52*math.Abs(exact) {
			t.Fatalf("%v is %v, want %v", z.big(), z.float(), exact)
		}
	}
}
