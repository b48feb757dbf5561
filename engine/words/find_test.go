package words_test

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// The lists of each of many classes are those of each class alone, in memory for the words that each has.
func TestEachOfManyClasses(t *testing.T) {
	const classes = 1000
	texts, labels := make([]string, classes), make([]string, classes)
	for i := range texts {
		labels[i] = fmt.Sprintf("c%03d", i)
		for n := range 60 {
			texts[i] += fmt.Sprintf("w%d ", (i*61+n*n*7)%20_000)
		}
	}
	from := words.OfTable(count(t, documents(texts, labels...), "1-3"))
	for _, o := range []words.Options{{}, {Marginals: words.Words}, {Least: 2, Most: 3}} {
		o.Choice = words.Choice{MinFreq: 1, Top: 2, EachClass: true}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		lists := testkit.Must(words.Find(t.Context(), from, o))
		runtime.ReadMemStats(&after)
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 150 { // all classes times all words are 1.8 GB
			t.Errorf("%+v: %d MB were allocated", o, made)
		}
		lengths := len(lists) / classes
		for _, class := range []int{0, 1, 500, 999} {
			o.Choice = words.Choice{MinFreq: 1, Top: 2, Class: labels[class]}
			alone := testkit.Must(words.Find(t.Context(), from, o))
			testkit.Equal(t, fmt.Sprintf("%+v", lists[class*lengths:(class+1)*lengths]), fmt.Sprintf("%+v", alone), o)
		}
	}
}

// What stands near a word takes memory for the words that each class has.
func TestNearInManyClasses(t *testing.T) {
	texts, labels := make([]string, 1000), make([]string, 1000)
	for i := range texts {
		labels[i], texts[i] = fmt.Sprintf("c%03d", i), "moon "
		for n := range 60 {
			texts[i] += fmt.Sprintf("w%d ", (i*61+n*n*7)%20_000)
		}
	}
	o := words.WindowOptions{Node: "moon", Right: 2, Choice: words.Choice{MinFreq: 1, EachClass: true}, Threads: 2}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	windows := testkit.Must(words.Around(t.Context(), document.InBatches(documents(texts, labels...)), corpus.Options{}, o))
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 100 { // all classes times all words are 480 MB
		t.Errorf("%d MB were allocated", made)
	}
	testkit.Equal(t, len(windows), 1000)
	testkit.Equal(t, len(windows[7].Collocates), 2)
}

// ll of n words has 2^n - n - 1 degrees of freedom. The values are scipy's chi2.logsf(30, df).
func TestDegreesOfFreedom(t *testing.T) {
	for n, want := range map[int]float64{2: -16.95731815812879, 3: -12.227411277760218, 4: -6.447426262428521, 5: -1.31822072066407} {
		c := words.Collocation{Marginals: make([]int, n), Values: make([]float64, len(words.Measures()))}
		c.Values[slices.Index(words.Measures(), words.LL)] = 30
		testkit.Close(t, c.Log10P(words.LL)*math.Ln10, want, 1e-12, 0, n, "words")
	}
}

