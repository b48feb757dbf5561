package words

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/store"
)

// goldenCollocations are the exact values and the documents that they are of.
type goldenCollocations struct {
	Corpus struct {
		Documents []string   `json:"documents"`
		Labels    [][]string `json:"labels"`
	} `json:"corpus_a"`
	Collocations struct {
		Window map[string]struct {
			Node       string
			W          int
			NodeFreq   int `json:"node_freq"`
			SpanTokens int `json:"span_tokens"`
			N          int
			Span       map[string]map[string]any
			Pairs      map[string]map[string]any
		} `json:"window"`
	} `json:"collocations"`
}

func golden(t *testing.T) *goldenCollocations {
	data := testkit.Must(os.ReadFile("../../testdata/golden_methods.json"))
	g := &goldenCollocations{}
	testkit.OK(json.Unmarshal(data, g))
	return g
}

// docsOf returns texts as documents. Of texts without labels those have none.
func docsOf(texts []string, labels [][]string) []document.Document {
	docs := make([]document.Document, len(texts))
	for i, text := range texts {
		docs[i] = document.Document{ID: fmt.Sprint("d", i), Text: []byte(text)}
		if labels != nil {
			docs[i].Labels = labels[i]
		}
	}
	return docs
}

// countedBy returns a function that counts documents by an analysis.
func countedBy(t *testing.T, docs []document.Document) func(analysis.Options) (*Source, error) {
	return func(a analysis.Options) (*Source, error) {
		counted, err := corpus.CountBatches(t.Context(), document.InBatches(docs), ingest.Options{Analysis: a, Unlabelled: true, Threads: 2})
		if err != nil {
			return nil, err
		}
		return OfTable(counted.Table), nil
	}
}

func closeTo(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b))+1e-15
}

// randomTexts are texts of few words, so that phrases, repeated words and empty texts occur.
func randomTexts(r *rand.Rand) (texts []string, docs [][]string) {
	vocabulary := strings.Fields("aa bb cc dd ee ff gg of the")[:3+r.IntN(7)]
	for range 1 + r.IntN(12) {
		words := make([]string, r.IntN(40))
		for i := range words {
			words[i] = vocabulary[min(r.IntN(len(vocabulary)), r.IntN(len(vocabulary)))]
		}
		texts, docs = append(texts, strings.Join(words, " ")), append(docs, words)
	}
	texts = append(texts, "aa bb") // there are terms
	return texts, append(docs, []string{"aa", "bb"})
}

func TestGoldenWindows(t *testing.T) {
	g := golden(t)
	docs := docsOf(g.Corpus.Documents, g.Corpus.Labels)
	for name, window := range g.Collocations.Window {
		for _, kind := range WindowKinds() {
			o := WindowOptions{Choice: Choice{MinFreq: 1}, Node: window.Node, Left: window.W, Right: window.W, Counts: kind, Threads: 2}
			found := testkit.Must(Around(t.Context(), document.InBatches(docs), ingest.Options{}, o))
			l := found[0]
			golden := window.Span
			if kind == Pairs {
				golden = window.Pairs
			} else if l.Near != window.SpanTokens || l.Tokens-l.Frequency != window.N {
				t.Errorf("%s: %+v", name, l)
			}
			testkit.Equal(t, l.Frequency, window.NodeFreq, name, "the node occurs", "times")
			for _, c := range l.Collocates {
				want, ok := golden[c.Term]
				if !ok {
					testkit.Equal(t, c.Term, window.Node, name, kind)
					continue
				}
				delete(golden, c.Term)
				checkGolden(t, c, want, kind)
			}
			for term, values := range golden { // those that are not near have O = 0
				testkit.Equal(t, values["O"], 0., name, kind, term, "is not there")
			}
			if kind == Pairs {
				continue
			}
		}
	}
}

// checkGolden checks a collocate of a window.
func checkGolden(t *testing.T, c Collocation, want map[string]any, kind WindowCounts) {
	t.Helper()
	got := map[string]float64{"O": float64(c.Frequency)}
	if kind == Span {
		got["R1"], got["C1"] = float64(c.Marginals[0]), float64(c.Marginals[1])
	}
	for _, m := range Measures() {
		got[string(m)] = c.Of(m)
	}
	got["deltap_21"], got["deltap_12"] = c.Of(DeltaP21), c.Of(DeltaP12)
	checked := 0
	for key, value := range want {
		number, ok := value.(float64)
		if v, known := got[key]; ok && known {
			checked++
			testkit.Equal(t, closeTo(v, number), true, key, "of", c.Term, kind, v, "not", number)
		}
	}
	if least := map[WindowCounts]int{Span: 18, Pairs: 6}[kind]; checked < least {
		t.Errorf("%s: %d values were checked, of %v", c.Term, checked, want)
	}
}

