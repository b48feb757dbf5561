package table

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A term is what the columns hold of a term, number by number.
type term struct {
	df, cf  float64
	class   []uint32
	a, s, q []float64
}

// number returns a number of some kind, not below its floor if the kind is 0.
func number(r *rand.Rand, floor float64) float64 {
	switch r.IntN(30) {
	case 0:
		return floor + float64(253+r.IntN(4)) // around the last byte that is no escape
	case 1:
		return floor + float64(r.IntN(1<<20))
	case 2:
		return r.Float64() * 10 // below the floor, or no whole number
	case 3:
		return math.Ldexp(1+r.Float64(), 60+r.IntN(100))
	case 4:
		return floor + .5
	default:
		return floor + float64(r.IntN(5))
	}
}

func randomTerms(r *rand.Rand, n int) (terms []term) {
	for range n {
		t := term{df: float64(r.IntN(1 << 10))}
		t.cf = number(r, t.df)
		for class := range uint32(r.IntN(12)) {
			if r.IntN(2) == 0 {
				continue
			}
			a := float64(1 + r.IntN(300))
			s := number(r, a)
			t.class, t.a, t.s, t.q = append(t.class, class), append(t.a, a), append(t.s, s), append(t.q, number(r, s))
		}
		terms = append(terms, t)
	}
	return terms
}

// cellsOf appends the terms.
func cellsOf(terms []term) *Cells {
	c := &Cells{Margins: Margins{Documents: 1000}}
	for _, t := range terms {
		for i, class := range t.class {
			c.Append(class, t.a[i], t.s[i], t.q[i])
		}
		c.EndTerm(t.df, t.cf)
	}
	return c
}

// check holds the terms [from, to) of the cells, read into a tile, against those that were
// appended.
func check(t *testing.T, c *Cells, tile *Tile, from, to int, want []term) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), tile.First, from, "a tile of", "terms from", "want [", to)
	testkit.Equal(testkit.Stop(t), len(tile.DF), to-from, "a tile of", "terms from", "want [", to)
	for i, w := range want[from:to] {
		first, end := tile.Range(i)
		if float64(tile.DF[i]) != w.df || tile.CF[i] != w.cf || !slices.Equal(tile.Class[first:end], w.class) ||
			!slices.Equal(tile.A[first:end], w.a) || !slices.Equal(tile.S[first:end], w.s) || !slices.Equal(tile.Q[first:end], w.q) {
			t.Fatalf("term %d: %v %v %v %v, want %+v", from+i, tile.Class[first:end], tile.A[first:end], tile.S[first:end], tile.Q[first:end], w)
		}
		testkit.Equal(testkit.Stop(t), c.CF.At(from+i, w.df), w.cf, "term", from+i, "occurs", "times")
	}
}

// What is read is what was appended, whatever the numbers, the tiles and their order.
func TestCellsGiveWhatTheyTook(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 40 {
		terms := randomTerms(r, 1+r.IntN(400))
		c := cellsOf(terms)
		testkit.Equal(testkit.Stop(t), c.Terms(), len(terms), "terms")
		tile := &Tile{}
		for range 30 {
			from := r.IntN(len(terms) + 1)
			to := from + r.IntN(len(terms)-from+1)
			c.Read(tile, from, to, true)
			check(t, c, tile, from, to, terms)
		}
		next := 0
		c.Tiles(tile, 0, len(terms), true, func(tile *Tile) {
			check(t, c, tile, next, next+len(tile.DF), terms)
			next += len(tile.DF)
			if len(tile.Class) > tileCells && len(tile.DF) > 1 {
				t.Fatalf("a tile of %d terms with %d cells", len(tile.DF), len(tile.Class))
			}
		})
		testkit.Equal(testkit.Stop(t), next, len(terms), "the tiles end at")
	}
}

// Parts that are joined are the same.
func TestCellsOfParts(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 40 {
		terms := randomTerms(r, 2+r.IntN(300))
		cut := 1 + r.IntN(len(terms)-1)
		whole := cellsOf(terms)
		joined := &Cells{Margins: whole.Margins}
		joined.AppendTerms(cellsOf(terms[:cut]), 0, cut)
		joined.AppendTerms(whole, cut, len(terms))
		testkit.Equal(testkit.Stop(t), hashOf(joined), hashOf(whole), "the parts")
		other := slices.Clone(terms)
		changed := r.IntN(len(other))
		if other[changed].cf++; other[changed].cf != terms[changed].cf && hashOf(cellsOf(other)) == hashOf(whole) {
			t.Fatal("other occurrences have the same hash")
		}
	}
}

// Exact is said of columns whose products with the number of documents are exact, and of
// no others; so it is with possible sums.
func TestExactness(t *testing.T) {
	for _, c := range []struct {
		s, q  float64
		exact bool
		wrong bool // a number is none that a sum can be
	}{
		{3, 5, true, false},
		{1000, 1e6, true, false},
		{1000, 1e12, true, false},
		{1000, 1e14, false, false},
		{1000, 0x1p53, false, false},
		{3.5, 5, false, false},
		{3, 5.5, false, false},
		{3, math.Inf(1), false, true},
		{3, math.NaN(), false, true},
		{-1, 5, true, true},
	} {
		cells := &Cells{Margins: Margins{Documents: 1000, Tokens: 5000}}
		cells.Append(0, 2, c.s, c.q)
		cells.EndTerm(2, 3)
		var tile Tile
		cells.Read(&tile, 0, 1, true)
		if wrong := cells.S.Wrong() || cells.Q.Wrong(); tile.Exact != c.exact || wrong != c.wrong {
			t.Errorf("S %v, Q %v: exact %v, wrong %v", c.s, c.q, tile.Exact, wrong)
		}
	}
}

// A term in one document is what Append makes of it.
func TestAppendSingle(t *testing.T) {
	var got, want Cells
	for count := 1.0; count < 400; count += 7 {
		for _, labels := range [][]uint32{nil, {3}, {1, 5}} {
			got.AppendSingle(labels, count)
			for _, class := range labels {
				want.Append(class, 1, count, count*count)
			}
			want.EndTerm(1, count)
		}
	}
	for count := range 20 {
		got.AppendSingle([]uint32{0}, float64(count)+.5)
		want.Append(0, 1, float64(count)+.5, (float64(count)+.5)*(float64(count)+.5))
		want.EndTerm(1, float64(count)+.5)
	}
	testkit.Equal(t, hashOf(&got), hashOf(&want))
}

// Occurrences of ranges of terms, in few classes and in many, some beyond a byte, add up as those
// of tiles do.
func TestAddTokens(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for _, classes := range []int{6, 1000} {
		var c Cells
		want, got, all, total := make([]float64, classes), make([]float64, classes), 0.0, 0.0
		for range 200 {
			df, cf := 0.0, 0.0
			for class := r.IntN(classes); class < classes; class += 1 + r.IntN(classes) {
				docs := float64(1 + r.IntN(300))
				sum := docs + float64(r.IntN(300))
				c.Append(uint32(class), docs, sum, sum*sum)
				want[class] += sum
				df, cf = df+docs, cf+sum
			}
			c.EndTerm(df, cf)
			all += cf
		}
		for from := 0; from < c.Terms(); from += 40 {
			total += c.AddTokens(got, from, from+40)
		}
		testkit.Equal(t, total, all, got, "of", "want", want, "of")
		testkit.EqualSlices(t, got, want, total, all)
	}
}

// hashOf returns the hash of a table of the cells.
func hashOf(c *Cells) string { return (&Table{Cells: *c}).Hash() }
