package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/store"
)

// A goldenTerm is what the golden file has for the projection of a term.
type goldenTerm struct {
	Max, Total float64
	Kept       bool   `json:"kept_at_alpha_50"`
	Literal    string `json:"argmax_class_literal"`
	Positive   string `json:"argmax_class_positive_only"`
}

func TestProjectionGolden(t *testing.T) {
	c, parts := loadGolden(t)
	data, err := os.ReadFile(filepath.Join("..", "testdata", "golden_small.json"))
	if err != nil {
		t.Fatal(err)
	}
	type part struct {
		Terms map[string]goldenTerm `json:"term_projection"`
	}
	var file struct {
		Single part                                  `json:"single_label"`
		Multi  part                                  `json:"multi_label"`
		Pair   struct{ Terms map[string]goldenTerm } `json:"two_class_projection"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	rest := slices.Clone(parts["single"].Labels)
	for d, labels := range rest {
		if labels[0] != "a" {
			rest[d] = []string{"rest"}
		}
	}
	pair := c
	pair.Classes = []string{"a", "rest"}
	compareGoldenTerms(t, corpusOf(t, withLabels(c, parts["single"].Labels)), file.Single.Terms)
	compareGoldenTerms(t, corpusOf(t, withLabels(c, parts["multi"].Labels)), file.Multi.Terms)
	compareGoldenTerms(t, corpusOf(t, withLabels(pair, rest)), file.Pair.Terms)
}

func compareGoldenTerms(t *testing.T, c *engine.Corpus, want map[string]goldenTerm) {
	t.Helper()
	if len(want) != 8 {
		t.Fatalf("%d golden terms", len(want))
	}
	kept := project(t, c, engine.Projecting{})
	literal := project(t, c, engine.Projecting{Rule: engine.ProjectLiteral, Alpha: new(float64)})
	positive := project(t, c, engine.Projecting{Alpha: new(float64)})
	for _, p := range []*engine.Projection{literal, positive} {
		if len(p.Terms) != len(want) {
			t.Errorf("%d terms are projected", len(p.Terms))
		}
		for _, x := range p.Terms {
			w := want[x.Term]
			class := w.Positive
			if p == literal {
				class = w.Literal
			}
			if !near(x.Chi, w.Max, 1e-12, 0) || !near(x.Total, w.Total, 1e-12, 0) || p.Classes[x.Class] != class {
				t.Errorf("%s: %+v, want %+v", p.Rule, x, w)
			}
		}
	}
	for term, w := range want {
		if slices.ContainsFunc(kept.Terms, func(x engine.ProjectedTerm) bool { return x.Term == term }) != w.Kept {
			t.Errorf("%s: is kept is not %v", term, w.Kept)
		}
	}
}

func TestClusterVectorsGolden(t *testing.T) {
	c, parts := loadGolden(t)
	data, err := os.ReadFile(filepath.Join("..", "testdata", "golden_small.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Projection struct {
			PR       map[string]float64 `json:"pr_max_half_if_B0"`
			Clusters map[string]string
			Docs     []struct {
				Weights map[string]float64
				Rule    string `json:"rule_pred"`
			} `json:"docs_then_tests"`
		} `json:"projection_documents_single"`
		Classifiers struct {
			Bayes []struct{ Counts []float64 } `json:"naive_bayes_laplace1"`
		} `json:"classifiers_single"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	labelled := withLabels(c, parts["single"].Labels)
	corpus := corpusOf(t, labelled)
	p := project(t, corpus, engine.Projecting{})
	want := file.Projection
	for _, cluster := range p.Clusters() {
		for _, x := range cluster.Terms {
			if want.Clusters[x.Term] != cluster.Class || !near(x.PRMax, want.PR[x.Term], 1e-12, 0) {
				t.Errorf("%s: %+v, want %v and %v", cluster.Class, x, want.Clusters[x.Term], want.PR[x.Term])
			}
		}
	}
	for _, b := range file.Classifiers.Bayes {
		counts := map[int]float64{}
		for term, tf := range b.Counts {
			counts[term] = tf
		}
		labelled.Docs = append(labelled.Docs, naive.Doc{Counts: counts})
	}
	if len(labelled.Docs) != len(want.Docs) {
		t.Fatalf("%d documents, %d golden ones", len(labelled.Docs), len(want.Docs))
	}
	for d, v := range vectors(t, p.Documents(t.Context(), streamOf(labelled))) {
		got := map[string]float64{"a": 0, "b": 0, "c": 0}
		for i, w := range v.Weights {
			got[p.Classes[v.Index[i]-1]] = w
		}
		for class, w := range want.Docs[d].Weights {
			if !near(got[class], w, 1e-12, 0) {
				t.Errorf("document %d: %v, want %v", d, got, want.Docs[d].Weights)
			}
		}
		if p.Classes[v.Predicted] != want.Docs[d].Rule || v.Guessed {
			t.Errorf("document %d is %s, want %s", d, p.Classes[v.Predicted], want.Docs[d].Rule)
		}
	}
}

func project(t testing.TB, c *engine.Corpus, o engine.Projecting) *engine.Projection {
	t.Helper()
	p, err := c.Project(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// vectors keeps the vectors of documents.
func vectors(t testing.TB, all iter.Seq2[engine.ClusterVector, error]) (kept []engine.ClusterVector) {
	t.Helper()
	for v, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		v.Labels, v.Index, v.Value, v.Weights = slices.Clone(v.Labels), slices.Clone(v.Index), slices.Clone(v.Value), slices.Clone(v.Weights)
		v.Unseen = slices.Clone(v.Unseen)
		kept = append(kept, v)
	}
	return kept
}

// Every option on random corpora: the engine's result is the reference's, and the
// same to the bit for any number of threads and for raw documents.
func TestProjectionAgainstNaive(t *testing.T) {
	rounds{seed: 13, all: 60, short: 6, large: 5}.each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		for range 6 {
			projectionAgainstNaive(t, r, c)
		}
	})
}

