package words

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
)

// This file tells what stands near a word.

// WindowCounts say what is counted around a node. The zero value is [Span].
type WindowCounts string

// What is counted.
const (
	// Span counts each position near an occurrence of the node once, however many occurrences it is near to, and
	// not the node itself: N is the number of all positions but those of the node, R1 the number of these positions
	// that are near it, C1 the number of them that have the word. That is an exact table (Evert 2008).
	Span WindowCounts = "span"
	// Pairs counts a word once for each occurrence of the node that it is near to. Of it and the node
	// (l+r)·f(x)·f(y)/T are expected, with l and r words on either side; there is no table.
	Pairs WindowCounts = "pairs"
)

// WindowKinds lists the ways to count, the default first.
func WindowKinds() []WindowCounts { return []WindowCounts{Span, Pairs} }

// WindowOptions say which collocates of a node to find.
type WindowOptions struct {
	// Node is a word or several in a row, with * and ? as [Search] has them: it is analysed as the texts are.
	Node string
	// Left and Right are the numbers of words before and behind the node that are near; one at least is positive.
	Left, Right int
	Counts      WindowCounts
	Measure     Measure // "" is [LL]; of Pairs [LogDice]
	Parameters
	Choice  // MinFreq, of times near the node, 0 is [DefaultMinFreq]
	Threads int
}

// MostWindow is the largest number of words on a side.
const MostWindow = 1000

// pairMeasures are the measures that need no table.
var pairMeasures = []Measure{LogDice, PMI, MI3, T, Z}

// A Window has the collocates of a node in one class, or in the whole corpus.
type Window struct {
	Class      string // "" is the whole corpus
	Node       string // as it is in terms
	Frequency  int    // of the node
	Near       int    // positions near the node, or pairs of a position and the node
	Tokens     int    // all positions
	Types      int    // different words near the node
	Passed     int    // of these, with the least frequency and not left out
	Collocates []Collocation
}

// WithDefaults returns the options with their defaults, or a [usage.ErrUsage] for options that are wrong whatever the
// texts.
func (o WindowOptions) WithDefaults() (WindowOptions, error) {
	o.Counts, o.MinFreq = cmp.Or(o.Counts, Span), cmp.Or(o.MinFreq, DefaultMinFreq)
	if o.Measure == "" && o.Counts == Pairs {
		o.Measure = LogDice
	}
	o.Measure = cmp.Or(o.Measure, LL)
	if err := cmp.Or(CheckMeasure(o.Measure), o.Parameters.check(), o.Choice.check()); err != nil {
		return o, err
	}
	switch {
	case strings.TrimSpace(o.Node) == "":
		return o, usage.Errorf("the node is empty: name a word")
	case o.Left < 0 || o.Right < 0 || o.Left == 0 && o.Right == 0:
		return o, usage.Errorf("a window has a positive number of words on a side: %d before the node, %d behind it", o.Left, o.Right)
	case max(o.Left, o.Right) > MostWindow:
		return o, usage.Errorf("a window has at most %d words on a side, not %d", MostWindow, max(o.Left, o.Right))
	case !slices.Contains(WindowKinds(), o.Counts):
		return o, usage.Unknown("count of windows", string(o.Counts), namesOf(WindowKinds()))
	case o.Counts == Pairs && !slices.Contains(pairMeasures, o.Measure):
		return o, usage.Errorf("%s needs a table of counts, which pairs in windows have not: take %s, or count spans", o.Measure, strings.Join(namesOf(pairMeasures), ", "))
	}
	return o, nil
}

// Around returns the collocates of a node in the texts of batches of documents: one list, or one for each
// class that has the node. It reads them once, in memory that grows with the vocabulary, and of EachClass with
// that of every class. A node that no text has is a [usage.UnknownError] that names similar words, a class that
// no document has one that names similar classes. The batches are run on other goroutines than the caller's.
func Around(ctx context.Context, batches document.Batches, opt ingest.Options, o WindowOptions) (all []Window, err error) {
	if o, err = o.WithDefaults(); err != nil {
		return nil, err
	}
	opt.Analysis.NGrams, opt.Threads = "", o.Threads
	if err := CheckWords(opt.Analysis); err != nil {
		return nil, err
	}
	err = ingest.Decided(ctx, batches, opt, func(batches document.Batches, decided analysis.Options) error {
		if err := CheckWords(decided); err != nil {
			return err
		}
		w, err := newWindows(decided, o)
		if err != nil {
			return err
		}
		texts, err := eachText(ctx, "read", o.Threads, batches, "what stands near a word needs their text", func(worker int, d *document.Document, _ place) error {
			w.workers[worker].add(d)
			return nil
		})
		switch {
		case err != nil:
			return err
		case texts == 0:
			return fmt.Errorf("%w: there are no documents", usage.ErrData)
		}
		all, err = w.lists()
		return err
	})
	return all, err
}