// The words of a phrase are no neighbours of it: neither N nor C1 has them.
func TestWindowsOfPhrases(t *testing.T) {
	for _, c := range []struct {
		text, node, word  string
		width             int
		near, all, expect float64
	}{
		{"we fly to new york where new york is busy and new ideas grow in new york so new", "new york", "new", 5, 2, 2, 2},
		{"aa bb aa cc aa bb aa cc dd aa", "aa bb", "aa", 2, 2, 3, 2},
		{"aa aa bb aa aa cc aa", "aa aa", "aa", 2, 1, 1, 1},
		{"aa bb aa cc dd ee ff aa", "aa bb aa", "aa", 2, 0, 0, 0},
		{"disease spread and diseases spread to the diseased who spread no ease", "diseas*", "spread", 1, 2, 3, 15.0 / 9},
		{"to new york and to new delhi and to old york", "new *", "to", 1, 2, 3, 12.0 / 7},
	} {
		docs := docsOf([]string{c.text}, [][]string{{"x"}})
		o := WindowOptions{Choice: Choice{MinFreq: 1}, Node: c.node, Left: c.width, Right: c.width}
		found := testkit.Must(around(t, docs, o))
		for _, l := range found {
			i := slices.IndexFunc(l.Collocates, func(x Collocation) bool { return x.Term == c.word })
			if i < 0 {
				if c.near > 0 {
					t.Errorf("%s is not near %s", c.word, c.node)
				}
				continue
			}
			x := l.Collocates[i]
			if float64(x.Frequency) != c.near || float64(x.Marginals[1]) != c.all || math.Abs(x.Expected-c.expect) > 1e-12 || math.IsNaN(x.Of(LL)) {
				t.Errorf("%q near %q: %+v, want %+v", c.word, c.node, x, c)
			}
		}
	}
}

// The counts are those of a plain search, on any number of threads and in each class; the values are those of the
// counts.
func TestWindowsOfRandomTextsOnThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(40, 2))
	for range 200 {
		texts, words := randomTexts(r)
		labels := make([][]string, len(texts))
		for i := range labels {
			for _, class := range []string{"x", "y", "x"} {
				if r.IntN(2) == 0 {
					labels[i] = append(labels[i], class)
				}
			}
		}
		n := r.IntN(5)
		node := []string{"aa", "bb", "aa bb", "aa aa", "aa of aa"}[n]
		typed := node
		if r.IntN(2) == 0 {
			typed = []string{"a?", "*b*", "a* ?b", "aa A*a", "aa o? aa"}[n]
		}
		o := WindowOptions{Choice: Choice{MinFreq: 1}, Node: typed, Left: r.IntN(4), Right: r.IntN(4), Threads: 1 + r.IntN(3), Counts: WindowKinds()[r.IntN(2)]}
		if o.Left+o.Right == 0 {
			o.Left = 1
		}
		if o.Class = []string{"", "x"}[r.IntN(2)]; o.Class == "" {
			o.EachClass = r.IntN(2) == 0
		}
		found, err := Around(t.Context(), document.InBatches(docsOf(texts, labels)), ingest.Options{}, o)
		of := map[string][][]string{}
		for i := range words {
			of[""] = append(of[""], words[i])
			for _, class := range slices.Compact(slices.Sorted(slices.Values(labels[i]))) {
				of[class] = append(of[class], words[i])
			}
		}
		classes := []string{o.Class}
		if o.EachClass {
			classes = []string{"x", "y"}
		}
		for _, class := range classes {
			want := naive.Window(of[class], strings.Split(node, " "), o.Left, o.Right)
			list := Window{}
			if i := slices.IndexFunc(found, func(l Window) bool { return l.Class == class }); i >= 0 {
				list = found[i]
			}
			checkWindow(t, o, list, want, err)
		}
	}
}

