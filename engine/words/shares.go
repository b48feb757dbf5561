package words

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file has the measures that look at every document: at x = f/L, the share of a term in a
// document of L tokens that has it f times. A document without tokens has the share 0.

// A listed is a term in the documents of one corpus.
type listed struct {
	index     *postings.Index
	documents int // of the corpus, empty ones included
	lengths   *lengths
	list      postings.List // of the documents with the term
	shares    []float64     // of the term in them
	sorted    []float64
}

// read reads a term by its number, -1 for one that the corpus lacks. The index must be guarded.
func (l *listed) read(term int) error {
	if term < 0 {
		l.list.Docs, l.list.TF, l.shares = l.list.Docs[:0], l.list.TF[:0], l.shares[:0]
		return nil
	}
	if err := l.index.Read(term, &l.list); err != nil {
		return err
	}
	l.shares = slices.Grow(l.shares[:0], len(l.list.Docs))[:len(l.list.Docs)]
	for i, d := range l.list.Docs {
		l.shares[i] = l.list.TF[i] / l.lengths.tokens[d]
	}
	return nil
}

// without returns the number of documents that lack the term.
func (l *listed) without() int { return l.documents - len(l.shares) }

// sample returns the shares in all documents.
func (l *listed) sample() pvalue.Sample { return pvalue.NewSample(l.shares, l.without()) }

// deviation returns Gries's deviation of proportions over all documents: 1, its bound, in a corpus without the term.
func (l *listed) deviation() float64 {
	if len(l.shares) == 0 {
		return 1
	}
	return l.lengths.deviation(&l.list)
}

// A listedPair is a term in the documents of both corpora.
type listedPair struct {
	of        [2]listed
	documents *scorer // of documents, for p-values
}

// A verdict is what a measure of documents says of a term.
type verdict struct {
	value, lnP float64
	sign       int // of the key
}

// ranks ranks all documents by the share.
func (p *listedPair) ranks() *pvalue.RankSum {
	var ranks pvalue.RankSum
	ranks.Add(p.of[target].without(), p.of[reference].without())
	first, second := p.of[target].ascending(), p.of[reference].ascending()
	for {
		least := min(first[0], second[0])
		if math.IsInf(least, 1) {
			return &ranks
		}
		n, m := leading(first, least), leading(second, least)
		ranks.Add(n, m)
		first, second = first[n:], second[m:]
	}
}

// ascending returns the shares in ascending order, with infinity behind the last.
func (l *listed) ascending() []float64 {
	l.sorted = append(append(l.sorted[:0], l.shares...), math.Inf(1))
	slices.Sort(l.sorted)
	return l.sorted
}

// ofRanks returns the measure of a value of the rank sum, which has the p-value and the sign of that.
func ofRanks(value func(r *pvalue.RankSum) float64) func(p *listedPair) verdict {
	return func(p *listedPair) verdict {
		r := p.ranks()
		return verdict{value(r), r.LnP(), r.Sign()}
	}
}

// leading returns how many values at the beginning are v.
func leading(values []float64, v float64) (n int) {
	for n < len(values) && values[n] == v {
		n++
	}
	return n
}

// ofMeans returns the measure of a value of t and of the mean shares, which has the p-value of Welch's test.
func ofMeans(value func(t, first, second float64) float64) func(p *listedPair) verdict {
	return func(p *listedPair) verdict {
		first, second := p.of[target].sample(), p.of[reference].sample()
		t, _, lnP := pvalue.Welch(first, second)
		return verdict{value(t, first.Mean, second.Mean), lnP, cmp.Compare(first.Mean, second.Mean)}
	}
}

// evenness compares the dispersions, and has the p-value and the sign of the numbers of documents.
func (p *listedPair) evenness() verdict {
	with := pair{float64(len(p.of[target].shares)), float64(len(p.of[reference].shares))}
	return verdict{p.of[reference].deviation() - p.of[target].deviation(), chiSquareP(p.documents.value(&fourCells, with)), int(p.documents.sign(with))}
}

