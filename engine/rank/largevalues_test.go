package rank_test

import (
	"bytes"
	"fmt"
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

// A largeSample has the values of one term: one document a value, with one label or two.
type largeSample struct {
	name    string
	classes [][]int // by document
	values  []float64
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
		{"added", two, add(.1, .2, .3, .4)},
		{"scaled", two, []float64{v * 1.1, v * 1.2, v * 1.3, v * 1.4}},
		{"labels", [][]int{{0}, {0, 1}, {1}, {1, 2}, {2}, {0}}, add(.1, .25, .45, .3, .7, .5)},
	}
	if v >= 1 {
		all = append(all, largeSample{"counts", two, add(1, 2, 3, 4)})
	}
	r := rand.New(rand.NewPCG(13, 6))
	many := largeSample{name: "many"}
	for d := range 60 {
		many.classes = append(many.classes, []int{d % 4})
		value := 0.0
		if d%4 != 3 {
			value = v + float64(d%4) + r.Float64()
		}
		many.values = append(many.values, value)
	}
	return append(all, many)
}

// documents has a document for each value; those without one have another term.
func (s *largeSample) documents() (docs []document.Document) {
	for i, v := range s.values {
		d := document.Document{ID: fmt.Sprint(i)}
		for _, c := range s.classes[i] {
			d.Labels = append(d.Labels, string(rune('a'+c)))
		}
		d.Features = []document.Feature{{Term: "y", Value: 1}}
		if v > 0 {
			d.Features = append(d.Features, document.Feature{Term: "x", Value: v})
		}
		docs = append(docs, d)
	}
	return docs
}

func corpusOf(t *testing.T, docs []document.Document) *corpus.Corpus {
	return testkit.Must(corpus.BuildBatches(t.Context(), document.InBatches(docs), corpus.Options{Threads: 1}))
}

// An exactSample has the sums of a largeSample as exact rationals.
type exactSample struct {
	n         []*big.Rat // documents by class
	s, q      []*big.Rat // sums and sums of squares
	total, cf *big.Rat   // documents, and the sum of all values
	most      float64    // documents of a class with the term
}

func (s *largeSample) exact() *exactSample {
	classes := 0
	for _, own := range s.classes {
		classes = max(classes, slices.Max(own)+1)
	}
	x := &exactSample{total: new(big.Rat), cf: new(big.Rat)}
	met := make([]float64, classes)
	for range classes {
		x.n, x.s, x.q = append(x.n, new(big.Rat)), append(x.s, new(big.Rat)), append(x.q, new(big.Rat))
	}
	one := big.NewRat(1, 1)
	for i, own := range s.classes {
		v := new(big.Rat).SetFloat64(s.values[i])
		x.total.Add(x.total, one)
		x.cf.Add(x.cf, v)
		for _, c := range own {
			x.n[c].Add(x.n[c], one)
			x.s[c].Add(x.s[c], v)
			x.q[c].Add(x.q[c], mul(v, v))
			if s.values[i] > 0 {
				met[c]++
				x.most = max(x.most, met[c])
			}
		}
	}
	return x
}

