package store

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/cells"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes the cells of a corpus to a file and reads them. Of counts, the cells of
// terms in one document are not stored: the document's labels and the one frequency are
// all that they say.

// storedCells are the columns of cells in a file, which may not have been verified yet.
type storedCells struct {
	present bool
	centred bool
	// terms has for each stored term the number of its cells, and of its tokens above df;
	// if the cells are centred, behind all of these what the sum of its values lacks.
	terms   []uint8
	classes []byte // in 1, 2 or 4 bytes each, see classWidth
	docs    []uint8
	sums    []uint8
	// squares has the sums of squares above the sums; if the cells are centred, behind all of
	// these what the sums lack, and then the squared distances.
	squares []uint8
	// escapes are the numbers that do not fit into their bytes, which are cells.Escape: of
	// the first numbers of terms, of the second, of docs, of sums, of squares; then those of
	// centred cells, in the order of [cells.Centred].
	escapes []float64
}

// classWidth returns the bytes that the number of a class takes in a file.
func classWidth(classes int) int {
	switch {
	case classes <= 1<<8:
		return 1
	case classes <= 1<<16:
		return 2
	default:
		return 4
	}
}

// storedTerms returns the number of terms whose cells are stored.
func (x *Index) storedTerms() int {
	if x.Real() {
		return len(x.df)
	}
	n, _ := slices.BinarySearchFunc(x.df, 1, func(df uint32, one int) int { return one - int(df) })
	return n
}

// newStoredCells returns the columns of cells as they are in a file.
func (x *Index) newStoredCells(c *cells.Cells) storedCells {
	s, n := storedCells{present: true, centred: c.Centred != nil}, x.storedTerms()
	var lengths, tokens, docs, sums, squares, lowTokens, lowSums, distances cells.Column
	tile := &cells.Tile{}
	c.Tiles(tile, 0, n, true, func(t *cells.Tile) {
		for i, df := range t.DF {
			from, to := t.Range(i)
			lengths.Append(float64(to-from), 0)
			tokens.Append(t.CF[i], float64(df))
		}
		docs.AppendAll(t.A, nil)
		sums.AppendAll(t.S, t.A)
		squares.AppendAll(t.Q, t.S)
		lowTokens.AppendAll(t.LowCF, nil)
		lowSums.AppendAll(t.LowS, nil)
		distances.AppendAll(t.M2, nil)
	})
	width := classWidth(len(x.Classes))
	s.classes = make([]byte, 0, width*c.Start[n])
	for _, class := range c.Class[:c.Start[n]] {
		s.classes = append(s.classes, byte(class), byte(class>>8), byte(class>>16), byte(class>>24))[:len(s.classes)+width]
	}
	first, second := lengths.Bytes(), tokens.Bytes()
	s.terms = make([]uint8, 0, 2*n)
	for t := range n {
		s.terms = append(s.terms, first[t], second[t])
	}
	s.terms = append(s.terms, lowTokens.Bytes()...)
	s.docs, s.sums = docs.Bytes(), sums.Bytes()
	s.squares = slices.Concat(squares.Bytes(), lowSums.Bytes(), distances.Bytes())
	for _, column := range []*cells.Column{&lengths, &tokens, &docs, &sums, &squares, &lowTokens, &lowSums, &distances} {
		s.escapes = append(s.escapes, column.Escaped()...)
	}
	return s
}

// loadCells sets s.Cells but for its margins to the cells of the file, verified and in
// memory of their own.
func (x *Index) loadCells(s *Statistics) error {
	if err := x.file.verifyWhole(cellTerms, cellClasses, cellDocs, cellSums, cellSquares, cellEscapes); err != nil {
		return err
	}
	stored := x.storedTerms()
	if err := x.stored.cells.load(&s.Cells, x.df[:stored], len(x.Classes), len(x.df)-stored); err != nil {
		return err
	}
	return x.appendSingles(s)
}

