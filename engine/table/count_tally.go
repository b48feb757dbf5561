package table

import (
	"context"
	"slices"
	"strings"
)

// A Tally counts a stream of documents, with terms and classes in the numbers of the caller, in memory
// that grows with the terms and cells and not with the documents. It belongs to one goroutine.
//
// Documents wait until they are counted class by class. A class keeps lists of cells, which are added up
// when they have become twice as long as the first. Documents that come class by class wait, too: to
// count each at once would drive the tables of the analysis out of the caches.
type Tally struct {
	classes []tallied
	// beside has what terms have beside their cells: of a document of n labels 1-n times its
	// counts, so that the cells of a term, with this, add up to its documents and occurrences.
	// It is empty while all documents have one label.
	beside []beside

	waiting       []waiting
	order         []uint64 // scratch memory: of waiting, by class
	terms, counts []uint32 // of the documents that wait
	most          uint32   // a number above those of all terms
	counter       Counter

	documents, labelled, empty float64
	tokens                     float64 // when the table is taken
}

type beside struct{ docs, sum int64 }

// tallied is what was counted of a class: the documents, and the cells of those that do not wait.
type tallied struct {
	docs  float64
	lists []list
	cells int // of all lists
}

// waiting is a document that is to be counted in a class.
type waiting struct {
	class    uint32
	from, to uint32 // in Tally.terms
}

// mostWaiting bounds the elements that wait, to 4 MiB. leastWaiting is for what room is made first.
const (
	mostWaiting  = 1 << 19
	leastWaiting = 1 << 14
)

// NewTally returns a tally without documents.
func NewTally() *Tally { return &Tally{} }

// Bytes returns about how much memory the tally takes.
func (t *Tally) Bytes() int64 {
	n := int64(16*cap(t.beside) + 8*cap(t.terms) + 16*cap(t.waiting))
	for i := range t.classes {
		n += int64(8 * t.classes[i].cells)
	}
	return n
}

// Add adds a document: its classes, each once, and its terms, each once, with their counts.
func (t *Tally) Add(classes, terms, counts []uint32) {
	t.documents++
	if len(terms) == 0 {
		t.empty++
	}
	if len(classes) > 0 {
		t.labelled++
	}
	for _, number := range classes {
		for int(number) >= len(t.classes) {
			t.classes = append(t.classes, tallied{})
		}
		t.classes[number].docs++
	}
	if len(classes) > 0 && len(terms) > 0 {
		t.wait(classes, terms, counts)
	}
	if len(classes) != 1 {
		t.addBeside(int64(1-len(classes)), terms, counts)
	}
}

// wait keeps the elements of a document until they are counted in its classes.
func (t *Tally) wait(classes, terms, counts []uint32) {
	if len(t.terms)+len(terms) > mostWaiting {
		t.countWaiting()
	}
	if n := len(t.terms) + len(terms); n > cap(t.terms) { // append would make a quarter more, and copy more often
		n = max(leastWaiting, min(mostWaiting, 4*n)) - len(t.terms)
		t.terms, t.counts = slices.Grow(t.terms, n), slices.Grow(t.counts, n)
	}
	from := uint32(len(t.terms))
	t.terms, t.counts = append(t.terms, terms...), append(t.counts, counts...)
	for _, number := range classes {
		t.waiting = append(t.waiting, waiting{number, from, uint32(len(t.terms))})
	}
}

// addBeside adds n times the elements of a document to what terms have beside their cells.
func (t *Tally) addBeside(n int64, terms, counts []uint32) {
	for i, term := range terms {
		if more := int(term) + 1 - len(t.beside); more > 0 {
			t.beside = append(t.beside, make([]beside, more)...)
		}
		b := &t.beside[term]
		b.docs += n
		b.sum += n * int64(counts[i])
	}
}