func sum(of []*big.Rat) *big.Rat {
	all := new(big.Rat)
	for _, x := range of {
		all.Add(all, x)
	}
	return all
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func quo(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
func number(x *big.Rat) float64  { f, _ := x.Float64(); return f }

// within is Σ (Q - S²/n) over the classes.
func (x *exactSample) within() *big.Rat {
	within := new(big.Rat)
	for c := range x.n {
		within.Add(within, sub(x.q[c], quo(mul(x.s[c], x.s[c]), x.n[c])))
	}
	return within
}

// pooled is s².
func (x *exactSample) pooled() *big.Rat {
	return quo(x.within(), sub(sum(x.n), big.NewRat(int64(len(x.n)), 1)))
}

// bound is what package score says of the relative error of a sum of weight·gap², whose
// gaps are total·S - n·cf: by gap and class.
func (x *exactSample) bound(gaps []*big.Rat, classes []int, total, cf *big.Rat) float64 {
	size, far := new(big.Rat), new(big.Rat)
	for i, gap := range gaps {
		c := classes[i]
		abs := new(big.Rat).Abs(gap)
		size.Add(size, quo(mul(gap, gap), x.n[c]))
		far.Add(far, quo(mul(abs, new(big.Rat).Add(mul(total, x.s[c]), mul(x.n[c], cf))), x.n[c]))
	}
	if size.Sign() == 0 {
		return math.Inf(1)
	}
	steps := x.most + float64(len(x.n)) + 8
	return steps * 0x1p-53 * (2 + number(quo(far, size)) + math.Sqrt(number(quo(sum(x.q), x.within()))))
}

// student is t² of a class, and the bound on the relative error of t.
func (x *exactSample) student(c int) (square *big.Rat, bound float64) {
	gap := sub(mul(x.total, x.s[c]), mul(x.n[c], x.cf))
	// (S/n - cf/N)² = gap²/(nN)²; 1/n - 1/N = (N-n)/(nN)
	den := mul(mul(mul(x.n[c], x.total), sub(x.total, x.n[c])), x.pooled())
	return quo(mul(gap, gap), den), x.bound([]*big.Rat{gap}, []int{c}, x.total, x.cf)
}

// anova is F, and the bound on its relative error.
func (x *exactSample) anova() (f *big.Rat, bound float64) {
	spread, pairs, all := new(big.Rat), sum(x.n), sum(x.s)
	var gaps []*big.Rat
	var classes []int
	for c := range x.n {
		gaps, classes = append(gaps, sub(mul(x.s[c], pairs), mul(x.n[c], all))), append(classes, c)
		spread.Add(spread, quo(mul(gaps[c], gaps[c]), x.n[c]))
	}
	bound = 2 * x.bound(gaps, classes, pairs, all)
	spread.Quo(spread, mul(pairs, pairs))
	spread.Quo(spread, big.NewRat(int64(len(x.n)-1), 1))
	return quo(spread, x.pooled()), bound
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

// valueOf is the value of term x in a ranking.
func valueOf(t *testing.T, r *rank.Ranking, err error) float64 {
	t.Helper()
	testkit.OK(err)
	for e := range r.All() {
		if e.Term == "x" {
			return e.Value
		}
	}
	t.Fatal("no term x")
	return 0
}

// A route is a way to the statistics of a sample. After a subtraction the error is relative
// to the whole.
type route struct {
	name   string
	counts func(t *testing.T, s sample) rank.Counted
	whole  bool
}

// A sample has documents, and others of the same classes, which are taken away again.
type sample interface {
	documents() []document.Document
	others() []document.Document
}

func (s *largeSample) others() []document.Document {
	more := *s
	more.values = slices.Clone(s.values)
	for i, v := range more.values {
		more.values[i] = v * (1 + float64(i%3)/64)
	}
	docs := more.documents()
	for i := range docs {
		docs[i].ID = "o" + docs[i].ID
	}
	return docs
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
	halves := func(t *testing.T, s sample) (a, b *corpus.Corpus) {
		var docs [2][]document.Document
		for i, d := range s.documents() {
			docs[i%2] = append(docs[i%2], d)
		}
		return corpusOf(t, docs[0]), corpusOf(t, docs[1])
	}
	first := func(n int) *roaring.Bitmap {
		keep := roaring.New()
		keep.AddRange(0, uint64(n))
		return keep
	}
	both := func(t *testing.T, s sample) (c *corpus.Corpus, own *roaring.Bitmap) {
		docs := s.documents()
		c = corpusOf(t, append(docs, s.others()...))
		own = roaring.New()
		order := testkit.Must(c.InputOrder())
		places := first(len(docs)).Iterator()
		for places.HasNext() {
			own.Add(order[places.Next()])
		}
		return c, own
	}
	return []route{
		{"built", func(t *testing.T, s sample) rank.Counted { return corpusOf(t, s.documents()) }, false},
		{"file", func(t *testing.T, s sample) rank.Counted { return file(t, corpusOf(t, s.documents())) }, false},
		{"statistics file", func(t *testing.T, s sample) rank.Counted {
			return statisticsFile(count(t, file(t, corpusOf(t, s.documents())), corpus.CountOptions{}))
		}, false},
		{"within", func(t *testing.T, s sample) rank.Counted {
			c, own := both(t, s)
			return count(t, c, corpus.CountOptions{Within: own})
		}, false},
		{"subset", func(t *testing.T, s sample) rank.Counted {
			c, own := both(t, s)
			return testkit.Must(c.Subset(t.Context(), own, corpus.SubsetOptions{}))
		}, false},
		{"merged", func(t *testing.T, s sample) rank.Counted {
			a, b := halves(t, s)
			var out bytes.Buffer
			testkit.OK(corpus.Merge(t.Context(), &out, corpus.MergeOptions{}, a, b))
			return testkit.Must(corpus.Decode(out.Bytes()))
		}, false},
		{"added", func(t *testing.T, s sample) rank.Counted {
			a, b := halves(t, s)
			return testkit.Must(count(t, a, corpus.CountOptions{}).Add(statisticsFile(count(t, b, corpus.CountOptions{}))))
		}, false},
		{"subtracted", func(t *testing.T, s sample) rank.Counted {
			c, own := both(t, s)
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
			x := s.exact()
			if x.within().Sign() == 0 {
				continue
			}
			whole := largeSample{classes: slices.Concat(s.classes, s.classes), values: s.values}
			for _, d := range s.others() {
				value := 0.0
				for _, f := range d.Features {
					if f.Term == "x" {
						value = f.Value
					}
				}
				whole.values = append(whole.values, value)
			}
			more := number(quo(whole.exact().within(), x.within()))
			for i, route := range routes() {
				if i > 0 && exponent%5 != 0 {
					continue
				}
				c := route.counts(t, &s)
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
				for class := range x.n {
					square, bound := x.student(class)
					if square.Sign() == 0 {
						continue
					}
					for _, signed := range []bool{false, true} {
						r, err := rank.Class(t.Context(), c, string(rune('a'+class)), rank.Options{Measure: "ttest", Signed: signed})
						check("ttest", math.Abs(valueOf(t, r, err)), new(big.Float).Sqrt(new(big.Float).SetPrec(300).SetRat(square)), bound)
					}
				}
				f, bound := x.anova()
				if f.Sign() == 0 {
					continue
				}
				rankings := testkit.Must(rank.Several(t.Context(), c, rank.Options{Measure: "anova"}, rank.Options{Measure: "ttest"}, rank.Options{Measure: "ttest", Combine: "sum"}))
				check("anova", valueOf(t, rankings[0], nil), new(big.Float).SetPrec(300).SetRat(f), bound)
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

// Pearson's coefficient of real values counts the documents without the term.
func TestPearsonOfRealValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 29))
	for round := range 50 {
		n, docs := 4+r.IntN(20), []document.Document(nil)
		var x, y []float64
		for d := range n {
			x, y = append(x, 0), append(y, float64(r.IntN(5)))
			doc := document.Document{ID: fmt.Sprint(d), Labels: []string{fmt.Sprint(y[d])}, Features: []document.Feature{{Term: "other", Value: .5}}}
			if d == 0 || r.IntN(2) == 0 {
				x[d] = 1 + r.Float64()
				doc.Features = append(doc.Features, document.Feature{Term: "term", Value: x[d]})
			}
			docs = append(docs, doc)
		}
		var sx, sy, xx, yy, xy float64
		for d := range n {
			sx, sy, xx, yy, xy = sx+x[d], sy+y[d], xx+float64(x[d]*x[d]), yy+float64(y[d]*y[d]), xy+float64(x[d]*y[d])
		}
		want, size := float64(n)*xy-sx*sy, math.Sqrt((float64(n)*xx-sx*sx)*(float64(n)*yy-sy*sy))
		if size < 1e-6 {
			continue // constant
		}
		ranked := testkit.Must(rank.Terms(t.Context(), corpusOf(t, docs), rank.Options{Measure: rank.Pearson, Signed: true}))
		for e := range ranked.All() {
			if e.Term == "term" {
				testkit.Close(t, e.Value, want/size, 1e-11, 1e-12, "round", round)
			}
		}
	}
}
