package postings

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/table"
)

// A Sample is a view of the documents in which documents may have the labels of others,
// or count several times or not at all. It is immutable once made.
type Sample struct {
	x        *Index
	labelsOf []uint32 // document -> the one whose labels it has; nil means its own
	times    []uint32 // document -> how often it counts; nil means once
	once     bool     // documents have their own labels, and count once or not at all
	codes    Codes    // of single-label documents
	weigher  *weigher // nil unless weights of terms are counted
}

// AllDocuments returns the sample of every document with its own labels.
func (x *Index) AllDocuments() *Sample { return &Sample{x: x, once: true, codes: x.classCodes()} }

// Weighted returns a sample in which document d counts times[d] times; 0 leaves it
// out. It keeps the slice.
func (x *Index) Weighted(times []uint32) *Sample {
	s := x.AllDocuments()
	s.times, s.once = times, false
	return s
}

// Relabelled returns the same sample with the labels of document order[d] for document
// d. It keeps the slice only if documents have several labels.
func (s *Sample) Relabelled(order []uint32) *Sample {
	r := *s
	r.once = false
	if s.x.Multi {
		r.labelsOf = order
		return &r
	}
	r.codes = Codes{reordered(s.codes.Bytes, order), reordered(s.codes.Words, order)}
	return &r
}

// Weigh makes passes over the sample, and over relabelled samples made from it
// afterwards, compute the sums of a weighting, with the N, the df and the document
// lengths of the sample.
func (s *Sample) Weigh(ctx context.Context, w table.Weighting) error {
	x := s.x
	df, n := make([]float64, x.Terms.Len()), float64(x.Documents())
	for t, own := range x.DocFreq {
		df[t] = float64(own)
	}
	var keep []bool
	if s.times != nil {
		keep, n = make([]bool, x.Documents()), 0
		for d, times := range s.times {
			keep[d] = times > 0
			n += float64(times)
		}
		if err := x.eachList(ctx, false, func(t uint32, p *List) { df[t] = s.timesOf(p.Docs) }); err != nil {
			return err
		}
	}
	g, err := x.newWeigher(ctx, w, keep, n, df)
	s.weigher = g
	return err
}

// timesOf returns how often documents count together.
func (s *Sample) timesOf(docs []uint32) (n float64) {
	if s.times == nil {
		return float64(len(docs))
	}
	for _, d := range docs {
		n += float64(s.times[d])
	}
	return n
}

// timesOfOne returns how often a document counts.
func (s *Sample) timesOfOne(doc uint32) float64 {
	if s.times == nil {
		return 1
	}
	return float64(s.times[doc])
}

// labels returns the classes of a document in the sample, ascending.
func (s *Sample) labels(doc uint32) []uint32 {
	if s.labelsOf != nil {
		doc = s.labelsOf[doc]
	}
	return s.x.Labels(int(doc))
}

// Totals returns the counts that all terms share. tokens is the result of
// [Index.DocumentTokens], or nil if tokens are not needed.
func (s *Sample) Totals(tokens []float64) *table.Margins {
	x, classes := s.x, len(s.x.Classes)
	t := &table.Margins{ClassDocs: make([]float64, classes+1), ClassTokens: make([]float64, classes+1)}
	for d := range x.Documents() {
		times, own := s.timesOfOne(uint32(d)), 0.0
		if tokens != nil {
			own = float64(times * tokens[d])
		}
		t.Documents += times
		t.Tokens += own
		if !x.Multi {
			c := s.codes.of(d)
			t.ClassDocs[c] += times
			t.ClassTokens[c] += own
			continue
		}
		labels := s.labels(uint32(d))
		for _, c := range labels {
			t.ClassDocs[c] += times
			t.ClassTokens[c] += own
		}
		if len(labels) == 0 {
			t.ClassDocs[classes] += times
		}
	}
	t.Labelled = t.Documents - t.ClassDocs[classes]
	t.ClassDocs, t.ClassTokens = slices.Clip(t.ClassDocs[:classes]), slices.Clip(t.ClassTokens[:classes])
	return t
}

// DocumentTokens returns the number of tokens of every document, in a pass over the
// postings.
func (x *Index) DocumentTokens(ctx context.Context) ([]float64, error) {
	tokens := make([]float64, x.Documents())
	err := x.eachList(ctx, true, func(_ uint32, p *List) {
		for i, d := range p.Docs {
			tokens[d] += p.TF[i]
		}
	})
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

// weigher computes weights of postings in float64. It never reads a column of rounded
// weights.
type weigher struct {
	w    table.Weighting
	n    float64
	norm []float64 // 1 for documents that are not scaled; nil means none is scaled
}

func (x *Index) newWeigher(ctx context.Context, w table.Weighting, keep []bool, n float64, df []float64) (*weigher, error) {
	g := &weigher{w: w, n: n}
	if !w.Unit() {
		return g, nil
	}
	g.norm = make([]float64, x.Documents())
	err := x.eachList(ctx, true, func(t uint32, p *List) {
		if df[t] == 0 {
			return
		}
		idf := table.IDF(n, df[t])
		for i, d := range p.Docs {
			if keep == nil || keep[d] {
				v := w.Raw(p.TF[i], idf)
				g.norm[d] += float64(v * v)
			}
		}
	})
	for d, sum := range g.norm {
		g.norm[d] = math.Sqrt(sum)
	}
	return g, err
}

// weight returns w(t, d); it is 0 in a document whose terms all have weight 0.
func (g *weigher) weight(tf, idf float64, doc uint32) float64 {
	v := g.w.Raw(tf, idf)
	if g.norm == nil {
		return v
	}
	if g.norm[doc] == 0 {
		return 0
	}
	return v / g.norm[doc]
}

// Weights is a float32 column in posting order: the weights of a weighting, computed in
// float64 and rounded once.
type Weights struct {
	start  []uint64
	values []float32
}

// Of returns the weights of a term, one for each of its documents in ascending order.
// The slice must not be modified.
func (w *Weights) Of(term int) []float32 { return w.values[w.start[term]:w.start[term+1]] }

// Weights returns the column of a weighting, for passes that read vectors. Scores never read it: sums of rounded
// weights would depend on the rounding.
func (x *Index) Weights(ctx context.Context, w table.Weighting) (*Weights, error) {
	df := make([]float64, x.Terms.Len())
	for t, n := range x.DocFreq {
		df[t] = float64(n)
	}
	n := float64(x.Documents())
	g, err := x.newWeigher(ctx, w, nil, n, df)
	if err != nil {
		return nil, err
	}
	out := &Weights{x.Start, make([]float32, 0, x.NumPostings())}
	err = x.eachList(ctx, true, func(t uint32, p *List) {
		idf := table.IDF(n, df[t])
		for i, d := range p.Docs {
			out.values = append(out.values, float32(g.weight(p.TF[i], idf, d)))
		}
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
