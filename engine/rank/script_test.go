package rank_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report/browsertest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// formulasOfPages are users' formulas with all that the language has, the last ones with names and rules that break
// pages.
var formulasOfPages = []string{
	"my-a=A*D/(B*C)", "my-b=ln(A/n_c)-log2(B/N)", "my-c=(A>B)*sqrt(C)^1.5+exp(-S/T_c)*(A<=B)", "my-d=max(A,B,C)-min(S,Q,T)+abs(A-D)*(df!=n_c)+(N==df)",
	"my-e=erf(A/3)+Phi((S-cf*T_c/T)/sqrt(cf))-Phi(-D)+probit(A/(N+1))", "my-f=1/(A-A)", "my-g=1/0-A/0", "my-h=ln(-A)", "my-i=-(A-A)",
	"my-j=det(A,D,B,C)*log1p(Q/T)+excess(B/(A+1))*floor(S/3)", "my-k=lnratio(A,B,A-B)", "my-l=A^-1+(-2)^B+0^C", "my-m=(-A)^.5", "my-n=ln(A-A)^.5", "my-o=(-1)^(1/0)",
	"__proto__=A", "constructor=S", "2=B", "then=A+1",
}

// pageTerm has the counts of a term as a page has them.
type pageTerm struct {
	DF float64   `json:"df"`
	CF float64   `json:"cf"`
	A  []float64 `json:"A"`
	S  []float64 `json:"S"`
	Q  []float64 `json:"Q"`
}

type pageClass struct {
	Documents float64 `json:"documents"`
	Tokens    float64 `json:"tokens"`
}

// pageCorpus has the counts of a corpus as a page has them.
type pageCorpus struct {
	All     pageClass   `json:"all"`
	Classes []pageClass `json:"classes"`
	Terms   []pageTerm  `json:"terms"`
	names   []string
}

// pageOf returns the counts of a corpus, of the classes that have documents.
func pageOf(c naive.Corpus) pageCorpus {
	tb := naive.Tabulate(c)
	p := pageCorpus{All: pageClass{tb.N, tb.T}}
	for class, n := range tb.NC {
		if n > 0 {
			p.Classes = append(p.Classes, pageClass{n, tb.TC[class]})
			p.names = append(p.names, c.Classes[class])
		}
	}
	for term := range c.Terms {
		of := pageTerm{DF: tb.DF[term], CF: tb.CF[term]}
		for class, n := range tb.NC {
			if n > 0 {
				of.A, of.S, of.Q = append(of.A, tb.A[term][class]), append(of.S, tb.S[term][class]), append(of.Q, tb.Q[term][class])
			}
		}
		p.Terms = append(p.Terms, of)
	}
	return p
}

// pageValues are those of a measure that a page computes, by term, as JavaScript writes them.
type pageValues struct {
	Combined map[string][]string `json:"combined"` // by the combination, "" for the default
	Classes  [][]string          `json:"classes"`  // nil without class values
	Alone    [][]string          `json:"alone"`    // the same, one class at a time
}

const computeInPage = `(corpus => {
  const of = {};
  const tables = corpus.terms.map(t => corpus.classes.map((c, k) => tableOf(corpus.all, t, c, t.A[k], t.S[k], t.Q[k])));
  for (const [name, m] of measures) {
    const combined = {};
    for (const how of m.values ? ["", "max", "avg", "sum", "mean"] : [""]) combined[how] = tables.map(all => String(combine(m, all, how)));
    const classes = m.values && tables.map(all => Array.from(m.values(all), String));
    const alone = m.value && tables.map(all => all.map(t => String(m.value(t, m.across ? all : undefined))));
    of["=" + name] = {combined, classes, alone};
  }
  return JSON.stringify(of);
})`

// numberOf returns one that JavaScript wrote.
func numberOf(t *testing.T, text string) float64 { return testkit.Must(strconv.ParseFloat(text, 64)) }

// pageWith shows a page with a script.
func pageWith(t *testing.T, b *browsertest.Browser, script string) {
	t.Helper()
	b.ShowHTML(`<!doctype html><meta charset="utf-8"><title>t</title><script>`+script+`</script><p>text`, 800, 600, "light")
}

// The values of every measure that a page computes are the engine's: of the golden corpus and of random ones, for each
// class and combined, and those of formulas.
func TestValuesInTheBrowser(t *testing.T) {
	b := browsertest.New(t)
	pageWith(t, b, testkit.Must(rank.Script(rank.Options{}, formulasOfPages...)))
	var corpora []naive.Corpus
	golden, parts := enginetest.LoadGolden(t)
	for _, part := range parts {
		corpora = append(corpora, enginetest.WithLabels(golden, part.Labels))
	}
	r := rand.New(rand.NewPCG(40, 1))
	for _, shape := range naive.Shapes {
		corpora = append(corpora, naive.RandomCorpus(r, shape))
	}
	compared := 0
	for _, c := range corpora {
		compared += compareWithPage(t, b, c, rank.Options{}, formulasOfPages...)
	}
	b.NoComplaints()
	if compared < 20_000 {
		t.Errorf("only %d values were compared", compared)
	}
}

// Parameters of measures are those of the page's formulas.
func TestParametersInTheBrowser(t *testing.T) {
	b := browsertest.New(t)
	r := rand.New(rand.NewPCG(40, 2))
	for _, o := range []rank.Options{
		{Base: 2, RSD: .01, Smooth: 100, ZetaC: 2}, {Signed: true, Yates: true}, {BM25: true}, {BM25: true, ReduceFrequent: true},
	} {
		pageWith(t, b, testkit.Must(rank.Script(o)))
		for range 3 {
			compareWithPage(t, b, naive.RandomCorpus(r, naive.Shapes[1]), o)
		}
	}
	b.NoComplaints()
}

