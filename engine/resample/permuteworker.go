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
	w := &permuteWorker{permuter: r, values: make([]float64, r.corpus.Terms())}
	w.counter = r.corpus.Index().NewListCounter(r.tokens != nil)
	w.startBlock(len(r.block))
	return w
}

// startBlock prepares for a block of draws permutations. A measure of documents has the
// same margins in all of them, so that the first scorer serves all blocks.
func (w *permuteWorker) startBlock(draws int) {
	if w.permuter.tokens != nil || w.scorers == nil {
		w.scorers = make([]*termScorer, draws)
	}
}

// scorerOf returns the scorer for permutation i of the block.
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
	// rising reports whether keys of a class do not fall from a = 1 on. The largest key over
	// the documents of a term, each counted when it comes, is then that of all classes.
	rising bool
	// alone has, by class, the key of a term in one document, if df is 1; paired, by two
	// classes, that of a term in two, if df is 2 and there are not too many classes.
	alone, paired []int64
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
	t := &classTable{df: df, classes: classes, keys: make([]int64, (classes+1)*(df+1)), absent: leastKey, rising: true}
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
		t.set(int(cells.Class[i]), int(cells.A[i]), keyOf(int64(math.Float64bits(v))))
	}
	t.combine()
	return t
}

// set sets the key of a term with a documents in class c. The keys of a class are set in
// the order of a.
func (t *classTable) set(c, a int, key int64) {
	own := t.keys[t.base[c]:][:t.df+1]
	own[a] = key
	if a == 0 {
		t.absent = max(t.absent, key)
	}
	if a > 1 && key < own[a-1] {
		t.rising = false
	}
}

// combine makes the tables of terms in one and in two documents.
func (t *classTable) combine() {
	row := make([]uint16, len(t.base))
	switch {
	case t.df == 1:
		for c := range t.base {
			copy(row, t.base)
			row[c]++
			t.alone = append(t.alone, t.largest(row))
		}
	case t.df == 2 && t.classes <= mostPairedClasses:
		for c := range t.base {
			for d := range t.base {
				copy(row, t.base)
				row[c]++
				row[d]++
				t.paired = append(t.paired, t.largest(row))
			}
		}
	}
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
	switch {
	case t.alone != nil:
		alone := t.alone
		for i, d := range docs[:len(dst)] {
			dst[i] = valueOf(alone[codes[d]])
		}
	case t.paired != nil:
		paired, n := t.paired, len(t.base)
		docs = docs[:2*len(dst)]
		for i := range dst {
			dst[i] = valueOf(paired[int(codes[docs[2*i]])*n+int(codes[docs[2*i+1]])])
		}
	case t.rising:
		t.risingValues(dst, docs, codes)
	default:
		t.countedValues(dst, docs, codes)
	}
}

// tableRow has for each class the element of a table that its documents so far lead to. It
// has a place for every code, so that the compiler omits the checks of bounds.
type tableRow = [1 << 8]uint16

// risingValues is values for a table that rises.
func (t *classTable) risingValues(dst []float64, docs []uint32, codes []uint8) {
	var row tableRow
	keys, n := t.keys, t.df
	for i := range dst {
		copy(row[:], t.base)
		largest := int64(leastKey)
		for _, d := range docs[:n] {
			c := codes[d]
			at := row[c] + 1
			row[c] = at
			largest = max(largest, keys[at])
		}
		if docs = docs[n:]; largest < t.absent { // rare: perhaps a class without the term
			largest = t.largest(row[:])
		}
		dst[i] = valueOf(largest)
	}
}

// countedValues is values for any table: it counts all documents of a term before it looks
// at the keys of all classes.
func (t *classTable) countedValues(dst []float64, docs []uint32, codes []uint8) {
	var row tableRow
	for i := range dst {
		copy(row[:], t.base)
		for _, d := range docs[:t.df] {
			row[codes[d]]++
		}
		docs = docs[t.df:]
		dst[i] = valueOf(t.largest(row[:]))
	}
}
