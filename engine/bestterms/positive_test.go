package bestterms

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Terms are positive as fractions of math/big say, for p of few digits and of many, near the
// bound and far from it.
func TestPositiveIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ps := []float64{0, 1, 0.1, 0.25, 1.0 / 3, 0.5, 5e-324, 1e-300, math.Nextafter(1, 0), 0.9999999999999999, 1e-19, 1e-20, 1.2345678901234567e-5}
	for range 200 {
		ps = append(ps, random.Float64(), math.Pow(random.Float64(), 40), float64(random.IntN(1000))/1000)
	}
	equal := 0
	for _, p := range ps {
		for _, rule := range []string{RuleMax, RuleInterpolated} {
			for _, total := range []int{1, 8, 11314, 1<<31 - 2} {
				size := random.IntN(total) + 1
				q, least := sideOf(p, rule, total, size), leastPrecision(p, rule, total, size)
				for range 8 {
					df := random.IntN(total) + 1
					near, _ := least.Float64()
					inside := min(df, max(0, int(near*float64(df))+random.IntN(3)-1))
					precision := big.NewRat(int64(inside), int64(df))
					want := precision.Cmp(big.NewRat(int64(size), int64(total))) > 0 && precision.Cmp(least) >= 0
					if precision.Cmp(least) == 0 {
						equal++
					}
					testkit.Equal(testkit.Stop(t), q.isPositive(uint64(inside), uint64(df)), want, "p", p, "rule", rule,
						size, "of", total, "documents, term in", inside, "of", df, "positive")
				}
			}
		}
	}
	if equal < 100 {
		t.Errorf("the precision was the least one %d times", equal)
	}
}

func sideOf(p float64, rule string, total, size int) *scorer {
	s := &scorer{}
	s.startSide(p, rule, total, size)
	return s
}

// leastPrecision is the least precision by math/big.
func leastPrecision(p float64, rule string, total, size int) *big.Rat {
	least, _ := new(big.Rat).SetString(strconv.FormatFloat(p, 'g', -1, 64))
	if rule != RuleMax {
		rest := new(big.Rat).Sub(big.NewRat(1, 1), least)
		least.Add(least, rest.Mul(rest, big.NewRat(int64(size), int64(total))))
	}
	return least
}
