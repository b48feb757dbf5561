package naive

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// eachRandom runs a test on random corpora of every shape.
func eachRandom(t *testing.T, test func(t *testing.T, c Corpus, tb *Tables)) {
	t.Helper()
	for i, shape := range Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 11))
			rounds := 40
			if shape.Classes[1] > 100 || shape.Docs[1] > 100 {
				rounds = 3
			}
			for range rounds {
				c := RandomCorpus(r, shape)
				test(t, c, Tabulate(c))
				if t.Failed() {
					t.Fatalf("%+v", c)
				}
			}
		})
	}
}

func allSingle(c Corpus) bool {
	return !slices.ContainsFunc(c.Docs, func(d Doc) bool { return len(d.Labels) != 1 })
}

func same(t *testing.T, got, want float64, what string) {
	t.Helper()
	if !within(got, want, 1e-9, 1e-12) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func TestRandomCorpus(t *testing.T) {
	eachRandom(t, func(t *testing.T, c Corpus, tb *Tables) {
		for k, n := range tb.NC {
			if n == 0 {
				t.Errorf("no document of %s", c.Classes[k])
			}
		}
		for i, n := range tb.DF {
			if n == 0 {
				t.Errorf("no document with %s", c.Terms[i])
			}
		}
		for _, names := range [][]string{c.Terms, c.Classes} {
			if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
				t.Errorf("equal names: %q", names)
			}
		}
		for _, d := range c.Docs {
			if len(slices.Compact(slices.Sorted(slices.Values(d.Labels)))) != len(d.Labels) {
				t.Errorf("a label twice: %v", d.Labels)
			}
		}
	})
}

// What the shapes are for must occur in them.
func TestShapesReachTheirCases(t *testing.T) {
	seen := map[string]int{}
	count := func(ok bool, what string) {
		if ok {
			seen[what]++
		} else {
			seen[what] += 0
		}
	}
	eachRandom(t, func(_ *testing.T, c Corpus, tb *Tables) {
		for _, d := range c.Docs {
			count(len(d.Counts) == 0, "empty document")
			count(len(d.Labels) == 0, "unlabelled document")
			count(len(d.Labels) > 1, "several labels")
		}
		count(len(c.Classes) == 1, "one class")
		count(len(c.Classes) > 1000, "thousand classes")
		count(!slices.IsSorted(c.Terms) && !slices.IsSorted(c.Classes), "names out of order")
		for i, s2 := range tb.PooledS2() {
			count(tb.DF[i] == tb.N, "term everywhere")
			count(tb.CF[i] == 1, "hapax")
			count(tb.QF[i] > 255*255, "large count")
			count(s2 == 0 && len(c.Classes) > 1, "no variance")
		}
		count(slices.Contains(tb.TC, 0), "class without tokens")
	})
	for what, n := range seen {
		if n == 0 {
			t.Errorf("no corpus has: %s", what)
		}
	}
	t.Log(seen)
}

// Nothing gives NaN, but a combination of signed t values of both infinities.
func TestNeverNaN(t *testing.T) {
	eachRandom(t, func(t *testing.T, _ Corpus, tb *Tables) {
		for _, measure := range append(Measures(), NewMeasures()...) {
			for _, variant := range append([]string{""}, variants[measure]...) {
				tb.checkNaN(t, measure, Options{Variant: variant})
			}
		}
		for _, row := range tb.Class("ttest", Options{Signed: true}) {
			if slices.ContainsFunc(row, math.IsNaN) {
				t.Error("signed t is NaN")
			}
		}
		for _, weight := range []string{"tf", "binary", "tfidf", "tfidf-unit", "ltc", "ltc-raw", "thuctc"} {
			tb.checkNaN(t, "ocfs", Options{Weight: weight})
		}
		if slices.ContainsFunc(tb.ChiTable(), math.IsNaN) {
			t.Error("2xK chi-square is NaN")
		}
	})
}

func (tb *Tables) checkNaN(t *testing.T, measure string, opt Options) {
	t.Helper()
	for _, combine := range []string{"", "max", "avg", "sum", "mean"} {
		if slices.ContainsFunc(tb.Global(measure, combine, opt), math.IsNaN) {
			t.Errorf("%s %s %+v is NaN", measure, combine, opt)
		}
	}
	if GlobalOnly(measure) {
		return
	}
	for _, row := range tb.Class(measure, opt) {
		if slices.ContainsFunc(row, math.IsNaN) {
			t.Errorf("%s %+v is NaN", measure, opt)
		}
	}
}

