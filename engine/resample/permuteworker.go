package resample

import (
	"context"
	"math"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A permuteWorker scores ranges of terms under the permutations of a block on one
// goroutine.
type permuteWorker struct {
	permuter *permuter
	counter  *postings.ListCounter
	values   []float64 // by term, under the current permutation
	scorers  []*termScorer
}

// newWorker returns a worker for the current block.
func (r *permuter) newWorker() *permuteWorker {
	counter := r.corpus.Index().NewListCounter(r.tokens != nil)
	return &permuteWorker{r, counter, make([]float64, r.corpus.Terms()), make([]*termScorer, len(r.block))}
}

// scorerOf returns the scorer for permutation i of the block. A measure of documents has the same margins in all of
// them, so that the first scorer serves all blocks.
func (w *permuteWorker) scorerOf(i int) *termScorer {
	r := w.permuter
	if r.tokens == nil {
		i = 0
	}
	if w.scorers[i] == nil {
		w.scorers[i] = newTermScorer(r.plan, r.block[i].margins, r.class, w.values)
	}
	return w.scorers[i]
}

// scoreTerms scores a range of terms under all permutations of the block, whose first one has a number, as a worker.
// Terms from firstTabled on have tables; the cells of the others are counted.
func (w *permuteWorker) scoreTerms(ctx context.Context, terms pool.Range, worker, number int) error {
	r, x := w.permuter, w.permuter.corpus.Index()
	rare := min(max(r.firstTabled, terms.From), terms.To)
	if counted := (pool.Range{From: terms.From, To: rare}); counted.From < rare {
		if err := w.counter.Load(counted); err != nil {
			return err
		}
		err := w.eachDraw(ctx, counted, worker, number, func(i int, _ []float64) { w.counter.Count(r.block[i].sample, w.scorerOf(i).score) })
		if err != nil {
			return err
		}
	}
	tabled := pool.Range{From: rare, To: terms.To}
	if rare == terms.To {
		return nil
	}
	docs, err := x.ShortLists(tabled)
	if err != nil {
		return err
	}
	runs := runsOf(x, tabled)
	return w.eachDraw(ctx, tabled, worker, number, func(i int, values []float64) {
		codes, docs := r.block[i].sample.ClassCodes(), docs
		for _, run := range runs {
			r.tables[run.df].values(values[:run.terms], docs, codes)
			values, docs = values[run.terms:], docs[run.terms*run.df:]
		}
	})
}

// eachDraw calls score for every permutation of the block, which sets the values of a range of
// terms, and counts those that are reached.
func (w *permuteWorker) eachDraw(ctx context.Context, terms pool.Range, worker, number int, score func(i int, values []float64)) error {
	values := w.values[terms.From:terms.To]
	for i := range w.permuter.block {
		if ctx.Err() != nil {
			return usage.Cause(ctx)
		}
		score(i, values)
		w.permuter.reached.Add(worker, number+i, terms.From, values)
	}
	return nil
}

// A termRun is consecutive terms of one document frequency.
type termRun struct{ df, terms int }

// runsOf returns the runs of a range of terms.
func runsOf(x *postings.Index, terms pool.Range) (runs []termRun) {
	for t := terms.From; t < terms.To; t++ {
		df := x.DF(t)
		if last := len(runs) - 1; last >= 0 && runs[last].df == df {
			runs[last].terms++
			continue
		}
		runs = append(runs, termRun{df, 1})
	}
	return runs
}

// Terms of few documents have tables of class values. Under permuted labels
// the largest class value of a term is then a look-up for each of its documents.

const (
	// tabledBelow is the document frequency below which terms have tables: 97 of 100 terms,
	// whose lists are never bitmaps.
	tabledBelow = 64
	// mostTableKeys bounds a table to the size of the first-level cache, 32 KiB.
	mostTableKeys = 1 << 12
	// mostPairedClasses is the number of classes up to which terms in two documents have a
	// table of all pairs of classes.
	mostPairedClasses = 63
)

// tabled are the measures of documents whose largest class value is the largest of the class
// values, to the bit. For dia, mi, lor, rs, rsw and rf a panel computes the value of the class
// that is largest by something cheaper, which rounding can make another class.
var tabled = []rank.Measure{
	rank.EMI, rank.IG, rank.ECE, rank.Chi, rank.NGL, rank.GSS, rank.OR, rank.BNS, rank.G2, rank.NDM, rank.Acc2, rank.PR,
}

// A classTable holds the class values of a measure of documents, for terms in df documents,
// as keys (see keyOf). It has a row for each class, and one more for unlabelled documents
// whose keys are the least: element row*(df+1) + a is the key of a term with a documents in
// the class.
type classTable struct {
	df      int
	classes int
	keys    []int64
	base    []uint16 // where each row begins
	absent  int64    // the largest key of a class without the term
	// few has the values of terms in one document by its class, or of terms in two by both, if there are not too many
	// classes; else it is nil.
	few []float64
}

// leastKey is below the key of every value.
const leastKey = math.MinInt64

// keyOf returns the key of the bits of a value: keys compare as their values do, without
// the branch of a floating-point comparison. It is its own inverse.
func keyOf(bits int64) int64 { return bits ^ int64(uint64(bits>>63)>>1) }

// valueOf returns the value of a key.
func valueOf(key int64) float64 { return math.Float64frombits(uint64(keyOf(key))) }

// newClassTable returns the table of terms in df documents, or nil if it would be too large
// or a value is undefined. classDocs has the number of documents of each class.
func newClassTable(p *score.Panel, m *score.Margins, df int) *classTable {
	classes := m.Classes()
	if (classes+1)*(df+1) > mostTableKeys || classes == 0 {
		return nil
	}
	t := &classTable{df: df, classes: classes, keys: make([]int64, (classes+1)*(df+1)), absent: leastKey}
	for c := range classes + 1 {
		t.base = append(t.base, uint16(c*(df+1)))
	}
	for i := range t.keys {
		t.keys[i] = leastKey
	}
	cells := &table.Tile{Start: []int{0}} // a term has one
	for c := range classes {
		for a := range df + 1 {
			if float64(a) > m.NC[c] || float64(df-a) > m.N-m.NC[c] {
				continue // no class of that size can have so many of the df documents
			}
			cells.DF, cells.Class, cells.A = append(cells.DF, uint32(df)), append(cells.Class, uint32(c)), append(cells.A, float64(a))
			cells.Start = append(cells.Start, len(cells.Class))
		}
	}
	values := make([]float64, len(cells.Class))
	p.Cells(cells, values)
	for i, v := range values {
		if math.IsNaN(v) {
			return nil
		}
		key := keyOf(int64(math.Float64bits(v)))
		if t.keys[int(t.base[cells.Class[i]])+int(cells.A[i])] = key; cells.A[i] == 0 {
			t.absent = max(t.absent, key)
		}
	}
	if df == 1 || df == 2 && classes <= mostPairedClasses {
		var codes []uint8
		var docs []uint32 // of each code, or each pair of them
		for c := range uint32(classes + 1) {
			if codes = append(codes, uint8(c)); df == 1 {
				docs = append(docs, c)
				continue
			}
			for d := range uint32(classes + 1) {
				docs = append(docs, c, d)
			}
		}
		few := make([]float64, len(docs)/df)
		t.values(few, docs, codes)
		t.few = few
	}
	return t
}

// largest returns the largest key of the elements that row has for each class.
func (t *classTable) largest(row []uint16) int64 {
	largest := int64(leastKey)
	for _, i := range row[:t.classes] {
		largest = max(largest, t.keys[i])
	}
	return largest
}

// values sets dst to the values of consecutive terms in t.df documents each. docs are these
// documents, term by term, and codes the classes of all documents of the corpus; the number
// of classes stands for an unlabelled one.
func (t *classTable) values(dst []float64, docs []uint32, codes []uint8) {
	few, classes := t.few, t.classes+1
	switch {
	case few != nil && t.df == 1:
		for i, d := range docs[:len(dst)] {
			dst[i] = few[codes[d]]
		}
		return
	case few != nil:
		docs = docs[:2*len(dst)]
		for i := range dst {
			dst[i] = few[int(codes[docs[2*i]])*classes+int(codes[docs[2*i+1]])]
		}
		return
	}
	// row has for each class the element of the table that its documents so far lead to. It has a place for every code,
	// so that the compiler omits the checks of bounds.
	var row [1 << 8]uint16
	keys, n := t.keys, t.df
	for i := range dst {
		copy(row[:], t.base)
		for _, d := range docs[:n] {
			row[codes[d]]++
		}
		largest := int64(leastKey)
		for _, d := range docs[:n] {
			largest = max(largest, keys[row[codes[d]]])
		}
		if docs = docs[n:]; largest < t.absent { // perhaps a class without the term has it: rare
			largest = t.largest(row[:])
		}
		dst[i] = valueOf(largest)
	}
}
