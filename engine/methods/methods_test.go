package methods_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// A selecting is a direct call.
type selecting func(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error)

func byMeasure(o rank.Options) selecting {
	return func(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
		return selection.Select(ctx, c, selection.Options{By: o, Keep: selection.Best(k)})
	}
}

func byBestTerms(o bestterms.Options) selecting {
	return func(ctx context.Context, c *corpus.Corpus, _ int) (*selection.Selection, error) {
		b, err := bestterms.Choose(ctx, c, o)
		if err != nil {
			return nil, err
		}
		return b.Selection()
	}
}

func byProjection(o projection.Options) selecting {
	return func(ctx context.Context, c *corpus.Corpus, k int) (*selection.Selection, error) {
		o.K = k
		p, err := projection.Project(ctx, c, o)
		if err != nil {
			return nil, err
		}
		return p.Selection, nil
	}
}

// direct has, for texts, the calls that methods stand for.
func direct() map[string]selecting {
	calls := map[string]selecting{
		"ttest:avg": byMeasure(rank.Options{Measure: rank.TTest, Combine: rank.Avg}),
		"best-terms:function=ig,p=0.25,rule=max,scope=all,counts=reduced": byBestTerms(bestterms.Options{
			Function: "ig", P: .25, Rule: bestterms.RuleMax, Scope: bestterms.ScopeAll, Counts: bestterms.CountsReduced,
		}),
		"project:alpha=0,rule=literal,discriminate=log-pr,occurrences=true": byProjection(projection.Options{
			Alpha: new(0.), Rule: projection.Literal, Discriminate: projection.DiscriminateLogPR, Occurrences: true,
		}),
	}
	for _, m := range rank.EveryMeasure() {
		calls[m.Name] = byMeasure(rank.Options{Measure: rank.Measure(m.Name)})
	}
	for _, name := range methods.Criteria() {
		calls[name] = methods.Redundancy{Criterion: name}.Select
	}
	calls[methods.NameBestTerms] = byBestTerms(bestterms.Options{})
	calls[methods.NameProjection] = byProjection(projection.Options{})
	return calls
}

// Every method selects through the interface what its own package does.
func TestMethodsAreTheirCalls(t *testing.T) {
	calls := direct()
	for _, name := range methods.Names() {
		if calls[name] == nil {
			t.Fatalf("%s is not tried", name)
		}
	}
	compared := 0
	for seed := range 4 {
		for _, shape := range naive.Shapes {
			random := naive.RandomCorpus(rand.New(rand.NewPCG(uint64(seed), 5)), shape)
			if seed%2 == 1 { // classes that are numbers
				for k := range random.Classes {
					random.Classes[k] = strconv.Itoa(k)
				}
			}
			c := enginetest.CorpusOf(t, random)
			for text, call := range calls {
				compared += sameSelections(t, c, text, call)
			}
		}
	}
	if compared < 200*4 {
		t.Errorf("only %d selections were compared", compared)
	}
}

// sameSelections compares a method with its call, and counts the selections.
func sameSelections(t *testing.T, c *corpus.Corpus, text string, call selecting) (n int) {
	t.Helper()
	m, err := methods.Parse(text, methods.Options{})
	if err != nil || m.Validate() != nil || m.Name() != text {
		t.Fatalf("%q: %+v, %v", text, m, err)
	}
	ks := []int{0, 1, 3}
	if _, ok := m.(selection.SelfSized); ok {
		ks = ks[:1]
		testkit.Is(t, testkit.Err(m.Select(t.Context(), c, 3)), usage.ErrUsage, text, "takes a k")
	}
	for _, k := range ks {
		asked := k
		if _, ok := m.(methods.Projection); k == 0 && !ok {
			asked = c.Terms()
		}
		got, err := m.Select(t.Context(), c, k)
		want, wantErr := call(t.Context(), c, asked)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%s, k = %d: %v, want %v", text, k, err, wantErr)
		}
		testkit.Same(testkit.Stop(t), got, want, text, "k =", k)
		if err == nil {
			n++
		}
	}
	return n
}

// Without a label a method is named by what it does, as Parse would read it.
func TestNames(t *testing.T) {
	for want, m := range map[string]selection.Method{
		"chi":                           methods.Measure{},
		"ig:sum":                        methods.Measure{Options: rank.Options{Measure: rank.IG, Combine: rank.Sum}},
		"mrmr":                          methods.Redundancy{},
		"cmim":                          methods.Redundancy{Criterion: methods.CMIM},
		"best-terms:function=chi,p=0":   methods.BestTerms{},
		"best-terms:function=ig,p=0.25": methods.BestTerms{Options: bestterms.Options{Function: "ig", P: .25}},
		"project":                       methods.Projection{},
		"mine":                          methods.Projection{Label: "mine"},
	} {
		if m.Name() != want || m.Validate() != nil {
			t.Errorf("%q, want %q", m.Name(), want)
		}
		if want == "mine" {
			continue
		}
		testkit.Equal(t, reflect.TypeOf(testkit.Must(methods.Parse(want, methods.Options{}))), reflect.TypeOf(m), want,
			"is read as")
	}
}