func projectionAgainstNaive(t *testing.T, r *rand.Rand, c naive.Corpus) {
	t.Helper()
	corpus := corpusOf(t, c)
	want := naive.ProjectionOptions{
		Alpha: []float64{0, .25, .5, .5, 1, r.Float64()}[r.IntN(6)], Literal: r.IntN(2) == 0, TFIDF: r.IntN(3) == 0,
		LogPR: r.IntN(3) == 0, Base: []float64{0, 10, 2}[r.IntN(3)], Unit: r.IntN(2) == 0,
	}
	o := engine.Projecting{Alpha: &want.Alpha, Base: want.Base, Unit: want.Unit, Occurrences: true}
	if want.Literal {
		o.Rule = engine.ProjectLiteral
	}
	if want.TFIDF {
		o.Weight = engine.ClusterTFIDF
	}
	if want.LogPR {
		o.Discriminate = engine.DiscriminateLogPR
	}
	n := naive.Tabulate(c).Project(c.Terms, c.Classes, want)
	if len(n.Order) == 0 {
		if _, err := corpus.Project(t.Context(), o); !errors.Is(err, engine.ErrNothingSelected) {
			t.Errorf("%+v: no term passes, but the error is %v", want, err)
		}
		return
	}
	p := compareTerms(t, corpus, c, n, o)
	if t.Failed() {
		t.Fatalf("%+v", want)
	}
	compareVectors(t, p, corpus, c, n)
	if t.Failed() {
		t.Fatalf("%+v", want)
	}
}

// compareTerms holds terms against the reference, which may have rounded equal values
// apart.
func compareTerms(t *testing.T, corpus *engine.Corpus, c naive.Corpus, n *naive.Projection, o engine.Projecting) *engine.Projection {
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
		if !near(x.Chi, n.Max[n.Order[i]], 1e-12, 0) || !near(x.Chi, n.Max[id], 1e-12, 0) || !near(x.Total, n.Total[id], 1e-12, 0) {
			t.Errorf("%+v, want %v of %v and at its place %v", x, n.Max[id], n.Total[id], n.Max[n.Order[i]])
		}
		if !near(x.PR, n.PR[id][class], 1e-12, 0) || !near(x.PRMax, n.PRMax[id], 1e-12, 0) {
			t.Errorf("%+v, want %v and %v", x, n.PR[id][class], n.PRMax[id])
		}
	}
	for threads := 1; threads <= 3; threads++ {
		o.Threads = threads
		if q := project(t, corpus, o); !reflect.DeepEqual(p.Terms, q.Terms) {
			t.Errorf("%d threads change the result", threads)
		}
	}
	o.K = 1 + len(p.Terms)/2
	if q := project(t, corpus, o); !reflect.DeepEqual(q.Terms, p.Terms[:min(o.K, len(p.Terms))]) {
		t.Errorf("k = %d gives %+v", o.K, q.Terms)
	}
	return p
}

