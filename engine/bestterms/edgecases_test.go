package bestterms_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
)

// choices returns options with every scope and count base.
func choices(function string, p float64) (out []bestterms.Options) {
	for _, scope := range []string{bestterms.ScopeReduced, bestterms.ScopeAll} {
		for _, counts := range []string{bestterms.CountsTraining, bestterms.CountsReduced} {
			out = append(out, bestterms.Options{Function: function, P: p, Scope: scope, Counts: counts})
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
		c := enginetest.CorpusOf(t, naive.Corpus{Terms: terms, Classes: shape.classes, Docs: shape.docs})
		for _, o := range choices("chi", 0) {
			for i, got := range bestTerms(t, c, o).Classes {
				w := shape.want[i]
				if o.Scope == bestterms.ScopeAll { // there are more of them then
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
	c := enginetest.CorpusOfSource(t, postings.Source{
		IDs: []string{"1", "2"}, Classes: []string{"a", "nobody"}, LabelStart: []uint32{0, 1, 1}, Labels: []uint32{0},
		Names:   []string{"x", "y"},
		Columns: postings.Columns{DocStart: []uint64{0, 1, 2}, Terms: []uint32{0, 1}, Counts: []uint32{1, 1}},
	})
	for _, function := range bestterms.Functions() {
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

func TestBestTermsClassNamedTwice(t *testing.T) {
	c := enginetest.CorpusOf(t, naive.Corpus{Terms: []string{"x"}, Classes: []string{"a"}, Docs: []naive.Doc{{Labels: []int{0}, Counts: map[int]float64{0: 1}}}})
	if _, err := bestterms.Choose(t.Context(), c, bestterms.Options{Classes: []string{"a", "a"}}); !errors.Is(err, usage.ErrUsage) {
		t.Error(err)
	}
}