// valuesOfPage returns the values of all measures of a page.
func valuesOfPage(t *testing.T, b *browsertest.Browser, page pageCorpus) (computed map[string]pageValues) {
	text, _ := b.Eval(computeInPage + "(" + string(testkit.Must(json.Marshal(page))) + ")").(string)
	testkit.OK(json.Unmarshal([]byte(text), &computed))
	return computed
}

// compareWithPage compares all values of a corpus, and returns how many there are.
func compareWithPage(t *testing.T, b *browsertest.Browser, c naive.Corpus, o rank.Options, formulas ...string) (compared int) {
	t.Helper()
	page := pageOf(c)
	if len(page.Classes) == 0 {
		return 0
	}
	computed := valuesOfPage(t, b, page)
	s := enginetest.StatisticsOf(t, enginetest.CorpusOf(t, c), "")
	for _, info := range rank.KnownMeasures() {
		o.Measure = rank.Measure(info.Name)
		compared += compareMeasure(t, s, c, page, o, computed["="+info.Name])
	}
	for _, text := range formulas {
		o.Measure = rank.Measure(text)
		name, _, _ := strings.Cut(text, "=")
		compared += compareMeasure(t, s, c, page, o, computed["="+name])
	}
	testkit.Equal(t, len(computed), len(rank.KnownMeasures())+len(formulas), "the page", "measures")
	return compared
}

// compareMeasure compares the values of one measure.
func compareMeasure(t *testing.T, s *table.Table, c naive.Corpus, page pageCorpus, o rank.Options, got pageValues) (compared int) {
	t.Helper()
	sizes := make([]float64, len(c.Terms)) // what sums over the classes add up, without signs
	check := func(text string, want, size float64, what ...any) {
		t.Helper()
		compared++
		enginetest.CompareValue(t, numberOf(t, text), want, size, append(what, o.Measure)...)
	}
	if got.Classes != nil {
		want := enginetest.ClassValues(t, s, o)
		for term, name := range c.Terms {
			if page.Terms[term].DF == 0 {
				continue // no term of the engine's
			}
			for k, class := range page.names {
				v := want[[2]string{name, class}].Value
				check(got.Classes[term][k], v, 0, name, class)
				check(got.Alone[term][k], v, 0, name, class, "alone")
				if !math.IsInf(v, 0) && !math.IsNaN(v) {
					sizes[term] += math.Abs(v)
				}
			}
		}
	}
	for how, values := range got.Combined {
		o.Combine = rank.Combination(how)
		want := enginetest.Values(t, s, o)
		for term, name := range c.Terms {
			size := sizes[term]
			if how == "" || how == "max" {
				size = 0
			}
			if v, ok := want[name]; ok {
				check(values[term], v, size, how, name)
			}
		}
	}
	return compared
}

// Errors of parameters and formulas are those of rankings.
func TestScriptErrors(t *testing.T) {
	for want, err := range map[string]error{
		"must be greater than 1":     second(rank.Script(rank.Options{Base: 1})),
		"a value is missing":         second(rank.Script(rank.Options{}, "mine=A*")),
		"chi is a measure already":   second(rank.Script(rank.Options{}, "chi=A")),
		"letters, digits, _ - and .": second(rank.Script(rank.Options{}, "</script>=A")),
	} {
		testkit.Refused(t, err, usage.ErrUsage, want)
	}
}

func second[T any](_ T, err error) error { return err }

// Comparisons of a formula, which have < and >, end no script.
func TestScriptStaysAScript(t *testing.T) {
	script := testkit.Must(rank.Script(rank.Options{}, "mine=(A<B)*(A>C)"))
	if strings.Contains(script, "</") || strings.Contains(script, "<!--") || !strings.Contains(script, `(A\u003cB)*(A\u003eC)`) {
		t.Error("the text of a formula is written as it is")
	}
	testkit.Equal(t, strings.Count(script, "measures.set("), len(rank.KnownMeasures())+1)
}

// Random formulas have the engine's values in a page, but where rounding decides.
func TestRandomFormulasInTheBrowser(t *testing.T) {
	b, r := browsertest.New(t), rand.New(rand.NewPCG(40, 4))
	var bodies, formulas []string
	for i := range 100 {
		bodies = append(bodies, randomFormula(r, 4))
		formulas = append(formulas, fmt.Sprintf("mine-%d=%s", i, bodies[i]))
	}
	pageWith(t, b, testkit.Must(rank.Script(rank.Options{}, formulas...)))
	compared := 0
	for _, shape := range naive.Shapes[:len(naive.Shapes)-1] { // but for thousands of classes
		c := naive.RandomCorpus(r, shape)
		page, tb, s := pageOf(c), naive.Tabulate(c), enginetest.StatisticsOf(t, enginetest.CorpusOf(t, c), "")
		computed := valuesOfPage(t, b, page)
		for i, body := range bodies {
			want := enginetest.ClassValues(t, s, rank.Options{Measure: rank.Measure(formulas[i])})
			cells, high, low := tb.Formula(body, 0), tb.Formula(body, 1e-13), tb.Formula(body, -1e-13)
			for term, name := range c.Terms {
				for k, class := range page.names {
					of := slices.Index(c.Classes, class)
					if !alike(high[term][of], cells[term][of]) || !alike(low[term][of], cells[term][of]) || page.Terms[term].DF == 0 {
						continue
					}
					got := numberOf(t, computed["="+fmt.Sprint("mine-", i)].Classes[term][k])
					testkit.Equal(t, alike(got, want[[2]string{name, class}].Value), true, body, "of", name,
						class, "is", got, "in the page")
					compared++
				}
			}
		}
	}
	b.NoComplaints()
	if compared < 10_000 {
		t.Errorf("only %d values were compared", compared)
	}
}
