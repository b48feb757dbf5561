package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/table"
)

// This file compares what a visitor receives, and what Count keeps, with a plain
// count of the source: a map of terms, filled document by document.

// weightings are the kinds of W, in the order of plainCell.w.
var weightings = [...]table.Weighting{table.TF, table.Binary, table.TFIDF, table.TFIDFUnit, table.LTC}

// A plainCell is what one class has of a term. size is the sum of the absolute
// weights, which says how exact w can be.
type plainCell struct {
	a, s, q float64
	w, size [len(weightings)]float64
}

// A plainTerm is one term. Cells are by the rank of the class among the names.
type plainTerm struct {
	df, cf float64
	cells  map[uint32]*plainCell
}

// A plainCount is all that a source says of the documents that are wanted.
type plainCount struct {
	docs, labelled, tokens float64
	classDocs, classTokens []float64
	terms                  map[string]*plainTerm
}

// countPlainly counts the documents d of a source with keep[d]; nil keeps all.
func countPlainly(src *Source, keep []bool) *plainCount {
	p := &plainCount{
		classDocs: make([]float64, len(src.Classes)), classTokens: make([]float64, len(src.Classes)),
		terms: map[string]*plainTerm{},
	}
	rank := ranksOf(src.Classes)
	eachDocument(src, keep, func(d int, labels []uint32) {
		p.docs++
		if len(labels) > 0 {
			p.labelled++
		}
		for _, l := range labels {
			p.classDocs[rank[l]]++
		}
		eachPosting(src, d, func(name string, tf float64) {
			if p.terms[name] == nil {
				p.terms[name] = &plainTerm{cells: map[uint32]*plainCell{}}
			}
			p.terms[name].df++
			p.terms[name].cf += tf
			p.tokens += tf
			for _, l := range labels {
				p.classTokens[rank[l]] += tf
			}
		})
	})
	eachDocument(src, keep, func(d int, labels []uint32) {
		length := p.lengths(src, d)
		eachPosting(src, d, func(name string, tf float64) {
			term := p.terms[name]
			weights := p.weights(term, tf, length)
			for _, l := range labels {
				if term.cells[rank[l]] == nil {
					term.cells[rank[l]] = &plainCell{}
				}
				term.cells[rank[l]].add(tf, weights)
			}
		})
	})
	return p
}

func (c *plainCell) add(tf float64, weights [len(weightings)]float64) {
	c.a++
	c.s += tf
	c.q += tf * tf
	for i, w := range weights {
		c.w[i] += w
		c.size[i] += math.Abs(w)
	}
}

// lengths are the lengths of a document's vectors.
func (p *plainCount) lengths(src *Source, d int) (length [len(weightings)]float64) {
	var ones [len(weightings)]float64
	for i := range ones {
		ones[i] = 1
	}
	eachPosting(src, d, func(name string, tf float64) {
		for i, w := range p.weights(p.terms[name], tf, ones) {
			length[i] += w * w
		}
	})
	for i := range length {
		length[i] = math.Sqrt(length[i])
	}
	return length
}

// weights are the weights of a term that a document of these lengths has tf times.
func (p *plainCount) weights(term *plainTerm, tf float64, length [len(weightings)]float64) [len(weightings)]float64 {
	idf := math.Log(p.docs / term.df)
	unit := func(w, length float64) float64 {
		if length == 0 {
			return 0
		}
		return w / length
	}
	return [...]float64{tf, 1, tf * idf, unit(tf*idf, length[3]), unit((1+math.Log(tf))*idf, length[4])}
}

func eachDocument(src *Source, keep []bool, f func(d int, labels []uint32)) {
	for d := range src.IDs {
		if keep == nil || keep[d] {
			f(d, src.Labels[src.LabelStart[d]:src.LabelStart[d+1]])
		}
	}
}

func eachPosting(src *Source, d int, f func(name string, tf float64)) {
	for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
		tf := 0.0
		if src.Values != nil {
			tf = src.Values[i]
		} else {
			tf = float64(src.Counts[i])
		}
		f(src.Names[src.Terms[i]], tf)
	}
}

// ranksOf gives the place of each name among the sorted ones.
func ranksOf(names []string) []uint32 {
	sorted := slices.Sorted(slices.Values(names))
	ranks := make([]uint32, len(names))
	for i, name := range names {
		r, _ := slices.BinarySearch(sorted, name)
		ranks[i] = uint32(r)
	}
	return ranks
}