// logOrZero is o ln(ratio), 0 for o = 0.
func logOrZero(o, ratio float64) float64 {
	if o == 0 {
		return 0
	}
	return o * math.Log(ratio)
}

// I(U;C) as IIR 13.17 prints it; G^2 = 2N I(U;C); NGL^2 = CHI; the logarithm of
// or; MI, ECE and the two forms of CHI in probabilities.
func TestDocumentIdentities(t *testing.T) {
	eachRandom(t, func(t *testing.T, _ Corpus, tb *Tables) {
		g2, emi, chi, ngl := tb.Class("g2", Options{}), tb.Class("emi", Options{}), tb.Class("chi", Options{}), tb.Class("ngl", Options{})
		or, lor, mi, ece := tb.Class("or", Options{}), tb.Class("lor", Options{}), tb.Class("mi", Options{}), tb.Class("ece", Options{})
		for i := range tb.DF {
			for c := range tb.NC {
				x, n := tb.documents(i, c), tb.N
				if !x.zero() {
					information := (logOrZero(x.a, n*x.a/((x.a+x.b)*(x.a+x.c))) + logOrZero(x.c, n*x.c/((x.c+x.d)*(x.a+x.c))) +
						logOrZero(x.b, n*x.b/((x.a+x.b)*(x.b+x.d))) + logOrZero(x.d, n*x.d/((x.c+x.d)*(x.b+x.d)))) / n
					same(t, emi[i][c], information, "emi")
					same(t, g2[i][c], 2*n*information, "g2")
					p := func(v float64) float64 { return v / n }
					same(t, chi[i][c], n*math.Pow(p(x.a)*p(x.d)-p(x.b)*p(x.c), 2)/
						(p(x.a+x.b)*p(x.c+x.d)*p(x.a+x.c)*p(x.b+x.d)), "chi")
					same(t, mi[i][c], math.Log(p(x.a)/(p(x.a+x.b)*p(x.a+x.c))), "mi")
				}
				same(t, ngl[i][c]*ngl[i][c], chi[i][c], "ngl squared")
				same(t, lor[i][c], math.Log(or[i][c]), "lor")
				if x.a > 0 {
					same(t, ece[i][c], x.a/n*mi[i][c], "ece")
				}
			}
		}
	})
}

// IG as entropies and as Kullback-Leibler divergences, also with
// overlapping labels and with unlabelled documents.
func TestInformationGainTwoForms(t *testing.T) {
	eachRandom(t, func(t *testing.T, _ Corpus, tb *Tables) {
		for i, got := range tb.Global("ig", "", Options{}) {
			df, n, want := tb.DF[i], tb.N, 0.
			for c := range tb.NC {
				x := tb.documents(i, c)
				want += -logOrZero(x.in()/n, x.in()/n) + logOrZero(x.a/n, x.a/df) + logOrZero(x.c/n, x.c/(n-df))
			}
			same(t, got, want, "ig")
			if got < 0 {
				t.Errorf("ig = %v", got)
			}
		}
	})
}

// The statistic of the 2xK table is a weighted sum of chi, F one of t, and OCFS on
// raw counts is (K-1)/N s^2 F.
func TestSingleLabelIdentities(t *testing.T) {
	corpora := 0
	eachRandom(t, func(t *testing.T, c Corpus, tb *Tables) {
		if !allSingle(c) || len(c.Classes) < 2 {
			return
		}
		corpora++
		k := float64(len(c.Classes))
		chi, test := tb.Class("chi", Options{}), tb.Class("ttest", Options{Signed: true})
		table, f, s2, ocfs := tb.ChiTable(), tb.Global("anova", "", Options{}), tb.PooledS2(), tb.OCFS("tf")
		gss := tb.Global("gss", "sum", Options{})
		for i := range tb.DF {
			chiSum, tSum := 0., 0.
			for j, nj := range tb.NC {
				chiSum += (1 - nj/tb.N) * chi[i][j]
				tSum += (1 - nj/tb.N) * test[i][j] * test[i][j] / (k - 1)
			}
			same(t, table[i], chiSum, "2xK chi")
			same(t, gss[i], 0, "gss sum")
			same(t, f[i], tSum, "anova")
			if s2[i] > 0 {
				same(t, ocfs[i], (k-1)/tb.N*s2[i]*f[i], "ocfs")
			}
		}
	})
	if corpora < 100 {
		t.Errorf("only %d corpora", corpora)
	}
}

