package pvalue

import (
	_ "embed"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
)

// near says that two logarithms agree in 12 digits of either p or ln p.
func near12(x, y float64) bool {
	return x == y || math.Abs(x-y) <= 1e-12*max(1, min(math.Abs(x), math.Abs(y)))
}

// sumsTo says that e^x + e^y = total in 12 digits.
func sumsTo(total, x, y float64) bool { return math.Abs(math.Exp(x)+math.Exp(y)-total) < 1e-13 }

func TestTailsAgree(t *testing.T) {
	for e := -6.0; e < 4; e += 1. / 16 {
		x := math.Pow(10, e)
		z := math.Sqrt(x)
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"chi of one degree and its gamma", ChiSquare(x, 1), upperGamma(.5, x/2)},
			{"chi of two degrees and its gamma", ChiSquare(x, 2), upperGamma(1, x/2)},
			{"chi of one degree and normal", ChiSquare(float64(z*z), 1), Normal(z)},
			{"normal and its mirror", Normal(z), Normal(-z)},
			{"t and its mirror", Student(z, 7), Student(-z, 7)},
			{"t of one degree is Cauchy", Student(z, 1), math.Log(2 / math.Pi * math.Atan(1/z))},
			{"F of two and two degrees", F(x, 2, 2), -math.Log1p(x)},
		} {
			testkit.Equal(t, near12(c.got, c.want), true, c.what, c.got, "and", c.want, "at", x)
		}
		for _, d := range [][2]float64{{1, 1}, {2, 9}, {5, 300}, {40, 12.5}} {
			if up, down := F(x, d[0], d[1]), F(1/x, d[1], d[0]); !sumsTo(1, up, down) {
				t.Errorf("F of %v at %g: tails %g and %g do not add up to 1", d, x, up, down)
			}
		}
		// With 2^32 degrees of freedom t and F have come near to their limits.
		if got, want := Student(z, mostDegrees), Normal(z); x < 100 && math.Abs(got-want) > 1e-5 {
			t.Errorf("t of 2^32 degrees at %g is %g, normal %g", z, got, want)
		}
		if got, want := F(x, 5, mostDegrees), ChiSquare(5*x, 5); x < 100 && math.Abs(got-want) > 1e-3 {
			t.Errorf("F of 5 and 2^32 degrees at %g is %g, chi %g", x, got, want)
		}
	}
}

// Each step is larger than the last bits, in which a tail may go up.
func TestTailsFall(t *testing.T) {
	for name, tail := range map[string]func(float64) float64{
		"chi1":     func(x float64) float64 { return ChiSquare(x, 1) },
		"chi7":     func(x float64) float64 { return ChiSquare(x, 7) },
		"chi99999": func(x float64) float64 { return ChiSquare(x, 99999) },
		"normal":   Normal,
		"t":        func(x float64) float64 { return Student(x, 30) },
		"f":        func(x float64) float64 { return F(x, 19, 18826) },
	} {
		last := 0.0
		for x := 1e-9; x < 1e150; x *= 1.02 {
			p := tail(x)
			if p > last || p == last && last < -1e-15 {
				t.Fatalf("%s at %g: %.17g after %.17g", name, x, p, last)
			}
			last = p
		}
		testkit.Equal(t, math.IsInf(tail(math.Inf(1)), -1), true, name, "at infinity")
	}
	for df := 1.0; df < 200; df++ {
		if ChiSquare(50, df) >= ChiSquare(50, df+.5) {
			t.Errorf("chi of 50 does not become more probable with %g degrees", df)
		}
	}
}

func TestUndefinedIsOne(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for i, p := range []float64{
		Normal(nan), Normal(0), ChiSquare(nan, 1), ChiSquare(-1, 1), ChiSquare(0, 5), ChiSquare(5, 0), ChiSquare(5, nan), ChiSquare(5, inf), ChiSquare(5, .5),
		F(nan, 1, 1), F(-inf, 1, 1), F(0, 3, 3), F(5, 0, 3), F(5, 3, nan), F(5, inf, 3), Student(nan, 3), Student(0, 3), Student(5, 0), Student(5, nan),
		Table{}.TwoSided(), Table{-1, 2, 3, 4}.TwoSided(), Table{1, 2, 3, -4}.TwoSided(), Table{1 << 53, 1, 0, 0}.TwoSided(), Table{math.MaxInt64, 1, 1, 1}.TwoSided(),
		Table{1, 2, -3, 4}.TwoSided(), Table{1, 2, -3, 4}.LeastExpected(), Table{}.LeastExpected(),
	} {
		testkit.Equal(t, p, 0, "value", i)
	}
}