func compareVectors(t *testing.T, p *engine.Projection, corpus *engine.Corpus, c naive.Corpus, n *naive.Projection) {
	t.Helper()
	got := vectors(t, p.Corpus(t.Context(), corpus))
	if raw := vectors(t, p.Documents(t.Context(), streamOf(c))); !reflect.DeepEqual(got, raw) {
		t.Errorf("raw documents give %+v, the corpus %+v", raw, got)
	}
	var docs []map[int]float64
	for _, d := range c.Docs {
		docs = append(docs, d.Counts)
	}
	for d, want := range n.Vectors(docs...) {
		v := got[d]
		dense := make([]float64, len(want))
		for i, w := range v.Weights {
			dense[slices.Index(c.Classes, p.Classes[v.Index[i]-1])] = w
			if v.Value[i] != float32(w) {
				t.Errorf("document %d: %v is not %v rounded", d, v.Value, v.Weights)
			}
		}
		for k := range want {
			if !near(dense[k], want[k], 1e-12, 1e-300) {
				t.Fatalf("document %d: %v, want %v", d, dense, want)
			}
		}
		if v.ID != strconv.Itoa(d) || len(v.Labels) != len(corpusLabels(c, d)) {
			t.Errorf("document %d is %+v", d, v)
		}
		if k := n.Predict(want); c.Classes[k] != p.Classes[v.Predicted] || v.Guessed != (len(v.Weights) == 0) {
			t.Errorf("document %d is %s, want %s", d, p.Classes[v.Predicted], c.Classes[k])
		}
	}
}

func corpusLabels(c naive.Corpus, d int) []int {
	return slices.Compact(slices.Sorted(slices.Values(c.Docs[d].Labels)))
}

// The bits are the same on every CPU and for every build.
func TestProjectionBits(t *testing.T) {
	r, digest := rand.New(rand.NewPCG(8, 8)), fnv.New64a()
	for _, shape := range naive.Shapes {
		c := corpusOf(t, naive.RandomCorpus(r, shape))
		for _, o := range []engine.Projecting{{}, {Rule: engine.ProjectLiteral, Discriminate: engine.DiscriminateLogPR, Base: 10, Unit: true}} {
			o.Occurrences = true
			p, err := c.Project(t.Context(), o)
			if errors.Is(err, engine.ErrNothingSelected) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range p.Terms {
				fmt.Fprintf(digest, "%s %d %x %x %x %x\n", x.Term, x.Class, x.Chi, x.Total, x.PR, x.PRMax)
			}
			for _, v := range vectors(t, p.Corpus(t.Context(), c)) {
				fmt.Fprintf(digest, "%d %x\n", v.Index, v.Weights)
			}
		}
	}
	if got := fmt.Sprintf("%x", digest.Sum64()); got != projectionDigest {
		t.Errorf("digest %s, want %s", got, projectionDigest)
	}
}

const projectionDigest = "9f5a264215e22731"

// One projection serves many goroutines.
func TestProjectionIsShared(t *testing.T) {
	c := naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1])
	corpus := corpusOf(t, c)
	p := project(t, corpus, engine.Projecting{})
	want := vectors(t, p.Corpus(t.Context(), corpus))
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			if got := vectors(t, p.Corpus(t.Context(), corpus)); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
			if got := vectors(t, p.Documents(t.Context(), streamOf(c))); !reflect.DeepEqual(got, want) {
				t.Errorf("raw: %+v, want %+v", got, want)
			}
		})
	}
}

