package engine

import (
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/store"
)

// This file turns documents into vectors over the classes.

// A ClusterVector is a document with a dimension for each class: the weights of its
// terms that were projected to the class, added up. Its slices are reused for the
// next one.
type ClusterVector struct {
	// Row is the vector as [SVMLightWriter] takes it: Index is 1 + the place of the
	// class.
	Row
	// Weights are the values of Row in full.
	Weights []float64
	// Unseen are labels of the document that the projection's corpus did not have.
	Unseen []string
	// Predicted is the place of the class with the largest weight, of those within a
	// relative 1e-12 the first; of a document without a weight that of the class with
	// the most documents, and Guessed says so.
	Predicted int
	Guessed   bool
}

// Documents gives the vectors of raw documents, analysed as the projection's corpus
// was. Terms that were not projected are left out. A value that is no count is
// [ErrNoCounts].
func (p *Projection) Documents(ctx context.Context, docs document.Stream) iter.Seq2[ClusterVector, error] {
	return func(yield func(ClusterVector, error) bool) {
		a, err := analysis.New(p.selection.Provenance.Analysis)
		if err != nil {
			yield(ClusterVector{}, fmt.Errorf("%w: %w", ErrBadSelection, err))
			return
		}
		v, s := vectorizer{t: p.transformer(), counter: a.NewCounter()}, p.clusters.NewSum()
		for d, err := range docs {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				err = countsOnly(d)
			}
			if err != nil {
				yield(ClusterVector{}, err)
				return
			}
			row := v.row(d) // whose elements are in v.pairs
			s.out.Unseen = p.unseen(s.out.Unseen[:0], d.Labels)
			s.out.ID, s.out.Labels = row.ID, row.Labels
			if !yield(s.vector(v.pairs), nil) {
				return
			}
		}
	}
}

// unseen appends the labels that are no classes of the projection, each once.
func (p *Projection) unseen(dst, labels []string) []string {
	for _, l := range labels {
		if _, ok := p.places[l]; !ok {
			dst = append(dst, l)
		}
	}
	slices.Sort(dst)
	return slices.Compact(dst)
}

func countsOnly(d document.Document) error {
	for _, f := range d.Features {
		if f.Value < 0 || f.Value != math.Trunc(f.Value) || math.IsInf(f.Value, 0) {
			return fmt.Errorf("%w: %v: document %q: the value of term %q is %v", ErrNoCounts, d.Source, d.ID, f.Term, f.Value)
		}
	}
	return nil
}

// Corpus gives the vectors of a counted corpus, documents in the order in which they
// were read. One that was analysed in another way than the projection's is refused
// with [ErrContradiction], one of real numbers with [ErrNoCounts].
func (p *Projection) Corpus(ctx context.Context, c *Corpus) iter.Seq2[ClusterVector, error] {
	return func(yield func(ClusterVector, error) bool) {
		rows, err := p.gather(ctx, c)
		if err != nil {
			yield(ClusterVector{}, err)
			return
		}
		docs, err := c.documents()
		if err != nil {
			yield(ClusterVector{}, err)
			return
		}
		s, places := p.clusters.NewSum(), p.placesOf(c)
		var elements []element
		var labels []int
		for i, doc := range docs.order {
			if i%256 == 0 && ctx.Err() != nil {
				yield(ClusterVector{}, context.Cause(ctx))
				return
			}
			labels, s.out.Unseen = labels[:0], s.out.Unseen[:0]
			for _, l := range c.index.Labels(int(doc)) {
				if places[l] >= 0 {
					labels = append(labels, places[l])
				} else {
					s.out.Unseen = append(s.out.Unseen, c.Classes()[l])
				}
			}
			elements = rows.appendTo(elements[:0], doc)
			s.out.ID, s.out.Labels = docs.ids.Term(int(doc)), labels
			if !yield(s.vector(elements), nil) {
				return
			}
		}
	}
}

func (p *Projection) gather(ctx context.Context, c *Corpus) (*gathered, error) {
	if err := c.haveCounts(); err != nil {
		return nil, err
	}
	if want := p.selection.Provenance.Analysis; !reflect.DeepEqual(c.provenance.Analysis, want) {
		return nil, fmt.Errorf("%w: the corpus was analysed with %+v, the projection's with %+v", ErrContradiction, c.provenance.Analysis, want)
	}
	return p.transformer().gather(ctx, c)
}

// placesOf gives the classes of a corpus their places in the projection; -1 for none.
// Both are in the order of their bytes, and so are the places.
func (p *Projection) placesOf(c *Corpus) []int {
	places := make([]int, len(c.Classes()))
	for i, class := range c.Classes() {
		places[i] = -1
		if place, ok := p.places[class]; ok {
			places[i] = place
		}
	}
	return places
}

// transformer finds the projected terms of documents, with their frequencies.
func (p *Projection) transformer() *Transformer {
	return &Transformer{s: p.selection, weight: store.TF, rank: p.rank(), classes: p.places}
}
