package bestterms_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// The rows of every class are just the documents that the algorithm kept.
func TestClassFilterKeepsWhatWasKept(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 13))
	for _, shape := range naive.Shapes {
		random := naive.RandomCorpus(r, shape)
		c := enginetest.CorpusOf(t, random)
		b := bestTerms(t, c, bestterms.Options{Function: "chi", P: float64(r.IntN(4)) / 4})
		if s, err := b.Selection(); err == nil {
			filterKeeps(t, c, b, s)
		} else if !errors.Is(err, selection.ErrNothingSelected) {
			t.Fatal(err)
		}
	}
}

func filterKeeps(t *testing.T, c *corpus.Corpus, b *bestterms.Choice, s *selection.Selection) {
	t.Helper()
	weighted := testkit.Must(vectors.New(s, "ltc"))
	kept := make([]map[string]bool, len(b.Classes))
	for i, class := range b.Classes {
		kept[i] = map[string]bool{}
		for _, d := range class.Kept.ToArray() {
			kept[i][testkit.Must(c.DocumentIDs())[d]] = true
		}
	}
	for i, class := range b.Classes {
		documents, inside := 0, 0
		for row := range testkit.All(b.OneAgainstRest(s, i, weighted.Corpus(t.Context(), c))) {
			if !kept[i][row.ID] || len(row.Labels) != 1 || row.Labels[0]*row.Labels[0] != 1 {
				t.Errorf("class %s: document %s with the labels %v", class.Class, row.ID, row.Labels)
			}
			documents++
			if row.Labels[0] == 1 {
				inside++
			}
		}
		want := 0
		for _, d := range class.Kept.ToArray() {
			for _, l := range c.Labels(int(d)) {
				if c.Classes()[l] == class.Class {
					want++
				}
			}
		}
		if documents != class.KeptDocuments || inside != want {
			t.Errorf("class %s: %d documents, %d of the class, want %d, %d", class.Class, documents, inside, class.KeptDocuments, want)
		}
	}
}

func TestClassFilterRefuses(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(5, 5)), naive.Shapes[4]))
	b := bestTerms(t, c, bestterms.Options{})
	for name, change := range map[string]func(s *selection.Selection){
		"a term less":  func(s *selection.Selection) { s.Features = s.Features[1:] },
		"a class less": func(s *selection.Selection) { s.Classes = s.Classes[1:] },
	} {
		s := bestSelection(b)
		change(s)
		refused := false
		for i := range b.Classes {
			for _, err := range b.OneAgainstRest(s, i, func(func(vectors.Row, error) bool) {}) {
				if !errors.Is(err, usage.ErrContradiction) {
					t.Errorf("%s: %v", name, err)
				}
				refused = true
			}
		}
		if !refused {
			t.Errorf("%s: no class is refused", name)
		}
	}
}