// The values are those of the measures, to the bit.
func TestProjectionIsTheMeasures(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, shape := range naive.Shapes {
		c := corpusOf(t, naive.RandomCorpus(r, shape))
		p, err := c.Project(t.Context(), engine.Projecting{Alpha: new(float64), Occurrences: true})
		if errors.Is(err, engine.ErrNothingSelected) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := statisticsOf(t, c, "")
		chi, pr := rank(t, s, engine.Scoring{By: "chitf"}), rank(t, s, engine.Scoring{By: "pr"})
		byCell := cells(t, s, engine.Scoring{By: "pr"})
		for _, x := range p.Terms {
			if x.Chi != chi[x.Term] || x.PRMax != pr[x.Term] || x.PR != byCell[[2]string{x.Term, p.Classes[x.Class]}].Value {
				t.Errorf("%s: %+v, but the measures are %v and %v", shape.Name, x, chi[x.Term], pr[x.Term])
			}
		}
	}
}

// With two classes every term is tied between them (FORMULAS.md, finding 9): the sign
// decides, and alpha keeps all or nothing.
func TestProjectionOfTwoClasses(t *testing.T) {
	c := corpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(2, 2)), naive.Shapes[3]))
	half, more := .5, math.Nextafter(.5, 1)
	p := project(t, c, engine.Projecting{Alpha: &half})
	if p.Filtered != 0 || len(p.Warnings) != 1 {
		t.Errorf("%+v", p)
	}
	if q := project(t, c, engine.Projecting{Alpha: &more}); q.Filtered != 0 {
		t.Errorf("one bit above 0.5 filters %d", q.Filtered)
	}
	more = .6
	if _, err := c.Project(t.Context(), engine.Projecting{Alpha: &more}); !errors.Is(err, engine.ErrNothingSelected) {
		t.Error(err)
	}
	p = project(t, c, engine.Projecting{Rule: engine.ProjectLiteral})
	for _, x := range p.Terms {
		if x.Class != 0 {
			t.Errorf("%+v", x)
		}
	}
	if len(p.Warnings) != 2 {
		t.Errorf("%q", p.Warnings)
	}
}

