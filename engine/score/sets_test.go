package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/table"
)

// A tile of bytes gives the values of a tile of numbers, whatever does not fit into the bytes.
func TestTilesOfBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for round := range 60 {
		classes := []int{1, 2, 20, 50, 64}[round%5]
		c := randomCells(r, classes)
		switch round % 12 {
		case 3: // a tile of terms in one document alone
			for range 20_000 {
				appendTerm(r, c, 1)
			}
			c = byFrequency(c)
		case 6: // products that are not exact
			c.Tokens = 1e15
		}
		margins := NewMargins(c.Documents, c.Tokens, c.ClassDocs, c.ClassTokens)
		registry := NewRegistry(Options{})
		for _, names := range [][]string{{"chi"}, {"ngl"}, {"gss"}, {"acc2"}, {"ig"}, {"ttest"}, {"ocfs"}, {"anova"}, {"chi", "ig", "ttest", "gss", "anova", "ocfs"}} {
			sets := make([]uint64, c.Terms())
			c.SetsOfClasses(sets, 0, c.Terms())
			want, got := valuesOf(c, margins, registry, names, nil), valuesOf(c, margins, registry, names, sets)
			for j, name := range names {
				for i, v := range want[j] {
					if math.Float64bits(v) != math.Float64bits(got[j][i]) {
						t.Fatalf("%s of %v, term %d in %d documents of %d classes: %v, want %v", name, names, i, c.DF[i], classes, got[j][i], v)
					}
				}
			}
		}
	}
}

// valuesOf returns the values of all terms by the measures, from tiles of bytes if there are sets
// of classes.
func valuesOf(c *table.Cells, m *Margins, registry *Registry, names []string, sets []uint64) [][]float64 {
	var choices []Choice
	values, columns := make([][]float64, len(names)), make([][]float64, len(names))
	for j, name := range names {
		measure, info, _ := registry.Lookup(name)
		choices = append(choices, Choice{Measure: measure, Info: info})
		values[j] = make([]float64, c.Terms())
	}
	p := NewPanel(choices, m)
	tile := table.Tile{NoSquares: !p.NeedsSquares(), ClassSets: sets}
	c.Tiles(&tile, 0, c.Terms(), p.NeedsTokens(), func(t *table.Tile) {
		t.W, t.ExactW = t.S, t.Exact
		for j := range columns {
			columns[j] = values[j][t.First : t.First+len(t.DF)]
		}
		p.Tile(t, columns)
	})
	return values
}

// randomCells makes cells of terms in the order of their documents: common ones with numbers that
// no byte holds, many in few documents, and some in one.
func randomCells(r *rand.Rand, classes int) *table.Cells {
	c := &table.Cells{}
	for range classes {
		n := float64(r.IntN(1000))
		if len(c.ClassDocs) > 0 && r.IntN(4) == 0 { // of equal classes values are equal
			n = c.ClassDocs[0]
		}
		c.ClassDocs, c.ClassTokens = append(c.ClassDocs, n), append(c.ClassTokens, 50*n)
		c.Documents, c.Tokens = c.Documents+n, c.Tokens+50*n
	}
	c.Documents += float64(1 + r.IntN(100)) // unlabelled
	c.Labelled = c.Documents
	for range 400 {
		appendTerm(r, c, []int{1, 1, 2, 3, 6, 300}[r.IntN(6)])
	}
	return byFrequency(c)
}

// appendTerm appends a term in at most so many documents of each class, and in about half of the
// classes; in one document of one class if limit is 1.
func appendTerm(r *rand.Rand, c *table.Cells, limit int) {
	df, cf := 0.0, 0.0
	for class, n := range c.ClassDocs {
		if n == 0 || r.IntN(2) == 0 || limit == 1 && df == 1 {
			continue
		}
		a := float64(1 + r.IntN(min(limit, int(n))))
		s := a + float64(r.IntN(3)*r.IntN(3))
		q := s + float64(r.IntN(8))
		if r.IntN(40) == 0 {
			s, q = s+300, q+5000
		}
		if limit == 1 {
			q = s * s
		}
		c.Append(uint32(class), a, s, q)
		df, cf = df+a, cf+s
	}
	if r.IntN(20) == 0 {
		df, cf = df+1, cf+2 // in an unlabelled document
	}
	c.EndTerm(df, cf)
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

// The class of the largest value is the same from bytes and from numbers: ties go to the first class, a class without
// the term may be the one, documents may be beyond bytes, and classes, too.
func TestLargestOf(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	registry := NewRegistry(Options{})
	for round := range 30 {
		classes := []int{1, 2, 3, 20, 64, 300}[round%6]
		c := randomCells(r, classes)
		margins := NewMargins(c.Documents, c.Tokens, c.ClassDocs, c.ClassTokens)
		for _, info := range registry.Infos() {
			if !info.Combinable {
				continue
			}
			measure, _, _ := registry.Lookup(info.Name)
			p := NewPanel([]Choice{{Measure: measure, Info: info, Combine: ByClass}}, margins)
			values := make([]float64, classes)
			var row Row
			for term := range c.Terms() {
				row.Read(c, term, true)
				class, cell := p.Largest(&row)
				p.ByClass(values, &row)
				if gotClass, gotCell := p.LargestOf(c, term, values[class]); gotClass != class || gotCell != cell {
					t.Fatalf("%s, term %d of %d classes: class %d, cell %d, want %d, %d", info.Name, term, classes, gotClass, gotCell, class, cell)
				}
				if cell != c.CellOf(term, uint32(class)) {
					t.Fatalf("term %d: class %d is cell %d, want %d", term, class, c.CellOf(term, uint32(class)), cell)
				}
			}
		}
	}
}