// openLists makes the reader of terms if a measure needs it.
func (c *Comparison) openLists(ctx context.Context) error {
	for _, m := range c.Measures {
		if keyMeasureOf(m).listed == nil {
			continue
		}
		if err := c.needDocuments(ctx, string(m)); err != nil {
			return err
		}
		if c.lists == nil {
			c.lists = c.newListedPair()
		}
	}
	if m := c.by.Measure; m == Welch || m == RRF {
		for _, s := range c.sides {
			if s.Documents < 2 {
				c.Warnings = append(c.Warnings, fmt.Sprintf("the %s is one document, whose shares do not vary: t and its p-value are undefined", s.name))
			}
		}
	}
	return nil
}

// needDocuments returns an error unless both corpora have documents, and counts the tokens of
// these.
func (c *Comparison) needDocuments(ctx context.Context, what string) error {
	for _, s := range c.sides {
		if s.index == nil {
			return usage.Errorf("%s looks at every document, and the %s is counts without documents: use its index or its text, or a measure of counts, such as %s or %s",
				what, s.name, LL, TDK)
		}
		if err := s.measure(ctx); err != nil {
			return err
		}
	}
	return nil
}

// newListedPair returns a reader of terms for one goroutine.
func (c *Comparison) newListedPair() *listedPair {
	p := &listedPair{documents: c.newScorer(ofDocuments)}
	for i, s := range c.sides {
		p.of[i] = listed{index: s.index, documents: s.Documents, lengths: s.parts}
	}
	return p
}

// indexes returns those of both corpora.
func (c *Comparison) indexes() []*postings.Index {
	return []*postings.Index{c.sides[target].index, c.sides[reference].index}
}

// read reads a term in both corpora, whose indexes must be guarded.
func (p *listedPair) read(term table.United) error {
	return cmp.Or(p.of[target].read(term[target]), p.of[reference].read(term[reference]))
}

// judgedTerms is the number of terms that a worker judges at a time: some have a million documents.
const judgedTerms = 1 << 8

// judge computes the values, the p-values and the signs of all terms from their lists.
func (c *Comparison) judge(ctx context.Context) error {
	n := len(c.pairs)
	readers := make([]*listedPair, pool.Threads(c.Options.Threads))
	return postings.RunOver(ctx, c.indexes(), c.Options.Threads, (n+judgedTerms-1)/judgedTerms, func(worker, chunk int) error {
		p := readers[worker]
		if p == nil {
			p = c.newListedPair()
			readers[worker] = p
		}
		for i := chunk * judgedTerms; i < min(n, (chunk+1)*judgedTerms); i++ {
			if err := p.read(c.pairs[i]); err != nil {
				return err
			}
			j := c.by.listed(p)
			c.values[i], c.lnP[i], c.signs[i] = j.value, j.lnP, int8(j.sign)
		}
		return nil
	})
}

// Permutations test terms: which documents are the target is drawn anew, as many as
// there are, and the value of every term is computed again. The null hypothesis is that the documents
// of both corpora are of one kind. Nothing is assumed of tokens.

const (
	// blockDraws bounds the divisions that are held at a time. Each worker has scorers for every one.
	blockDraws = 64
	// blockBytes bounds the memory of the divisions of a block.
	blockBytes = 16 << 20
)

