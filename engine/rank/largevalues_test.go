package rank_test

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// A largeSample has the values of one term, p, in a corpus where all documents have another one.
type largeSample struct {
	name string
	*valueMatrix
}

func newLargeSample(name string, classes [][]int, values []float64) largeSample {
	m := &valueMatrix{classes: classes}
	for _, v := range values {
		m.values = append(m.values, []float64{v, 1})
	}
	return largeSample{name, m}
}

// samples are the values whose size grows with v: differences that stay, differences that
// grow, whole counts, documents with two labels, and a corpus of some size with a class that
// the term is absent from.
func samples(v float64) []largeSample {
	add := func(by ...float64) (out []float64) {
		for _, d := range by {
			out = append(out, v+d)
		}
		return out
	}
	two := [][]int{{0}, {0}, {1}, {1}}
	all := []largeSample{
		newLargeSample("added", two, add(.1, .2, .3, .4)),
		newLargeSample("scaled", two, []float64{v * 1.1, v * 1.2, v * 1.3, v * 1.4}),
		newLargeSample("labels", [][]int{{0}, {0, 1}, {1}, {1, 2}, {2}, {0}}, add(.1, .25, .45, .3, .7, .5)),
	}
	if v >= 1 {
		all = append(all, newLargeSample("counts", two, add(1, 2, 3, 4)))
	}
	r := rand.New(rand.NewPCG(13, 6))
	var classes [][]int
	var values []float64
	for d := range 60 {
		classes = append(classes, []int{d % 4})
		value := 0.0
		if d%4 != 3 {
			value = v + float64(d%4) + r.Float64()
		}
		values = append(values, value)
	}
	return append(all, newLargeSample("many", classes, values))
}

func corpusOf(t *testing.T, docs []document.Document) *corpus.Corpus {
	return testkit.Must(corpus.BuildBatches(t.Context(), document.InBatches(docs), corpus.Options{Threads: 1}))
}

// bound is what package score says of the relative error of a sum of weight·gap², whose
// gaps are total·S - n·cf of these classes.
func (x *exactTerm) bound(total, cf *big.Rat, classes ...int) float64 {
	size, far := new(big.Rat), new(big.Rat)
	for _, c := range classes {
		gap := sub(mul(total, x.s[c]), mul(x.n[c], cf))
		size.Add(size, quo(mul(gap, gap), x.n[c]))
		far.Add(far, quo(mul(gap.Abs(gap), new(big.Rat).Add(mul(total, x.s[c]), mul(x.n[c], cf))), x.n[c]))
	}
	if size.Sign() == 0 {
		return math.Inf(1)
	}
	steps := x.most + float64(len(x.n)) + 8
	return steps * 0x1p-53 * (2 + number(quo(far, size)) + math.Sqrt(number(quo(sum(x.q), sum(x.within)))))
}

// relative is the relative error of a value, whose exact one is given.
func relative(got float64, want *big.Float) float64 {
	if math.IsInf(got, 0) || math.IsNaN(got) {
		return math.Inf(1)
	}
	d := new(big.Float).SetPrec(300).SetFloat64(got)
	d.Sub(d, want).Quo(d, want)
	f, _ := d.Float64()
	return math.Abs(f)
}

// valueOf is the value of term p in a ranking.
func valueOf(t *testing.T, r *rank.Ranking, err error) float64 {
	t.Helper()
	testkit.OK(err)
	for e := range r.All() {
		if e.Term == "p" {
			return e.Value
		}
	}
	t.Fatal("no term p")
	return 0
}

// A route is a way to the statistics of a sample. After a subtraction the error is relative
// to the whole.
type route struct {
	name   string
	counts func(t *testing.T, m *valueMatrix) rank.Counted
	whole  bool
}

