package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine"
)

func bestSelection(t *testing.T, b *engine.BestTerms) *engine.Selection {
	t.Helper()
	s, err := b.Selection()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The union has each term once, the positive ones first, and of any two terms of the
// same class and sign the better one first.
func TestBestTermsSelection(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 13))
	for _, shape := range naive.Shapes {
		c := corpusOf(t, naive.RandomCorpus(r, shape))
		for _, function := range []string{"chi", "or", "df"} {
			b := bestTerms(t, c, engine.BestTermsOptions{Function: function, P: .25})
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
				if !errors.Is(err, engine.ErrNothingSelected) {
					t.Errorf("%s: %v of no terms", shape.Name, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Features) != len(wanted) {
				t.Errorf("%s: %d features, want %d", shape.Name, len(s.Features), len(wanted))
			}
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
			again := readSelection(t, s)
			if !reflect.DeepEqual(again, s) {
				t.Errorf("%s: read again it is %+v instead of %+v", shape.Name, again, s)
			}
		}
	}
}

func readSelection(t *testing.T, s *engine.Selection) *engine.Selection {
	t.Helper()
	var file bytes.Buffer
	if err := s.WriteTSV(&file); err != nil {
		t.Fatal(err)
	}
	again, err := engine.ReadSelection(&file, "features.tsv")
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// A filter keeps for every class just the documents that the algorithm kept, and so
// does one from a file.
func TestClassFilterKeepsWhatWasKept(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 13))
	for _, shape := range naive.Shapes {
		random := naive.RandomCorpus(r, shape)
		c := corpusOf(t, random)
		b := bestTerms(t, c, engine.BestTermsOptions{Function: "chi", P: float64(r.IntN(4)) / 4})
		if s, err := b.Selection(); err == nil {
			filterKeeps(t, c, b, s)
		} else if !errors.Is(err, engine.ErrNothingSelected) {
			t.Fatal(err)
		}
	}
}