// permute sets the p-values of all terms.
func (c *Comparison) permute(ctx context.Context) error {
	if err := c.needDocuments(ctx, "a permutation"); err != nil {
		return err
	}
	o, n := &c.Options, len(c.pairs)
	d := newDivisions(slices.Concat(c.sides[target].parts.tokens, c.sides[reference].parts.tokens), c.Target.Documents, o.Permutations, o.Seed)
	if d.every {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%d documents have only %d divisions into %d and %d: each was taken once, and p-values are exact",
			len(d.tokens), d.draws, c.Target.Documents, c.Reference.Documents))
	}
	if c.by.uncentred {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s is not 0 where corpora do not differ, and permutations compare distances from 0: a negative key gets no small p-value", c.by.Measure))
	}
	distances, tested := make([]float64, n), make([]bool, n)
	for place, v := range c.values {
		distances[place] = math.Abs(v)
	}
	for _, place := range c.tested {
		tested[place] = true
	}
	workers := make([]*drawWorker, pool.Threads(o.Threads))
	c.reached = rank.NewReached(distances, tested, d.draws, len(workers))
	c.reached.Every = d.every
	size := min(blockDraws, max(1, blockBytes/(len(d.tokens)/8+1)))
	for from := 0; from < d.draws; from += size {
		block, err := d.block(ctx, o.Threads, from, min(from+size, d.draws))
		if err != nil {
			return err
		}
		clear(workers)
		err = postings.RunOver(ctx, c.indexes(), o.Threads, (n+judgedTerms-1)/judgedTerms, func(worker, chunk int) error {
			if workers[worker] == nil {
				workers[worker] = c.newDrawWorker(block)
			}
			return workers[worker].count(worker, from, chunk*judgedTerms, min(n, (chunk+1)*judgedTerms))
		})
		if err != nil {
			return err
		}
	}
	c.reached.Join()
	for place := range c.lnP {
		c.lnP[place] = kernels.Log(c.reached.P(place))
	}
	return nil
}

// A drawWorker computes the values of terms in a block of divisions on one goroutine. The documents of the reference
// are numbered behind those of the target.
type drawWorker struct {
	c       *Comparison
	block   []division
	scorers []*scorer     // by division, of a measure of counts
	shares  []postedShare // of the terms at hand
	ends    []int         // by term
	counts  []pair
	values  []float64
	list    postings.List
	parts   *listedPair
}

// A postedShare is a document with a term.
type postedShare struct {
	doc       uint32
	tf, share float64
}

func (c *Comparison) newDrawWorker(block []division) *drawWorker {
	w := &drawWorker{c: c, block: block, parts: c.newListedPair()}
	for i := range block {
		v, s := &block[i], w.parts.documents
		if c.unit == ofTokens {
			s = c.Options.newScorer(ofTokens, newTotals(v.tokens), c.Tested)
		}
		w.scorers = append(w.scorers, s)
	}
	return w
}

// mostShares bounds the memory of the terms at hand, which stay in the cache from one division to the next.
const mostShares = 1 << 13

// count counts the values of the terms [from, to) in the block, whose first division has a number.
func (w *drawWorker) count(worker, number, from, to int) error {
	for from < to {
		w.shares, w.ends = w.shares[:0], w.ends[:0]
		first := from
		for ; from < to && len(w.shares) < mostShares; from++ {
			if err := w.read(w.c.pairs[from]); err != nil {
				return err
			}
		}
		w.values = slices.Grow(w.values[:0], len(w.ends))[:len(w.ends)]
		for i := range w.block {
			w.evaluate(&w.block[i], w.scorers[i])
			for k, v := range w.values {
				if w.values[k] = math.Abs(v); math.IsNaN(v) {
					w.values[k] = 0
				}
			}
			w.c.reached.Add(worker, number+i, first, w.values)
		}
	}
	return nil
}

// read adds a term. For a rank sum it puts the documents in the order of their shares, which the parts
// of a division keep.
func (w *drawWorker) read(term table.United) error {
	begin, first := len(w.shares), uint32(0)
	for i, s := range w.c.sides {
		if term[i] >= 0 {
			if err := s.index.Read(term[i], &w.list); err != nil {
				return err
			}
			for j, doc := range w.list.Docs {
				tf := w.list.TF[j]
				w.shares = append(w.shares, postedShare{first + doc, tf, tf / s.parts.tokens[doc]})
			}
		}
		first = uint32(len(s.parts.tokens))
	}
	if w.c.by.ranks() {
		slices.SortStableFunc(w.shares[begin:], func(a, b postedShare) int { return cmp.Compare(a.share, b.share) })
	}
	w.ends = append(w.ends, len(w.shares))
	return nil
}