func checkWindow(t *testing.T, o WindowOptions, list Window, want map[string]naive.WindowCounts, err error) {
	t.Helper()
	near := 0
	for word, c := range want {
		times, marginal, frequency := c.O, c.R1, c.C1
		if o.Counts == Pairs {
			times, marginal, frequency = c.Pairs, c.F, c.All
		}
		i := slices.IndexFunc(list.Collocates, func(c Collocation) bool { return c.Term == word })
		switch {
		case times == 0 && i < 0:
			continue
		case times == 0 || i < 0:
			t.Fatalf("%+v: %s is near %v times: %+v, %v", o, word, times, list, err)
		}
		near++
		got := list.Collocates[i]
		if float64(got.Frequency) != times || float64(got.Marginals[0]) != marginal || float64(got.Marginals[1]) != frequency || o.Counts == Span && float64(got.Documents) != c.Documents ||
			float64(list.Frequency) != c.F || float64(list.Tokens) != c.T {
			t.Fatalf("%+v: %s: %+v of %+v, not %+v", o, word, got, list, c)
		}
	}
	testkit.Equal(testkit.Stop(t), near, len(list.Collocates), o, "collocates")
	testkit.Equal(testkit.Stop(t), near, list.Types, o, "collocates")
	testkit.Equal(testkit.Stop(t), slices.IsSortedFunc(list.Collocates, func(a, b Collocation) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Term, b.Term))
	}), true, o, list)
}

func TestWrongWindows(t *testing.T) {
	docs := docsOf([]string{"the red fox the red dog", "a fox"}, [][]string{{"x"}, {"y"}})
	counted := []document.Document{{ID: "c", Features: []document.Feature{{Term: "fox", Value: 1}}}}
	for want, run := range map[string]func() ([]Window, error){
		"positive number of words": func() ([]Window, error) { return around(t, docs, WindowOptions{Node: "fox"}) },
		"a positive number":        func() ([]Window, error) { return around(t, docs, WindowOptions{Node: "fox", Left: -1, Right: 3}) },
		"at most 1000":             func() ([]Window, error) { return around(t, docs, WindowOptions{Node: "fox", Left: 1001}) },
		"name a word":              func() ([]Window, error) { return around(t, docs, WindowOptions{Node: " ", Left: 1}) },
		"has no token as":          func() ([]Window, error) { return around(t, docs, WindowOptions{Node: "!", Left: 1}) },
		"did you mean fox":         func() ([]Window, error) { return around(t, docs, WindowOptions{Node: "foxx", Left: 1}) },
		"no text of class y": func() ([]Window, error) {
			return around(t, docs, WindowOptions{Choice: Choice{Class: "y"}, Node: "red", Left: 1})
		},
		"unknown class": func() ([]Window, error) {
			return around(t, docs, WindowOptions{Choice: Choice{Class: "z"}, Node: "red", Left: 1})
		},
		"needs a table": func() ([]Window, error) {
			return around(t, docs, WindowOptions{Node: "red", Left: 1, Counts: Pairs, Measure: Chi2})
		},
		"unknown measure": func() ([]Window, error) { return around(t, docs, WindowOptions{Node: "red", Left: 1, Measure: "lll"}) },
		"9 times": func() ([]Window, error) {
			return around(t, docs, WindowOptions{Choice: Choice{MinFreq: 9}, Node: "red", Left: 1})
		},
		"come counted": func() ([]Window, error) { return around(t, counted, WindowOptions{Node: "fox", Left: 1}) },
		"no documents": func() ([]Window, error) { return around(t, nil, WindowOptions{Node: "fox", Left: 1}) },
	} {
		if found, err := run(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v: not %q", found, err, want)
		}
	}
}

// No window leaves a sentence, and no node does, if the texts are read by sentences.
func TestWindowsOfSentences(t *testing.T) {
	docs := docsOf([]string{"Red fox ran. Cold\nfox sat. Wet fox! Fox dug"}, nil)
	for node, want := range map[string]string{"fox": "cold dug ran red sat wet", "ran cold": "", "fox ran": "red", "f*": "cold dug ran red sat wet"} {
		o := WindowOptions{Choice: Choice{MinFreq: 1}, Node: node, Left: 9, Right: 9}
		found, _ := Around(t.Context(), document.InBatches(docs), ingest.Options{Analysis: analysis.Options{Sentences: true}}, o)
		var words []string
		for _, w := range found {
			for _, c := range w.Collocates {
				words = append(words, c.Term)
				testkit.Equal(t, c.Frequency, 1, node, c.Term)
				testkit.Equal(t, c.Documents, 1, node, c.Term)
			}
		}
		slices.Sort(words)
		testkit.Equal(t, strings.Join(words, " "), want, node)
	}
}

