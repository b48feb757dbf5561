package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// The largest value over all classes is that of the cells and of the ends, and measures that are said to be negative
// where a term is absent are.
func TestEndsHaveTheLargestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	ends := 0
	for _, s := range shapes {
		for range 2 * s.terms {
			m, row := s.randomTerm(r)
			if row.DF[0] == 0 || s.real {
				continue
			}
			for _, d := range standard(Options{}) {
				if d.class == "" {
					continue
				}
				values, largest := make([]float64, m.Classes()), math.Inf(-1)
				NewPanel([]Choice{{d, d.Info, ByClass}}, m).ByClass(values, row)
				for c, v := range values {
					if absent := !slices.Contains(row.Class, uint32(c)); absent && d.negative && v > 0 {
						t.Fatalf("%s, %s: a class without the term has %v", s.name, d.Info.Name, v)
					} else if v > largest {
						if largest = v; absent {
							ends++
						}
					}
				}
				testkit.Equal(testkit.Stop(t), one(d, d.Info, Max, m, row), largest, s.name, d.Info.Name, "of", values)
			}
		}
	}
	if ends == 0 {
		t.Error("no class without a term had the largest value")
	}
}

// Values of pairs that are kept, for terms of the same counts, are those that terms have alone.
func TestValuesThatAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := &table.Cells{Margins: table.Margins{Documents: 3000, Labelled: 3000, Tokens: 9e4, ClassDocs: []float64{700, 800, 1500}, ClassTokens: []float64{2e4, 3e4, 4e4}}}
	for range 9000 {
		df, cf := 1+r.IntN(300), 0.0
		for class := range 3 {
			if a := r.IntN(df + 1); a > 0 && r.IntN(3) > 0 {
				c.Append(uint32(class), float64(a), float64(2*a), float64(4*a))
				cf += float64(2 * a)
			}
		}
		c.EndTerm(float64(df), cf)
	}
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
		for j := range columns {
			columns[j] = values[j][t.First : t.First+len(t.DF)]
		}
		p.Tile(t, columns)
	})
	return values
}
