package table

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// counted counts random documents of one term and a few classes, with their margins. Each has at most
// one label unless several is set.
func counted(r *rand.Rand, several bool) (*Cells, Margins) {
	classes := 1 + r.IntN(5)
	m := Margins{ClassDocs: make([]float64, classes), ClassTokens: make([]float64, classes)}
	of, df, cf := make([]struct{ a, s, q float64 }, classes), 0.0, 0.0
	for range 1 + r.IntN(12) {
		m.Documents++
		var labels []int
		for c := range classes {
			if r.IntN(classes+1) == 0 && (several || len(labels) == 0) {
				labels = append(labels, c)
			}
		}
		if len(labels) > 0 {
			m.Labelled++
		}
		v := float64(max(0, r.IntN(6)-2))
		if r.IntN(30) == 0 {
			v = 1000
		}
		others := float64(r.IntN(4))
		m.Tokens += v + others
		if v > 0 {
			df, cf = df+1, cf+v
		}
		for _, c := range labels {
			m.ClassDocs[c]++
			m.ClassTokens[c] += v + others
			if v > 0 {
				of[c].a, of[c].s, of[c].q = of[c].a+1, of[c].s+v, of[c].q+v*v
			}
		}
	}
	c := &Cells{}
	for class, n := range of {
		if n.a > 0 {
			c.Append(uint32(class), n.a, n.s, n.q)
		}
	}
	c.EndTerm(df, cf)
	return c, m
}

// Counts of documents are possible; those in which a number is another are not where one of the tables
// of documents or tokens would have a negative count, of a class without a cell, too. Columns of bytes
// are judged as numbers are.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(36, 2))
	taken, refused := 0, 0
	for i := range 40_000 {
		c, m := counted(r, i%2 == 0)
		if c.DF[0] == 0 {
			continue
		}
		b := testkit.Must(NewBounds(&m, Counts))
		testkit.Is(testkit.Stop(t), testkit.Err(b.CheckTerms(c, 0, 1, true)), nil, "counts", i)
		numbers := []*uint8{&c.CF.low[0]}
		for k := range c.A.low {
			numbers = append(numbers, &c.A.low[k], &c.S.low[k], &c.Q.low[k])
		}
		n, by := numbers[r.IntN(len(numbers))], uint8(1)
		if r.IntN(2) == 0 {
			by = 255
		}
		if r.IntN(4) == 0 {
			c.DF[0] += uint32(int8(by))
		} else if *n < 253 && *n+by < 253 {
			*n += by
		}
		var tile Tile
		c.Read(&tile, 0, 1, true)
		_, err := b.CheckTerms(c, 0, 1, true)
		numbersErr := b.check(float64(tile.DF[0]), tile.CF[0], tile.Class, tile.A, tile.S, tile.Q)
		bytes := &byteCells[uint8]{c.DF, c.CF.low, c.Start, c.Class.low, c.A.low, c.S.low, c.Q.low}
		if (err == nil) != (numbersErr == nil) || bytes.firstDoubtful(b, 0) == 1 && numbersErr != nil {
			t.Fatalf("counts %d: %v, as numbers %v", i, err, numbersErr)
		}
		if _, unsquared := b.CheckTerms(c, 0, 1, false); err == nil && unsquared != nil {
			t.Fatalf("counts %d without squares: %v", i, unsquared)
		}
		if negative := negativeTable(&tile, &m); negative != "" && err == nil {
			t.Fatalf("counts %d: %s", i, negative)
		}
		if err == nil {
			taken++
		} else {
			refused++
		}
	}
	if taken < 1000 || refused < 1000 {
		t.Errorf("%d were taken, %d refused", taken, refused)
	}
}