func TestNeverNaN(t *testing.T) {
	values := []float64{
		0, 5e-324, 1e-308, 1e-160, 1e-20, .3, 1, 1.5, 2, 17, 1e3, 1e5, 4e9, 1e15, 1e100, 1e154, 1e289, 1e291, math.MaxFloat64, math.Inf(1), math.NaN(), -1, math.Inf(-1),
	}
	for _, x := range values {
		for _, d1 := range values {
			for _, d2 := range []float64{1, 2, 7.7, 1e4} {
				for i, p := range []float64{Normal(x), ChiSquare(x, d1), F(x, d1, d2), F(x, d2, d1), Student(x, d1)} {
					if !(p <= 0) {
						t.Fatalf("function %d of %g, %g, %g is %g", i, x, d1, d2, p)
					}
				}
			}
		}
	}
	counts := []int64{0, 1, 2, 1000, 1 << 40}
	for _, a := range counts {
		for _, b := range counts {
			for _, c := range counts {
				for _, d := range counts {
					if p := (Table{a, b, c, d}).TwoSided(); !(p <= 0) || math.IsInf(p, -1) {
						t.Fatalf("the p-value of %d %d %d %d is %g", a, b, c, d, p)
					}
				}
			}
		}
	}
}

// naive is the definition of the test, with logarithms of package math.
func naive(t Table) (both float64) {
	ln := func(n int64) float64 { v, _ := math.Lgamma(float64(n) + 1); return v }
	p := func(a int64) float64 {
		b, c := t.A+t.B-a, t.A+t.C-a
		d := t.D + a - t.A
		return math.Exp(ln(t.A+t.B) + ln(t.C+t.D) + ln(t.A+t.C) + ln(t.B+t.D) - ln(t.A+t.B+t.C+t.D) - ln(a) - ln(b) - ln(c) - ln(d))
	}
	observed := p(t.A)
	for a := max(0, t.A-t.D); a <= min(t.A+t.B, t.A+t.C); a++ {
		if v := p(a); v <= observed*(1+1e-7) {
			both += v
		}
	}
	return both
}

func TestFisherByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 4000 {
		table := randomTable(r, 1<<(1+r.IntN(7)))
		want := naive(table)
		testkit.Close(testkit.Stop(t), math.Exp(table.TwoSided()), want, 0, 1e-11*want, table)
	}
}

func TestFisherSymmetries(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 1000 {
		x := randomTable(r, 1<<(1+r.IntN(24)))
		x.B = max(0, x.A+int64(r.NormFloat64()*3*math.Sqrt(float64(x.A)))) // not all far from independence
		x.D = max(0, x.C+int64(r.NormFloat64()*3*math.Sqrt(float64(x.C))))
		columns, rows, turned := Table{x.B, x.A, x.D, x.C}, Table{x.C, x.D, x.A, x.B}, Table{x.A, x.C, x.B, x.D}
		both := x.TwoSided()
		testkit.Equal(testkit.Stop(t), columns.TwoSided(), both, x, "columns exchanged")
		testkit.Equal(testkit.Stop(t), rows.TwoSided(), both, x, "rows exchanged")
		testkit.Equal(testkit.Stop(t), near12(turned.TwoSided(), both), true, x, "rows for columns")
	}
}

// More documents in the class with the margins kept: less probable to be so many.
func TestFisherFalls(t *testing.T) {
	for _, scale := range []int64{1, 50, 1000, 1e6} {
		last := math.Inf(1)
		for k := range int64(20) {
			p := (Table{scale + k*scale/20, 2*scale - k*scale/20, 5*scale - k*scale/20, 40*scale + k*scale/20}).TwoSided()
			if p > last || p == last && scale/20 > 0 {
				t.Errorf("scale %d, step %d: %g after %g", scale, k, p, last)
			}
			last = p
		}
	}
}

