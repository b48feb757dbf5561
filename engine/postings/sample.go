package postings

import (
	"context"
	"slices"

	"github.com/termsift/termsift/engine/pool"
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
	sets     []uint64 // of the documents of each class; nil if no term is counted by them
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
	if s.times == nil && s.x.hasShared() {
		r.sets = setsOf(r.codes.Bytes, len(s.x.Classes))
	}
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
		if err := s.frequencies(ctx, df); err != nil {
			return err
		}
	}
	g, err := x.newWeigher(ctx, w, keep, n, df)
	s.weigher = g
	return err
}

// frequencies sets df to the number of documents with each term in the sample.
func (s *Sample) frequencies(ctx context.Context, df []float64) error {
	var p List
	return s.x.Each(ctx, len(df), func(t int) error {
		if err := s.x.ReadDocs(t, &p); err != nil {
			return err
		}
		df[t] = s.timesOf(p.Docs)
		return nil
	})
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
func (s *Sample) Totals(tokens *DocumentTokens) *table.Margins {
	x, classes := s.x, len(s.x.Classes)
	t := &table.Margins{ClassDocs: make([]float64, classes+1), ClassTokens: make([]float64, classes+1)}
	for d := range x.Documents() {
		times, own := s.timesOfOne(uint32(d)), 0.0
		if tokens != nil {
			own = float64(times * tokens.Of[d])
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
	if tokens != nil && tokens.Low != nil {
		s.addExactly(t, tokens)
	}
	return t
}

// addExactly sets the tokens of t to sums of real values, with what these lack.
func (s *Sample) addExactly(t *table.Margins, tokens *DocumentTokens) {
	total, of := table.Pair{}, make([]table.Pair, len(t.ClassTokens))
	for d := range s.x.Documents() {
		own := table.Pair{High: tokens.Of[d], Low: tokens.Low[d]}
		if s.times != nil {
			own = own.Times(float64(s.times[d]))
		}
		total = total.Plus(own)
		if s.x.Multi {
			for _, c := range s.labels(uint32(d)) {
				of[c] = of[c].Plus(own)
			}
		} else if c := s.codes.of(d); int(c) < len(of) {
			of[c] = of[c].Plus(own)
		}
	}
	t.Tokens, t.LowTokens, t.LowClassTokens = total.High, total.Low, make([]float64, len(of))
	for c, sum := range of {
		t.ClassTokens[c], t.LowClassTokens[c] = sum.High, sum.Low
	}
}

// DocumentTokens are the numbers of tokens of the documents, and what these sums lack of real values; nil
// of counts.
type DocumentTokens struct{ Of, Low []float64 }

// DocumentTokens returns the number of tokens of every document, in a pass over the
// postings.
func (x *Index) DocumentTokens(ctx context.Context) (*DocumentTokens, error) {
	tokens := &DocumentTokens{Of: make([]float64, x.Documents())}
	if x.Real() {
		tokens.Low = make([]float64, x.Documents())
	}
	var p List
	err := x.Each(ctx, x.Terms.Len(), func(t int) error {
		if err := x.Read(t, &p); err != nil {
			return err
		}
		if tokens.Low != nil {
			tokens.addReals(&p)
			return nil
		}
		for i, d := range p.Docs {
			tokens.Of[d] += p.TF[i]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

// addReals adds the values of a term.
func (t *DocumentTokens) addReals(p *List) {
	for i, d := range p.Docs {
		sum := table.Pair{High: t.Of[d], Low: t.Low[d]}.Plus(table.Pair{High: p.TF[i]})
		t.Of[d], t.Low[d] = sum.High, sum.Low
	}
}

// ClassCodes returns the class of each document in the sample; the number of classes stands
// for an unlabelled one. It returns nil unless documents count once each, have one label at
// most, and there are few classes: up to 255. The slice must not be modified.
func (s *Sample) ClassCodes() []uint8 {
	if s.x.Multi || s.times != nil {
		return nil
	}
	return s.codes.Bytes
}

// ShortLists returns the documents of the terms of a range from [Index.FirstShort] on, term
// by term. It must be called, and the slice be read, within a function that [Index.Run] or
// [Index.Guard] runs.
func (x *Index) ShortLists(terms pool.Range) ([]uint32, error) {
	if err := x.Ready(terms, false); err != nil {
		return nil, err
	}
	base := x.Start[x.FirstShort()]
	return x.Flat[x.Start[terms.From]-base : x.Start[terms.To]-base], nil
}