// Values of the corpora below.
const (
	counts  = iota // 1 to 3
	large          // some above a byte
	tall           // all about the largest byte
	dyadic         // real, but small multiples of 1/8: their sums are exact
	decimal        // real
)

// A shape says what a random corpus looks like.
type shape struct {
	docs, terms, classes int
	labels               int     // most of a document
	unlabelled           float64 // share of the documents
	values               int
	widest               float64 // share of the documents that a term has at most
}

func (s shape) String() string {
	return fmt.Sprintf("%d docs, %d terms, %d classes, %d labels, %v unlabelled, values %d, widest %v",
		s.docs, s.terms, s.classes, s.labels, s.unlabelled, s.values, s.widest)
}

// exact says that sums of the values do not depend on their order.
func (s shape) exact() bool { return s.values != decimal }

// source makes a corpus of this shape. Terms have one document, a few, a share of
// all, or nearly all of a stretch of classes, whose documents get consecutive
// numbers.
func (s shape) source(seed uint64) *Source {
	r := rand.New(rand.NewPCG(seed, 77))
	src := &Source{LabelStart: []uint32{0}, Columns: Columns{DocStart: []uint64{0}}}
	for _, c := range r.Perm(s.classes) {
		src.Classes = append(src.Classes, fmt.Sprintf("c%06d", c))
	}
	rank := ranksOf(src.Classes)
	first := make([]uint32, s.docs) // the least rank of each document's classes
	for d := range s.docs {
		src.IDs = append(src.IDs, fmt.Sprint("d", d))
		own := s.labelsOf(r)
		src.Labels = append(src.Labels, own...)
		src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
		first[d] = math.MaxUint32
		for _, l := range own {
			first[d] = min(first[d], rank[l])
		}
	}
	terms := make([][]uint32, s.docs)
	for t := range s.terms {
		src.Names = append(src.Names, fmt.Sprint("t", t))
		s.spread(r, first, func(d int) { terms[d] = append(terms[d], uint32(t)) })
	}
	for d := range terms {
		src.Terms = append(src.Terms, terms[d]...)
		src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
	}
	s.addValues(r, src)
	return src
}

func (s shape) labelsOf(r *rand.Rand) (own []uint32) {
	if s.classes == 0 || r.Float64() < s.unlabelled {
		return nil
	}
	for range 1 + r.IntN(s.labels) {
		c := uint32(float64(s.classes) * r.Float64() * math.Sqrt(r.Float64()))
		if !slices.Contains(own, c) {
			own = append(own, c)
		}
	}
	return own
}

// spread calls add for the documents of one term, each once.
func (s shape) spread(r *rand.Rand, first []uint32, add func(d int)) {
	few := func(n int) {
		seen := map[int]bool{}
		for range n {
			if d := r.IntN(s.docs); !seen[d] {
				seen[d] = true
				add(d)
			}
		}
	}
	switch r.IntN(6) {
	case 0:
		few(1)
	case 1:
		few(2 + r.IntN(10))
	case 2:
		few(10 + r.IntN(700))
	case 3:
		low := uint32(r.IntN(s.classes + 1))
		high := low + uint32(float64(s.classes)*s.widest*r.Float64())
		for d, c := range first {
			if c == math.MaxUint32 {
				c = uint32(s.classes)
			}
			if low <= c && c <= high && r.IntN(60) > 0 {
				add(d)
			}
		}
	default:
		share := s.widest * math.Pow(r.Float64(), 3)
		if r.IntN(8) == 0 {
			share = s.widest
		}
		for d := range first {
			if r.Float64() < share {
				add(d)
			}
		}
	}
}

func (s shape) addValues(r *rand.Rand, src *Source) {
	for range src.Terms {
		small := uint32(1 + r.IntN(3))
		switch {
		case s.values == dyadic:
			src.Values = append(src.Values, .5+float64(r.IntN(1000))/8)
		case s.values == decimal:
			src.Values = append(src.Values, .5+10*r.Float64())
		case s.values == tall, s.values == large && r.IntN(9) == 0:
			src.Counts = append(src.Counts, 250+uint32(r.IntN(8)))
		case s.values == large && r.IntN(90) == 0:
			src.Counts = append(src.Counts, uint32(r.IntN(1<<20)+1))
		default:
			src.Counts = append(src.Counts, small)
		}
	}
	if s.values >= dyadic && src.Values == nil {
		src.Values = []float64{}
	}
}

