package bestterms_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
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

// A file has how the terms were chosen, the sizes of the classes, and a line for each term,
// whatever it is called.
func TestClassTermsFile(t *testing.T) {
	strange := naive.Corpus{Terms: []string{"#a\tb", `\t`, "é\n"}, Classes: []string{"#class\t{}", "\\n\n"}, Docs: []naive.Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 1, 2: 1}}, {Labels: []int{1}, Counts: map[int]float64{1: 1}}, {Labels: []int{1}, Counts: map[int]float64{2: 1}},
	}}
	var file bytes.Buffer
	testkit.OK(bestTerms(t, enginetest.CorpusOf(t, strange), bestterms.Options{P: .1}).WriteTSV(&file))
	got := file.String()
	for _, want := range []string{
		"#termsift class terms 1\n#function \"chi\"\n#rs_d 0\n#p 0.1\n#rule \"interpolated\"\n#scope \"reduced\"\n#counts \"training\"\n#documents 3\n#classes [",
		"\n#class {\"class\":\"#class\\t{}\",\"documents\":1,\"kept\":1,\"positive\":1,\"negative\":0,",
		"\nclass\tsign\trank\tterm\tscore\tdf\ta\tb\n",
		"\n#class\\t{}\t+\t1\t#a\\tb\t3\t1\t1\t0\n",
	} {
		testkit.Contains(t, got, want, "is not in")
	}
}

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
		testkit.Equal(t, documents, class.KeptDocuments, "class", class.Class, "documents", "of the class")
		testkit.Equal(t, inside, want, "class", class.Class, "documents", "of the class")
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
				testkit.Is(t, err, usage.ErrContradiction, name)
				refused = true
			}
		}
		testkit.Equal(t, refused, true, name, "no class is refused")
	}
}

func bestSelection(b *bestterms.Choice) *selection.Selection { return testkit.Must(b.Selection()) }

// The union has each term once, the positive ones first, and of any two terms of the
// same class and sign the better one first.
func TestBestTermsSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 13))
	for _, shape := range naive.Shapes {
		c := enginetest.CorpusOf(t, naive.RandomCorpus(r, shape))
		for _, function := range []string{"chi", "or", "df"} {
			b := bestTerms(t, c, bestterms.Options{Function: function, P: .25})
			positive, wanted := map[string]bool{}, map[string]bool{}
			place := map[string][3]int{} // class, sign, term -> of its first list
			for i, class := range b.Classes {
				for j, x := range class.Positive {
					positive[x.Term], wanted[x.Term] = true, true
					place["+"+class.Class+"\x00"+x.Term] = [3]int{0, j, i}
				}
				for j, x := range class.Negative {
					wanted[x.Term] = true
					place["-"+class.Class+"\x00"+x.Term] = [3]int{1, j, i}
				}
			}
			s, err := b.Selection()
			if len(wanted) == 0 {
				testkit.Is(t, err, selection.ErrNothingSelected, shape.Name)
				continue
			}
			testkit.OK(err)
			testkit.Equal(t, len(s.Features), len(wanted), shape.Name, "features")
			last := [3]int{}
			for i, f := range s.Features {
				sign := "-"
				if positive[f.Term] {
					sign = "+"
				}
				at, ok := place[sign+f.Class+"\x00"+f.Term]
				if !ok || slices.Compare(at[:], last[:]) < 0 || f.Rank != i+1 || f.A+f.B != f.DF {
					t.Fatalf("%s: %+v at %v behind %v", shape.Name, f, at, last)
				}
				last = at
			}
			again := readSelection(s)
			testkit.Same(t, again, s, shape.Name, "read again it")
		}
	}
}

func readSelection(s *selection.Selection) *selection.Selection {
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	return testkit.Must(selection.Read(&file, "features.tsv"))
}
