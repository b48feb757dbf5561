package pvalue

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Values as they come: most terms near independence, some far from it. They vary
// from call to call, as branches would be foretold otherwise.
func statistics(mean float64) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 1024)
	for i := range x {
		x[i] = mean * math.Exp(2*r.NormFloat64())
	}
	return x
}

func tables(documents, scale int64) []Table {
	r := rand.New(rand.NewPCG(3, 4))
	t := make([]Table, 256)
	for i := range t {
		with := 1 + r.Int64N(scale)
		in := min(with, r.Int64N(with+1))
		t[i] = Table{in, with - in, documents/20 - in, documents - documents/20 - with + in}
	}
	return t
}

func BenchmarkPValue(b *testing.B) {
	distribution := func(name string, mean float64, tail func(x float64) float64) {
		x := statistics(mean)
		b.Run("impl=generic/of="+name, func(b *testing.B) {
			sum, i := 0.0, 0
			for b.Loop() {
				sum += tail(x[i&1023])
				i++
			}
			if !(sum < 0) {
				b.Fatal("not logarithms of p-values:", sum)
			}
		})
	}
	distribution("chi1", 2, func(x float64) float64 { return ChiSquare(x, 1) })
	distribution("normal", 1, Normal)
	distribution("chi2", 4, func(x float64) float64 { return ChiSquare(x, 2) })
	distribution("chi19", 30, func(x float64) float64 { return ChiSquare(x, 19) })
	distribution("chi99999", 1e5, func(x float64) float64 { return ChiSquare(x, 99999) })
	distribution("f19", 2, func(x float64) float64 { return F(x, 19, 18826) })
	distribution("t18844", 2, func(x float64) float64 { return Student(x, 18844) })

	exact := func(name string, tables []Table, test func(Table) float64) {
		b.Run("impl=generic/of="+name, func(b *testing.B) {
			sum, i := 0.0, 0
			for b.Loop() {
				sum += test(tables[i&(len(tables)-1)])
				i++
			}
			if !(sum <= 0) {
				b.Fatal("not logarithms of p-values:", sum)
			}
		})
	}
	few, many := tables(18846, 50), tables(18846, 800)
	exact("fisher/side=both/df=50", few, Table.TwoSided)
	exact("fisher/side=both/df=800", many, Table.TwoSided)
	exact("fisher/side=both/df=2e31", []Table{{1 << 30, 1<<30 + 20000, 1 << 30, 1 << 30}}, Table.TwoSided)

	x, lnp := statistics(2), make([]float64, 100000)
	for i := range lnp {
		lnp[i] = ChiSquare(x[i&1023]*(1+float64(i)*1e-9), 1)
	}
	adjusted := make([]float64, len(lnp))
	for _, adjust := range []struct {
		name string
		f    func()
	}{
		{"fdr", func() { FDR(lnp, .05) }},
		{"adjusted-fdr", func() { AdjustFDR(adjusted, lnp) }},
	} {
		b.Run("impl=generic/of="+adjust.name+"/tests=100000", func(b *testing.B) {
			for b.Loop() {
				adjust.f()
			}
		})
	}
}