// All tables of a test have probability 1 together, by the sums of millions of ratios.
func TestFisherSumsToOne(t *testing.T) {
	for _, n := range []int64{1 << 10, 1 << 20, 1 << 31, 1 << 40} {
		if testing.Short() && n > 1<<31 {
			continue
		}
		m := newMargins(Table{n, n + 3, 2*n + 1, 3 * n})
		for _, a := range []int64{m.mode() - 1, m.mode() + 1, m.mode() + int64(math.Sqrt(float64(n)))/2} {
			if up, down := m.upper(a), m.lower(a-1); !sumsTo(1, up, down) {
				t.Errorf("%d: %.17g", n, math.Exp(up)+math.Exp(down))
			}
		}
	}
}

func TestLeastExpected(t *testing.T) {
	testkit.Equal(t, (Table{30, 70, 470, 1430}).LeastExpected(), 25)
	if got := (Table{3, 0, 997, 99000}).LeastExpected(); got >= FewExpected {
		t.Errorf("%g expected: these are few", got)
	}
}

// TestSameBits asserts one digest in every build, with fused multiply-add
// (GOAMD64=v3, arm64) and without.
func TestSameBits(t *testing.T) {
	const want = 0x8102db81ba6c35bd
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
		add(table.TwoSided(), table.LeastExpected())
	}
	lnp := make([]float64, 1000)
	for i := range lnp {
		lnp[i] = ChiSquare(power(), 1)
	}
	for _, adjust := range []func(dst, lnp []float64){AdjustFDR, AdjustHolm} {
		dst := make([]float64, len(lnp))
		adjust(dst, lnp)
		add(dst...)
	}
	testkit.Equal(t, xxh3.Hash(all), want, "the digest", "want", uint64(want))
}

func randomTable(r *rand.Rand, most int64) Table {
	return Table{r.Int64N(most), r.Int64N(most), r.Int64N(most), r.Int64N(most)}
}

// reference.txt is made by testdata/reference.py.
//
//go:embed testdata/reference.txt
var reference string

// A known is a line of it: the p-values of some arguments, and ours.
type known struct {
	line      string
	want, got []float64
}

func knownValues(t testing.TB) (all []known) {
	t.Helper()
	for line := range strings.Lines(reference) {
		f := strings.Fields(line)
		v := make([]float64, len(f)-1)
		for i := range v {
			var err error
			if v[i], err = strconv.ParseFloat(f[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		k := known{line: line}
		switch f[0] {
		case "normal":
			k.want, k.got = v[1:], []float64{Normal(v[0])}
		case "chi":
			k.want, k.got = v[2:], []float64{ChiSquare(v[0], v[1])}
		case "f":
			k.want, k.got = v[3:], []float64{F(v[0], v[1], v[2])}
		case "student":
			k.want, k.got = v[2:], []float64{Student(v[0], v[1])}
		case "fisher":
			k.want, k.got = v[6:], []float64{Table{int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3])}.TwoSided()} // behind the one-sided
		}
		if len(k.got) == 0 || len(k.got) != len(k.want) {
			t.Fatalf("line %q", line)
		}
		all = append(all, k)
	}
	return all
}

// errors gives how far ln p is off: of itself, and of p where that is a number.
func errors(got, want float64) (ofLog, ofP float64) {
	if got == want {
		return 0, 0
	}
	ofLog = math.Abs(got-want) / math.Abs(want)
	if want > -708 {
		ofP = math.Abs(got - want)
	}
	return ofLog, ofP
}

func TestTwelveDigits(t *testing.T) {
	type worst struct{ ofLog, ofP float64 }
	all := map[string]*worst{}
	for _, k := range knownValues(t) {
		kind, _, _ := strings.Cut(k.line, " ")
		if all[kind] == nil {
			all[kind] = &worst{}
		}
		for i, want := range k.want {
			ofLog, ofP := errors(k.got[i], want)
			if !(ofLog <= 1e-12 && ofP <= 1e-12) {
				t.Errorf("%s: value %d is %.17g, off by %.1e of ln p, %.1e of p", strings.TrimSpace(k.line), i, k.got[i], ofLog, ofP)
			}
			all[kind].ofLog, all[kind].ofP = max(all[kind].ofLog, ofLog), max(all[kind].ofP, ofP)
		}
	}
	for kind, w := range all {
		t.Logf("%-8s errors of at most %.1e of ln p, %.1e of p", kind, w.ofLog, w.ofP)
	}
}
