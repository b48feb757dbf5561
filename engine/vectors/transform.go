// Package vectors turns documents into rows of weights over selected terms, and writes
// rows for other programs.
//
// It takes a [selection.Selection] and the name of a weighting. A [Transformer] gives the
// [Row] of raw documents or of those of a [corpus.Corpus]; [Gather] reads a corpus once for
// many numbers of terms and weightings. [Transformer.CSR] makes its rows one matrix, and
// [Transformer.WriteSVMLight] text, on several threads; [Transformer.WriteBatches] does so for raw
// documents. [WriteSVMLight] and [WriteJSONLines] write rows as they come; a [Matrix] holds rows
// and writes the arrays of numpy and scipy, and Matrix Market with tables of its columns and rows.
//
// Begin reading with transform.go, and with write.go and svmlight.go for the formats. elements.go
// turns the posting lists of a corpus into its documents, and puts the elements of a raw one in order.
//
// The package never selects terms: N, df and the classes are those of the selection.
package vectors

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// TF is the weighting of counts; [selection.Weightings] lists all, and package selection says what
// they are. The supervised ones need a selection with their factors (see
// [selection.Selection.WithFactors]). N and df are those of the selection's corpus.
const TF = table.TF

// A Transformer turns documents into rows of weights over selected terms. N and df are
// those of the corpus that the selection was made from. Terms that were not selected are
// left out, and unit-length weightings scale the rest to length 1. A Transformer serves
// one goroutine.
type Transformer struct {
	selection *selection.Selection
	weight    table.Weighting
	idf       []float64         // by feature: the idf, or the weighting's other factor
	feature   map[string]uint32 // by term: the number of its feature, from 0
	classes   map[string]int    // by name: the place in selection.Classes

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
	// Unseen are the labels that are not among the selection's classes, sorted.
	Unseen []string
	// Target is the number that the document has as its one label, in the form of
	// [document.AppendNumber], if the selection's corpus has a target; "" for none. Files have it in
	// place of labels, whether or not that corpus had the number.
	Target string
}

// New returns a Transformer to the features of s with one of [selection.Weightings]; "" is
// tf. A supervised weighting needs a selection with its factors, see
// [selection.Selection.WithFactors].
func New(s *selection.Selection, weight table.Weighting) (*Transformer, error) {
	if s == nil {
		return nil, usage.Errorf("a nil selection was given")
	}
	w, idf, err := s.FactorsFor(weight)
	if err != nil {
		return nil, err
	}
	t := &Transformer{selection: s, weight: w, idf: idf, feature: make(map[string]uint32, len(s.Features)), classes: map[string]int{}}
	for i, f := range s.Features {
		t.feature[f.Term] = uint32(i)
	}
	for i, c := range s.Classes {
		t.classes[c] = i
	}
	return t, nil
}

// Unseen returns what was dropped so far: the number of occurrences of terms that the
// selection does not have (in raw documents), and of labels, but for numbers of a target, that
// its corpus does not have.
func (t *Transformer) Unseen() (terms, labels int64) { return t.unseenTerms, t.unseenLabels }

// fork returns a copy for another goroutine, which has left out nothing so far.
func (t *Transformer) fork() *Transformer {
	own := *t
	own.unseenTerms, own.unseenLabels = 0, 0
	return &own
}

// addUnseen adds what a fork left out.
func (t *Transformer) addUnseen(own *Transformer) {
	t.unseenTerms += own.unseenTerms
	t.unseenLabels += own.unseenLabels
}

// Documents yields the rows of raw documents, analysed as the selection's corpus was. It
// ends with the first error.
func (t *Transformer) Documents(ctx context.Context, docs document.Stream) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if docs == nil {
			yield(Row{}, usage.Errorf("a nil stream of documents was given"))
			return
		}
		a, err := analysis.New(t.selection.Provenance.Analysis)
		if err != nil {
			yield(Row{}, fmt.Errorf("%w: %w", selection.ErrBadFeatures, err))
			return
		}
		if err := t.newVectorizer(a).rows(ctx, docs, func(r Row) bool { return yield(r, nil) }); err != nil {
			yield(Row{}, err)
		}
	}
}

// A vectorizer turns raw documents into rows.
type vectorizer struct {
	transformer *Transformer
	counter     *analysis.Counter
	feature     []int32 // by term of counter, as far as looked up: its feature; -1 = not selected
	counts      []analysis.TermCount
	order       *featureOrder // of those of a text
	elements    []element     // of the current document
	out         Row
}

// An element is a feature of a document with its frequency.
type element struct {
	index uint32 // of the feature, from 0
	tf    float64
}

func (t *Transformer) newVectorizer(a *analysis.Analyzer) *vectorizer {
	return &vectorizer{transformer: t, counter: a.NewCounter(), order: newFeatureOrder(len(t.selection.Features))}
}

// rows calls yield for the rows of documents until it returns false, and returns the first error.
func (v *vectorizer) rows(ctx context.Context, docs document.Stream, yield func(Row) bool) error {
	for d, err := range docs {
		if err == nil && ctx.Err() != nil {
			err = usage.Cause(ctx)
		}
		if err != nil {
			return err
		}
		row, err := v.vectorize(d)
		if err == nil {
			err = v.transformer.checkRow(&row, d.Source)
		}
		if err != nil {
			return err
		}
		if !yield(row) {
			return nil
		}
	}
	return nil
}