// windows count the words near a node on several workers.
type windows struct {
	WindowOptions
	sentences bool     // which no window leaves
	node      []string // its words
	without   *analysis.StopTerms
	workers   []*windowWorker
	matchers  []*matcher
}

// A windowWorker is what one goroutine counts with.
type windowWorker struct {
	*windows
	m       *matcher
	classes map[string]*near // by the class of a list, "" for all documents
	labels  map[string]bool  // of all documents
	of      []*near          // that the document in hand counts for

	cover  []int32  // by position: how many occurrences it is near to
	inNode []bool   // by position
	seen   []uint32 // the terms near the node in the document in hand, some of them several times
}

// near has the counts of some documents.
type near struct {
	node, positions, tokens int64
	terms                   map[uint32]*nearTerm
}

// A nearTerm has the counts of a term: how often it occurs, of Span without what is inside the node, how often it is
// near the node, and in how many documents.
type nearTerm struct{ frequency, near, documents int64 }

// of returns the counts of a term by its number.
func (n *near) of(number uint32) *nearTerm {
	t := n.terms[number]
	if t == nil {
		t = &nearTerm{}
		n.terms[number] = t
	}
	return t
}

func newWindows(a analysis.Options, o WindowOptions) (*windows, error) {
	q, err := newQuery(a, []Search{{Patterns: []string{o.Node}}})
	if err != nil {
		return nil, err
	}
	w := &windows{WindowOptions: o, sentences: a.Sentences, node: q.typed()}
	if w.without, err = o.leftOut(a); err != nil {
		return nil, err
	}
	for range pool.Threads(o.Threads) {
		m := newMatcher(q)
		w.workers = append(w.workers, &windowWorker{windows: w, m: m, classes: map[string]*near{}, labels: map[string]bool{}})
		w.matchers = append(w.matchers, m)
	}
	return w, nil
}

// add counts a document.
func (w *windowWorker) add(d *document.Document) {
	w.of, w.seen = w.of[:0], w.seen[:0]
	if !w.EachClass && (w.Class == "" || slices.Contains(d.Labels, w.Class)) {
		w.of = append(w.of, w.nearIn(w.Class))
	}
	for i, label := range d.Labels {
		if !w.labels[label] {
			w.labels[strings.Clone(label)] = true
		}
		if w.EachClass && !slices.Contains(d.Labels[:i], label) {
			w.of = append(w.of, w.nearIn(label))
		}
	}
	if w.sentences {
		w.m.counter.EachPart(d.Text, w.addRun)
	} else {
		w.addRun(w.m.counter.InOrder(d.Text))
	}
	slices.Sort(w.seen)
	for _, term := range slices.Compact(w.seen) {
		for _, of := range w.of {
			of.of(term).documents++
		}
	}
}

// nearIn returns the counts of a class.
func (w *windowWorker) nearIn(class string) *near {
	n := w.classes[class]
	if n == nil {
		n = &near{terms: map[uint32]*nearTerm{}}
		w.classes[strings.Clone(class)] = n
	}
	return n
}

// addRun counts the terms of a document, or of a sentence that no window leaves.
func (w *windowWorker) addRun(terms []uint32) {
	occurrences := w.mark(terms)
	for _, of := range w.of {
		of.tokens += int64(len(terms))
		for at, term := range terms {
			if w.Counts == Pairs || !w.inNode[at] {
				of.of(term).frequency++
			}
		}
		of.node += int64(occurrences)
	}
	if occurrences > 0 && len(w.of) > 0 {
		w.addNear(terms)
	}
}