// With two classes, t is Student's pooled two-sample t (finding 3), chi is equal
// for both, and IG is I(U;C).
func TestTwoClasses(t *testing.T) {
	corpora := 0
	eachRandom(t, func(t *testing.T, c Corpus, tb *Tables) {
		if !allSingle(c) || len(c.Classes) != 2 {
			return
		}
		corpora++
		test, chi, emi := tb.Class("ttest", Options{}), tb.Class("chi", Options{}), tb.Class("emi", Options{})
		for i, s2 := range tb.PooledS2() {
			student := math.Abs(tb.S[i][0]/tb.NC[0]-tb.S[i][1]/tb.NC[1]) / math.Sqrt(s2*(1/tb.NC[0]+1/tb.NC[1]))
			if s2 > 0 {
				same(t, test[i][0], student, "t")
			}
			same(t, test[i][0], test[i][1], "t of the other class")
			same(t, chi[i][0], chi[i][1], "chi of the other class")
			same(t, tb.Global("ig", "", Options{})[i], emi[i][0], "ig")
		}
	})
	if corpora < 20 {
		t.Errorf("only %d corpora", corpora)
	}
}

// The pooled variance from sums of squares, and OCFS from sums of
// weights.
func TestSufficientStatistics(t *testing.T) {
	eachRandom(t, func(t *testing.T, _ Corpus, tb *Tables) {
		s2, w := tb.PooledS2(), tb.Weights("ltc")
		for i, ocfs := range tb.OCFS("ltc") {
			within, total, between := 0., 0., 0.
			for c, nc := range tb.NC {
				within += (nc*tb.Q[i][c] - tb.S[i][c]*tb.S[i][c]) / nc
				sum := 0.
				for d, labels := range tb.labels {
					if slices.Contains(labels, c) {
						sum += w[d][i]
					}
				}
				total += sum
				between += sum * sum / (tb.Pairs * nc)
			}
			same(t, s2[i], div(within, tb.Pairs-tb.nonEmpty()), "s2")
			same(t, ocfs, between-total*total/(tb.Pairs*tb.Pairs), "ocfs")
		}
	})
}

// Log-odds as the paper prints it, its two ratios in exact fractions.
func TestLogOdds(t *testing.T) {
	eachRandom(t, func(t *testing.T, _ Corpus, tb *Tables) {
		delta, z := tb.Class("logodds", Options{}), tb.Class("logoddsz", Options{})
		for i := range tb.DF {
			for c := range min(len(tb.NC), 20) {
				if tb.whole(c) || tb.CF[i] == tb.T {
					if delta[i][c] != 0 || z[i][c] != 0 {
						t.Errorf("%v %v on a zero margin", delta[i][c], z[i][c])
					}
					continue
				}
				want, deviation := fightingWords(tb.S[i][c], tb.CF[i]-tb.S[i][c], tb.TC[c], tb.T-tb.TC[c])
				if !near(delta[i][c], want) || !near(z[i][c], want/deviation) {
					t.Errorf("logodds %v, z %v, want %v, %v", delta[i][c], z[i][c], want, want/deviation)
				}
			}
		}
	})
}

// fightingWords is delta and its standard deviation of y1 tokens of n1 and y2 of
// n2, with alpha = 10(y1+y2)/(n1+n2).
func fightingWords(y1, y2, n1, n2 float64) (delta, deviation float64) {
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	add := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }
	quo := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Quo(x, y) }
	alpha := quo(rat(10*(y1+y2)), rat(n1+n2))
	odds := func(y, n float64) *big.Rat {
		p := add(rat(y), alpha)
		return quo(p, add(rat(n+10), new(big.Rat).Neg(p)))
	}
	ratio := quo(odds(y1, n1), odds(y2, n2))
	excess, _ := add(ratio, rat(-1)).Float64()
	whole, _ := ratio.Float64()
	delta = math.Log(whole)
	if math.Abs(excess) < .5 {
		delta = math.Log1p(excess)
	}
	variance, _ := add(quo(rat(1), add(rat(y1), alpha)), quo(rat(1), add(rat(y2), alpha))).Float64()
	return delta, math.Sqrt(variance)
}

