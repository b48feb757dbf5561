package bestterms_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

func readBest(t *testing.T, b *bestterms.Choice) *bestterms.Choice {
	t.Helper()
	again, err := bestterms.Read(strings.NewReader(classTerms(t, b)), "terms.tsv")
	if err != nil {
		t.Fatal(err)
	}
	return again
}

func classTerms(t *testing.T, b *bestterms.Choice) string {
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
		for _, o := range []bestterms.Options{{P: .1}, {Function: "or", Rule: bestterms.RuleMax, P: .5, Counts: bestterms.CountsReduced}, {Function: "mi", Classes: random.Classes[:1]}} {
			want := bestTerms(t, enginetest.CorpusOf(t, random), o)
			got := readBest(t, want)
			for i := range want.Classes {
				want.Classes[i].Kept = nil
				for _, list := range []*[]bestterms.Term{&want.Classes[i].Positive, &want.Classes[i].Negative} {
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
	good := classTerms(t, bestTerms(t, enginetest.CorpusOf(t, c), bestterms.Options{}))
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
		_, err := bestterms.Read(strings.NewReader(bad), "terms.tsv")
		if !errors.Is(err, bestterms.ErrBadClassTerms) || !strings.Contains(fmt.Sprint(err), change.says) {
			t.Errorf("%q for %q: %v", change.new, change.old, err)
		}
	}
	for _, bad := range []string{"", good + good[strings.LastIndex(strings.TrimSuffix(good, "\n"), "\n")+1:], good[:strings.Index(good, "\nclass\t")+1]} {
		if _, err := bestterms.Read(strings.NewReader(bad), "terms.tsv"); !errors.Is(err, bestterms.ErrBadClassTerms) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzReadBestTerms(f *testing.F) {
	c := naive.RandomCorpus(rand.New(rand.NewPCG(3, 3)), naive.Shapes[1])
	corpus, err := corpus.Build(f.Context(), enginetest.StreamOf(c), corpus.Options{})
	if err != nil {
		f.Fatal(err)
	}
	b, err := bestterms.Choose(f.Context(), corpus, bestterms.Options{})
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
		b, err := bestterms.Read(bytes.NewReader(data), "x")
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
