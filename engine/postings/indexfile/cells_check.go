package indexfile

import (
	"context"
	"math"
	"slices"
	"sort"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file verifies stored cells of counts, and adds up their tokens, in one pass over the
// bytes. Sums of counts are exact in any order: where they may not be, see [postings.Index.centring],
// cells have another form, or are not used.

// checkedTerms is the number of terms whose cells are verified at a time.
const checkedTerms = 4096

// A cellChecker verifies cells of counts.
type cellChecker struct {
	x      *postings.Index
	s      *table.Table
	bounds *table.Bounds
	limits []uint32 // by class, of as many as its bytes can tell: the documents; 0 where there is no class
	others []uint32 // by class: the documents that are not in it
	fewest uint32   // the least of others: classes without a cell can lack terms of no more documents
	tokens []uint64 // by class
	total  uint64

	unlabelled float64 // documents

	next  int    // the first cell, from those that were verified on, whose documents or occurrences are in a list
	hints [2]int // places in these lists

	// Scratch memory: of blocks of terms, and of a term.
	blockSums, blockSets []uint64
	classes              []uint32
	tile                 table.Tile
}

// newCellChecker returns what verifies the stored cells of counts of s.
func newCellChecker(x *postings.Index, s *table.Table) (*cellChecker, error) {
	for _, column := range []*table.Column{&s.Cells.CF, &s.Cells.A, &s.Cells.S, &s.Cells.Q} {
		if !column.Whole() || column.Wrong() {
			return nil, files.Broken("cell-escapes", 0, files.ErrFormat, "a sum of counts is not a whole number from 0 on")
		}
	}
	width := table.ClassWidth(len(x.Classes))
	bounds, err := boundsOf(x, s)
	if err != nil {
		return nil, err
	}
	k := &cellChecker{
		x: x, s: s, bounds: bounds, unlabelled: s.Cells.Documents - s.Cells.Labelled, fewest: math.MaxInt32,
		limits: make([]uint32, 1<<(8*width)), others: make([]uint32, 1<<(8*width)), tokens: make([]uint64, 1<<(8*width)),
		tile: table.Tile{NoSquares: true},
	}
	for class, docs := range s.Cells.ClassDocs {
		k.limits[class], k.others[class] = uint32(min(docs, math.MaxInt32)), uint32(min(s.Cells.Documents-docs, math.MaxInt32))
		k.fewest = min(k.fewest, k.others[class])
	}
	k.findNext(0)
	return k, nil
}

// checkCells completes the cells of counts, and verifies them.
func (x *indexFile) checkCells(ctx context.Context, s *table.Table) error {
	k, err := newCellChecker(x.Index, s)
	if err != nil {
		return err
	}
	stored := s.Cells.Terms()
	if err := k.stored(ctx, stored); err != nil {
		return err
	}
	if err := k.singles(stored); err != nil {
		return err
	}
	s.Cells.Tokens, s.Cells.ClassTokens = float64(k.total), make([]float64, len(s.ClassNames))
	for class := range s.Cells.ClassTokens {
		s.Cells.ClassTokens[class] = float64(k.tokens[class])
	}
	return nil
}

// stored verifies the cells of the first terms, which are stored.
func (k *cellChecker) stored(ctx context.Context, stored int) error {
	narrow := k.firstNarrow(stored, table.ClassWidth(len(k.x.Classes)))
	for from := 0; from < stored; {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		to, check := min(from+checkedTerms, narrow), k.terms
		if from >= narrow {
			to, check = min(from+checkedTerms, stored), k.narrow
		}
		if err := check(from, to); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// findNext sets k.next to the first cell from one on that has a number in a list.
func (k *cellChecker) findNext(from int) {
	var docs, sums int
	docs, k.hints[0] = k.s.Cells.A.NextEscape(from, k.hints[0])
	sums, k.hints[1] = k.s.Cells.S.NextEscape(from, k.hints[1])
	k.next = min(docs, sums)
}

// firstNarrow returns the first of the stored terms that are narrow, as all behind it are: they have
// documents of one label each, whose classes are bytes, and fewer documents than any class, so
// that of their counts only the sums must be looked at.
func (k *cellChecker) firstNarrow(stored, width int) int {
	if width > 1 || k.x.Multi || len(k.s.Cells.ClassDocs) == 0 {
		return stored
	}
	least := uint32(1 << 16) // what the sums of CheckCells hold
	for class := range k.s.Cells.ClassDocs {
		least = min(least, k.limits[class])
	}
	return sort.Search(stored, func(t int) bool { return k.s.Cells.DF[t] < least })
}

// narrow verifies the cells of narrow terms.
func (k *cellChecker) narrow(from, to int) error {
	c := &k.s.Cells
	first, end := c.Start[from], c.Start[to]
	classes, _ := c.Class.Bytes()
	classes, docs, over := classes[first:end], c.A.Bytes()[first:end], c.S.Bytes()[first:end]
	if k.blockSums == nil {
		k.blockSums, k.blockSets = make([]uint64, checkedTerms), make([]uint64, checkedTerms)
	}
	sums, sets := k.blockSums[:to-from], k.blockSets[:to-from]
	kernels.CheckCells(sets, sums, classes, docs, over, c.Start[from:to+1], len(k.s.ClassNames))
	df, low := c.DF[from:to], c.CF.Bytes()[from:to]
	for i, sum := range sums {
		known := k.next >= c.Start[from+i+1] && low[i] != table.Escape
		if known && (sum == uint64(df[i])|uint64(low[i])<<16 || k.isPart(sum, df[i], low[i])) {
			k.total += uint64(df[i]) + uint64(low[i])
			continue
		}
		k.dropTokens(from + i)
		if err := k.numbers(from + i); err != nil {
			return err
		}
	}
	k.addTokens(classes, docs, over)
	return nil
}

// isPart reports whether cells can have these sums where documents have no label.
func (k *cellChecker) isPart(sum uint64, df uint32, low uint8) bool {
	docs, over := uint32(sum&(1<<16-1)), uint32(sum>>16)
	return k.unlabelled > 0 && sum != kernels.WrongCells &&
		docs <= df && over <= uint32(low) && float64(docs) >= float64(df)-k.unlabelled
}

// addTokens adds the tokens of cells by their bytes.
func (k *cellChecker) addTokens(classes, docs, over []uint8) {
	tokens := (*[1 << 8]uint64)(k.tokens)
	docs, over = docs[:len(classes)], over[:len(classes)]
	for i, class := range classes {
		tokens[class] += uint64(docs[i]) + uint64(over[i])
	}
}

// dropTokens takes away what addTokens adds for the cells of a term, before it or afterwards.
func (k *cellChecker) dropTokens(t int) {
	c := &k.s.Cells
	for i := c.Start[t]; i < c.Start[t+1]; i++ {
		k.tokens[c.Class.At(i)] -= uint64(c.A.Bytes()[i]) + uint64(c.S.Bytes()[i])
	}
}

// terms verifies the cells of terms one by one.
func (k *cellChecker) terms(from, to int) error {
	for t := from; t < to; t++ {
		if err := k.term(t); err != nil {
			return err
		}
	}
	return nil
}

// term verifies the cells of a term. What is wrong leaves a sign bit in a mask, which is looked
// at once a term; then the numbers are looked at one by one, for the error.
func (k *cellChecker) term(t int) error {
	c := &k.s.Cells
	from, to := c.Start[t], c.Start[t+1]
	df, low := c.DF[t], c.CF.Bytes()[t]
	if k.next < to || low == table.Escape || df > math.MaxInt32-table.Escape {
		return k.numbers(t)
	}
	n := to - from
	k.classes = c.Class.Read(k.classes, from, to)
	classes, a, over := k.classes, c.A.Bytes()[from:][:n], c.S.Bytes()[from:][:n]
	cf := df + uint32(low)
	limits, others, tokens := k.limits, k.others, k.tokens
	wrong, next, docs, sum := uint32(0), uint32(0), uint32(0), uint32(0)
	for i, class := range classes {
		d := uint32(a[i])
		v := d + uint32(over[i])
		wrong |= (d - 1) | (limits[class] - d) | (class - next) | (df - d) | (others[class] - (df - d)) | ((cf - df) - (v - d))
		next, docs, sum = class+1, docs+d, sum+v
		tokens[class] += uint64(v)
	}
	if k.x.Multi {
		wrong |= k.fewest - df // else the documents of all classes say it
	} else {
		wrong |= (df - docs) | ((cf - df) - (sum - docs))
	}
	if k.unlabelled == 0 {
		wrong |= sum - cf
	}
	if int32(wrong) < 0 || float64(docs) < float64(df)-k.unlabelled {
		k.dropTokens(t)
		return k.numbers(t)
	}
	k.total += uint64(cf)
	return nil
}

// numbers verifies the cells of a term as numbers.
func (k *cellChecker) numbers(t int) error {
	k.s.Cells.Read(&k.tile, t, t+1, true)
	if err := checkTile(k.bounds, &k.tile); err != nil {
		return err
	}
	for i, class := range k.tile.Class {
		k.tokens[class] += uint64(k.tile.S[i])
	}
	k.total += uint64(k.tile.CF[0])
	if to := k.s.Cells.Start[t+1]; k.next < to {
		k.findNext(to)
	}
	return nil
}

// singles appends the cells of the terms from one on, which are not stored: each is in one
// document.
func (k *cellChecker) singles(from int) error {
	x, s := k.x, k.s
	if err := x.Ready(pool.Range{From: from, To: len(x.DocFreq)}, true); err != nil {
		return err
	}
	none := uint32(len(x.Classes))
	var p postings.List
	classes := make([]uint32, checkedTerms)
	for t := from; t < len(x.DocFreq); {
		n := 0
		if !x.Multi && t >= x.FirstShort() {
			base := x.Start[x.FirstShort()]
			docs := x.Flat[x.Start[t]-base:]
			docs = docs[:min(len(docs), checkedTerms)]
			counts := x.Values.Counts[x.Start[t]:][:len(docs)]
			x.FirstClasses(classes, docs)
			n = s.Cells.AppendSingles(classes[:len(docs)], none, counts)
			k.addSingles(classes[:n], none, counts)
		}
		if t += n; n == checkedTerms || t == len(x.DocFreq) {
			continue
		}
		x.Decode(t, &p)
		labels, v := x.Labels(int(p.Docs[0])), x.FirstCount(t)
		s.Cells.AppendSingle(labels, float64(v))
		for _, class := range labels {
			k.tokens[class] += uint64(v)
		}
		k.total += uint64(v)
		t++
	}
	return nil
}

// addSingles adds the tokens of terms that are in one document each.
func (k *cellChecker) addSingles(classes []uint32, none uint32, counts []uint8) {
	for i, class := range classes {
		v := uint64(counts[i])
		k.total += v
		if class != none {
			k.tokens[class] += v
		}
	}
}

// checkCellLengths verifies the lengths of the sections of cells.
func (x *indexFile) checkCellLengths() error {
	c := &x.cells
	terms, n := 0, len(c.docs)
	if c.present {
		terms = storedTerms(x.Index)
	}
	perTerm, perCell := 2, 1 // bytes of cell-terms, of cell-squares
	switch c.form {
	case table.CentredCells:
		perTerm, perCell = 3, 3
	case table.WideCells:
		perCell = 2
	}
	if len(c.terms) != perTerm*terms || len(c.classes) != n*table.ClassWidth(len(x.Classes)) || len(c.sums) != n || len(c.squares) != perCell*n ||
		!c.present && (n+len(c.escapes) > 0 || c.form != table.PlainCells) {
		return files.Broken("cell-terms", 0, files.ErrFormat, "%d bytes for %d terms with %d cells", len(c.terms), terms, n)
	}
	switch {
	case c.form == table.CentredCells && !x.Real():
		return files.Broken("header", 24, files.ErrFormat, "the cells of counts have the form of those of real values")
	case c.form == table.WideCells && (x.Real() || !x.LargeCounts()):
		return files.Broken("header", 24, files.ErrFormat, "the cells have the form of those of large counts")
	}
	return nil
}

// checkStoredCells verifies the cells of the file: they must be those of its postings.
func (x *indexFile) checkStoredCells() error {
	stored, err := x.storedTable(context.Background())
	if err != nil {
		return err
	}
	counted, err := x.CountLists(context.Background(), postings.CountOptions{})
	if err != nil {
		return err
	}
	if form := counted.Cells.Form(); x.cells.form != form {
		return files.Broken("header", 24, files.ErrFormat, "the cells have another form than those of its postings")
	}
	if t := stored.Cells.FirstDifference(&counted.Cells); t >= 0 {
		return files.Broken("cell-terms", 2*t, files.ErrFormat, "the cells of term %d are not those of its postings", t)
	}
	if !slices.Equal(newStoredCells(x.Index, &counted.Cells).escapes, x.cells.escapes) {
		return files.Broken("cell-escapes", 0, files.ErrFormat, "a number that fits into its byte") // an index has exactly one file
	}
	return nil
}