// A base divides the logarithm, and only that of the measures that have one.
func TestBase(t *testing.T) {
	based := []string{"mi", "emi", "ig", "ece", "rs", "rsw"}
	r := rand.New(rand.NewPCG(1, 2))
	tb := Tabulate(RandomCorpus(r, Shapes[1]))
	for _, measure := range Measures() {
		nats, bits := tb.Global(measure, "sum", Options{}), tb.Global(measure, "sum", Options{Base: 2})
		for i := range nats {
			factor := 1.
			if slices.Contains(based, measure) {
				factor = math.Ln2
			}
			same(t, bits[i]*factor, nats[i], measure)
		}
	}
}

// Zero margins: a class with every document, and a term in every
// document.
func TestZeroMargins(t *testing.T) {
	tb := Tabulate(Corpus{
		Terms: []string{"everywhere", "some"}, Classes: []string{"all", "part"},
		Docs: []Doc{{[]int{0}, map[int]float64{0: 1, 1: 2}}, {[]int{0, 1}, map[int]float64{0: 3}}, {[]int{0}, map[int]float64{0: 1, 1: 1}}},
	})
	for _, measure := range []string{
		"chi", "ngl", "gss", "emi", "mi", "bns", "ttest", "g2", "chitf", "g2tf", "acc2", "ndm", "lor", "rs", "rsw", "logodds", "logoddsz",
		"ig", "ece", // by formula
	} {
		same(t, tb.Class(measure, Options{})[1][0], 0, measure+" of the whole class")
	}
	for _, measure := range []string{"chi", "ngl", "gss", "emi", "mi", "ig", "ece", "bns", "g2", "acc2", "ndm", "rsw"} {
		same(t, tb.Class(measure, Options{})[0][1], 0, measure+" of the term everywhere")
	}
	same(t, tb.Class("or", Options{})[1][0], 1, "or of the whole class")
	same(t, tb.Class("pr", Options{})[1][0], 1, "pr of the whole class")
	same(t, tb.Class("pr", Options{})[0][1], 1, "pr of the term everywhere")
	same(t, tb.Class("rs", Options{})[0][1], math.Log(7), "rs of the term everywhere")
	same(t, tb.Class("or", Options{})[0][1], 1.5*.5/(2.5*.5), "or of the term everywhere")
	same(t, tb.Class("dia", Options{})[1][0], 1, "dia of the whole class")
	same(t, tb.Class("rf", Options{})[1][0], 2, "rf of the whole class")
}

func TestQuantile(t *testing.T) {
	for p, want := range map[float64]float64{ // Wichura's AS 241 test values and tables
		.25: -.6744897501960817, .001: -3.090232306167813, .0005: -3.2905267314918945,
		.975: 1.959963984540054, .5: 0, .75: .6744897501960817, .9: 1.2815515655446004,
	} {
		if got := quantile(p); !within(got, want, 1e-13, 0) {
			t.Errorf("quantile(%v) = %v, want %v", p, got, want)
		}
	}
	for p := .0005; p < .5; p += .0013 {
		if back := math.Erfc(-quantile(p)/math.Sqrt2) / 2; !within(back, p, 1e-14, 0) {
			t.Errorf("quantile(%v) leads to %v", p, back)
		}
	}
}

func TestUnknownNamesPanic(t *testing.T) {
	tb := Tabulate(Corpus{Terms: []string{"t"}, Classes: []string{"c"}, Docs: []Doc{{[]int{0}, map[int]float64{0: 1}}}})
	for what, f := range map[string]func(){
		"measure":     func() { tb.Class("nonsense", Options{}) },
		"class value": func() { tb.Class("gini", Options{}) },
		"combination": func() { tb.Global("chi", "median", Options{}) },
		"variant":     func() { tb.Global("chi", "max", Options{Variant: "raw"}) },
		"weight":      func() { tb.Weights("nonsense") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("an unknown %s does not panic", what)
				}
			}()
			f()
		}()
	}
}

func ExampleTables_Global() {
	tb := Tabulate(Corpus{
		Terms: []string{"ball", "vote"}, Classes: []string{"politics", "sport"},
		Docs: []Doc{{[]int{1}, map[int]float64{0: 2}}, {[]int{1}, map[int]float64{0: 1}}, {[]int{0}, map[int]float64{1: 1}}},
	})
	fmt.Println(tb.Global("chi", "max", Options{}))
	// Output: [3 3]
}