// Requests that make no sense, and counts that do not have what is asked for, are errors that say what
// to do.
func TestErrors(t *testing.T) {
	texts := []string{"new york is big", "new york is far", "one"}
	pairs := count(t, documents(texts, "a", "b"), "1-2")
	for _, c := range []struct {
		ngrams string
		o      words.Options
		kind   error
		want   string
	}{
		{"1-2", words.Options{Measure: "mi"}, usage.ErrUsage, `unknown measure of collocation "mi"`},
		{"1-2", words.Options{Least: 1}, usage.ErrUsage, "from 2 to 5 words, not 1 to 1"},
		{"1-2", words.Options{Least: 2, Most: 6}, usage.ErrUsage, "not 2 to 6"},
		{"1-2", words.Options{Marginals: "all"}, usage.ErrUsage, `unknown marginals "all"`},
		{"1-3", words.Options{Least: 2, Most: 3, Marginals: words.Words}, usage.ErrUsage, "those of pairs"},
		{"1-3", words.Options{Least: 2, Most: 3, Measure: words.Z}, usage.ErrUsage, "z is defined for pairs alone: rank n-grams of 3 words by ll, pmi, npmi, mi3, t, dice, lambda, lambda_z"},
		{"1-2", words.Options{Choice: words.Choice{MinFreq: -1}}, usage.ErrUsage, "must not be negative"},
		{"1-2", words.Options{Parameters: words.Parameters{Base: 1}}, usage.ErrUsage, "above 1, not 1"},
		{"1-2", words.Options{Choice: words.Choice{Class: "c"}}, usage.ErrUsage, `unknown class "c"`},
		{"1-2", words.Options{Choice: words.Choice{Class: "a", EachClass: true}}, usage.ErrUsage, "either one class or each"},
		{"1-2", words.Options{Choice: words.Choice{WithoutList: "englsh"}}, usage.ErrUsage, "unknown stop list"},
		{"", words.Options{}, usage.ErrData, "the terms are single words, and collocations of 2 words are asked for: count them with --ngrams 2"},
		{"1-2", words.Options{Least: 2, Most: 3}, usage.ErrData, "the terms are n-grams of 1 to 2 words, and collocations of 2-3 words are asked for: count them with --ngrams 2-3"},
		{"2", words.Options{Marginals: words.Words}, usage.ErrData, "the terms are n-grams of 2 words, and marginals of words need words and pairs: count them with --ngrams 1-2"},
		{"1-2", words.Options{}, words.ErrNone, "no n-gram occurs 5 times, the most frequent 2 times: lower the least frequency (--min-freq 2)"},
		{"1-2", words.Options{Choice: words.Choice{Class: "a", MinFreq: 2}}, words.ErrNone, `no n-gram of class "a" occurs 2 times, the most frequent 1 times`},
		{"1-5", words.Options{Choice: words.Choice{MinFreq: 1}, Least: 5}, words.ErrNone, "no document has 5 words in a row"},
		{"2", words.Options{Choice: words.Choice{MinFreq: 1, Without: []string{"York", "is"}}}, words.ErrNone, "has a word that was left out"},
	} {
		counted := pairs
		if c.ngrams != "1-2" {
			counted = count(t, documents(texts, "a", "b"), c.ngrams)
		}
		_, err := words.Find(t.Context(), words.OfTable(counted), c.o)
		testkit.Refused(t, err, c.kind, c.want, c.ngrams, c.o)
	}
	testkit.Is(t, testkit.Err(words.Find(t.Context(), words.OfTable(nil), words.Options{})),
		usage.ErrUsage, "nil statistics")
	rare := testkit.Must(pairs.WithoutRare(2))
	if _, err := words.Find(t.Context(), words.OfTable(rare), words.Options{Choice: words.Choice{MinFreq: 1}}); !errors.Is(err, usage.ErrData) {
		t.Errorf("statistics without rare terms: %v", err)
	}
}

// documents returns documents of texts, in classes if there are any.
func documents(texts []string, classes ...string) (docs []document.Document) {
	for i, text := range texts {
		d := document.Document{Text: []byte(text)}
		if len(classes) > 0 && classes[i%len(classes)] != "" {
			d.Labels = []string{classes[i%len(classes)]}
		}
		docs = append(docs, d)
	}
	return docs
}

// count returns the n-grams of documents.
func count(t *testing.T, docs []document.Document, ngrams string) *table.Table {
	o := corpus.Options{Unlabelled: true, Analysis: analysis.Options{Tokens: "words", NGrams: ngrams}}
	return testkit.Must(corpus.CountBatches(t.Context(), enginetest.InBatches(docs, 3), o)).Table
}

// A pair that is as frequent as independent words are has 0 by log-likelihood, and never -0, which is printed.
func TestIndependentWords(t *testing.T) {
	texts := []string{"old cat", "old dog", "new cat", "new dog"}
	lists := testkit.Must(words.Find(t.Context(), words.OfTable(count(t, documents(texts, "x", "x", "x", "x"), "1-2")), words.Options{Choice: words.Choice{MinFreq: 1}}))
	v := find(t, &lists[0], "old cat").Of(words.LL)
	testkit.Equal(t, math.Float64bits(v), 0, "bits of", v)
}

func find(t *testing.T, l *words.List, term string) *words.Collocation {
	t.Helper()
	i := slices.IndexFunc(l.Collocations, func(c words.Collocation) bool { return c.Term == term })
	if i < 0 {
		t.Fatalf("no %q", term)
	}
	return &l.Collocations[i]
}

