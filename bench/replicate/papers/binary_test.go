package papers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
)

// randomDocuments have some of twelve terms and some of three classes; the first of
// them have every class and term.
func randomDocuments(random *rand.Rand, n int) []document.Document {
	docs := make([]document.Document, n)
	for i := range docs {
		docs[i].ID = fmt.Sprint(i)
		for c := range 3 {
			if i == c || random.IntN(3) == 0 {
				docs[i].Labels = append(docs[i].Labels, string(rune('a'+c)))
			}
		}
		for t := range 12 {
			if i < 3 || random.IntN(4) == 0 {
				docs[i].Features = append(docs[i].Features, document.Feature{Term: fmt.Sprintf("t%02d", t), Value: 1})
			}
		}
	}
	return docs
}

func has(d document.Document, term string) bool {
	return slices.ContainsFunc(d.Features, func(f document.Feature) bool { return f.Term == term })
}

// naiveDecision is Bernoulli naive Bayes behind Best Terms by the book: over the terms of
// a class, learnt from the documents that have a positive one.
func naiveDecision(train []document.Document, d document.Document, c engine.ClassTerms) bool {
	terms := map[string]bool{}
	positive := func(d document.Document) bool {
		return slices.ContainsFunc(c.Positive, func(t engine.BestTerm) bool { return has(d, t.Term) })
	}
	for _, list := range [][]engine.BestTerm{c.Positive, c.Negative} {
		for _, t := range list {
			terms[t.Term] = true
		}
	}
	if !positive(d) {
		return false
	}
	var n [2]float64
	with := [2]map[string]float64{{}, {}}
	for _, x := range train {
		if !positive(x) {
			continue
		}
		side := 0
		if slices.Contains(x.Labels, c.Class) {
			side = 1
		}
		n[side]++
		for term := range terms {
			if has(x, term) {
				with[side][term]++
			}
		}
	}
	switch {
	case n[0] == 0:
		return true
	case n[1] == 0:
		return false
	}
	odds := math.Log(n[1] / n[0])
	for term := range terms {
		for side, sign := range []float64{-1, 1} {
			p := (1 + with[side][term]) / (2 + n[side])
			if !has(d, term) {
				p = 1 - p
			}
			odds += sign * math.Log(p)
		}
	}
	return odds > 0
}

// The problems that are cut out of the rows of all give what each class gives by itself.
func TestBehindBestTerms(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	decided := 0
	for range 60 {
		train, test := randomDocuments(random, 30), randomDocuments(random, 20)
		d := division{build(t, train), build(t, test)}
		r := &runner{opt: Options{Progress: func(string) {}}, figures: Figures{}}
		step := &Step{Name: "n", Functions: []string{"chi"}, P: []float64{.25}}
		if err := r.bestTerms(t.Context(), step, d); err != nil {
			t.Fatal(err)
		}
		b, err := d.train.BestTerms(t.Context(), engine.BestTermsOptions{P: .25})
		if err != nil {
			t.Fatal(err)
		}
		tp, wrong := 0, 0
		for _, doc := range test {
			for _, c := range b.Classes {
				switch said, is := naiveDecision(train, doc, c), slices.Contains(doc.Labels, c.Class); {
				case said && is:
					tp++
				case said != is:
					wrong++
				}
			}
		}
		got, measured := r.figures["n nb chi 0.25 micro"]
		if !measured {
			continue // no term is positive for any class
		}
		decided++
		if want := 200 * float64(tp) / float64(2*tp+wrong); math.Abs(got-want) > 1e-9 {
			t.Errorf("micro-F1 %v, want %v", got, want)
		}
	}
	if decided < 30 {
		t.Errorf("%d corpora had positive terms", decided)
	}
}

// All terms behind a local filter are those of one learner on all rows.
func TestLocalWithAllTerms(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		d := division{build(t, randomDocuments(random, 30)), build(t, randomDocuments(random, 20))}
		r := &runner{opt: Options{Progress: func(string) {}}, figures: Figures{}}
		if err := r.local(t.Context(), &Step{Name: "l", Methods: []string{"chi"}, Features: []int{100}, C: 1}, d); err != nil {
			t.Fatal(err)
		}
		if err := r.grid(t.Context(), &Step{
			Name: "g", Methods: []string{"chi"}, Features: []int{0}, Weight: "binary",
			Classifiers: []string{"nb = bernoulli:weight=binary"},
		}, d); err != nil {
			t.Fatal(err)
		}
		for _, figure := range []string{"nb chi %s micro", "nb chi %s macro"} {
			local, grid := r.figures["l "+fmt.Sprintf(figure, "100")], r.figures["g "+fmt.Sprintf(figure, "all")]
			if math.Abs(local-grid) > 1e-9 {
				t.Errorf("%s: %v, by the runner of evaluations %v", figure, local, grid)
			}
		}
	}
}

func build(t *testing.T, docs []document.Document) *engine.Corpus {
	t.Helper()
	c, err := engine.BuildBatches(t.Context(), document.InBatches(docs), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
