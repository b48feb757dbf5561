package projection_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

func project(t testing.TB, c *corpus.Corpus, o projection.Options) *projection.Projection {
	return testkit.Must(projection.Project(t.Context(), c, o))
}

// vectorsOf keeps the vectors of documents.
func vectorsOf(all iter.Seq2[projection.Vector, error]) (kept []projection.Vector) {
	for v := range testkit.All(all) {
		v.Labels, v.Index, v.Value, v.Weights = slices.Clone(v.Labels), slices.Clone(v.Index), slices.Clone(v.Value), slices.Clone(v.Weights)
		v.Unseen = slices.Clone(v.Unseen)
		kept = append(kept, v)
	}
	return kept
}

// Every option on random corpora: the engine's result is the reference's, and the
// same to the bit for any number of threads and for raw documents.
func TestProjectionAgainstNaive(t *testing.T) {
	enginetest.Rounds{All: 60, Large: 5}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		for range 6 {
			projectionAgainstNaive(t, r, c)
		}
	})
}

func projectionAgainstNaive(t *testing.T, r *rand.Rand, c naive.Corpus) {
	t.Helper()
	corpus := enginetest.CorpusOf(t, c)
	want := naive.ProjectionOptions{
		Alpha: []float64{0, .25, .5, .5, 1, r.Float64()}[r.IntN(6)], Literal: r.IntN(2) == 0, TFIDF: r.IntN(3) == 0,
		LogPR: r.IntN(3) == 0, Base: []float64{0, 10, 2}[r.IntN(3)], Unit: r.IntN(2) == 0,
	}
	o := projection.Options{Alpha: new(want.Alpha), Base: want.Base, Unit: want.Unit, Occurrences: true}
	if want.Literal {
		o.Rule = projection.Literal
	}
	if want.TFIDF {
		o.Weight = projection.ClusterTFIDF
	}
	if want.LogPR {
		o.Discriminate = projection.DiscriminateLogPR
	}
	n := naive.Tabulate(c).Project(c.Terms, c.Classes, want)
	if len(n.Order) == 0 {
		testkit.Is(t, testkit.Err(projection.Project(t.Context(), corpus, o)), selection.ErrNothingSelected, want,
			"no term passes, but the error")
		return
	}
	p := compareTerms(t, corpus, c, n, o)
	testkit.Equal(testkit.Stop(t), t.Failed(), false, want)
	compareVectors(t, p, corpus, c, n)
	testkit.Equal(testkit.Stop(t), t.Failed(), false, want)
}

// compareTerms compares terms with the reference's, in which rounding may have made equal
// values different.
func compareTerms(t *testing.T, corpus *corpus.Corpus, c naive.Corpus, n *naive.Projection, o projection.Options) *projection.Projection {
	t.Helper()
	p := project(t, corpus, o)
	if len(p.Terms) != len(n.Order) || len(p.Terms)+p.Filtered+p.Unprojected != len(c.Terms) {
		t.Fatalf("%d terms are projected, %d filtered and %d not projected of %d; want %d", len(p.Terms), p.Filtered, p.Unprojected, len(c.Terms), len(n.Order))
	}
	for i, x := range p.Terms {
		id := slices.Index(c.Terms, x.Term)
		class := slices.Index(c.Classes, p.Classes[x.Class])
		if !slices.Contains(n.Order, id) || n.Class[id] != class {
			t.Errorf("%+v is not of class %v", x, n.Class[id])
		}
		if !testkit.Near(x.Chi, n.Max[n.Order[i]], 1e-12, 0) || !testkit.Near(x.Chi, n.Max[id], 1e-12, 0) || !testkit.Near(x.Total, n.Total[id], 1e-12, 0) {
			t.Errorf("%+v, want %v of %v and at its place %v", x, n.Max[id], n.Total[id], n.Max[n.Order[i]])
		}
		testkit.Close(t, x.PR, n.PR[id][class], 1e-12, 0, x, "and", n.PRMax[id])
		testkit.Close(t, x.PRMax, n.PRMax[id], 1e-12, 0, x, "want", n.PR[id][class], "and")
	}
	for threads := 1; threads <= 3; threads++ {
		o.Threads = threads
		testkit.Same(t, p.Terms, project(t, corpus, o).Terms, threads, "threads change the result")
	}
	o.K = 1 + len(p.Terms)/2
	testkit.Same(t, project(t, corpus, o).Terms, p.Terms[:min(o.K, len(p.Terms))], "k =", o.K)
	return p
}