// A wantedTerm is a plainTerm with its cells in the order of the classes.
type wantedTerm struct {
	df, cf float64
	class  []uint32
	cells  []*plainCell
}

// inOrder puts the terms into the order of a dictionary, and says what is wrong
// with that order.
func (p *plainCount) inOrder(d *table.Dictionary) ([]wantedTerm, error) {
	if d.Len() != len(p.terms) {
		return nil, fmt.Errorf("%d terms, want %d", d.Len(), len(p.terms))
	}
	want := make([]wantedTerm, d.Len())
	for t := range want {
		plain := p.terms[d.Term(t)]
		if plain == nil {
			return nil, fmt.Errorf("term %d is %q, which the source lacks", t, d.Term(t))
		}
		w := wantedTerm{df: plain.df, cf: plain.cf}
		for c := range plain.cells {
			w.class = append(w.class, c)
		}
		slices.Sort(w.class)
		for _, c := range w.class {
			w.cells = append(w.cells, plain.cells[c])
		}
		if t > 0 {
			byDF := cmp.Compare(want[t-1].df, w.df)
			if byDF < 0 || byDF == 0 && d.Term(t-1) >= d.Term(t) {
				return nil, fmt.Errorf("%q stands before %q", d.Term(t-1), d.Term(t))
			}
		}
		want[t] = w
	}
	return want, nil
}

// forms counts the ways in which terms reached a visitor.
type forms struct{ tiled, dense, sparse, few atomic.Int64 }

// A rowChecker is the visitor of one worker. It keeps the first difference.
type rowChecker struct {
	opt     VisitOptions
	classes int
	want    []wantedTerm
	exact   bool
	seen    []bool // by term, for all workers
	last    int    // term
	forms   *forms
	err     error
}

func (c *rowChecker) failed(term int, format string, a ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("term %d: "+format, append([]any{term}, a...)...)
	}
}

// term takes note of a term and gives what is wanted of it.
func (c *rowChecker) term(t int) *wantedTerm {
	if t <= c.last || c.seen[t] {
		c.failed(t, "it comes after %d, or again", c.last)
	}
	c.last, c.seen[t] = t, true
	return &c.want[t]
}

// Row implements [Visitor].
func (c *rowChecker) Row(r *Row) {
	want := c.term(r.Term)
	if r.DF != want.df {
		c.failed(r.Term, "df %v, want %v", r.DF, want.df)
	}
	if c.opt.Tokens && !sameSum(r.CF, want.cf, want.cf, c.exact) {
		c.failed(r.Term, "cf %v, want %v", r.CF, want.cf)
	}
	if r.Dense != nil {
		c.forms.dense.Add(1)
		c.dense(r.Term, r.Dense, want)
	} else {
		c.forms.sparse.Add(1)
	}
	c.cells(r, want)
}

func (c *rowChecker) dense(term int, counts []uint32, want *wantedTerm) {
	if len(counts) != c.classes {
		c.failed(term, "the dense row has %d classes, want %d", len(counts), c.classes)
		return
	}
	i := 0
	for class, a := range counts {
		docs := 0.0
		if i < len(want.class) && want.class[i] == uint32(class) {
			docs = want.cells[i].a
			i++
		}
		if float64(a) != docs {
			c.failed(term, "class %d has %v documents in the dense row, want %v", class, a, docs)
		}
	}
}

func (c *rowChecker) cells(r *Row, want *wantedTerm) {
	if !slices.Equal(r.Class, want.class) {
		c.failed(r.Term, "cells of the classes %v, want %v", r.Class, want.class)
		return
	}
	kind := slices.Index(weightings[:], c.opt.Weighting)
	for i, cell := range want.cells {
		if r.A[i] != cell.a || float64(r.Docs[i]) != cell.a {
			c.failed(r.Term, "class %d: A %v and %v, want %v", r.Class[i], r.A[i], r.Docs[i], cell.a)
		}
		if c.opt.Tokens && !(sameSum(r.S[i], cell.s, cell.s, c.exact) && sameSum(r.Q[i], cell.q, cell.q, c.exact)) {
			c.failed(r.Term, "class %d: S %v and Q %v, want %v and %v", r.Class[i], r.S[i], r.Q[i], cell.s, cell.q)
		}
		if kind >= 0 && !sameSum(r.W[i], cell.w[kind], cell.size[kind], false) {
			c.failed(r.Term, "class %d: W %v, want %v", r.Class[i], r.W[i], cell.w[kind])
		}
	}
}

