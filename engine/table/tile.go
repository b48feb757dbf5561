package table

import (
	"slices"
)

// A Tile holds the cells of consecutive terms in the form that formulas read. Its memory
// is used again by the next call of [Cells.Read]: it serves one goroutine.
type Tile struct {
	NoSquares bool // Read leaves out Q: no measure at hand reads it

	First int // the first term

	DF []uint32  // by term
	CF []float64 // by term, if tokens were asked for

	// The cells of term First+i are the elements [Start[i]-Start[0], Start[i+1]-Start[0])
	// of the columns below; see [Tile.Range].
	Start   []int
	Class   []uint32
	A, S, Q []float64 // S and Q if tokens were asked for; see also NoSquares
	W       []float64 // nil if the cells have no weights

	// M2 has Σ (x - mean)² over the documents of each cell, where the cells have that in place of sums of squares; nil
	// where Q is not read, and of [Counts].
	M2 []float64

	// Exact reports whether all sums are whole numbers, and a sum or a sum of squares times the number of documents is
	// below 2^53.
	Exact bool
}

// Range returns the half-open range of the elements that are the cells of term First+i.
func (t *Tile) Range(i int) (from, to int) {
	return t.Start[i] - t.Start[0], t.Start[i+1] - t.Start[0]
}

// Read sets t to the terms [from, to); to their occurrences only if tokens is set.
func (c *Cells) Read(t *Tile, from, to int, tokens bool) {
	t.First, t.DF, t.Start = from, c.DF[from:to], c.Start[from:to+1]
	whole := !c.CF.fraction && !c.S.fraction && !c.Q.fraction
	t.Exact = whole && c.Form == Counts && c.Documents*max(c.Tokens, c.mostSquares()) < mostExact
	first, end := c.Start[from], c.Start[to]
	n := end - first
	if c.W != nil {
		t.W = c.W[first:end]
	}
	t.Class = c.Class.Read(t.Class, first, end)
	t.A = grown(t.A, n)
	clear(t.A)
	c.A.read(t.A, t.A, first)
	m2 := t.M2
	t.M2 = nil
	if !tokens {
		return
	}
	c.readOccurrences(t)
	t.S = grown(t.S, n)
	c.S.read(t.S, t.A, first)
	switch {
	case t.NoSquares:
	case c.Form == Counts:
		t.Q = grown(t.Q, n)
		c.Q.read(t.Q, t.S, first)
	default:
		t.M2 = grown(m2, n)
		clear(t.M2)
		c.Q.read(t.M2, t.M2, first)
		t.Q = grown(t.Q, n)
		for i, m2 := range t.M2 {
			t.Q[i] = Squares(t.A[i], t.S[i], m2)
		}
	}
}

// readOccurrences sets t.CF, where t.First and t.DF are set.
func (c *Cells) readOccurrences(t *Tile) {
	t.CF = grown(t.CF, len(t.DF))
	low, df := c.CF.low[t.First:][:len(t.CF)], t.DF[:len(t.CF)]
	for i, v := range low {
		t.CF[i] = float64(df[i]) + float64(v)
	}
	c.CF.readEscaped(t.CF, t.First)
}

// mostSquares returns an upper bound of Q.
func (c *Cells) mostSquares() float64 { return MostSquares(c.A.most, c.S.most, c.Q.most) }

// MostSquares returns an upper bound of a column Q from the largest escaped numbers of A, S
// and Q.
func MostSquares(a, s, q float64) float64 {
	mostSum := max(s, max(a, Escape)+Escape)
	return max(q, mostSum+Escape)
}

// grown returns s with length n; its contents are undefined.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, max(n, 2*cap(s)))
	}
	return s[:n]
}

// tileCells bounds the cells of a tile: its columns take 28 bytes a cell and stay in a
// first-level cache of 48 KiB, beside the results.
const tileCells = 1024

// Tiles calls f for tiles that cover the terms [from, to), of at most about a thousand
// cells and terms unless a single term has more.
func (c *Cells) Tiles(t *Tile, from, to int, tokens bool, f func(t *Tile)) {
	for from < to {
		end := c.end(from, to)
		c.Read(t, from, end, tokens)
		f(t)
		from = end
	}
}

// end returns the end of a tile of at most [tileCells] cells and terms that begins with a term and ends before
// another one.
func (c *Cells) end(from, to int) int {
	end := min(to, from+tileCells)
	if limit := c.Start[from] + tileCells; c.Start[end] > limit {
		fit, _ := slices.BinarySearch(c.Start[from+2:end+1], limit+1)
		end = from + 1 + fit
	}
	return end
}