// vectorize returns the row of a document.
func (v *vectorizer) vectorize(d document.Document) (Row, error) {
	v.elements = v.elements[:0]
	switch {
	case d.Features != nil && v.transformer.selection.Provenance.Analysis.HashBits > 0:
		return Row{}, ingest.ErrorOfCounted(&d)
	case d.Features == nil:
		v.counts = v.counter.Count(d.Text, v.counts[:0])
		for _, f := range v.counts {
			if feature := v.featureOf(f.Term); feature >= 0 {
				v.order.mark(uint32(feature), f.Count)
			} else {
				v.transformer.unseenTerms += int64(f.Count)
			}
		}
		v.elements = v.order.appendMarked(v.elements)
	}
	for _, f := range d.Features {
		if !(math.Abs(f.Value) < ingest.MaxValue) {
			return Row{}, ingest.NewDocumentError(&d, "the value of term %q is %v; values must be finite and below 2^63", usage.Cut(f.Term), f.Value)
		}
		if feature := v.featureOf(v.counter.Add(f.Term)); feature >= 0 {
			v.elements = append(v.elements, element{uint32(feature), f.Value})
		} else {
			v.transformer.unseenTerms += max(int64(f.Value), 1) // a real weight counts as one occurrence at least
		}
	}
	if d.Features != nil { // one may be there twice, of which checkRow tells
		slices.SortFunc(v.elements, func(a, b element) int { return cmp.Compare(a.index, b.index) })
	}
	r := &v.out
	r.ID = d.ID
	v.transformer.setLabels(r, d.Labels)
	v.transformer.setWeights(r, v.elements)
	return *r, nil
}

// featureOf returns the feature of a term of counter, -1 if it is not selected.
func (v *vectorizer) featureOf(term uint32) int32 {
	for int(term) >= len(v.feature) {
		f := int32(-1)
		if i, ok := v.transformer.feature[string(v.counter.Term(uint32(len(v.feature))))]; ok {
			f = int32(i)
		}
		v.feature = append(v.feature, f)
	}
	return v.feature[term]
}

// setLabels sets the Labels and Unseen of a row.
func (t *Transformer) setLabels(r *Row, labels []string) {
	r.Labels, r.Unseen, r.Target = r.Labels[:0], r.Unseen[:0], ""
	if t.selection.Provenance.Target != "" && len(labels) == 1 {
		var form [32]byte
		if _, err := document.AppendNumber(form[:0], []byte(labels[0])); err == nil {
			r.Target = labels[0]
		}
	}
	for _, l := range labels {
		if c, ok := t.classes[l]; ok {
			r.Labels = append(r.Labels, c)
		} else {
			r.Unseen = append(r.Unseen, l)
		}
	}
	slices.Sort(r.Unseen)
	r.Unseen = slices.Compact(r.Unseen)
	if r.Target == "" {
		t.unseenLabels += int64(len(r.Unseen))
	}
	slices.Sort(r.Labels)
	r.Labels = slices.Compact(r.Labels)
}

// setWeights sets Index and Value of a row to the weights of elements that are not zero, in a length of 1 if the
// weighting has it. The elements ascend by index.
func (t *Transformer) setWeights(r *Row, elements []element) {
	r.Index, r.Value = r.Index[:0], r.Value[:0]
	scale, sum := 1.0, 0.0
	if t.weight.Unit() {
		for _, e := range elements {
			w := t.weight.Raw(e.tf, t.idf[e.index])
			sum += float64(w * w)
		}
	}
	if sum > 0 {
		scale = 1 / math.Sqrt(sum)
	}
	for _, e := range elements {
		if w := t.weight.Raw(e.tf, t.idf[e.index]) * scale; w != 0 {
			r.Index, r.Value = append(r.Index, e.index+1), append(r.Value, float32(w))
		}
	}
}

// checkRow returns an [ingest.DocumentError] for a row with a term twice or a value that is
// not finite, which the features of a raw document can lead to.
func (t *Transformer) checkRow(r *Row, source document.Position) error {
	before := uint32(0)
	d := document.Document{ID: r.ID, Source: source}
	for i, index := range r.Index {
		switch {
		case index == before:
			return ingest.NewDocumentError(&d, "the term %q stands there twice; add its values up", usage.Cut(t.selection.Features[index-1].Term))
		case math.IsInf(float64(r.Value[i]), 0) || math.IsNaN(float64(r.Value[i])):
			return ingest.NewDocumentError(&d, "the weight of term %q is %v: scale the values down, or take another weighting", usage.Cut(t.selection.Features[index-1].Term), r.Value[i])
		}
		before = index
	}
	return nil
}

// Corpus yields the rows of a counted corpus, documents in the order in which they were
// read. It yields a [usage.ErrContradiction] for a corpus that was analysed in another way
// than the selection's.
func (t *Transformer) Corpus(ctx context.Context, c *corpus.Corpus) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if c == nil {
			yield(Row{}, usage.Errorf("a nil corpus was given"))
			return
		}
		v, err := t.gather(ctx, c)
		if err != nil {
			yield(Row{}, err)
			return
		}
		v.yieldRows(ctx, t, uint32(len(t.selection.Features)), yield)
	}
}