// load sets c to the stored cells of terms of the given document frequencies, with room
// for more terms of a cell each.
func (f *storedCells) load(c *cells.Cells, df []uint32, classes, more int) error {
	withRoom := func(bytes []uint8) []uint8 {
		return append(make([]uint8, 0, len(bytes)+more), bytes...)
	}
	first, second := make([]uint8, len(df)), make([]uint8, len(df))
	for t := range df {
		first[t], second[t] = f.terms[2*t], f.terms[2*t+1]
	}
	var lengths, lowTokens, lowSums, distances cells.Column
	escapes, n := f.escapes, len(f.docs)
	squares, third, lowBytes, distanceBytes := f.squares[:n], []uint8(nil), []uint8(nil), []uint8(nil)
	if f.centred {
		third, lowBytes, distanceBytes = f.terms[2*len(df):], f.squares[n:2*n], f.squares[2*n:]
	}
	for _, column := range []struct {
		to    *cells.Column
		bytes []uint8
	}{
		{&lengths, first},
		{&c.CF, second},
		{&c.A, f.docs},
		{&c.S, f.sums},
		{&c.Q, squares},
		{&lowTokens, third},
		{&lowSums, lowBytes},
		{&distances, distanceBytes},
	} {
		var ok bool
		if *column.to, escapes, ok = cells.ColumnOf(withRoom(column.bytes), escapes); !ok {
			return broken("cell-escapes", 0, ErrFormat, "there are fewer numbers than bytes that ask for one")
		}
	}
	if len(escapes) > 0 {
		return broken("cell-escapes", 0, ErrFormat, "%d numbers more than bytes that ask for one", len(escapes))
	}
	if f.centred {
		c.Centred = &cells.Centred{CF: lowTokens.Numbers(), S: lowSums.Numbers(), M2: distances.Numbers()}
	}
	if !lengths.Whole() || !c.A.Whole() {
		return broken("cell-escapes", 0, ErrFormat, "a number of cells or documents is not whole")
	}
	c.DF = append(make([]uint32, 0, len(df)+more), df...)
	c.Start = make([]int, len(df)+1, len(df)+1+more)
	for t := range df {
		n := lengths.At(t, 0)
		if !(n >= 0 && n <= float64(classes)) {
			return broken("cell-terms", 2*t, ErrFormat, "term %d is in %v of %d classes", t, n, classes)
		}
		c.Start[t+1] = c.Start[t] + int(n)
	}
	if c.Start[len(df)] != len(f.docs) {
		return broken("cell-terms", 0, ErrFormat, "terms of %d cells in all, where there are %d", c.Start[len(df)], len(f.docs))
	}
	c.Class = make([]uint32, len(f.docs), len(f.docs)+more)
	switch width := classWidth(classes); width {
	case 1:
		for i, class := range f.classes {
			c.Class[i] = uint32(class)
		}
	case 2:
		for i := range c.Class {
			c.Class[i] = uint32(le.Uint16(f.classes[2*i:]))
		}
	default:
		for i := range c.Class {
			c.Class[i] = le.Uint32(f.classes[4*i:])
		}
	}
	return nil
}

// appendSingles appends the cells of the terms that are not stored, each of which is in
// one document.
func (x *Index) appendSingles(s *Statistics) error {
	from := s.Cells.Terms()
	if err := x.ready(pool.Range{From: from, To: len(x.df)}, true); err != nil {
		return err
	}
	for t := from; t < len(x.df); t++ {
		s.AppendSingle(x.Labels(int(x.short(t)[0])), float64(x.frequency(t)))
	}
	return nil
}

// frequency returns the count of a term in its first document.
func (x *Index) frequency(t int) uint32 {
	at := x.start[t]
	if v := x.tf.counts[at]; v != escape {
		return uint32(v)
	}
	i, _ := slices.BinarySearch(x.tf.escapeAt, at)
	return x.tf.escaped[i]
}

// storedStatistics is [Index.Count] of all documents, from the file.
func (x *Index) storedStatistics(ctx context.Context) (*Statistics, error) {
	c := &counter{x: x, s: &Statistics{Classes: x.Classes, Pruned: x.Pruned, Terms: x.Terms}}
	c.countDocuments(nil)
	s := c.s
	err := x.Guard(func() error { return x.loadCells(s) })
	if err != nil {
		return nil, err
	}
	if err := x.addStoredTokens(ctx, s); err != nil {
		return nil, err
	}
	return s, nil
}