// Few implements [Visitor].
func (c *rowChecker) Few(first, df int, classes []uint32, tf []uint8) {
	if df > c.opt.Few || c.opt.Weighting != "" || c.opt.Tokens != (tf != nil) || tf != nil && len(tf) != len(classes) || len(classes)%df != 0 {
		c.failed(first, "df %d comes by classes, with %d frequencies; asked for %+v", df, len(tf), c.opt)
		return
	}
	for i := 0; i*df < len(classes); i++ {
		c.forms.few.Add(1)
		one := &Row{Term: first + i, DF: float64(df)}
		for j := i * df; j < (i+1)*df; j++ {
			v := 0.0
			if tf != nil {
				v = float64(tf[j])
			}
			one.addDocument(classes[j], c.classes, v)
		}
		want := c.term(first + i)
		if one.DF != want.df || c.opt.Tokens && one.CF != want.cf {
			c.failed(first+i, "df %v and cf %v by classes, want %v and %v", one.DF, one.CF, want.df, want.cf)
		}
		c.cells(one, want)
	}
}

// addDocument adds a document to a row whose classes ascend.
func (r *Row) addDocument(class uint32, classes int, tf float64) {
	r.CF += tf
	if int(class) == classes {
		return
	}
	last := len(r.Class) - 1
	if last < 0 || r.Class[last] != class {
		r.add(class, cell{})
		last++
	}
	r.Docs[last]++
	r.A[last]++
	r.S[last] += tf
	r.Q[last] += tf * tf
}

// A tileChecker takes bare counts too.
type tileChecker struct{ *rowChecker }

// Tile implements [TileVisitor].
func (c tileChecker) Tile(t *Tile) {
	if c.opt.Cells || c.opt.Tokens || c.opt.Weighting != "" || len(t.DF) == 0 {
		c.failed(t.First, "a tile of %d terms, though asked for %+v", len(t.DF), c.opt)
	}
	for i, df := range t.DF {
		c.forms.tiled.Add(1)
		want := c.term(t.First + i)
		if df != want.df {
			c.failed(t.First+i, "df %v in a tile, want %v", df, want.df)
		}
		c.dense(t.First+i, t.Counts[i*t.Stride:][:c.classes], want)
	}
}

// sameSum compares sums of numbers whose absolute values add up to size. 1e-12 is
// far above the rounding of a few hundred thousand additions of either.
func sameSum(got, want, size float64, exact bool) bool {
	if exact {
		return got == want
	}
	return math.Abs(got-want) <= 1e-12*size
}

// A visitCase is an index with what is to be found in it.
type visitCase struct {
	shape shape
	src   *Source
	x     *Index
	plain *plainCount
	want  []wantedTerm
	forms *forms
}

func newVisitCase(t *testing.T, s shape, seed uint64, runs bool, f *forms) *visitCase {
	t.Helper()
	c := &visitCase{shape: s, src: s.source(seed), forms: f}
	c.x = build(t, *c.src)
	if runs {
		useRuns(t, c.x)
	}
	c.plain = countPlainly(c.src, nil)
	var err error
	if c.want, err = c.plain.inOrder(c.x.Terms); err != nil {
		t.Fatalf("%v: %v", s, err)
	}
	return c
}

// useRuns gives the long lists containers of runs where these are smaller, as
// other writers of index files may.
func useRuns(t *testing.T, x *Index) {
	t.Helper()
	dense, at := []byte{}, []uint64{0}
	for term := range x.numDense() {
		list := must(x.Bitmap(term))
		list.RunOptimize()
		data, err := list.ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		dense = append(dense, data...)
		for len(dense)%8 != 0 {
			dense = append(dense, 0)
		}
		at = append(at, uint64(len(dense)))
	}
	x.dense, x.denseAt = dense, at
}