// naiveNames are the names of the measures in the reference.
var naiveNames = map[words.Measure]string{words.DeltaP21: "deltap_21", words.DeltaP12: "deltap_12"}

// Random corpora of few words have the counts and values of the reference, n-gram by n-gram, in the whole
// and in each class, for every length and both marginals, best first.
func TestRandomCorpora(t *testing.T) {
	for round, r := range testkit.Cases(t, 600) {
		var texts []string
		for range 1 + r.IntN(12) {
			var words []string
			for range r.IntN(30) {
				words = append(words, fmt.Sprintf("w%c", 'a'+int(r.ExpFloat64()*2)%(1+round%9)))
			}
			texts = append(texts, strings.Join(words, " "))
		}
		if strings.Join(texts, "") == "" {
			continue // there is nothing to count
		}
		table := count(t, documents(texts, "a", "b", ""), "1-4")
		for _, o := range []words.Options{
			{},
			{Least: 3},
			{Least: 2, Most: 4, Measure: words.PMI},
			{Marginals: words.Words, Measure: words.LogDice},
			{Choice: words.Choice{EachClass: true}, Measure: words.LambdaZ, Least: 2, Most: 3},
			{Choice: words.Choice{Class: "a"}, Parameters: words.Parameters{Yates: true}, Measure: words.Chi2},
			{Choice: words.Choice{Top: 3}, Measure: words.T, Least: 4},
		} {
			o.MinFreq = 1 + r.IntN(3)
			if o.Class != "" && len(texts) < 2 || o.EachClass && len(texts) < 2 {
				continue
			}
			lists, err := words.Find(t.Context(), words.OfTable(table), o)
			if err != nil && !errors.Is(err, words.ErrNone) {
				t.Fatalf("%+v: %v", o, err)
			}
			for _, l := range lists {
				compareWithNaive(t, texts, o, l)
			}
		}
	}
}

// compareWithNaive compares a list with the reference.
func compareWithNaive(t *testing.T, texts []string, o words.Options, l words.List) {
	t.Helper()
	if l.Class != "" {
		var own []string
		for i, text := range texts {
			if i%3 == slices.Index([]string{"a", "b"}, l.Class) {
				own = append(own, text)
			}
		}
		texts = own
	}
	all, passing := naive.Grams(texts, l.Words), map[string]naive.Collocation{}
	for _, gram := range all {
		term := strings.Join(gram, " ")
		if _, done := passing[term]; done {
			continue
		}
		c := naive.Collocate(gram, all)
		if o.Marginals == words.Words {
			c = naive.CollocateWords(gram, texts)
		}
		if int(c.O) >= o.MinFreq {
			passing[term] = c
		}
	}
	if l.Passed != len(passing) || o.Top == 0 && len(l.Collocations) != len(passing) || o.Top > 0 && len(l.Collocations) != min(o.Top, len(passing)) {
		t.Fatalf("%+v, %d words of %q: %d passed and %d listed of %d", o, l.Words, l.Class, l.Passed, len(l.Collocations), len(passing))
	}
	for i := range l.Collocations {
		got, c := &l.Collocations[i], passing[l.Collocations[i].Term]
		want := c.Measures()
		for _, m := range words.Measures() {
			name := cmp.Or(naiveNames[m], string(m))
			if m == words.Chi2 && o.Yates {
				name = "chi2_yates"
			}
			if v := got.Of(m); math.IsNaN(v) != math.IsNaN(want[name]) || !math.IsNaN(v) && !testkit.Near(v, want[name], 1e-12, 1e-12) {
				t.Errorf("%+v, %q in %q: %s is %v, want %v", o, got.Term, l.Class, m, v, want[name])
			}
		}
		if i > 0 {
			inOrder(t, &l.Collocations[i-1], got)
		}
	}
}

// inOrder checks that of two collocations the first is the better one.
func inOrder(t *testing.T, a, b *words.Collocation) {
	t.Helper()
	switch {
	case math.IsNaN(b.Value) && !math.IsNaN(a.Value), a.Value > b.Value:
		return
	case a.Value == b.Value || math.IsNaN(a.Value) && math.IsNaN(b.Value):
		if a.Frequency > b.Frequency || a.Frequency == b.Frequency && a.Term < b.Term {
			return
		}
	}
	t.Errorf("%+v before %+v", a, b)
}