// mark sets w.cover and w.inNode of the terms of a document, and returns how often they have the node, from the
// left. It adds 1 where the neighbourhood of an occurrence begins, and takes it away where it ends.
func (w *windowWorker) mark(terms []uint32) (occurrences int) {
	n := len(terms)
	w.cover, w.inNode = append(w.cover[:0], make([]int32, n+1)...), append(w.inNode[:0], make([]bool, n)...)
	end := 0
	w.m.found = w.m.found[:0]
	w.m.search(terms, 0)
	for _, x := range w.m.found {
		at := int(x.at)
		if at < end {
			continue
		}
		end = at + len(w.node)
		occurrences++
		w.cover[max(0, at-w.Left)]++
		w.cover[at]--
		w.cover[end]++
		w.cover[min(n, end+w.Right)]--
		for ; at < end; at++ {
			w.inNode[at] = true
		}
	}
	return occurrences
}

// addNear counts the terms of a document that are near the node.
func (w *windowWorker) addNear(terms []uint32) {
	depth := int32(0)
	for at, term := range terms {
		depth += w.cover[at]
		times := int64(depth)
		if w.Counts == Span {
			times = min(times, 1)
			if w.inNode[at] {
				times = 0
			}
		}
		if times == 0 {
			continue
		}
		for _, of := range w.of {
			of.positions += times
			of.of(term).near += times
		}
		w.seen = append(w.seen, term)
	}
}

// lists returns the collocates: of each class in the order of their names, if each is asked for.
func (w *windows) lists() (all []Window, err error) {
	labels := map[string]bool{}
	for _, worker := range w.workers {
		maps.Copy(labels, worker.labels)
	}
	classes, _, err := w.classes(slices.Sorted(maps.Keys(labels)))
	if err != nil {
		return nil, err
	}
	found := false
	for _, class := range classes {
		list := w.list(class)
		found = found || list.Frequency > 0
		if list.Passed > 0 {
			all = append(all, list)
		}
	}
	switch {
	case !found:
		return nil, w.unknownNode()
	case len(all) == 0:
		return nil, fmt.Errorf("%w: no word is near %s %d times", ErrNone, strings.Join(w.node, " "), w.MinFreq)
	}
	return all, nil
}

// list returns the collocates in a class, or those of the whole corpus.
func (w *windows) list(class string) Window {
	s, terms := &near{}, map[string]*nearTerm{}
	for _, worker := range w.workers {
		n := worker.nearIn(class)
		s.node, s.positions, s.tokens = s.node+n.node, s.positions+n.positions, s.tokens+n.tokens
		for number, of := range n.terms {
			name := worker.m.counter.Term(number)
			to := terms[string(name)]
			if to == nil {
				to = &nearTerm{}
				terms[string(name)] = to
			}
			to.frequency, to.near, to.documents = to.frequency+of.frequency, to.near+of.near, to.documents+of.documents
		}
	}
	l := Window{Class: class, Node: strings.Join(w.node, " "), Frequency: int(s.node), Near: int(s.positions), Tokens: int(s.tokens)}
	best := rank.Best[Collocation]{Most: w.Top, Order: func(a, b Collocation) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Term, b.Term))
	}}
	for word, of := range terms {
		if of.near == 0 {
			continue
		}
		l.Types++
		if of.near >= int64(w.MinFreq) && !w.without.Has([]byte(word)) {
			l.Passed++
			best.Offer(w.collocate(word, s, of))
		}
	}
	l.Collocates = best.Sorted()
	return l
}

// collocate returns a word with its values.
func (w *windows) collocate(word string, s *near, of *nearTerm) Collocation {
	frequency := float64(of.frequency)
	c := counts{O: float64(of.near), N: float64(s.tokens)}
	if w.Counts == Pairs {
		c.Marginals = []float64{float64(s.node), frequency}
		c.Expected = float64(w.Left+w.Right) * float64(s.node) * frequency / c.N
	} else {
		c.N -= float64(len(w.node)) * float64(s.node)
		c.Marginals = []float64{float64(s.positions), frequency}
		c.Cells = cellsOf(nil, make([]uint32, 2), c.N, c.Marginals, c.O)
	}
	j := w.judge(&c)
	return j.collocation(word, float64(of.documents), definitionOf(w.Measure).value(&j))
}

// unknownNode returns the error for a node that no document has.
func (w *windows) unknownNode() error {
	node, where := strings.Join(w.node, " "), "no text has it"
	if w.Class != "" {
		where = fmt.Sprintf("no text of class %s has it", w.Class)
	}
	return &usage.UnknownError{Kind: "term", Name: node, Near: nearest(node, w.matchers), Remedy: where}
}