// evaluate sets the values of the terms at hand in a division.
func (w *drawWorker) evaluate(v *division, s *scorer) {
	begin := 0
	w.counts = w.counts[:0]
	for i, end := range w.ends {
		term := w.shares[begin:end]
		if begin = end; w.c.by.listed != nil {
			w.values[i] = w.c.by.listed(w.split(v, term)).value
			continue
		}
		var t pair
		for _, p := range term {
			n := p.tf
			if w.c.unit == ofDocuments {
				n = 1
			}
			t[v.side(p.doc)] += n
		}
		w.counts = append(w.counts, t)
	}
	switch {
	case w.c.by.listed != nil:
	case s.all[target] > 0 && s.all[reference] > 0:
		s.values(w.c.by, w.counts, w.values)
	default:
		clear(w.values)
	}
}

// split returns a term in the documents of both parts.
func (w *drawWorker) split(v *division, term []postedShare) *listedPair {
	for i := range w.parts.of {
		l := &w.parts.of[i]
		l.list.Docs, l.list.TF, l.shares = l.list.Docs[:0], l.list.TF[:0], l.shares[:0]
		l.lengths = &v.lengths[i]
	}
	for _, x := range term {
		l := &w.parts.of[v.side(x.doc)]
		l.list.Docs, l.list.TF, l.shares = append(l.list.Docs, x.doc), append(l.list.TF, x.tf), append(l.shares, x.share)
	}
	return w.parts
}

// A division parts documents in two.
type division struct {
	in      []uint64   // bit d is set if document d is in the first part
	tokens  pair       // of the parts
	lengths [2]lengths // of the documents of the parts
}

// side returns the part that has a document.
func (v *division) side(doc uint32) int { return reference - int(v.in[doc/64]>>(doc%64)&1) }

// divisions are draws of a part of some documents, all parts of that size equally likely. If there are
// no more parts than draws, every part is drawn once.
type divisions struct {
	part, draws int
	every       bool
	seed        uint64
	tokens      []float64 // by document
	total       float64
	next        []uint32 // the documents of the next part, ascending, if every one is drawn
}

func newDivisions(tokens []float64, part, draws int, seed uint64) *divisions {
	d := &divisions{part: part, draws: draws, seed: seed, tokens: tokens}
	for _, n := range tokens {
		d.total += n
	}
	if n, few := ways(len(tokens), part, draws); few {
		d.draws, d.every = n, true
		for doc := range uint32(part) {
			d.next = append(d.next, doc)
		}
	}
	return d
}

// ways returns the number of sets of k of n, less than 2^32, and whether it is at most most, less than 2^31.
func ways(n, k, most int) (number int, few bool) {
	all := uint64(1)
	for i := range uint64(min(k, n-k)) {
		if all = all * (uint64(n) - i) / (i + 1); all > uint64(most) {
			return 0, false
		}
	}
	return int(all), true
}

// block makes the draws [from, to). Blocks are asked for in order.
func (d *divisions) block(ctx context.Context, threads, from, to int) ([]division, error) {
	block := make([]division, to-from)
	if d.every {
		for i := range block {
			block[i] = d.of(d.next)
			d.advance()
		}
		return block, nil
	}
	return block, pool.Run(ctx, threads, len(block), func(_, i int) error {
		block[i] = d.of(rank.DrawOrder(len(d.tokens), d.seed, uint64(from+i))[:d.part])
		return nil
	})
}

// of returns the division of which documents are the first part.
func (d *divisions) of(first []uint32) (v division) {
	v.in = make([]uint64, (len(d.tokens)+63)/64)
	for _, doc := range first {
		v.in[doc/64] |= 1 << (doc % 64)
		v.tokens[target] += d.tokens[doc]
	}
	v.tokens[reference] = d.total - v.tokens[target] // whole numbers
	for i, total := range v.tokens {
		v.lengths[i] = lengths{tokens: d.tokens, total: total}
	}
	return v
}

// advance makes the next part of the order of words.
func (d *divisions) advance() {
	for i := d.part - 1; i >= 0; i-- {
		if d.next[i] < uint32(len(d.tokens)-d.part+i) {
			d.next[i]++
			for j := i + 1; j < d.part; j++ {
				d.next[j] = d.next[j-1] + 1
			}
			return
		}
	}
}