func compareVectors(t *testing.T, p *projection.Projection, corpus *corpus.Corpus, c naive.Corpus, n *naive.Projection) {
	t.Helper()
	got := vectorsOf(p.Corpus(t.Context(), corpus))
	testkit.Same(t, got, vectorsOf(p.Documents(t.Context(), enginetest.StreamOf(c))), "raw documents", "the corpus")
	var docs []map[int]float64
	for _, d := range c.Docs {
		docs = append(docs, d.Counts)
	}
	for d, want := range n.Vectors(docs...) {
		v := got[d]
		dense := make([]float64, len(want))
		for i, w := range v.Weights {
			dense[slices.Index(c.Classes, p.Classes[v.Index[i]-1])] = w
			testkit.Equal(t, v.Value[i], float32(w), "document", d, v.Value, "is not", v.Weights, "rounded")
		}
		for k := range want {
			testkit.Close(testkit.Stop(t), dense[k], want[k], 1e-12, 1e-300, "document", d, dense, "want", want)
		}
		testkit.Equal(t, v.ID, strconv.Itoa(d), "document", d, "is", v)
		testkit.Equal(t, len(v.Labels), len(corpusLabels(c, d)), "document", d, "is", v)
		if k := n.Predict(want); c.Classes[k] != p.Classes[v.Predicted] || v.Guessed != (len(v.Weights) == 0) {
			t.Errorf("document %d is %s, want %s", d, p.Classes[v.Predicted], c.Classes[k])
		}
	}
}

func corpusLabels(c naive.Corpus, d int) []int {
	return slices.Compact(slices.Sorted(slices.Values(c.Docs[d].Labels)))
}

const projectionDigest = "9f5a264215e22731"

// One projection serves many goroutines.
func TestProjectionIsShared(t *testing.T) {
	c := naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1])
	corpus := enginetest.CorpusOf(t, c)
	p := project(t, corpus, projection.Options{})
	want := vectorsOf(p.Corpus(t.Context(), corpus))
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			testkit.Same(t, vectorsOf(p.Corpus(t.Context(), corpus)), want)
			testkit.Same(t, vectorsOf(p.Documents(t.Context(), enginetest.StreamOf(c))), want, "raw")
		})
	}
}

// The values are those of the measures, to the bit.
func TestProjectionIsTheMeasures(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, shape := range naive.Shapes {
		c := enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
		p, err := projection.Project(t.Context(), c, projection.Options{Alpha: new(0.), Occurrences: true})
		if errors.Is(err, selection.ErrNothingSelected) {
			continue
		}
		testkit.OK(err)
		s := enginetest.StatisticsOf(t, c, "")
		chi, pr := enginetest.Values(t, s, rank.Options{Measure: "chitf"}), enginetest.Values(t, s, rank.Options{Measure: "pr"})
		byCell := enginetest.ClassValues(t, s, rank.Options{Measure: "pr"})
		for _, x := range p.Terms {
			if x.Chi != chi[x.Term] || x.PRMax != pr[x.Term] || x.PR != byCell[[2]string{x.Term, p.Classes[x.Class]}].Value {
				t.Errorf("%s: %+v, but the measures are %v and %v", shape.Name, x, chi[x.Term], pr[x.Term])
			}
		}
	}
}

// With two classes every term is tied between them: the sign
// decides, and alpha keeps all or nothing.
func TestProjectionOfTwoClasses(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(2, 2)), naive.Shapes[3]))
	half, more := .5, math.Nextafter(.5, 1)
	p := project(t, c, projection.Options{Alpha: new(half)})
	testkit.Equal(t, p.Filtered, 0, p)
	testkit.Equal(t, len(p.Warnings), 1, p)
	testkit.Equal(t, project(t, c, projection.Options{Alpha: new(more)}).Filtered, 0, "one bit above 0.5 filters")
	more = .6
	testkit.Is(t, testkit.Err(projection.Project(t.Context(), c, projection.Options{Alpha: new(more)})),
		selection.ErrNothingSelected)
	p = project(t, c, projection.Options{Rule: projection.Literal})
	for _, x := range p.Terms {
		testkit.Equal(t, x.Class, 0, x)
	}
	testkit.Equal(t, len(p.Warnings), 2)
}