// visit checks all that the options give, to visitors that take tiles or not.
func (c *visitCase) visit(t *testing.T, opt VisitOptions, tiles bool) {
	t.Helper()
	workers := make([]*rowChecker, opt.Threads)
	seen := make([]bool, len(c.want))
	err := c.x.Visit(t.Context(), opt, func(worker int) Visitor {
		if workers[worker] == nil {
			workers[worker] = &rowChecker{
				opt: opt, classes: len(c.src.Classes), want: c.want, exact: c.shape.exact(), seen: seen, last: -1, forms: c.forms,
			}
		}
		if tiles {
			return tileChecker{workers[worker]}
		}
		return workers[worker]
	})
	if err != nil {
		t.Fatalf("%v: %+v: %v", c.shape, opt, err)
	}
	for _, w := range workers {
		if w != nil && w.err != nil {
			t.Fatalf("%v: %+v: %v", c.shape, opt, w.err)
		}
	}
	if i := slices.Index(seen, false); i >= 0 {
		t.Fatalf("%v: %+v: term %d did not come", c.shape, opt, i)
	}
}

// visitOptions are all combinations but for the threads and Few, or enough for a
// short test.
func visitOptions() (all []VisitOptions) {
	kinds := append([]table.Weighting{""}, weightings[:]...)
	if testing.Short() {
		kinds = []table.Weighting{"", table.LTC}
	}
	for _, w := range kinds {
		for i := range 4 {
			all = append(all, VisitOptions{Cells: i&1 > 0, Tokens: i&2 > 0, Weighting: w})
		}
	}
	return all
}

var threadCounts = []int{1, 2, 3, 8}

// totals checks the margins.
func (c *visitCase) totals(t *testing.T, threads int) {
	t.Helper()
	x := build(t, *c.src) // the other one keeps its tokens
	got, err := x.Totals(t.Context(), true, threads)
	if err != nil {
		t.Fatal(err)
	}
	if got.Documents != c.plain.docs || got.Labelled != c.plain.labelled || !slices.Equal(got.ClassDocs, c.plain.classDocs) {
		t.Fatalf("%v: the totals are %+v, want %+v", c.shape, got, c.plain)
	}
	c.tokens(t, got.Tokens, got.ClassTokens, c.plain)
}

func (c *visitCase) tokens(t *testing.T, tokens float64, classes []float64, want *plainCount) {
	t.Helper()
	if !sameSum(tokens, want.tokens, want.tokens, c.shape.exact()) || len(classes) != len(want.classTokens) {
		t.Fatalf("%v: %v tokens, want %v", c.shape, tokens, want.tokens)
	}
	for i, v := range want.classTokens {
		if !sameSum(classes[i], v, v, c.shape.exact()) {
			t.Fatalf("%v: class %d has %v tokens, want %v", c.shape, i, classes[i], v)
		}
	}
}

// within draws documents, as a bitmap of their numbers in the index and by their
// place in the source; nil stands for all of them.
func (c *visitCase) within(r *rand.Rand, share float64) (*roaring.Bitmap, []bool) {
	if share < 0 {
		return nil, nil
	}
	chosen, keep := roaring.New(), make([]bool, len(c.src.IDs))
	for place, d := range must(c.x.InputOrder()) {
		if r.Float64() < share {
			chosen.Add(d)
			keep[place] = true
		}
	}
	return chosen, keep
}

// count checks the statistics of a share of the documents; below 0 of all.
func (c *visitCase) count(t *testing.T, r *rand.Rand, share float64, kinds []table.Weighting, threads []int) {
	t.Helper()
	chosen, keep := c.within(r, share)
	plain := c.plain
	if keep != nil {
		plain = countPlainly(c.src, keep)
	}
	var want []wantedTerm
	for _, kind := range kinds {
		for _, n := range threads {
			s := count(t, c.x, CountOptions{Weighting: kind, Within: chosen, Threads: n})
			if want == nil {
				var err error
				if want, err = plain.inOrder(s.Terms); err != nil {
					t.Fatalf("%v: %v of the documents: %v", c.shape, share, err)
				}
			}
			c.statistics(t, s, plain, want, kind)
		}
	}
}

