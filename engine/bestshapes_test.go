package engine_test

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/store"
)

// choices are all scopes with all count bases.
func choices(function string, p float64) (out []engine.BestTermsOptions) {
	for _, scope := range []string{engine.ScopeReduced, engine.ScopeAll} {
		for _, counts := range []string{engine.CountsTraining, engine.CountsReduced} {
			out = append(out, engine.BestTermsOptions{Function: function, P: p, Scope: scope, Counts: counts})
		}
	}
	return out
}

func TestBestTermsOfExtremeClasses(t *testing.T) {
	doc := func(labels []int, terms ...int) naive.Doc {
		d := naive.Doc{Labels: labels, Counts: map[int]float64{}}
		for _, t := range terms {
			d.Counts[t] = 1
		}
		return d
	}
	terms := []string{"x", "y", "z"}
	type want struct {
		positive, negative []string
		kept, documents    int
	}
	for _, shape := range []struct {
		name    string
		classes []string
		docs    []naive.Doc
		want    []want
	}{
		{"one document in all", []string{"a"}, []naive.Doc{doc([]int{0}, 0, 1)}, []want{{documents: 1}}},
		{
			"one document in a class",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0}, 0, 2), doc([]int{1}, 1, 2), doc([]int{1}, 1)},
			[]want{{[]string{"x"}, nil, 1, 1}, {[]string{"y"}, nil, 2, 2}},
		},
		{
			"every document in a class",
			[]string{"all", "some"},
			[]naive.Doc{doc([]int{0, 1}, 0), doc([]int{0}, 1), doc([]int{0}, 1, 2)},
			[]want{{documents: 3}, {[]string{"x"}, nil, 1, 1}},
		},
		{
			"documents without a label are outside all classes",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0}, 0), doc([]int{1}, 1), doc(nil, 0, 2), doc(nil, 2)},
			[]want{{[]string{"x"}, []string{"z"}, 2, 1}, {[]string{"y"}, nil, 1, 1}},
		},
		{
			"a document counts in each of its classes",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0, 1}, 0), doc([]int{0}, 0, 1), doc([]int{1}, 2), doc(nil, 1)},
			[]want{{[]string{"x"}, nil, 2, 2}, {[]string{"z"}, nil, 1, 2}},
		},
		{
			"documents without a term",
			[]string{"a", "b"},
			[]naive.Doc{doc([]int{0}), doc([]int{1}, 1), doc(nil)},
			[]want{{documents: 1}, {[]string{"y"}, nil, 1, 1}},
		},
	} {
		c := corpusOf(t, naive.Corpus{Terms: terms, Classes: shape.classes, Docs: shape.docs})
		for _, o := range choices("chi", 0) {
			for i, got := range bestTerms(t, c, o).Classes {
				w := shape.want[i]
				if o.Scope == engine.ScopeAll { // there are more of them then
					w.negative = sortedNames(got.Negative)
				}
				if !reflect.DeepEqual(sortedNames(got.Positive), w.positive) || !reflect.DeepEqual(sortedNames(got.Negative), w.negative) ||
					got.KeptDocuments != w.kept || int(got.Kept.GetCardinality()) != w.kept || got.Documents != w.documents {
					t.Errorf("%s, class %s, %+v: %+v instead of %+v", shape.name, got.Class, o, got, w)
				}
			}
		}
	}
}

// An index may know a class that none of its documents has.
func TestBestTermsOfAnEmptyClass(t *testing.T) {
	index, err := store.Build(t.Context(), store.Source{
		IDs: []string{"1", "2"}, Classes: []string{"a", "nobody"}, LabelStart: []uint32{0, 1, 1}, Labels: []uint32{0},
		Names:   []string{"x", "y"},
		Columns: store.Columns{DocStart: []uint64{0, 1, 2}, Terms: []uint32{0, 1}, Counts: []uint32{1, 1}},
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
	for _, function := range engine.BestTermsFunctions() {
		for _, o := range choices(function, .5) {
			b := bestTerms(t, c, o)
			if e := b.Classes[1]; e.Class != "nobody" || e.Documents != 0 || len(e.Positive)+len(e.Negative) > 0 || !e.Kept.IsEmpty() {
				t.Errorf("%+v: %+v", o, e)
			}
			if got := sortedNames(b.Classes[0].Positive); !reflect.DeepEqual(got, []string{"x"}) {
				t.Errorf("%+v: %v", o, got)
			}
		}
	}
}

// One class of many documents is left at once when the context ends: within a pass
// over them as well.
func TestBestTermsCancelledWithinAClass(t *testing.T) {
	const documents = 5000
	c := corpusFrom(t, func(d int) document.Document {
		doc := document.Document{Features: []document.Feature{{Term: "t" + strconv.Itoa(d%7), Value: 1}, {Term: "all", Value: 1}}}
		if d%3 > 0 || d%7 == 1 {
			doc.Labels = []string{"a"}
		}
		return doc
	}, documents)
	f, err := c.Forward(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, counts := range []string{engine.CountsTraining, engine.CountsReduced} {
		o := engine.BestTermsOptions{Scope: engine.ScopeAll, Counts: counts, Threads: 1}
		for checks := 0; ; checks++ {
			b, err := f.BestTerms(newCountdown(t, checks), o)
			if err == nil {
				if checks < 2*documents/256 {
					t.Errorf("%s: %d looks at the context", counts, checks)
				}
				break
			}
			if !errors.Is(err, errStop) || b != nil {
				t.Fatalf("%s, stopped at check %d: %v, error %v", counts, checks, b, err)
			}
		}
	}
}

func TestBestTermsClassNamedTwice(t *testing.T) {
	c := corpusOf(t, naive.Corpus{Terms: []string{"x"}, Classes: []string{"a"}, Docs: []naive.Doc{{Labels: []int{0}, Counts: map[int]float64{0: 1}}}})
	if _, err := c.BestTerms(t.Context(), engine.BestTermsOptions{Classes: []string{"a", "a"}}); !errors.Is(err, engine.ErrUsage) {
		t.Error(err)
	}
}