// countWaiting counts the documents that wait, class by class.
func (t *Tally) countWaiting() {
	if len(t.terms) > 0 {
		t.most = max(t.most, slices.Max(t.terms)+1)
	}
	t.counter.grow(int(t.most))
	t.order = t.order[:0]
	for i, w := range t.waiting {
		t.order = append(t.order, uint64(w.class)<<32|uint64(i))
	}
	slices.Sort(t.order)
	for from, to := 0, 0; from < len(t.order); from = to {
		number := t.order[from] >> 32
		for to = from; to < len(t.order) && t.order[to]>>32 == number; to++ {
		}
		of := &t.classes[number]
		elements := 0
		for _, key := range t.order[from:to] {
			w := &t.waiting[uint32(key)]
			elements += int(w.to - w.from)
		}
		again := len(of.lists) > 0 && of.cells+elements > 2*len(of.lists[0].at)
		t.countClass(of, t.order[from:to], elements, again)
	}
	t.waiting, t.terms, t.counts = t.waiting[:0], t.terms[:0], t.counts[:0]
}

// countClass counts documents of a class, which have so many elements, and again what its lists have
// if these are to become one.
func (t *Tally) countClass(of *tallied, docs []uint64, elements int, all bool) {
	var again []list
	if all {
		again, elements = of.lists, elements+of.cells
		of.lists, of.cells = nil, 0
	}
	for i := range again {
		t.counter.addList(&again[i])
	}
	for _, key := range docs {
		w := &t.waiting[uint32(key)]
		t.counter.Add(t.terms[w.from:w.to], t.counts[w.from:w.to])
	}
	of.keep(t.counter.end(elements, func() {
		for i := range again {
			t.counter.meet(again[i].at)
		}
		for _, key := range docs {
			w := &t.waiting[uint32(key)]
			t.counter.meet(t.terms[w.from:w.to])
		}
	}))
}

// keep adds a list to those of a class.
func (of *tallied) keep(l list) {
	of.lists, of.cells = append(of.lists, l), of.cells+len(l.at)
}

// EmptyDocuments returns the number of documents without a term.
func (t *Tally) EmptyDocuments() int { return int(t.empty) }

// Tokens returns the sum of all counts, once the table was taken.
func (t *Tally) Tokens() float64 { return t.tokens }

// Table returns the table of the documents that were added, with the terms and the names of the
// classes by their numbers. Terms without a document are left out. It empties the tally.
func (t *Tally) Table(ctx context.Context, terms *Dictionary, classes []string) (*Table, error) {
	t.countWaiting()
	order := make([]int, len(classes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(classes[i], classes[j]) })
	s := &Table{}
	s.Cells.Documents, s.Cells.Labelled = t.documents, t.labelled
	lists := make([]list, len(classes)+1) // the last of documents without a class, which are beside
	for place, class := range order {
		of := &t.classes[class]
		if len(of.lists) > 1 {
			t.countClass(of, nil, 0, true)
		}
		s.ClassNames, s.Cells.ClassDocs = append(s.ClassNames, classes[class]), append(s.Cells.ClassDocs, of.docs)
		if len(of.lists) > 0 {
			lists[place] = of.lists[0]
		}
	}
	t.classes, t.waiting, t.order, t.terms, t.counts, t.counter = nil, nil, nil, nil, nil, Counter{}
	a, err := assemble(ctx, 1, lists, terms.Len(), false, &s.Cells)
	if err != nil {
		return nil, err
	}
	for term, b := range t.beside {
		of := &a.totals[term]
		of.df, of.cf = of.df+uint32(b.docs), of.cf+uint64(b.sum)
		s.Cells.Tokens += float64(b.sum)
	}
	t.beside, t.tokens = nil, s.Cells.Tokens
	ordered, names, err := terms.ByFrequency(ctx, 1, func(term uint32) uint32 { return a.totals[term].df })
	if err != nil {
		return nil, err
	}
	s.Names = names
	return s, a.finish(ctx, 1, ordered)
}