func (c *visitCase) statistics(t *testing.T, s *table.Table, plain *plainCount, want []wantedTerm, kind table.Weighting) {
	t.Helper()
	if s.Documents != plain.docs || s.Labelled != plain.labelled || !slices.Equal(s.ClassDocs, plain.classDocs) {
		t.Fatalf("%v: %v documents, %v labelled; want %v, %v", c.shape, s.Documents, s.Labelled, plain.docs, plain.labelled)
	}
	if !slices.Equal(s.Classes, slices.Sorted(slices.Values(c.src.Classes))) || s.Pruned || s.Weighting != kind || (s.W != nil) != (kind != "") {
		t.Fatalf("%v: pruned %v, weighting %q, %d weights, %d classes", c.shape, s.Pruned, s.Weighting, len(s.W), len(s.Classes))
	}
	c.tokens(t, s.Tokens, s.ClassTokens, plain)
	if len(s.DF) != len(want) || len(s.Start) != len(want)+1 || s.Start[len(want)] != s.Len() {
		t.Fatalf("%v: %d df, %d starts for %d terms", c.shape, len(s.DF), len(s.Start), len(want))
	}
	check := &rowChecker{
		opt: VisitOptions{Tokens: true, Weighting: kind}, classes: len(s.Classes), want: want, exact: c.shape.exact(),
		seen: make([]bool, len(want)), last: -1, forms: c.forms,
	}
	for term := range want {
		check.Row(rowOf(s, term))
	}
	if check.err != nil {
		t.Fatalf("%v: weighting %q: %v", c.shape, kind, check.err)
	}
}

// rowOf gives the cells of a term of the statistics as a row.
func rowOf(s *table.Table, term int) *Row {
	var tile table.Tile
	s.Read(&tile, term, term+1, true)
	r := &Row{Term: term, DF: float64(tile.DF[0]), CF: tile.CF[0], Class: tile.Class, A: tile.A, S: tile.S, Q: tile.Q, W: tile.W}
	for _, a := range r.A {
		r.Docs = append(r.Docs, uint32(a))
	}
	return r
}

// oddShapes are the edges: nothing of something, one of it, and the numbers of
// classes where codes, rows and vectors change their width.
func oddShapes() []shape {
	all := []shape{
		{docs: 1, terms: 1, classes: 1, labels: 1, widest: 1},
		{docs: 1, terms: 40, classes: 3, labels: 3, widest: 1},
		{docs: 1, terms: 5, classes: 2, labels: 1, unlabelled: 1, widest: 1},
		{docs: 90, terms: 0, classes: 4, labels: 1, widest: 1},
		{docs: 90, terms: 30, classes: 1, labels: 1, widest: 1, values: large},
		{docs: 90, terms: 30, classes: 1, labels: 1, unlabelled: .5, widest: 1},
		{docs: 90, terms: 30, classes: 5, labels: 1, unlabelled: 1, widest: 1, values: large},
		{docs: 90, terms: 30, classes: 0, widest: 1},
		{docs: 20, terms: 30, classes: 900, labels: 1, widest: 1},
		{docs: 20, terms: 30, classes: 400, labels: 9, widest: 1},
	}
	for _, classes := range []int{15, 16, 17, 253, 254, 255, 256, 257, 495, 503, 504, 505, 510, 511, 512, 513} {
		for _, labels := range []int{1, 2, 9} {
			all = append(all, shape{docs: 400, terms: 60, classes: classes, labels: labels, unlabelled: .1, values: large, widest: .8})
		}
	}
	return all
}

func randomShape(r *rand.Rand) shape {
	pick := func(n ...int) int { return n[r.IntN(len(n))] }
	return shape{
		docs: 1 + r.IntN(pick(10, 100, 900)), terms: 1 + r.IntN(pick(5, 60, 150)),
		classes: pick(1, 2, 3, 7, 20, 100, 300, 700), labels: pick(1, 1, 2, 7, 8, 12),
		unlabelled: float64(pick(0, 0, 1, 5)) / 10, values: pick(counts, large, large, tall, dyadic, decimal),
		widest: float64(pick(1, 3, 10)) / 10,
	}
}

func TestVisitAgainstPlainCount(t *testing.T) {
	shapes := oddShapes()
	r := rand.New(rand.NewPCG(31, 1))
	random, kinds := 300, append([]table.Weighting{""}, weightings[:]...)
	if testing.Short() {
		random = 20
		kinds = kinds[:3]
	}
	for range random {
		shapes = append(shapes, randomShape(r))
	}
	var f forms
	for i, s := range shapes {
		c := newVisitCase(t, s, uint64(i), i%2 > 0, &f)
		for _, opt := range visitOptions() {
			opt.Few = []int{0, 1, 8, 100}[r.IntN(4)]
			opt.Threads = threadCounts[r.IntN(len(threadCounts))]
			c.visit(t, opt, r.IntN(2) == 0)
		}
		c.totals(t, 1+r.IntN(8))
		for _, share := range []float64{-1, 0, .3, 1} {
			c.count(t, r, share, kinds, []int{1 + r.IntN(8)})
		}
	}
	for form, n := range map[string]int64{
		"in tiles": f.tiled.Load(), "by dense rows": f.dense.Load(), "by cells": f.sparse.Load(), "by classes": f.few.Load(),
	} {
		if n == 0 {
			t.Errorf("no term came %s", form)
		}
	}
}

