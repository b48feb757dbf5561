package postings

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// This file compares what a ListCounter passes on, and what Count keeps, with a plain
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

// A row is a term with its cells.
type row struct {
	term       int
	df, cf     float64
	class      []uint32
	a, s, q, w []float64
}

// rowsOf gives the rows of a tile.
func rowsOf(t *table.Tile) (rows []row) {
	part := func(column []float64, from, to int) []float64 {
		if len(column) == 0 {
			return nil
		}
		return column[from:to]
	}
	for i, df := range t.DF {
		from, to := t.Range(i)
		r := row{term: t.First + i, df: float64(df), class: t.Class[from:to], a: t.A[from:to]}
		if t.CF != nil {
			r.cf = t.CF[i]
		}
		r.s, r.q, r.w = part(t.S, from, to), part(t.Q, from, to), part(t.W, from, to)
		rows = append(rows, r)
	}
	return rows
}

// A rowChecker compares rows with what is wanted. It keeps the first difference.
type rowChecker struct {
	tokens bool
	kind   int // of W, among weightings; -1 for none
	want   []wantedTerm
	exact  bool
	form   table.Form // other forms than counts have squares that are made of squared distances
	next   int        // term
	err    error
}

func (c *rowChecker) failed(term int, format string, a ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("term %d: "+format, append([]any{term}, a...)...)
	}
}

