package projection_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/selection"
)

// A goldenTerm is what the golden file has for the projection of a term.
type goldenTerm struct {
	Max, Total float64
	Kept       bool   `json:"kept_at_alpha_50"`
	Literal    string `json:"argmax_class_literal"`
	Positive   string `json:"argmax_class_positive_only"`
}

func TestProjectionGolden(t *testing.T) {
	c, parts := enginetest.LoadGolden(t)
	type part struct {
		Terms map[string]goldenTerm `json:"term_projection"`
	}
	var file struct {
		Single part                                  `json:"single_label"`
		Multi  part                                  `json:"multi_label"`
		Pair   struct{ Terms map[string]goldenTerm } `json:"two_class_projection"`
	}
	testkit.ReadJSON(filepath.Join("..", "..", "testdata", "golden_small.json"), &file)
	rest := slices.Clone(parts["single"].Labels)
	for d, labels := range rest {
		if labels[0] != "a" {
			rest[d] = []string{"rest"}
		}
	}
	pair := c
	pair.Classes = []string{"a", "rest"}
	compareGoldenTerms(t, enginetest.CorpusOf(t, enginetest.WithLabels(c, parts["single"].Labels)), file.Single.Terms)
	compareGoldenTerms(t, enginetest.CorpusOf(t, enginetest.WithLabels(c, parts["multi"].Labels)), file.Multi.Terms)
	compareGoldenTerms(t, enginetest.CorpusOf(t, enginetest.WithLabels(pair, rest)), file.Pair.Terms)
}

func compareGoldenTerms(t *testing.T, c *corpus.Corpus, want map[string]goldenTerm) {
	t.Helper()
	if len(want) != 8 {
		t.Fatalf("%d golden terms", len(want))
	}
	kept := project(t, c, projection.Options{})
	literal := project(t, c, projection.Options{Rule: projection.Literal, Alpha: new(0.)})
	positive := project(t, c, projection.Options{Alpha: new(0.)})
	for _, p := range []*projection.Projection{literal, positive} {
		if len(p.Terms) != len(want) {
			t.Errorf("%d terms are projected", len(p.Terms))
		}
		for _, x := range p.Terms {
			w := want[x.Term]
			class := w.Positive
			if p == literal {
				class = w.Literal
			}
			if !testkit.Near(x.Chi, w.Max, 1e-12, 0) || !testkit.Near(x.Total, w.Total, 1e-12, 0) || p.Classes[x.Class] != class {
				t.Errorf("%s: %+v, want %+v", p.Rule, x, w)
			}
		}
	}
	for term, w := range want {
		if slices.ContainsFunc(kept.Terms, func(x projection.Term) bool { return x.Term == term }) != w.Kept {
			t.Errorf("%s: is kept is not %v", term, w.Kept)
		}
	}
}

func TestClusterVectorsGolden(t *testing.T) {
	c, parts := enginetest.LoadGolden(t)
	data := testkit.Must(os.ReadFile(filepath.Join("..", "..", "testdata", "golden_small.json")))
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
	testkit.OK(json.Unmarshal(data, &file))
	labelled := enginetest.WithLabels(c, parts["single"].Labels)
	corpus := enginetest.CorpusOf(t, labelled)
	p := project(t, corpus, projection.Options{})
	want := file.Projection
	for c, cluster := range p.Clusters() {
		for _, x := range cluster {
			if want.Clusters[x.Term] != p.Classes[c] || !testkit.Near(x.PRMax, want.PR[x.Term], 1e-12, 0) {
				t.Errorf("%s: %+v, want %v and %v", p.Classes[c], x, want.Clusters[x.Term], want.PR[x.Term])
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
	for d, v := range vectorsOf(p.Documents(t.Context(), enginetest.StreamOf(labelled))) {
		got := map[string]float64{"a": 0, "b": 0, "c": 0}
		for i, w := range v.Weights {
			got[p.Classes[v.Index[i]-1]] = w
		}
		for class, w := range want.Docs[d].Weights {
			if !testkit.Near(got[class], w, 1e-12, 0) {
				t.Errorf("document %d: %v, want %v", d, got, want.Docs[d].Weights)
			}
		}
		if p.Classes[v.Predicted] != want.Docs[d].Rule || v.Guessed {
			t.Errorf("document %d is %s, want %s", d, p.Classes[v.Predicted], want.Docs[d].Rule)
		}
	}
}

// The bits are the same on every CPU and for every build.
func TestProjectionBits(t *testing.T) {
	r, digest := rand.New(rand.NewPCG(8, 8)), fnv.New64a()
	for _, shape := range naive.Shapes {
		c := enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
		for _, o := range []projection.Options{{}, {Rule: projection.Literal, Discriminate: projection.DiscriminateLogPR, Base: 10, Unit: true}} {
			o.Occurrences = true
			p, err := projection.Project(t.Context(), c, o)
			if errors.Is(err, selection.ErrNothingSelected) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range p.Terms {
				fmt.Fprintf(digest, "%s %d %x %x %x %x\n", x.Term, x.Class, x.Chi, x.Total, x.PR, x.PRMax)
			}
			for _, v := range vectorsOf(p.Corpus(t.Context(), c)) {
				fmt.Fprintf(digest, "%d %x\n", v.Index, v.Weights)
			}
		}
	}
	if got := fmt.Sprintf("%x", digest.Sum64()); got != projectionDigest {
		t.Errorf("digest %s, want %s", got, projectionDigest)
	}
}