// Several Roaring containers, several chunks, and codes of one, two and four bytes.
func TestVisitOfLargeCorpora(t *testing.T) {
	for i, c := range []struct {
		name  string
		shape shape
		kinds []string // of containers that must occur
	}{
		{"few classes", shape{docs: 200_000, terms: 40, classes: 4, labels: 1, unlabelled: .02, values: large, widest: .4}, []string{"array", "bitmap"}},
		{"runs", shape{docs: 150_000, terms: 40, classes: 20, labels: 1, unlabelled: .02, values: large, widest: .4}, []string{"array", "bitmap", "run"}},
		{"codes of two bytes", shape{docs: 140_000, terms: 40, classes: 300, labels: 1, unlabelled: .1, values: counts, widest: .3}, []string{"array", "bitmap"}},
		{"runs of two bytes", shape{docs: 80_000, terms: 30, classes: 450, labels: 1, unlabelled: .1, values: counts, widest: .5}, []string{"array", "run"}},
		{"several labels", shape{docs: 70_000, terms: 40, classes: 30, labels: 12, unlabelled: .1, values: large, widest: .2}, []string{"array", "bitmap", "run"}},
		{"several labels of most documents", shape{docs: 120_000, terms: 18, classes: 2, labels: 2, values: tall, widest: .95}, []string{"bitmap"}},
		{"many classes", shape{docs: 70_000, terms: 40, classes: 700, labels: 1, values: large, widest: .2}, nil},
		{"codes of four bytes", shape{docs: 90_000, terms: 1500, classes: 70_000, labels: 1, unlabelled: .01, values: counts, widest: .001}, nil},
		{"several labels of very many", shape{docs: 70_000, terms: 800, classes: 70_000, labels: 3, values: dyadic, widest: .002}, nil},
		{"many terms", shape{docs: 3_000, terms: 4_000, classes: 9, labels: 1, unlabelled: .1, values: large, widest: .005}, nil},
		{"many real values", shape{docs: 70_000, terms: 50, classes: 12, labels: 1, unlabelled: .1, values: decimal, widest: .2}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			threads := threadCounts
			if testing.Short() {
				c.shape.terms, c.shape.widest = c.shape.terms/4, c.shape.widest/4
				threads = []int{3}
			}
			r := rand.New(rand.NewPCG(32, uint64(i)))
			v := newVisitCase(t, c.shape, uint64(i), slices.Contains(c.kinds, "run"), new(forms))
			if n := len(v.x.view().chunks); n < 2 && !testing.Short() {
				t.Errorf("%d chunk: no two workers meet", n)
			}
			t.Logf("%d postings in %d chunks, %d long lists", v.x.NumPostings(), len(v.x.view().chunks), v.x.numDense())
			containersOf(t, v.x, c.kinds)
			for _, opt := range visitOptions() {
				for _, opt.Threads = range threads {
					if opt.Weighting == "" || opt.Threads == 3 || opt.Weighting == table.LTC && opt.Tokens {
						opt.Few = []int{0, 1, 8}[r.IntN(3)]
						v.visit(t, opt, r.IntN(2) == 0)
					}
				}
			}
			v.totals(t, 3)
			v.count(t, r, -1, []table.Weighting{"", table.LTC}, threads)
			v.count(t, r, .3, []table.Weighting{"", table.TFIDFUnit}, []int{3})
		})
	}
}

// containersOf checks that the long lists have containers of these kinds.
func containersOf(t *testing.T, x *Index, kinds []string) {
	t.Helper()
	found := map[string]uint64{}
	for term := range x.numDense() {
		b := roaring.New()
		if _, err := b.FromBuffer(x.bitmapBytes(term)); err != nil {
			t.Fatal(err)
		}
		s := b.Stats()
		found["array"] += s.ArrayContainers
		found["bitmap"] += s.BitmapContainers
		found["run"] += s.RunContainers
	}
	for _, kind := range kinds {
		if found[kind] == 0 && !testing.Short() {
			t.Errorf("no containers of kind %s: %v", kind, found)
		}
	}
}