func filterKeeps(t *testing.T, c *engine.Corpus, b *engine.BestTerms, s *engine.Selection) {
	t.Helper()
	filter, err := readBest(t, b).Filter(s)
	if err != nil {
		t.Fatal(err)
	}
	weighted, err := engine.NewTransformer(s, "ltc")
	if err != nil {
		t.Fatal(err)
	}
	kept := make([]map[string]bool, len(b.Classes))
	for i, class := range b.Classes {
		kept[i] = map[string]bool{}
		for _, d := range class.Kept.ToArray() {
			kept[i][c.DocumentID(int(d))] = true
		}
	}
	possible := []int{-7} // what is there stays
	for row, err := range weighted.Corpus(t.Context(), c) {
		if err != nil {
			t.Fatal(err)
		}
		want := []int{-7}
		for i := range b.Classes {
			if kept[i][row.ID] {
				want = append(want, i)
			}
		}
		if possible = filter.Possible(possible[:1], row); !slices.Equal(possible, want) {
			t.Errorf("document %s may be in %v, want %v", row.ID, possible, want)
		}
	}
	for i, class := range b.Classes {
		documents, inside := 0, 0
		for row, err := range filter.OneAgainstRest(i, weighted.Corpus(t.Context(), c)) {
			if err != nil {
				t.Fatal(err)
			}
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
	c := corpusOf(t, naive.RandomCorpus(rand.New(rand.NewPCG(5, 5)), naive.Shapes[4]))
	b := bestTerms(t, c, engine.BestTermsOptions{})
	for name, change := range map[string]func(s *engine.Selection){
		"a term less":  func(s *engine.Selection) { s.Features = s.Features[1:] },
		"a class less": func(s *engine.Selection) { s.Classes = s.Classes[1:] },
	} {
		s := bestSelection(t, b)
		change(s)
		if _, err := b.Filter(s); !errors.Is(err, engine.ErrContradiction) {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := b.Filter(bestSelection(t, b))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Possible(nil, engine.Row{Index: []uint32{1 << 31, 1<<32 - 1}}); len(got) > 0 {
		t.Errorf("%v by features that do not exist", got)
	}
}

func readBest(t *testing.T, b *engine.BestTerms) *engine.BestTerms {
	t.Helper()
	again, err := engine.ReadBestTerms(strings.NewReader(classTerms(t, b)), "terms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func classTerms(t *testing.T, b *engine.BestTerms) string {
	t.Helper()
	var file bytes.Buffer
	if err := b.WriteTSV(&file); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// What is written is read again, but for the documents kept.
func TestClassTermsFile(t *testing.T) {
	strange := naive.Corpus{Terms: []string{"#a\tb", `\t`, "é\n"}, Classes: []string{"#class\t{}", "\\n\n"}, Docs: []naive.Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 1, 2: 1}}, {Labels: []int{1}, Counts: map[int]float64{1: 1}}, {Labels: []int{1}, Counts: map[int]float64{2: 1}},
	}}
	corpora := []naive.Corpus{strange}
	r := rand.New(rand.NewPCG(9, 13))
	for _, shape := range naive.Shapes {
		corpora = append(corpora, naive.RandomCorpus(r, shape))
	}
	for _, random := range corpora {
		for _, o := range []engine.BestTermsOptions{{P: .1}, {Function: "or", Rule: engine.RuleMax, P: .5, Counts: engine.CountsReduced}, {Function: "mi", Classes: random.Classes[:1]}} {
			want := bestTerms(t, corpusOf(t, random), o)
			got := readBest(t, want)
			for i := range want.Classes {
				want.Classes[i].Kept = nil
				for _, list := range []*[]engine.BestTerm{&want.Classes[i].Positive, &want.Classes[i].Negative} {
					if len(*list) == 0 {
						*list = nil
					}
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: %+v instead of %+v", o, got, want)
			}
		}
	}
}

func TestBadClassTermsFiles(t *testing.T) {
	c := naive.Corpus{Terms: []string{"x", "y", "z"}, Classes: []string{"a", "b"}, Docs: []naive.Doc{
		{Labels: []int{0}, Counts: map[int]float64{0: 1}},
		{Labels: []int{0}, Counts: map[int]float64{1: 1}},
		{Labels: []int{1}, Counts: map[int]float64{2: 1}},
		{Labels: []int{1}, Counts: map[int]float64{1: 1, 2: 1}},
	}}
	good := classTerms(t, bestTerms(t, corpusOf(t, c), engine.BestTermsOptions{}))
	if !strings.Contains(good, "\na\t+\t1\tx\t") {
		t.Fatal(good)
	}
	for _, change := range []struct{ old, new, says string }{
		{"class terms 1", "class terms 2", `:1: not a file of class terms: the first line`},
		{"#function \"chi\"\n", "", "the line #function is missing"},
		{"#p 0\n", "#p zero\n", "the line #p:"},
		{`#classes ["a","b"]`, `#classes ["b","c"]`, `class "a" is none of the corpus`},
		{`#class {"class":"b"`, `#class {"class":"a"`, `:12: not a file of class terms: class "a" stands there twice`},
		{`"kept":1`, `"kept":-1`, `a size of class "a" is negative`},
		{`"positive":1`, `"positive":2`, `instead of "a" with "+"`},
		{"class\tsign", "class\tsigns", "the header line is"},
		{"a\t+\t1\tx", "a\t+\t1", "7 columns instead of 8"},
		{"a\t+\t1\tx", "a\t-\t1\tx", `with the sign "-" instead of "a" with "+"`},
		{"a\t+\t1\tx", "b\t+\t1\tx", `a term of "b" with the sign "+"`},
		{"a\t+\t1\tx", "a\t+\t2\tx", `rank "2" instead of 1`},
		{"x\t1.3333333333333333", "x\tmuch", `score "much"`},
		{"x\t1.3333333333333333\t1", "x\t1.3333333333333333\tone", `number of documents "one"`},
		{"x\t1.3333333333333333\t1\t1\t0", "x\t1.3333333333333333\t1\t1\t1", "1 documents in the class and 1 outside are not 1"},
		{good[strings.LastIndex(strings.TrimSuffix(good, "\n"), "\n")+1:], "", "it ends before the last term"},
		{"class\tsign", "", "the header line"},
	} {
		bad := strings.Replace(good, change.old, change.new, 1)
		if bad == good {
			t.Errorf("%q is not in\n%s", change.old, good)
		}
		_, err := engine.ReadBestTerms(strings.NewReader(bad), "terms.tsv")
		if !errors.Is(err, engine.ErrBadClassTerms) || !strings.Contains(fmt.Sprint(err), change.says) {
			t.Errorf("%q for %q: %v", change.new, change.old, err)
		}
	}
	for _, bad := range []string{"", good + good[strings.LastIndex(strings.TrimSuffix(good, "\n"), "\n")+1:], good[:strings.Index(good, "\nclass\t")+1]} {
		if _, err := engine.ReadBestTerms(strings.NewReader(bad), "terms.tsv"); !errors.Is(err, engine.ErrBadClassTerms) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzReadBestTerms(f *testing.F) {
	c := naive.RandomCorpus(rand.New(rand.NewPCG(3, 3)), naive.Shapes[1])
	corpus, err := engine.Build(f.Context(), streamOf(c), engine.Options{})
	if err != nil {
		f.Fatal(err)
	}
	b, err := corpus.BestTerms(f.Context(), engine.BestTermsOptions{})
	if err != nil {
		f.Fatal(err)
	}
	var file bytes.Buffer
	if err := b.WriteTSV(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := engine.ReadBestTerms(bytes.NewReader(data), "x")
		if err != nil {
			return
		}
		if s, err := b.Selection(); err == nil {
			if _, err := b.Filter(s); err != nil {
				t.Error(err)
			}
		}
	})
}
