package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// columnTables makes margins of 12 classes, one of which has all documents in one of four
// cases, and the tables of a term.
func columnTables(r *rand.Rand) (m *Margins, df float64, classes []uint32, x []float64) {
	nc := make([]float64, 12)
	n := float64(50 + r.IntN(5000))
	for c := range nc {
		nc[c] = float64(1 + r.IntN(int(n)-1))
	}
	if r.IntN(4) == 0 {
		nc[r.IntN(len(nc))] = n
	}
	df = float64(r.IntN(int(n) + 1))
	for c, size := range nc {
		least := max(0, size+df-n)
		if most := min(size, df); most >= 1 && r.IntN(3) > 0 {
			a := max(1, least, math.Floor(r.Float64()*r.Float64()*(most+1)))
			classes, x = append(classes, uint32(c)), append(x, a)
		}
	}
	m = NewMargins(n, n, nc, nc)
	m.prepare()
	return m, df, classes, x
}

// Columns have the values of the measures, or are in their order, or not below them.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var seen [3]int
	measures := standard(Options{})
	for range 500 {
		m, df, classes, x := columnTables(r)
		if len(classes) == 0 {
			continue
		}
		docs, tok := sidesOf(m, df)
		for _, f := range measures {
			s, factors := docs, m.documents
			if f.UsesTokens {
				s, factors = tok, m.tokens
			}
			forms, value := f.columnForms, f.value
			if f.parts != nil {
				forms.values, value = f.parts, f.part
			}
			if forms.values == nil && forms.order == nil && forms.bound == nil {
				continue
			}
			values := make([]float64, len(classes))
			for k, class := range classes {
				var one counts
				s.cell(&one, &factors[class], x[k], 0)
				values[k] = value(&one)
			}
			if f.negative {
				checkNegative(t, f, s, factors)
			}
			c := &columns{side: s, factors: factors}
			c.set(classes, x, nil)
			seen[checkColumn(t, f.Name(), forms, c, values)]++
		}
	}
	if seen[0] == 0 || seen[1] == 0 || seen[2] == 0 {
		t.Errorf("columns of values, orders and bounds were tested %v times", seen)
	}
}

// sidesOf returns what the tables of documents of a term share, and those of tokens.
func sidesOf(m *Margins, df float64) (docs, tok *side) {
	tok = &side{logs: &m.logs, term: newTermFactors(whole(m.N), whole(df), &m.logs)}
	docs = &side{logs: &m.logs, term: tok.term, entropies: m.entropies, quantiles: newQuantiles(len(m.NC), m.N)}
	docs.term.weigh(m.entropies)
	return docs, tok
}

// checkNegative looks at the values of classes without the term.
func checkNegative(t *testing.T, f *definition, s *side, factors []classFactors) {
	t.Helper()
	for c := range factors {
		var one counts
		if factors[c].n > s.term.none {
			continue
		}
		s.cell(&one, &factors[c], 0, 0)
		if v := f.value(&one); v > 0 {
			t.Fatalf("%s of a class of %v without the term: %v", f.Name(), factors[c].n, v)
		}
	}
}

// checkColumn compares a column with the values of a measure, and returns which form it is.
func checkColumn(t *testing.T, name string, forms columnForms, c *columns, values []float64) int {
	t.Helper()
	switch {
	case forms.values != nil:
		for k, v := range forms.values(c) {
			testkit.Equal(testkit.Stop(t), math.Float64bits(v), math.Float64bits(values[k]), name, v, "by columns",
				values[k], "by the table")
		}
		return 0
	case forms.order != nil:
		first := values[firstLargest(forms.order(c))]
		for _, v := range values {
			if v > first+math.Abs(first)*1e-12 {
				t.Fatalf("%s: %v is the first in the order, %v is larger", name, first, v)
			}
		}
		return 1
	}
	bounds := forms.bound(c)
	for k, b := range bounds.values {
		if b *= bounds.factor; bounds.squares {
			b = math.Sqrt(b)
		}
		if v := values[k]; b < v-math.Abs(v)*boundError {
			t.Fatalf("%s: the bound %v is below %v", name, b, v)
		}
	}
	return 2
}

// Tables that are kept for some numbers of documents or tokens after the others give the values
// that terms have alone.
func TestTablesOfAWhile(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := &table.Cells{Margins: table.Margins{Documents: 3000, Labelled: 3000, Tokens: 9e4, ClassDocs: []float64{700, 800, 1500}, ClassTokens: []float64{2e4, 3e4, 4e4}}}
	for range 4000 {
		df, cf := 80+r.IntN(6), 0.0
		for class, a := range []int{r.IntN(40), r.IntN(40)} {
			if a > 0 {
				c.Append(uint32(class), float64(a), float64(2*a), float64(4*a))
			}
			df, cf = max(df, a), cf+float64(2*a)
		}
		c.EndTerm(float64(df), cf)
	}
	c = byFrequency(c)
	m, registry := NewMargins(c.Documents, c.Tokens, c.ClassDocs, c.ClassTokens), NewRegistry(Options{})
	names := []string{"mi", "emi", "or", "bns", "gini", "ece", "dfs", "chitf", "g2tf", "logodds", "logoddsz"}
	all := valuesOf(c, m, registry, names)
	for i := 0; i < c.Terms(); i += 41 {
		one := &table.Cells{Margins: c.Margins}
		one.AppendTerms(c, i, i+1)
		for j, column := range valuesOf(one, m, registry, names) {
			testkit.Equal(testkit.Stop(t), math.Float64bits(column[0]), math.Float64bits(all[j][i]), names[j],
				"of term", i, "in", c.DF[i], "documents", all[j][i], "alone", column[0])
		}
	}
}

// valuesOf returns the values of all terms by the measures.
func valuesOf(c *table.Cells, m *Margins, registry *Registry, names []string) [][]float64 {
	var choices []Choice
	values, columns := make([][]float64, len(names)), make([][]float64, len(names))
	for j, name := range names {
		measure, info, _ := registry.Lookup(name)
		choices = append(choices, Choice{Measure: measure, Info: info})
		values[j] = make([]float64, c.Terms())
	}
	p := NewPanel(choices, m)
	c.Tiles(&table.Tile{NoSquares: !p.NeedsSquares()}, 0, c.Terms(), p.NeedsTokens(), func(t *table.Tile) {
		t.W, t.ExactW = t.S, t.Exact
		for j := range columns {
			columns[j] = values[j][t.First : t.First+len(t.DF)]
		}
		p.Tile(t, columns)
	})
	return values
}

// byFrequency returns the cells with the terms in the order of their documents.
func byFrequency(c *table.Cells) *table.Cells {
	all := make([]int, c.Terms())
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(i, j int) int { return int(c.DF[j]) - int(c.DF[i]) })
	o := &table.Cells{Margins: c.Margins}
	for _, i := range all {
		o.AppendTerms(c, i, i+1)
	}
	return o
}