// negativeTable tells of a count below 0 in the tables of the first term, "" if there is none.
func negativeTable(tile *Tile, m *Margins) string {
	df, cf := float64(tile.DF[0]), tile.CF[0]
	for c, docs := range m.ClassDocs {
		a, s := 0.0, 0.0
		if k := slices.Index(tile.Class, uint32(c)); k >= 0 {
			a, s = tile.A[k], tile.S[k]
		}
		for _, n := range []float64{a, df - a, docs - a, m.Documents - df - docs + a, s, cf - s, m.ClassTokens[c] - s, m.Tokens - cf - m.ClassTokens[c] + s} {
			if n < 0 || math.IsNaN(n) {
				return fmt.Sprintf("class %d: %v", c, n)
			}
		}
	}
	return ""
}

// No corpus has such margins.
func TestImpossibleMargins(t *testing.T) {
	for what, change := range map[string]func(m *Margins){
		"":                      func(*Margins) {},
		"labels":                func(m *Margins) { m.Labelled = 4 },
		"labels of no class":    func(m *Margins) { m.ClassDocs[0] = 1 },
		"a class":               func(m *Margins) { m.ClassDocs[0] = 4 },
		"no number":             func(m *Margins) { m.ClassDocs[0] = math.NaN() },
		"tokens of a class":     func(m *Margins) { m.ClassTokens[0] = 8 },
		"tokens of all classes": func(m *Margins) { m.ClassTokens[0] = 3 },
		"a fraction":            func(m *Margins) { m.Tokens = 7.5 },
	} {
		m := Margins{Documents: 3, Labelled: 3, ClassDocs: []float64{2, 1}, Tokens: 7, ClassTokens: []float64{2, 5}}
		change(&m)
		if _, err := NewBounds(&m, Counts); (err == nil) != (what == "") {
			t.Errorf("%q: %v", what, err)
		}
	}
}

// A class whose documents are all subtracted has no cell.
func TestSumDropsEmptyCells(t *testing.T) {
	of := func(cells ...[4]float64) *Operand {
		c, df, cf := &Cells{}, 0.0, 0.0
		for _, x := range cells {
			c.Append(uint32(x[0]), x[1], x[2], x[3])
			df, cf = df+x[1], cf+x[2]
		}
		c.EndTerm(df, cf)
		return &Operand{Cells: c, Classes: []uint32{0, 1, 2}, Sign: 1}
	}
	all, part := of([4]float64{0, 2, 3, 5}, [4]float64{1, 1, 4, 16}, [4]float64{2, 3, 3, 3}), of([4]float64{0, 1, 1, 1}, [4]float64{1, 1, 4, 16}, [4]float64{2, 3, 3, 3})
	part.Sign = -1
	rest, tile := &Cells{}, &Tile{}
	rest.AppendSum(all, part, 0, 0)
	rest.Read(tile, 0, 1, true)
	if !slices.Equal(tile.Class, []uint32{0}) || !slices.Equal(tile.A, []float64{1}) || !slices.Equal(tile.S, []float64{2}) || !slices.Equal(tile.Q, []float64{4}) {
		t.Errorf("classes %v have %v documents, %v and %v", tile.Class, tile.A, tile.S, tile.Q)
	}
}

func TestDescribeTarget(t *testing.T) {
	got := DescribeTarget("stars", map[string]int{"5": 2, "-1.5": 1, "10": 1, "1e+21": 0, "x": 7})
	testkit.Equal(t, *got, Target{"stars", 3, -1.5, 4.625, 10})
	testkit.Equal(t, *DescribeTarget("stars", nil), Target{Field: "stars"}, "no documents")
	// The sum loses nothing that a float64 would.
	large := DescribeTarget("n", map[string]int{"1e+20": 1, "-1e+20": 1, "3": 2})
	testkit.Equal(t, large.Mean, 1.5, "the mean")
}

func TestSortNumbers(t *testing.T) {
	numbers := map[string]bool{"10": true, "9": true, "-2.5": true, "1e+21": true, "0": true, "b": true, "a": true}
	testkit.EqualSlices(t, SortNumbers(maps.Keys(numbers)), []string{"-2.5", "0", "9", "10", "1e+21", "a", "b"})
}
