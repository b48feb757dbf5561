package keyness

import (
	"context"
	"math"
	"math/bits"

	"github.com/termsift/termsift/engine/postings"
)

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

// newLengths returns the lengths of the documents of an index.
func newLengths(ctx context.Context, x *postings.Index) (*lengths, error) {
	tokens, err := x.DocumentTokens(ctx)
	if err != nil {
		return nil, err
	}
	l := &lengths{tokens: tokens.Of, least: math.Inf(1)}
	for _, n := range tokens.Of {
		if n > 0 {
			l.parts++
			l.total += n
			l.least = min(l.least, n)
		}
	}
	return l, nil
}

// dispersion returns the dispersion of a term. The sum of DP is one of whole numbers, and
// exact.
func (l *lengths) dispersion(p *postings.List) Dispersion {
	if l.parts < 2 || len(p.Docs) == 0 {
		return undefined
	}
	rates := 0.0
	for i, v := range p.TF {
		rates += v / l.tokens[p.Docs[i]]
	}
	d := Dispersion{DP: l.deviation(p)}
	d.DPNorm = min(1, d.DP/(1-l.least/l.total))
	d.D = l.juilland(p, rates)
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
	var sum wide
	for i, v := range p.TF {
		sum.addDistance(v, l.total, frequency, l.tokens[p.Docs[i]])
	}
	sum.addDistance(0, 0, frequency, l.total-covered)
	return sum.float() / frequency / l.total / 2
}

// juilland returns Juilland's D of a term whose relative frequencies in the documents add
// up to sum.
func (l *lengths) juilland(p *postings.List, sum float64) float64 {
	n := float64(l.parts)
	mean := sum / n
	squares := (n - float64(len(p.Docs))) * mean * mean
	for i, v := range p.TF {
		d := v/l.tokens[p.Docs[i]] - mean
		squares += float64(d * d)
	}
	return max(0, 1-math.Sqrt(squares/n)/mean/math.Sqrt(n-1))
}

// A wide is a whole number below 2^128.
type wide struct{ high, low uint64 }

// addDistance adds |a·b - c·d|. The numbers are whole and not above 2^53.
func (w *wide) addDistance(a, b, c, d float64) {
	high1, low1 := bits.Mul64(uint64(a), uint64(b))
	high2, low2 := bits.Mul64(uint64(c), uint64(d))
	if high1 < high2 || high1 == high2 && low1 < low2 {
		high1, low1, high2, low2 = high2, low2, high1, low1
	}
	low, borrow := bits.Sub64(low1, low2, 0)
	high, _ := bits.Sub64(high1, high2, borrow)
	var carry uint64
	w.low, carry = bits.Add64(w.low, low, 0)
	w.high, _ = bits.Add64(w.high, high, carry)
}

// float returns the number, rounded.
func (w *wide) float() float64 { return float64(float64(w.high)*(1<<64)) + float64(w.low) }