// One class, a class without tokens and one without documents: no term indicates them.
func TestProjectionOfEmptyClasses(t *testing.T) {
	one := naive.Corpus{Terms: []string{"x", "y"}, Classes: []string{"a"}, Docs: []naive.Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 2, 1: 1}}, {Labels: []int{0}, Counts: map[int]float64{1: 5}},
	}}
	testkit.Is(t, testkit.Err(projection.Project(t.Context(), enginetest.CorpusOf(t, one), projection.Options{})),
		selection.ErrNothingSelected, "one class")
	one.Classes = []string{"a", "b", "c"}
	one.Docs[1].Labels = []int{1}
	one.Docs = append(one.Docs, naive.Doc{Labels: []int{2}})
	p := project(t, enginetest.CorpusOf(t, one), projection.Options{})
	if clusters := p.Clusters(); len(clusters) != 3 || len(clusters[0]) != 1 || len(clusters[1]) != 1 || clusters[2] != nil {
		t.Errorf("%+v", clusters)
	}

	c := enginetest.CorpusOfSource(t, postings.Source{
		Names: []string{"x", "y"}, Classes: []string{"a", "b", "none"}, IDs: []string{"0", "1"},
		LabelStart: []uint32{0, 1, 2}, Labels: []uint32{0, 1},
		Columns: postings.Columns{DocStart: []uint64{0, 1, 3}, Terms: []uint32{0, 0, 1}, Counts: []uint32{3, 1, 2}},
	})
	p = project(t, c, projection.Options{})
	want := enginetest.Values(t, enginetest.StatisticsOf(t, c, ""), rank.Options{Measure: "pr"})
	for _, x := range p.Terms {
		if x.Class == 2 || x.PRMax != want[x.Term] {
			t.Errorf("%+v, but pr is %v", x, want[x.Term])
		}
	}
}

func TestProjectionBadInput(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1]))
	for _, alpha := range []float64{-.1, 1.1, math.NaN(), math.Inf(1)} {
		testkit.Is(t, testkit.Err(projection.Project(t.Context(), c, projection.Options{Alpha: new(alpha)})),
			usage.ErrUsage, "alpha =", alpha)
	}
	for _, o := range []projection.Options{
		{K: -1}, {Rule: "sign"}, {Weight: "ltc"}, {Discriminate: "rp"}, {Base: 1}, {Base: math.NaN()},
	} {
		testkit.Is(t, testkit.Err(projection.Project(t.Context(), c, o)), usage.ErrUsage, o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(projection.Project(ctx, c, projection.Options{})), context.Canceled)
	p := project(t, c, projection.Options{})
	for _, all := range []iter.Seq2[projection.Vector, error]{
		p.Corpus(ctx, c), p.Documents(ctx, documentsOf(document.Document{})),
	} {
		testkit.Is(t, firstError(all), context.Canceled)
	}
}

// Wherever it is cancelled, it gives the cause and nothing else.
func TestProjectionCancelledAtEveryCheck(t *testing.T) {
	c := enginetest.CorpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{"c" + strconv.Itoa(d%5)}}
		for term := d % 10; term < 6_000; term += 50 + d%70 {
			doc.Features = append(doc.Features, document.Feature{Term: "t" + strconv.Itoa(term), Value: float64(1 + d%3)})
		}
		return doc
	}, 300)
	for checks := 0; ; checks++ {
		p, err := projection.Project(faults.NewCountdown(t, checks), c, projection.Options{Threads: 1})
		if err == nil {
			if checks < 4 {
				t.Errorf("it looked only %d times whether it was cancelled", checks)
			}
			return
		}
		if !errors.Is(err, faults.ErrStop) || p != nil {
			t.Fatalf("stopped at check %d: %v, %v", checks, p, err)
		}
	}
}