func routes() []route {
	count := func(t *testing.T, c *corpus.Corpus, o corpus.CountOptions) *table.Table {
		return testkit.Must(c.Statistics(t.Context(), o))
	}
	file := func(t *testing.T, c *corpus.Corpus) *corpus.Corpus {
		var b bytes.Buffer
		testkit.Must(c.Write(t.Context(), &b, corpus.SaveOptions{}))
		back := testkit.Must(corpus.Decode(b.Bytes()))
		testkit.Equal(testkit.Stop(t), back.HasCells(), true, "the file has no cells")
		return back
	}
	statisticsFile := func(s *table.Table) *table.Table {
		var b bytes.Buffer
		testkit.Must(corpus.WriteStatistics(&b, s))
		return testkit.Must(corpus.DecodeStatistics(b.Bytes()))
	}
	halves := func(t *testing.T, m *valueMatrix) (a, b *corpus.Corpus) {
		var docs [2][]document.Document
		for i, d := range m.documents() {
			docs[i%2] = append(docs[i%2], d)
		}
		return corpusOf(t, docs[0]), corpusOf(t, docs[1])
	}
	first := func(n int) *roaring.Bitmap {
		keep := roaring.New()
		keep.AddRange(0, uint64(n))
		return keep
	}
	both := func(t *testing.T, m *valueMatrix) (c *corpus.Corpus, own *roaring.Bitmap) {
		docs := m.documents()
		more := m.others().documents()
		for i := range more {
			more[i].ID = "o" + more[i].ID
		}
		c = corpusOf(t, append(docs, more...))
		own = roaring.New()
		order := testkit.Must(c.InputOrder())
		places := first(len(docs)).Iterator()
		for places.HasNext() {
			own.Add(order[places.Next()])
		}
		return c, own
	}
	return []route{
		{"built", func(t *testing.T, m *valueMatrix) rank.Counted { return corpusOf(t, m.documents()) }, false},
		{"file", func(t *testing.T, m *valueMatrix) rank.Counted { return file(t, corpusOf(t, m.documents())) }, false},
		{"statistics file", func(t *testing.T, m *valueMatrix) rank.Counted {
			return statisticsFile(count(t, file(t, corpusOf(t, m.documents())), corpus.CountOptions{}))
		}, false},
		{"within", func(t *testing.T, m *valueMatrix) rank.Counted {
			c, own := both(t, m)
			return count(t, c, corpus.CountOptions{Within: own})
		}, false},
		{"subset", func(t *testing.T, m *valueMatrix) rank.Counted {
			c, own := both(t, m)
			return testkit.Must(c.Subset(t.Context(), own, corpus.SubsetOptions{}))
		}, false},
		{"merged", func(t *testing.T, m *valueMatrix) rank.Counted {
			a, b := halves(t, m)
			var out bytes.Buffer
			testkit.OK(corpus.Merge(t.Context(), &out, corpus.MergeOptions{}, a, b))
			return testkit.Must(corpus.Decode(out.Bytes()))
		}, false},
		{"added", func(t *testing.T, m *valueMatrix) rank.Counted {
			a, b := halves(t, m)
			return testkit.Must(count(t, a, corpus.CountOptions{}).Add(statisticsFile(count(t, b, corpus.CountOptions{}))))
		}, false},
		{"subtracted", func(t *testing.T, m *valueMatrix) rank.Counted {
			c, own := both(t, m)
			rest := roaring.Flip(own, 0, uint64(c.Documents()))
			return testkit.Must(count(t, c, corpus.CountOptions{}).Sub(count(t, c, corpus.CountOptions{Within: rest})))
		}, true},
	}
}

// The t-test and the F statistic differ from exact rational arithmetic by no more than
// package score says, for values over twenty orders of magnitude, in which way ever the
// statistics came about.
func TestLargeValuesKeepTheirBound(t *testing.T) {
	checked, largest := map[string]int{}, map[string]float64{}
	for exponent := -5; exponent <= 15; exponent++ {
		v := math.Pow(10, float64(exponent))
		for _, s := range samples(v) {
			x := s.exact(0)
			if sum(x.within).Sign() == 0 {
				continue
			}
			whole := &valueMatrix{classes: slices.Concat(s.classes, s.classes), values: slices.Concat(s.values, s.others().values)}
			more := number(quo(sum(whole.exact(0).within), sum(x.within)))
			for i, route := range routes() {
				if i > 0 && exponent%5 != 0 {
					continue
				}
				c := route.counts(t, s.valueMatrix)
				check := func(what string, got float64, want *big.Float, bound float64) {
					if route.whole {
						bound *= 4 * (1 + more)
					}
					if bound > .1 {
						return
					}
					checked[s.name]++
					e := relative(got, want)
					largest[route.name] = max(largest[route.name], e/bound)
					if !(e <= bound) {
						t.Errorf("%s, %s, %s, v = %g: %v is off by %g, the bound is %g", what, route.name, s.name, v, got, e, bound)
					}
					if v <= 1e5 && !route.whole && !(e <= 1e-9) { // the deviation is a millionth of the mean at least
						t.Errorf("%s, %s, %s, v = %g: off by %g", what, route.name, s.name, v, e)
					}
				}
				var all []int
				for class := range x.n {
					all = append(all, class)
					square := x.student(class)
					if square.Sign() == 0 {
						continue
					}
					for _, signed := range []bool{false, true} {
						r, err := rank.Class(t.Context(), c, classOf(class), rank.Options{Measure: "ttest", Signed: signed})
						check("ttest", math.Abs(valueOf(t, r, err)), x.ofClass("ttest", class), x.bound(x.documents, x.cf, class))
					}
				}
				if x.spread().Sign() == 0 {
					continue
				}
				rankings := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: "anova"}, rank.Options{Measure: "ttest"}, rank.Options{Measure: "ttest", Combine: "sum"}))
				check("anova", valueOf(t, rankings[0], nil), x.whole("anova"), 2*x.bound(sum(x.n), sum(x.s), all...))
			}
		}
	}
	t.Logf("checked %v; the largest errors as shares of their bounds: %v", checked, largest)
	for name, least := range map[string]int{"added": 210, "scaled": 250, "labels": 300, "counts": 160, "many": 380} {
		if checked[name] < least {
			t.Errorf("%s: %d values have a bound to check", name, checked[name])
		}
	}
}
