package score

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
)

const valuesOfPage = `(terms => JSON.stringify(terms.map(t => {
  const all = t.map(c => tableOf({documents: c.N, tokens: c.T}, c, {documents: c.n_c, tokens: c.T_c}, c.A, c.S, c.Q));
  return Object.fromEntries([...measures].map(([name, m]) => [name, [...(m.values ? m.values(all) : []), ...(m.whole ? [m.whole(all)] : [])].map(String)]));
})))`

// A browser has the values of the engine, of counts whose products are above 2^53, too, and of real values.
func TestLargeCountsInTheBrowser(t *testing.T) {
	b := browsertest.New(t)
	registry := NewRegistry(Options{})
	script := testkit.Must(registry.Script())
	b.ShowHTML(`<!doctype html><title>t</title><script>`+script+`</script><p>text`, 800, 600, "light")
	for _, s := range shapes {
		r := rand.New(rand.NewPCG(40, 3))
		var margins []*Margins
		var rows []*table.Tile
		var terms [][]map[string]float64
		for len(rows) < min(8, s.terms) {
			if m, row := s.randomTerm(r); row.DF[0] > 0 {
				margins, rows = append(margins, m), append(rows, row)
				terms = append(terms, tablesOf(m, row))
			}
		}
		given := testkit.Must(json.Marshal(terms))
		text, _ := b.Eval(valuesOfPage + "(" + string(given) + ")").(string)
		var got []map[string][]string
		testkit.OK(json.Unmarshal([]byte(text), &got))
		for i, row := range rows {
			for _, info := range registry.Infos() {
				if m, _, _ := registry.Lookup(info.Name); !info.Target {
					sameValues(t, s.name+" "+info.Name, got[i][info.Name], valuesOfRow(m.(*definition), margins[i], row))
				}
			}
		}
	}
	b.NoComplaints()
}

// tablesOf returns the counts of all classes of a term.
func tablesOf(m *Margins, r *table.Tile) []map[string]float64 {
	columns := columnsOfTerm(m, r)
	tables := make([]map[string]float64, m.Classes())
	for c := range tables {
		tables[c] = map[string]float64{
			"N": columns[formula.N][c], "T": columns[formula.T][c], "df": columns[formula.DF][c], "cf": columns[formula.CF][c], "n_c": columns[formula.NC][c],
			"T_c": columns[formula.TC][c], "A": columns[formula.A][c], "S": columns[formula.S][c], "Q": columns[formula.Q][c],
		}
	}
	return tables
}

// valuesOfRow returns the values of the classes of a term, and that over all, as far as a measure has them.
func valuesOfRow(d *definition, m *Margins, r *table.Tile) (values []float64) {
	if d.class != "" {
		values = make([]float64, m.Classes())
		NewPanel([]Choice{{d, d.Info, ByClass}}, m).ByClass(values, r)
	}
	if d.own != "" {
		values = append(values, one(d, d.Info, "", m, r))
	}
	return values
}

func sameValues(t *testing.T, what string, got []string, want []float64) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, text := range got {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v != want[i] && !(math.Abs(v-want[i]) <= 1e-12*math.Abs(want[i])+1e-15) {
			t.Errorf("%s: value %d is %s in the page, want %v", what, i, text, want[i])
		}
	}
}
