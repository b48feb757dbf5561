package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
)

// A shape says how large random tables are, and which margins they have of 0.
type shape struct {
	name       string
	classes    int
	documents  float64
	labels     int // of a document at most
	terms      int
	empty, all bool // a class has no documents; all documents have the term
	near       bool // all classes have nearly the same share of the term
	real       bool // occurrences are no whole numbers
}

var shapes = []shape{
	{name: "small", classes: 3, documents: 8, labels: 1, terms: 60},
	{name: "one class", classes: 1, documents: 20, labels: 1, terms: 60},
	{name: "several labels", classes: 4, documents: 12, labels: 3, terms: 60},
	{name: "a class without documents", classes: 4, documents: 30, labels: 1, terms: 60, empty: true},
	{name: "a term of all documents", classes: 3, documents: 30, labels: 1, terms: 60, all: true},
	{name: "real values", classes: 3, documents: 4e8, labels: 1, terms: 8, near: true, real: true},
	{name: "large", classes: 5, documents: 4e9, labels: 1, terms: 8, near: true},
	{name: "large, several labels", classes: 5, documents: 4e9, labels: 3, terms: 8, near: true},
	{name: "many classes", classes: 300, documents: 2_000, labels: 1, terms: 10},
}

// randomTerm returns the cells of a term of a random corpus.
func (s shape) randomTerm(r *rand.Rand) (*Margins, *table.Tile) {
	nc, tc, a := make([]float64, s.classes), make([]float64, s.classes), make([]float64, s.classes)
	n, total, df := 0., 0., 0.
	rate := math.Pow(r.Float64(), 3)
	for c := range nc {
		if s.empty && c == 1 {
			continue
		}
		nc[c] = math.Floor(s.documents * r.Float64() / float64(s.classes))
		apart := (r.Float64() - .5) * math.Pow(10, -6*r.Float64())
		if s.near {
			apart *= 1e-4
		}
		if a[c] = math.Round(nc[c] * rate * (1 + apart)); !s.near && r.IntN(4) == 0 {
			a[c] = 0
		}
		if a[c] = min(a[c], nc[c]); s.all {
			a[c] = nc[c]
		}
		n, df = n+nc[c], df+a[c]
	}
	if s.labels > 1 { // classes share some of their documents
		n, df = max(math.Ceil(n*.7), slices.Max(nc)), max(math.Ceil(df*.7), slices.Max(a))
		for c := range a { // and there are as many without the term as the largest class has
			n = max(n, df+nc[c]-a[c])
		}
	}
	row := &table.Tile{DF: []uint32{uint32(df)}, CF: []float64{0}}
	for c, docs := range a {
		if docs > 0 {
			tf := float64(1 + r.IntN(3))
			occurrences := docs + math.Floor(docs*tf*r.Float64())
			if s.real {
				occurrences += r.Float64()
			}
			row.Class, row.A, row.S = append(row.Class, uint32(c)), append(row.A, docs), append(row.S, occurrences)
			row.Q = append(row.Q, occurrences+2*math.Ceil(occurrences*(occurrences/docs-1)))
			row.CF[0] += occurrences
			tc[c] = occurrences
		}
		if s.near {
			if tc[c] *= 10 * (1 + 1e-6*r.Float64()); !s.real {
				tc[c] = math.Floor(tc[c])
			}
		} else {
			tc[c] += nc[c] * float64(r.IntN(100))
		}
		total += tc[c]
	}
	if s.labels > 1 {
		row.CF[0] = max(math.Ceil(row.CF[0]*.7), df, slices.Max(append(row.S, 0)))
		total = max(math.Ceil(total*.7), row.CF[0])
		for c, tokens := range tc {
			if k := slices.Index(row.Class, uint32(c)); k >= 0 {
				tokens -= row.S[k]
			}
			total = max(total, row.CF[0]+tokens)
		}
	}
	row.W, row.Start = row.S, []int{0, len(row.Class)}
	return NewMargins(n, total, nc, tc), row
}

// columnsOfTerm returns the variables of all classes of a term.
func columnsOfTerm(m *Margins, r *table.Tile) *[formula.Variables][]float64 {
	var of [formula.Variables][]float64
	df := float64(r.DF[0])
	for v := range of {
		of[v] = make([]float64, m.Classes())
	}
	for c := range m.NC {
		of[formula.N][c], of[formula.DF][c], of[formula.NC][c] = m.N, df, m.NC[c]
		of[formula.T][c], of[formula.CF][c], of[formula.TC][c] = m.T, r.CF[0], m.TC[c]
		if k := slices.Index(r.Class, uint32(c)); k >= 0 {
			of[formula.A][c], of[formula.S][c], of[formula.Q][c] = r.A[k], r.S[k], r.Q[k]
		}
		a := of[formula.A][c]
		of[formula.B][c], of[formula.C][c], of[formula.D][c] = df-a, m.NC[c]-a, m.N-df-m.NC[c]+a
	}
	return &of
}

// The values of a measure are those of the formulas that it is declared by, for each class and its own.
func TestDeclaredFormulas(t *testing.T) {
	compared := 0
	var measures []*definition
	for _, o := range []Options{{}, {Base: 2}, {Yates: true, Signed: true, TwoCells: true, BM25: true, ReduceFrequent: true, RSD: .01, Smooth: 100, ZetaC: 2}} {
		measures = append(measures, standard(o)...)
	}
	for _, s := range shapes {
		r := rand.New(rand.NewPCG(40, uint64(len(s.name))))
		for range s.terms {
			m, row := s.randomTerm(r)
			if row.DF[0] == 0 {
				continue // no term of a corpus
			}
			for _, d := range measures {
				compared += compareDeclared(t, d, m, row, s.name)
			}
		}
	}
	if compared < 50_000 {
		t.Errorf("only %d values were compared", compared)
	}
}

// compareDeclared compares all values of a term, and returns how many there are.
func compareDeclared(t *testing.T, d *definition, m *Margins, r *table.Tile, what string) (compared int) {
	t.Helper()
	columns := columnsOfTerm(m, r)
	compute := func(text string) []float64 {
		program, err := formula.ParseOverClasses(text)
		testkit.Is(testkit.Stop(t), err, nil, d.Info.Name)
		values := make([]float64, m.Classes())
		program.NewMachine().Run(values, columns)
		return values
	}
	check := func(got, want float64, class any) {
		t.Helper()
		compared++
		if got != want && !(math.Abs(got-want) <= 1e-12*math.Abs(want)+1e-15) {
			t.Errorf("%s, %s, %v: the formula gives %v, the measure %v", d.Info.Name, what, class, got, want)
		}
	}
	if d.class != "" {
		values := make([]float64, m.Classes())
		NewPanel([]Choice{{d, d.Info, ByClass}}, m).ByClass(values, r)
		for c, got := range compute(d.class) {
			check(got, values[c], c)
		}
	}
	if d.own != "" {
		want := one(d, d.Info, "", m, r)
		for _, got := range compute(d.own) {
			check(got, want, "all")
		}
	}
	return compared
}

// What a measure is declared by for a class is a formula that its user can write, unless it reads other classes.
func TestDeclarationsAreFormulas(t *testing.T) {
	var others []string
	for _, d := range standard(Options{}) {
		if d.class == "" {
			continue
		}
		if _, err := NewFormula("mine=" + d.class); err != nil {
			others = append(others, d.Info.Name)
		}
	}
	testkit.EqualSlices(t, others, []string{"ttest", "ctfidf"}, "these are no formulas")
}