// One class, a class without tokens and one without documents: nothing speaks for
// them.
func TestProjectionOfEmptyClasses(t *testing.T) {
	one := naive.Corpus{Terms: []string{"x", "y"}, Classes: []string{"a"}, Docs: []naive.Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 2, 1: 1}}, {Labels: []int{0}, Counts: map[int]float64{1: 5}},
	}}
	if _, err := corpusOf(t, one).Project(t.Context(), engine.Projecting{}); !errors.Is(err, engine.ErrNothingSelected) {
		t.Errorf("one class: %v", err)
	}
	one.Classes = []string{"a", "b", "c"}
	one.Docs[1].Labels = []int{1}
	one.Docs = append(one.Docs, naive.Doc{Labels: []int{2}})
	p := project(t, corpusOf(t, one), engine.Projecting{})
	if clusters := p.Clusters(); len(clusters) != 3 || len(clusters[0].Terms) != 1 || len(clusters[1].Terms) != 1 || clusters[2].Terms != nil {
		t.Errorf("%+v", clusters)
	}

	index, err := store.Build(t.Context(), store.Source{
		Names: []string{"x", "y"}, Classes: []string{"a", "b", "none"}, IDs: []string{"0", "1"},
		LabelStart: []uint32{0, 1, 2}, Labels: []uint32{0, 1},
		Columns: store.Columns{DocStart: []uint64{0, 1, 3}, Terms: []uint32{0, 0, 1}, Counts: []uint32{3, 1, 2}},
	}, store.BuildOptions{Meta: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := index.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	c, err := engine.Decode(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	p = project(t, c, engine.Projecting{})
	want := rank(t, statisticsOf(t, c, ""), engine.Scoring{By: "pr"})
	for _, x := range p.Terms {
		if x.Class == 2 || x.PRMax != want[x.Term] {
			t.Errorf("%+v, but pr is %v", x, want[x.Term])
		}
	}
}

// The largest class is the guess for a document that no cluster knows.
func TestProjectionGuesses(t *testing.T) {
	c := naive.Corpus{Terms: []string{"x", "y", "z"}, Classes: []string{"a", "b", "c"}}
	for d := range 9 {
		k := []int{0, 1, 1, 1, 1, 2, 2, 2, 2}[d]
		c.Docs = append(c.Docs, naive.Doc{Labels: []int{k}, Counts: map[int]float64{k: 2}})
	}
	p := project(t, corpusOf(t, c), engine.Projecting{})
	doc := document.Document{ID: "strange", Labels: []string{"elsewhere", "c"}, Features: []document.Feature{{Term: "unknown", Value: 1}}}
	for _, v := range vectors(t, p.Documents(t.Context(), documentsOf(doc))) {
		if !v.Guessed || p.Classes[v.Predicted] != "b" || len(v.Index) != 0 || !slices.Equal(v.Labels, []int{2}) || !slices.Equal(v.Unseen, []string{"elsewhere"}) {
			t.Errorf("%+v", v)
		}
	}
	twice := document.Document{Features: []document.Feature{{Term: "x", Value: 1}, {Term: "x", Value: 2}}}
	once := document.Document{Features: []document.Feature{{Term: "x", Value: 3}}}
	both := vectors(t, p.Documents(t.Context(), documentsOf(twice, once)))
	if !reflect.DeepEqual(both[0], both[1]) || both[0].Guessed {
		t.Errorf("%+v", both)
	}
}

// Two right and two wrong, one of which has a label besides that nobody could know, and
// a document that says nothing.
func TestRuleScore(t *testing.T) {
	c := build(t, "a: ships ships", "b: wings wings", "c: wheels wheels", "c: lorries")
	p := project(t, c, engine.Projecting{})
	lines := []string{"a: ships", "b,elsewhere,elsewhere: wings", "a: wings", "elsewhere,beyond: nothing", ": wheels"}
	want := engine.RuleScore{Documents: 5, Guessed: 1, Labelled: 4, Labels: 6, Right: 2}
	for _, all := range []iter.Seq2[engine.ClusterVector, error]{
		p.Documents(t.Context(), texts(lines...)), p.Corpus(t.Context(), build(t, lines...)),
	} {
		var got engine.RuleScore
		for v, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			got.Add(v)
		}
		if got != want || got.Accuracy() != .5 || got.MicroF1() != .4 { // 2·2/(4+6)
			t.Errorf("%+v: %v, %v", got, got.Accuracy(), got.MicroF1())
		}
	}
	if none := (engine.RuleScore{}); none.Accuracy() != 0 || none.MicroF1() != 0 {
		t.Error(none)
	}
}

func documentsOf(docs ...document.Document) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, d := range docs {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// Text is analysed as the corpus was, and the vectors are written as svmlight.
func TestClusterVectorsAsSVMLight(t *testing.T) {
	docs := []document.Document{
		{ID: "1", Labels: []string{"sea"}, Text: []byte("Ships and boats, ships and sails.")},
		{ID: "2", Labels: []string{"air"}, Text: []byte("Wings and engines; wings!")},
		{ID: "3", Labels: []string{"air", "sea"}, Text: []byte("Boats with wings and engines: seaplanes")},
		{ID: "4", Text: []byte("Nothing of that kind")},
	}
	c, err := engine.Build(t.Context(), documentsOf(docs...), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := project(t, c, engine.Projecting{Unit: true})
	counted, raw := vectors(t, p.Corpus(t.Context(), c)), vectors(t, p.Documents(t.Context(), documentsOf(docs...)))
	if !reflect.DeepEqual(counted, raw) {
		t.Errorf("%+v, but raw %+v", counted, raw)
	}
	var out bytes.Buffer
	w := engine.NewSVMLightWriter(&out)
	for v, err := range p.Corpus(t.Context(), c) {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(v.Row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, v := range counted {
		want += map[string]string{"1": "1", "2": "0", "3": "0,1", "4": ""}[v.ID]
		for i, k := range v.Index {
			want += fmt.Sprintf(" %d:%v", k, v.Value[i])
		}
		want += "\n"
	}
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestProjectionBadInput(t *testing.T) {
	c := corpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1]))
	for _, alpha := range []float64{-.1, 1.1, math.NaN(), math.Inf(1)} {
		if _, err := c.Project(t.Context(), engine.Projecting{Alpha: &alpha}); !errors.Is(err, engine.ErrUsage) {
			t.Errorf("alpha = %v: %v", alpha, err)
		}
	}
	for _, o := range []engine.Projecting{
		{K: -1}, {Rule: "sign"}, {Weight: "ltc"}, {Discriminate: "rp"}, {Base: 1}, {Base: math.NaN()},
	} {
		if _, err := c.Project(t.Context(), o); !errors.Is(err, engine.ErrUsage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Project(ctx, engine.Projecting{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p := project(t, c, engine.Projecting{})
	for _, all := range []iter.Seq2[engine.ClusterVector, error]{
		p.Corpus(ctx, c), p.Documents(ctx, documentsOf(document.Document{})),
	} {
		if err := firstError(all); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// Wherever it is cancelled, it gives the cause and nothing else.
func TestProjectionCancelledAtEveryCheck(t *testing.T) {
	c := corpusFrom(t, func(d int) document.Document {
		doc := document.Document{Labels: []string{"c" + strconv.Itoa(d%5)}}
		for term := d % 10; term < 6_000; term += 50 + d%70 {
			doc.Features = append(doc.Features, document.Feature{Term: "t" + strconv.Itoa(term), Value: float64(1 + d%3)})
		}
		return doc
	}, 300)
	for checks := 0; ; checks++ {
		p, err := c.Project(newCountdown(t, checks), engine.Projecting{Threads: 1})
		if err == nil {
			if checks < 4 {
				t.Errorf("it looked only %d times whether it was cancelled", checks)
			}
			return
		}
		if !errors.Is(err, errStop) || p != nil {
			t.Fatalf("stopped at check %d: %v, %v", checks, p, err)
		}
	}
}

// A loop over vectors may end early.
func TestClusterVectorsStop(t *testing.T) {
	c := naive.RandomCorpus(rand.New(rand.NewPCG(1, 1)), naive.Shapes[1])
	corpus := corpusOf(t, c)
	p := project(t, corpus, engine.Projecting{})
	for _, all := range []iter.Seq2[engine.ClusterVector, error]{p.Corpus(t.Context(), corpus), p.Documents(t.Context(), streamOf(c))} {
		for v, err := range all {
			if v.ID != "0" || err != nil {
				t.Error(v.ID, err)
			}
			break
		}
	}
}

func firstError(all iter.Seq2[engine.ClusterVector, error]) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
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
	corpora := map[float64]*engine.Corpus{}
	for _, v := range []float64{.5, 1, 2} {
		c, err := engine.Build(t.Context(), labelled(v), engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		corpora[v] = c
	}
	for v, ok := range map[float64]bool{.5: false, 1: false, 2: true} {
		if _, err := corpora[v].Project(t.Context(), engine.Projecting{}); ok != (err == nil) || !ok && !errors.Is(err, engine.ErrNoCounts) {
			t.Errorf("a value of %v: %v", v, err)
		}
	}
	if _, err := corpora[.5].Project(t.Context(), engine.Projecting{Occurrences: true}); !errors.Is(err, engine.ErrNoCounts) {
		t.Error(err)
	}
	for v, binary := range map[float64]bool{.5: false, 1: true} {
		if _, err := corpora[v].Project(t.Context(), engine.Projecting{}); errors.Is(err, engine.ErrBinary) != binary {
			t.Errorf("a value of %v: %v", v, err)
		}
	}
	project(t, corpora[1], engine.Projecting{Occurrences: true})

	p := project(t, corpora[2], engine.Projecting{})
	if err := firstError(p.Corpus(t.Context(), corpora[.5])); !errors.Is(err, engine.ErrNoCounts) {
		t.Error(err)
	}
	for _, v := range []float64{.5, -1, math.NaN(), math.Inf(1)} {
		if err := firstError(p.Documents(t.Context(), labelled(v))); !errors.Is(err, engine.ErrNoCounts) {
			t.Errorf("a value of %v: %v", v, err)
		}
	}
	text := documentsOf(document.Document{Labels: []string{"a"}, Text: []byte("some words")})
	opt := engine.Options{}
	opt.Analysis.Stem = "porter"
	c, err := engine.Build(t.Context(), text, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := firstError(p.Corpus(t.Context(), c)); !errors.Is(err, engine.ErrContradiction) {
		t.Error(err)
	}
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
	c, err := engine.Build(t.Context(), stream, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	alpha := .01
	o := engine.Projecting{Alpha: &alpha, Threads: 1}
	project(t, c, o) // has the corpus derive what it keeps
	var p *engine.Projection
	sum := 0.0
	bytes := allocated(func() {
		p = project(t, c, o)
		for v, err := range p.Corpus(t.Context(), c) {
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range v.Weights {
				sum += w
			}
		}
	})
	if most := int64(32 * (docs*words + terms + docs + classes)); bytes > most {
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