func around(t *testing.T, docs []document.Document, o WindowOptions) ([]Window, error) {
	return Around(t.Context(), document.InBatches(docs), ingest.Options{}, o)
}

// tableOf is a source of n-grams of these lengths with frequencies.
func tableOf(frequency map[string]float64, lengths string) *Source {
	s := &Source{each: func(_ context.Context, f func(*store.Term) error) error {
		for name, frequency := range frequency {
			if err := f(&store.Term{Name: []byte(name), CF: frequency, DF: 1}); err != nil {
				return err
			}
		}
		return nil
	}}
	s.record.Analysis.NGrams = lengths
	return s
}

func checkCValues(t *testing.T, from *Source, o Options, want map[string]map[string]float64) {
	t.Helper()
	for _, words := range []bool{false, true} {
		o.SingleWords = words
		found := testkit.Must(Find(t.Context(), from, o))
		testkit.Equal(t, len(found[0].Collocations), len(want), "candidates")
		for _, c := range found[0].Collocations {
			key := map[bool]string{false: "cvalue", true: "cvalue_plus_1"}[words]
			w := want[c.Term]
			if float64(c.Frequency) != w["f"] || float64(c.Longer) != w["longer"] || float64(c.Nested) != w["nested"] || !closeTo(c.Value, w[key]) {
				t.Errorf("%+v, not %v", c, w)
			}
		}
	}
}

func TestCValuesOfRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(40, 3))
	for range 100 {
		texts, docs := randomTexts(r)
		least := 1 + r.IntN(3)
		o := Options{Measure: CValue, Choice: Choice{MinFreq: 1 + r.IntN(3)}, Least: least, Most: max(2, least+r.IntN(3))}
		frequency := map[string]float64{}
		for _, words := range docs {
			for n := o.Least; n <= o.Most; n++ {
				for i := 0; i+n <= len(words); i++ {
					frequency[strings.Join(words[i:i+n], " ")]++
				}
			}
		}
		maps.DeleteFunc(frequency, func(_ string, f float64) bool { return f < float64(o.MinFreq) })
		from, err := countedBy(t, docsOf(texts, nil))(analysis.Options{NGrams: fmt.Sprintf("%d-%d", o.Least, o.Most)})
		if err != nil {
			continue // texts that are too short
		}
		want := map[string]map[string]float64{}
		for term, v := range naive.CValues(frequency) {
			want[term] = map[string]float64{"f": v.F, "longer": v.Longer, "nested": v.Nested, "cvalue": v.CValue, "cvalue_plus_1": v.PlusWords}
		}
		if len(want) == 0 {
			continue
		}
		if o.SingleWords = true; o.Least > 1 {
			checkCValues(t, from, o, want)
			continue
		}
		found := testkit.Must(Find(t.Context(), from, o))
		testkit.Equal(testkit.Stop(t), len(found[0].Collocations), len(want), found)
		for _, c := range found[0].Collocations {
			testkit.Equal(t, closeTo(c.Value, want[c.Term]["cvalue_plus_1"]), true, c, "not", want[c.Term])
		}
	}
}

func TestWrongCValues(t *testing.T) {
	from := tableOf(map[string]float64{"a b": 1}, "2-4")
	for want, o := range map[string]Options{
		"from 1 to 5 words":         {Least: 2, Most: 6},
		"is 0":                      {Least: 1, Most: 3},
		"of several words":          {Least: 1, Most: 1, SingleWords: true},
		"must not be negative":      {Choice: Choice{MinFreq: -1}},
		"n-grams of 2 to 4 words":   {Least: 2, Most: 5},
		"no collocations":           {},
		`unknown class "nosuch"`:    {Choice: Choice{Class: "nosuch"}},
		`unknown stop list "klngo"`: {Choice: Choice{WithoutList: "klngo", MinFreq: 1}},
	} {
		o.Measure = CValue
		if found, err := Find(t.Context(), from, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, %v: not %q", o, found, err, want)
		}
	}
}