// A text replaces what it names of the options, and a method has what they share.
func TestParseStartsFromOptions(t *testing.T) {
	o := methods.Options{
		Scoring:    rank.Options{Combine: rank.Sum, Base: 2, RSD: .5, Threads: 3},
		BestTerms:  bestterms.Options{Function: "or", P: .75, Classes: []string{"a"}},
		Projection: projection.Options{Alpha: new(.25), Unit: true},
	}
	for text, want := range map[string]selection.Method{
		"ig":     methods.Measure{Options: rank.Options{Measure: rank.IG, Combine: rank.Sum, Base: 2, RSD: .5, Threads: 3}},
		" or:":   methods.Measure{Options: rank.Options{Measure: rank.OR, Base: 2, RSD: .5, Threads: 3}},
		"mi:max": methods.Measure{Options: rank.Options{Measure: rank.MI, Combine: rank.Max, Base: 2, RSD: .5, Threads: 3}},
		"jmi":    methods.Redundancy{Criterion: methods.JMI, Threads: 3},
		"best-terms:p=0": methods.BestTerms{Options: bestterms.Options{
			Function: "or", Classes: []string{"a"}, RSD: .5, Threads: 3,
		}},
		"project:base=10": methods.Projection{Options: projection.Options{Alpha: new(.25), Unit: true, Base: 10, Threads: 3}},
	} {
		got, err := methods.Parse(text, o)
		testkit.Is(t, err, nil, text)
		switch m := want.(type) {
		case methods.Measure:
			m.Label = strings.TrimSpace(text)
			want = m
		case methods.Redundancy:
			m.Label = text
			want = m
		case methods.BestTerms:
			m.Label = text
			want = m
		case methods.Projection:
			m.Label = text
			want = m
		}
		testkit.Same(t, got, want, text)
	}
}

// parseList reads methods as the command does.
func parseList(list string, o methods.Options) (all []selection.Method, err error) {
	for _, text := range usage.SplitNames(list) {
		m, err := methods.Parse(text, o)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func TestParseList(t *testing.T) {
	all := testkit.Must(parseList("chi, best-terms:function=ig,p=0.25,rule=max,ttest:avg,project:alpha=0.6,unit=true,mrmr", methods.Options{}))
	var names []string
	for _, m := range all {
		names = append(names, m.Name())
	}
	testkit.EqualSlices(t, names,
		[]string{"chi", "best-terms:function=ig,p=0.25,rule=max", "ttest:avg", "project:alpha=0.6,unit=true", "mrmr"})
}

// An own is a method of the caller's.
type own struct{ methods.Projection }

func (own) Name() string { return "own" }

func TestParseFindsOwn(t *testing.T) {
	o := methods.Options{Own: []selection.Method{own{}}}
	testkit.Equal(t, testkit.Must(methods.Parse("own", o)), selection.Method(own{}))
	testkit.Says(t, testkit.Err(methods.Parse("owm", o)), "did you mean own")
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "has no name",
		"chi,":                     "has no name",
		":avg":                     "has no name",
		"best-term":                `unknown method "best-term"; did you mean best-terms?`,
		"chy":                      `unknown method "chy"; did you mean chi`,
		"best-terms:p=1.5":         "p must be in [0, 1], not 1.5",
		"best-terms:p=-1":          "p must be a number of 0 or more",
		"best-terms:q=1":           `unknown option "q"`,
		"best-terms:function=gini": `unknown function "gini"`,
		"best-terms:rule=min":      `unknown rule "min"`,
		"best-terms:avg":           `unknown option "avg"`,
		"project:max":              `unknown option "max"`,
		"project:alpha=2":          "alpha must be in [0, 1], not 2",
		"project:unit=maybe":       "unit must be true or false",
		"mrmr:max":                 "mrmr has no combinations",
		"chi:most":                 `unknown combination "most"`,
		"chi:class":                "one order of the terms",
	} {
		all, err := parseList(text, methods.Options{})
		for _, m := range all {
			if err == nil {
				err = m.Validate()
			}
		}
		testkit.Refused(t, err, usage.ErrUsage, want, text)
	}
}

func TestParseMeasure(t *testing.T) {
	like := rank.Options{Combine: rank.Sum, Base: 2}
	for text, want := range map[string]rank.Options{
		"ig":     {Measure: rank.IG, Combine: rank.Sum, Base: 2},
		"ig:avg": {Measure: rank.IG, Combine: rank.Avg, Base: 2},
	} {
		testkit.Same(t, testkit.Must(methods.ParseMeasure(text, like)), want, text)
	}
	for text, want := range map[string]string{"": "has no name", "chy": `unknown measure "chy"; did you mean chi`, "mrmr": `unknown measure "mrmr"`} {
		testkit.Refused(t, testkit.Err(methods.ParseMeasure(text, like)), usage.ErrUsage, want, text)
	}
}

// No method takes a number of terms below 0, and threads are bounded for all.
func TestNegativeAndThreads(t *testing.T) {
	c := enginetest.Build(t, "a:one two two", "b:two three")
	for _, name := range methods.Names() {
		m := testkit.Must(methods.Parse(name, methods.Options{}))
		testkit.Is(t, testkit.Err(m.Select(t.Context(), c, -1)), usage.ErrUsage, name, "of -1 terms")
		if reflect.DeepEqual(methods.WithThreads(m, 2), m) || !reflect.DeepEqual(methods.WithThreads(m, 0), m) {
			t.Errorf("%s: threads", name)
		}
	}
	testkit.Equal(t, methods.WithThreads(own{}, 2), selection.Method(own{}), "threads of a method of the caller's")
}