// check compares the next row.
func (c *rowChecker) check(r row) {
	if r.term != c.next || c.next == len(c.want) {
		c.failed(r.term, "it comes in place of %d of %d", c.next, len(c.want))
		return
	}
	want := &c.want[c.next]
	c.next++
	if r.df != want.df {
		c.failed(r.term, "df %v, want %v", r.df, want.df)
	}
	if c.tokens && !sameSum(r.cf, want.cf, want.cf, c.exact) {
		c.failed(r.term, "cf %v, want %v", r.cf, want.cf)
	}
	if !slices.Equal(r.class, want.class) {
		c.failed(r.term, "cells of the classes %v, want %v", r.class, want.class)
		return
	}
	for i, cell := range want.cells {
		if r.a[i] != cell.a {
			c.failed(r.term, "class %d: A %v, want %v", r.class[i], r.a[i], cell.a)
		}
		if c.tokens && !(sameSum(r.s[i], cell.s, cell.s, c.exact) && sameSum(r.q[i], cell.q, cell.q, c.exact && c.form == table.Counts)) {
			c.failed(r.term, "class %d: S %v and Q %v, want %v and %v", r.class[i], r.s[i], r.q[i], cell.s, cell.q)
		}
		if c.kind >= 0 && !sameSum(r.w[i], cell.w[c.kind], cell.size[c.kind], false) {
			c.failed(r.term, "class %d: W %v, want %v", r.class[i], r.w[i], cell.w[c.kind])
		}
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

// A countCase is an index with what is to be found in it.
type countCase struct {
	shape shape
	src   *Source
	x     *Index
	plain *plainCount
	want  []wantedTerm
}

func newCountCase(t *testing.T, s shape, seed uint64, runs bool) *countCase {
	t.Helper()
	c := &countCase{shape: s, src: s.source(seed)}
	c.x = build(*c.src)
	if runs {
		useRuns(c.x)
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
func useRuns(x *Index) {
	dense, at := []byte{}, []uint64{0}
	for term := range x.FirstShort() {
		list := testkit.Must(x.Bitmap(term))
		list.RunOptimize()
		data := testkit.Must(list.ToBytes())
		dense = append(dense, data...)
		for len(dense)%8 != 0 {
			dense = append(dense, 0)
		}
		at = append(at, uint64(len(dense)))
	}
	x.Dense, x.DenseAt = dense, at
}

// lists checks what a counter passes on of all documents: with their own labels, relabelled by the
// labels that they have, and counted once each. kind is of W, among weightings; -1 for none.
func (c *countCase) lists(t *testing.T, tokens bool, kind int) {
	t.Helper()
	own, once := make([]uint32, c.x.Documents()), make([]uint32, c.x.Documents())
	for d := range own {
		own[d], once[d] = uint32(d), 1
	}
	all := c.x.AllDocuments()
	weighted := c.x.Weighted(once)
	if kind >= 0 {
		for _, s := range []*Sample{all, weighted} {
			testkit.OK(s.Weigh(t.Context(), weightings[kind]))
		}
	}
	samples := []*Sample{all, all.Relabelled(own), weighted}
	checks := make([]rowChecker, len(samples))
	for i := range checks {
		checks[i] = rowChecker{tokens: tokens, kind: kind, want: c.want, exact: c.shape.exact(), form: c.x.Form()}
	}
	counter := c.x.NewListCounter(tokens)
	for _, terms := range c.x.Chunks() {
		testkit.OK(counter.Load(terms))
		for i, s := range samples {
			counter.Count(s, func(tile *table.Tile) {
				for _, r := range rowsOf(tile) {
					checks[i].check(r)
				}
			})
		}
	}
	for i := range checks {
		testkit.Is(testkit.Stop(t), checks[i].err, nil, c.shape, "sample", i, "tokens", tokens, "kind", kind)
		testkit.Equal(testkit.Stop(t), checks[i].next, len(c.want), c.shape, "sample", i)
	}
}

var threadCounts = []int{1, 2, 3, 8}

func (c *countCase) tokens(t *testing.T, tokens float64, classes []float64, want *plainCount) {
	t.Helper()
	if !sameSum(tokens, want.tokens, want.tokens, c.shape.exact()) || len(classes) != len(want.classTokens) {
		t.Fatalf("%v: %v tokens, want %v", c.shape, tokens, want.tokens)
	}
	for i, v := range want.classTokens {
		testkit.Equal(testkit.Stop(t), sameSum(classes[i], v, v, c.shape.exact()), true, c.shape, "class", i, "has",
			classes[i], "tokens, want", v)
	}
}

// within draws documents, as a bitmap of their numbers in the index and by their
// place in the source; nil stands for all of them.
func (c *countCase) within(r *rand.Rand, share float64) (*roaring.Bitmap, []bool) {
	if share < 0 {
		return nil, nil
	}
	chosen, keep := roaring.New(), make([]bool, len(c.src.IDs))
	for place, d := range testkit.Must(c.x.InputOrder()) {
		if r.Float64() < share {
			chosen.Add(d)
			keep[place] = true
		}
	}
	return chosen, keep
}

// count checks the statistics of a share of the documents; below 0 of all.
func (c *countCase) count(t *testing.T, r *rand.Rand, share float64, kinds []table.Weighting, threads []int) {
	t.Helper()
	chosen, keep := c.within(r, share)
	plain := c.plain
	if keep != nil {
		plain = countPlainly(c.src, keep)
	}
	var want []wantedTerm
	for _, kind := range kinds {
		for _, n := range threads {
			s := countOf(t, c.x, CountOptions{Weighting: kind, Within: chosen, Threads: n})
			if want == nil {
				var err error
				if want, err = plain.inOrder(s.Names); err != nil {
					t.Fatalf("%v: %v of the documents: %v", c.shape, share, err)
				}
			}
			c.statistics(t, s, plain, want, kind)
		}
	}
}

func (c *countCase) statistics(t *testing.T, s *table.Table, plain *plainCount, want []wantedTerm, kind table.Weighting) {
	t.Helper()
	if s.Cells.Documents != plain.docs || s.Cells.Labelled != plain.labelled || !slices.Equal(s.Cells.ClassDocs, plain.classDocs) {
		t.Fatalf("%v: %v documents, %v labelled; want %v, %v", c.shape, s.Documents(), s.Cells.Labelled, plain.docs, plain.labelled)
	}
	if !slices.Equal(s.ClassNames, slices.Sorted(slices.Values(c.src.Classes))) || s.Pruned || s.Weighting != kind || (s.Cells.W != nil) != (kind != "") {
		t.Fatalf("%v: pruned %v, weighting %q, %d weights, %d classes", c.shape, s.Pruned, s.Weighting, len(s.Cells.W), len(s.ClassNames))
	}
	c.tokens(t, s.Cells.Tokens, s.Cells.ClassTokens, plain)
	if len(s.Cells.DF) != len(want) || len(s.Cells.Start) != len(want)+1 || s.Cells.Start[len(want)] != s.Cells.Len() {
		t.Fatalf("%v: %d df, %d starts for %d terms", c.shape, len(s.Cells.DF), len(s.Cells.Start), len(want))
	}
	check := &rowChecker{tokens: true, kind: slices.Index(weightings[:], kind), want: want, exact: c.shape.exact(), form: c.x.Form()}
	s.Cells.Tiles(&table.Tile{}, 0, s.Cells.Terms(), true, func(tile *table.Tile) {
		for _, r := range rowsOf(tile) {
			check.check(r)
		}
	})
	testkit.Is(testkit.Stop(t), check.err, nil, c.shape, "weighting", kind)
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

func TestListsAgainstPlainCount(t *testing.T) {
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
	for i, s := range shapes {
		c := newCountCase(t, s, uint64(i), i%2 > 0)
		c.lists(t, false, -1)
		for kind := range kinds {
			c.lists(t, true, kind-1)
		}
		for _, share := range []float64{-1, 0, .3, 1} {
			c.count(t, r, share, kinds, []int{1 + r.IntN(8)})
		}
	}
}

// Several Roaring containers, several chunks, and codes of one, two and four bytes.
func TestListsOfLargeCorpora(t *testing.T) {
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
			v := newCountCase(t, c.shape, uint64(i), slices.Contains(c.kinds, "run"))
			if n := len(v.x.Chunks()); n < 2 && !testing.Short() {
				t.Errorf("%d chunk: no two workers meet", n)
			}
			t.Logf("%d postings in %d chunks, %d long lists", v.x.NumPostings(), len(v.x.Chunks()), v.x.FirstShort())
			containersOf(t, v.x, c.kinds)
			v.lists(t, false, -1)
			v.lists(t, true, -1)
			v.lists(t, true, slices.Index(weightings[:], table.LTC))
			v.count(t, r, -1, []table.Weighting{"", table.LTC}, threads)
			v.count(t, r, .3, []table.Weighting{"", table.TFIDFUnit}, []int{3})
		})
	}
}

// containersOf checks that the long lists have containers of these kinds.
func containersOf(t *testing.T, x *Index, kinds []string) {
	t.Helper()
	found := map[string]uint64{}
	for term := range x.FirstShort() {
		b := roaring.New()
		testkit.Must(b.FromBuffer(x.BitmapBytes(term)))
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