// addStoredTokens sets the tokens of s, and verifies its cells while they are in the cache.
func (x *Index) addStoredTokens(ctx context.Context, s *Statistics) (err error) {
	chunks := x.chunks()
	parts := make([]tokenPart, len(chunks))
	sum, tile := &tokenSum{}, &cells.Tile{}
	for i, chunk := range chunks {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		sum.begin(&parts[i], len(s.Classes))
		s.Tiles(tile, chunk.From, chunk.To, true, func(t *cells.Tile) {
			if err == nil {
				err = x.checkTile(s, t)
			}
			if err == nil {
				sum.addTile(t)
			}
		})
	}
	if err != nil {
		return err
	}
	sum.end()
	s.Tokens, s.ClassTokens = addParts(parts, len(s.Classes))
	return nil
}

// checkTile verifies cells of a file against the margins: they must be possible, and add
// up to the document frequencies as far as documents have labels.
func (x *Index) checkTile(s *Statistics, tile *cells.Tile) error {
	unlabelled, real := s.Documents-s.Labelled, x.Real()
	if !tile.Sums() {
		return broken("cell-escapes", 0, ErrFormat, "a sum is not a finite number from 0 on")
	}
	for i, df := range tile.DF {
		from, to := tile.Range(i)
		classes, a, sums := tile.Class[from:to], tile.A[from:to], tile.S[from:to]
		docs, tokens, next := 0.0, 0.0, uint32(0)
		for j, class := range classes {
			if class < next || int(class) >= len(s.ClassDocs) {
				return broken("cell-classes", 0, ErrFormat, "the classes of term %d are not ascending or out of range", tile.First+i)
			}
			if !(a[j] >= 1 && a[j] <= s.ClassDocs[class]) || a[j] > float64(df) {
				return broken("cell-docs", 0, ErrFormat, "%v documents of a class of %v have term %d, which is in %d", a[j], s.ClassDocs[class], tile.First+i, df)
			}
			if !real && sums[j] > tile.CF[i] {
				return broken("cell-sums", 0, ErrFormat, "%v tokens of a class are term %d, which has %v", sums[j], tile.First+i, tile.CF[i])
			}
			docs, tokens, next = docs+a[j], tokens+sums[j], class+1
		}
		cf := tile.CF[i]
		switch {
		case tile.Centred && !possibleCentred(tile, i):
			return broken("cell-squares", 0, ErrFormat, "the squared distances of term %d, or what its sums lack, are impossible", tile.First+i)
		case !x.multi && docs > float64(df) || docs < float64(df)-unlabelled:
			return broken("cell-docs", 0, ErrFormat, "%v documents of all classes have term %d, which is in %d", docs, tile.First+i, df)
		case !x.multi && !real && (tokens > cf || unlabelled == 0 && tokens != cf):
			return broken("cell-sums", 0, ErrFormat, "%v tokens of all classes are term %d, which has %v", tokens, tile.First+i, cf)
		}
	}
	return nil
}

// mostLacking is what a sum may lack of the exact one, as a share of it: it has fewer than
// 2^32 roundings.
const mostLacking = 0x1p-20

// lacks reports whether a sum can lack so much.
func lacks(low, sum float64) bool { return math.Abs(low) <= float64(sum*mostLacking) }

// possibleCentred reports whether what is there of term i beside its sums is possible.
func possibleCentred(t *cells.Tile, i int) bool {
	from, to := t.Range(i)
	for j := from; j < to; j++ {
		if !isSum(t.M2[j]) || t.A[j] == 1 && t.M2[j] != 0 || !lacks(t.LowS[j], t.S[j]) {
			return false
		}
	}
	return lacks(t.LowCF[i], t.CF[i])
}

// checkStoredCells verifies the cells of the file: they must be those of its postings.
func (x *Index) checkStoredCells() error {
	stored, err := x.storedStatistics(context.Background())
	if err != nil {
		return err
	}
	counted, err := x.count(context.Background(), CountOptions{})
	if err != nil {
		return err
	}
	if !x.stored.cells.centred {
		counted.Centred = nil // which older programs did not keep
	}
	if t := stored.FirstDifference(&counted.Cells); t >= 0 {
		return broken("cell-terms", 2*t, ErrFormat, "the cells of term %d are not those of its postings", t)
	}
	if !slices.Equal(x.newStoredCells(&counted.Cells).escapes, x.stored.cells.escapes) {
		return broken("cell-escapes", 0, ErrFormat, "a number that fits into its byte") // an index has exactly one file
	}
	return nil
}
