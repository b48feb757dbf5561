package words

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
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
	for _, m := range c.measures {
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
		for i, s := range c.sides {
			if s.Documents < 2 {
				c.Warnings = append(c.Warnings, fmt.Sprintf("the %s is one document, whose shares do not vary: t and its p-value are undefined", sideNames[i]))
			}
		}
	}
	return nil
}

// needDocuments returns an error unless both corpora have documents, and counts the tokens of
// these.
func (c *Comparison) needDocuments(ctx context.Context, what string) error {
	for i, s := range c.sides {
		if s.index == nil {
			return usage.Errorf("%s looks at every document, and the %s is counts without documents: use its index or its text, or a measure of counts, such as %s or %s",
				what, sideNames[i], LL, TDK)
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

// A Dispersion says how evenly a term is spread over the documents of a corpus that have
// any term. All of it is NaN, undefined, if the corpus has less than two such documents
// or none with the term, and in statistics, which know no documents.
type Dispersion struct {
	// DP is Gries's deviation of proportions, half of Σ|v/f - s| over the documents, v of
	// the f occurrences being in a document with the share s of all tokens: 0 if the term
	// is spread as the tokens are, near 1 if it is in few documents (Gries 2008).
	DP float64
	// DPNorm is DP/(1 - the least s), whose largest value is 1 (Lijffijt and Gries 2012).
	DPNorm float64
	// D is Juilland's D, 1 - V/√(n-1), V being the coefficient of variation of the
	// relative frequencies in the n documents: 1 if they are all equal, 0 if only one
	// document has the term.
	D float64
}

// undefined is the dispersion where there is none.
var undefined = Dispersion{math.NaN(), math.NaN(), math.NaN()}

// lengths are the documents of a corpus as parts over which terms are spread.
type lengths struct {
	tokens []float64 // of each document
	total  float64
	parts  int     // documents with tokens
	least  float64 // tokens of the shortest part
}

// measure sets the lengths of the documents of a side with an index, once.
func (s *side) measure(ctx context.Context) error {
	if s.parts != nil {
		return nil
	}
	tokens, err := s.index.DocumentTokens(ctx)
	if err != nil {
		return err
	}
	l := &lengths{tokens: tokens, least: math.Inf(1)}
	for _, n := range tokens {
		if n > 0 {
			l.parts++
			l.total += n
			l.least = min(l.least, n)
		}
	}
	s.parts = l
	return nil
}

// dispersion returns the dispersion of a term. The sum of DP is one of whole numbers, and
// exact below 2^53.
func (l *lengths) dispersion(p *postings.List) Dispersion {
	if l.parts < 2 || len(p.Docs) == 0 {
		return undefined
	}
	d := Dispersion{DP: l.deviation(p)}
	d.DPNorm = min(1, d.DP/(1-l.least/l.total))
	n, rates := float64(l.parts), 0.0
	for i, v := range p.TF {
		rates += v / l.tokens[p.Docs[i]]
	}
	mean := rates / n
	squares := (n - float64(len(p.Docs))) * mean * mean
	for i, v := range p.TF {
		gap := v/l.tokens[p.Docs[i]] - mean
		squares += float64(gap * gap)
	}
	d.D = max(0, 1-math.Sqrt(squares/n)/mean/math.Sqrt(n-1))
	return d
}

// deviation returns the deviation of proportions of a term that occurs.
func (l *lengths) deviation(p *postings.List) float64 {
	frequency, covered := 0.0, 0.0
	for i, v := range p.TF {
		frequency += v
		covered += l.tokens[p.Docs[i]]
	}
	// Σ|v·T - f·n|, in documents without the term f·n.
	sum := float64(frequency * (l.total - covered))
	for i, v := range p.TF {
		sum += math.Abs(kernels.DiffOfProducts(v, l.total, frequency, l.tokens[p.Docs[i]]))
	}
	return sum / frequency / l.total / 2
}
