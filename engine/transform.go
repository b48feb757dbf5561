package engine

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/store"
)

// A Transformer turns documents into vectors over selected terms. N and df are
// those of the corpus that the selection was made from; terms that were not
// selected are left out; unit-length weightings are scaled over the selected
// terms. It belongs to one goroutine.
type Transformer struct {
	s       *Selection
	weight  store.Weighting
	idf     []float64         // or another factor, by feature
	rank    map[string]uint32 // term -> 0-based feature
	classes map[string]int

	unseenLabels int64
	unseenTerms  int64
}

// A Row is a document over the selected terms. Its slices are reused for the
// next row.
type Row struct {
	ID     string
	Labels []int    // places in the selection's classes, ascending
	Index  []uint32 // 1-based ranks of the features, ascending
	Value  []float32
	// UnseenLabels counts the labels that are not among the selection's classes.
	UnseenLabels int
}

// NewTransformer prepares a selection with one of [RowWeightings]; "" is tf. A supervised
// weighting needs a selection that has its factors, see [Selection.WithFactors].
func NewTransformer(s *Selection, weight string) (*Transformer, error) {
	w, idf, err := s.factorsFor(weight)
	if err != nil {
		return nil, err
	}
	t := &Transformer{s: s, weight: w, idf: idf, rank: make(map[string]uint32, len(s.Features)), classes: map[string]int{}}
	for i, f := range s.Features {
		t.rank[f.Term] = uint32(i)
	}
	for i, c := range s.Classes {
		t.classes[c] = i
	}
	return t, nil
}

// Unseen counts what was dropped so far: occurrences of terms that the
// selection does not have (of raw documents), and labels that its corpus did
// not have.
func (t *Transformer) Unseen() (terms, labels int64) { return t.unseenTerms, t.unseenLabels }

// Documents transforms raw documents as the selection's corpus was analysed.
func (t *Transformer) Documents(ctx context.Context, docs document.Stream) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		a, err := analysis.New(t.s.Provenance.Analysis)
		if err != nil {
			yield(Row{}, fmt.Errorf("%w: %w", ErrBadSelection, err))
			return
		}
		v := vectorizer{t: t, counter: a.NewCounter()}
		for d, err := range docs {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if !yield(v.row(d), nil) {
				return
			}
		}
	}
}

// A vectorizer turns raw documents into rows; feature caches the rank of every
// term of its counter.
type vectorizer struct {
	t       *Transformer
	counter *analysis.Counter
	feature []int32 // -1 = not selected
	found   []analysis.TermCount
	pairs   []element
	buffer  Row
}

type element struct {
	index uint32 // 0-based
	tf    float64
}

func (v *vectorizer) row(d document.Document) Row {
	v.pairs = v.pairs[:0]
	if d.Features == nil {
		v.found = v.counter.Count(d.Text, v.found[:0])
		for _, f := range v.found {
			v.add(v.featureOf(f.Term), float64(f.Count))
		}
	}
	for _, f := range d.Features {
		v.add(v.featureOf(v.counter.Add(f.Term)), f.Value)
	}
	slices.SortFunc(v.pairs, func(a, b element) int { return int(a.index) - int(b.index) })
	r := &v.buffer
	r.ID = d.ID
	v.t.label(r, d.Labels)
	v.t.fill(r, v.pairs)
	return *r
}

func (v *vectorizer) add(feature int32, tf float64) {
	if feature < 0 {
		v.t.unseenTerms += max(int64(tf), 1) // a real weight is one occurrence at least
		return
	}
	v.pairs = append(v.pairs, element{uint32(feature), tf})
}

func (v *vectorizer) featureOf(term uint32) int32 {
	for int(term) >= len(v.feature) {
		f := int32(-1)
		if i, ok := v.t.rank[string(v.counter.Term(uint32(len(v.feature))))]; ok {
			f = int32(i)
		}
		v.feature = append(v.feature, f)
	}
	return v.feature[term]
}

// label sets the classes of a row.
func (t *Transformer) label(r *Row, labels []string) {
	r.Labels, r.UnseenLabels = r.Labels[:0], 0
	for _, l := range labels {
		if c, ok := t.classes[l]; ok {
			r.Labels = append(r.Labels, c)
		} else {
			r.UnseenLabels++
		}
	}
	t.unseenLabels += int64(r.UnseenLabels)
	slices.Sort(r.Labels)
	r.Labels = slices.Compact(r.Labels)
}

// fill weighs the elements, ascending by index, into the row. Plain frequencies
// have a loop of their own: 1 ns an element instead of 5.
func (t *Transformer) fill(r *Row, elements []element) {
	n := len(elements)
	r.Index, r.Value = slices.Grow(r.Index[:0], n)[:n], slices.Grow(r.Value[:0], n)[:n]
	if t.weight == store.TF {
		n = fillFrequencies(r, elements)
	} else {
		n = t.fillWeights(r, elements)
	}
	r.Index, r.Value = r.Index[:n], r.Value[:n]
}

// fillFrequencies sets the index and value of what is not zero and gives the number
// of these.
func fillFrequencies(r *Row, elements []element) int {
	index, value := r.Index[:len(elements)], r.Value[:len(elements)]
	n := 0
	for _, e := range elements {
		index[n], value[n] = e.index+1, float32(e.tf)
		if e.tf != 0 {
			n++
		}
	}
	return n
}

// fillWeights is fillFrequencies for a weighting.
func (t *Transformer) fillWeights(r *Row, elements []element) int {
	scale := t.scale(elements)
	n := 0
	for _, e := range elements {
		w := t.weight.Raw(e.tf, t.idf[e.index]) * scale
		if w != 0 {
			r.Index[n], r.Value[n] = e.index+1, float32(w)
			n++
		}
	}
	return n
}

// scale gives what the weights of a document are multiplied by.
func (t *Transformer) scale(elements []element) float64 {
	if !t.weight.Unit() {
		return 1
	}
	sum := 0.0
	for _, e := range elements {
		w := t.weight.Raw(e.tf, t.idf[e.index])
		sum += float64(w * w)
	}
	if sum > 0 {
		return 1 / math.Sqrt(sum)
	}
	return 1
}

// Corpus transforms a counted corpus, documents in the order in which they were
// read. One that was analysed in another way than the selection's is refused
// with [ErrContradiction].
func (t *Transformer) Corpus(ctx context.Context, c *Corpus) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		v, err := t.vectors(ctx, c)
		if err != nil {
			yield(Row{}, err)
			return
		}
		v.each(ctx, t, uint32(len(t.s.Features)), yield)
	}
}