// The pass over the tokens and the kept counts add up real values in one order.
func TestTotalsHaveTheBitsOfCount(t *testing.T) {
	for _, labels := range []int{1, 3} {
		s := shape{docs: 300, terms: 4_000, classes: 9, labels: labels, unlabelled: .1, values: decimal, widest: .02}
		src := s.source(9)
		for _, threads := range threadCounts {
			x := build(t, *src)
			if n := len(x.view().chunks); n < 4 {
				t.Fatalf("%d chunks are too few for another order", n)
			}
			kept := count(t, x, CountOptions{Threads: 3})
			got, err := x.Totals(t.Context(), true, threads)
			if err != nil {
				t.Fatal(err)
			}
			if got.Tokens != kept.Tokens || !slices.Equal(got.ClassTokens, kept.ClassTokens) {
				t.Fatalf("%d threads: %v tokens, %v of classes; kept %v, %v", threads, got.Tokens, got.ClassTokens, kept.Tokens, kept.ClassTokens)
			}
		}
	}
}

// manyTerms is a corpus of several chunks.
func manyTerms(t *testing.T) *Index {
	t.Helper()
	s := shape{docs: 500, terms: 3_000, classes: 9, labels: 2, unlabelled: .1, values: decimal, widest: .02}
	return build(t, *s.source(5))
}

// Wherever a pass is cancelled, it gives the cause and nothing else, and the next
// one starts afresh.
func TestCancelledAtEveryCheck(t *testing.T) {
	x := manyTerms(t)
	some := roaring.New()
	some.AddRange(0, 200)
	for name, pass := range map[string]func(context.Context) (some bool, err error){
		"totals": func(ctx context.Context) (bool, error) {
			totals, err := x.Totals(ctx, true, 1)
			return totals != nil, err
		},
		"count": func(ctx context.Context) (bool, error) {
			s, err := x.Count(ctx, CountOptions{Weighting: table.LTC, Within: some, Threads: 1})
			return s != nil, err
		},
		"weights": func(ctx context.Context) (bool, error) {
			w, err := x.Weights(ctx, table.TFIDFUnit)
			return w != nil, err
		},
		"visit": func(ctx context.Context) (bool, error) {
			opt := VisitOptions{Weighting: table.LTC, Threads: 1}
			return false, x.Visit(ctx, opt, func(int) Visitor { return &stopper{stop: func() {}, stopped: make(chan struct{})} })
		},
	} {
		checks := 0
		for {
			some, err := pass(faults.NewCountdown(t, checks))
			if err == nil {
				break
			}
			if !errors.Is(err, faults.ErrStop) || some {
				t.Fatalf("%s: stopped at check %d: a result: %v, error %v", name, checks, some, err)
			}
			checks++
		}
		if checks < 4 {
			t.Errorf("%s looked %d times whether it was cancelled", name, checks)
		}
	}
	want, err := manyTerms(t).Totals(t.Context(), true, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := x.Totals(t.Context(), true, 1); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("after cancellations the totals are %+v, %v; want %+v", got, err, want)
	}
}

// A stopper is a visitor that stops all workers at their 100th row.
type stopper struct {
	rows    atomic.Int64
	stop    func()
	stopped chan struct{} // closed then; the others wait for it
}

// Row implements [Visitor].
func (s *stopper) Row(*Row) {
	switch n := s.rows.Add(1); {
	case n < 100:
	case n == 100:
		s.stop()
		close(s.stopped)
	default:
		<-s.stopped
	}
}

// Few implements [Visitor].
func (s *stopper) Few(int, int, []uint32, []uint8) {}

// Workers finish the chunk at hand, and begin no other. The first chunks have more
// than 100 rows.
func TestVisitCancelledMidway(t *testing.T) {
	x := manyTerms(t)
	before := runtime.NumGoroutine()
	for _, threads := range threadCounts[:3] {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := &stopper{stop: func() { cancel(faults.ErrStop) }, stopped: make(chan struct{})}
		var begun atomic.Int64
		err := x.Visit(ctx, VisitOptions{Tokens: true, Threads: threads}, func(int) Visitor {
			begun.Add(1)
			return s
		})
		if !errors.Is(err, faults.ErrStop) {
			t.Errorf("%d threads: %v", threads, err)
		}
		if n := len(x.view().chunks); int(begun.Load()) > threads || n <= threads {
			t.Errorf("%d threads: %d of %d chunks were begun", threads, begun.Load(), n)
		}
	}
	faults.NoneLeft(t, before)
}