// Data without token counts is refused, and so is what was analysed in another way.
func TestProjectionWithoutCounts(t *testing.T) {
	features := func(v float64) []document.Feature {
		return []document.Feature{{Term: "x", Value: v}, {Term: "y", Value: 1}}
	}
	labelled := func(v float64) document.Stream {
		return documentsOf(document.Document{Labels: []string{"a"}, Features: features(v)},
			document.Document{Labels: []string{"b"}, Features: features(1)[1:]},
			document.Document{Labels: []string{"c"}, Features: features(1)[:1]})
	}
	corpora := map[float64]*corpus.Corpus{}
	for _, v := range []float64{.5, 1, 2} {
		c := testkit.Must(corpus.Build(t.Context(), labelled(v), corpus.Options{}))
		corpora[v] = c
	}
	for v, ok := range map[float64]bool{.5: false, 1: false, 2: true} {
		if _, err := projection.Project(t.Context(), corpora[v], projection.Options{}); ok != (err == nil) || !ok && !errors.Is(err, projection.ErrNoCounts) {
			t.Errorf("a value of %v: %v", v, err)
		}
	}
	testkit.Is(t, testkit.Err(projection.Project(t.Context(), corpora[.5], projection.Options{Occurrences: true})),
		projection.ErrNoCounts)
	for v, binary := range map[float64]bool{.5: false, 1: true} {
		if _, err := projection.Project(t.Context(), corpora[v], projection.Options{}); errors.Is(err, projection.ErrBinary) != binary {
			t.Errorf("a value of %v: %v", v, err)
		}
	}
	project(t, corpora[1], projection.Options{Occurrences: true})

	p := project(t, corpora[2], projection.Options{})
	testkit.Is(t, firstError(p.Corpus(t.Context(), corpora[.5])), projection.ErrNoCounts)
	for _, v := range []float64{.5, -1, math.NaN(), math.Inf(1)} {
		testkit.Is(t, firstError(p.Documents(t.Context(), labelled(v))), projection.ErrNoCounts, "a value of", v)
	}
	text := documentsOf(document.Document{Labels: []string{"a"}, Text: []byte("some words")})
	opt := corpus.Options{}
	opt.Analysis.Stem = "porter"
	c := testkit.Must(corpus.Build(t.Context(), text, opt))
	testkit.Is(t, firstError(p.Corpus(t.Context(), c)), usage.ErrContradiction)
}

// Twenty thousand classes cost memory in proportion to the postings, where a table of
// terms by classes would have 4.8 GB, and the result is the same on any threads.
func TestProjectionOfManyClasses(t *testing.T) {
	const classes, terms, docs, words = 20_000, 30_000, 40_000, 12
	r := rand.New(rand.NewPCG(6, 6))
	stream := func(yield func(document.Document, error) bool) {
		for d := range docs {
			doc := document.Document{ID: strconv.Itoa(d), Labels: []string{fmt.Sprintf("c%05d", d%classes)}}
			for i := range words {
				term := i*terms/words + r.IntN(terms/words)
				if i%2 == 0 {
					term = i*terms/words + (d%classes+i)%(terms/words)
				}
				doc.Features = append(doc.Features, document.Feature{Term: fmt.Sprintf("t%05d", term), Value: float64(1 + r.IntN(4))})
			}
			if !yield(doc, nil) {
				return
			}
		}
	}
	c := testkit.Must(corpus.Build(t.Context(), stream, corpus.Options{}))
	alpha := .01
	o := projection.Options{Alpha: new(alpha), Threads: 1}
	project(t, c, o) // has the corpus derive what it keeps
	var p *projection.Projection
	sum := 0.0
	bytes := enginetest.Allocated(func() {
		p = project(t, c, o)
		for v := range testkit.All(p.Corpus(t.Context(), c)) {
			for _, w := range v.Weights {
				sum += w
			}
		}
	})
	if most := int64(64 * (docs*words + terms + docs + classes)); bytes > most {
		t.Errorf("%d bytes are allocated, at most %d are allowed", bytes, most)
	}
	t.Logf("%d of %d terms are projected, with %d bytes, weights add up to %v", len(p.Terms), c.Terms(), bytes, sum)
	for threads := 2; threads <= 3; threads++ {
		o.Threads = threads
		if q := project(t, c, o); !reflect.DeepEqual(p.Terms, q.Terms) || p.Filtered != q.Filtered {
			t.Errorf("%d threads change the result", threads)
		}
	}
}
