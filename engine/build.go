package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// Version is the version of the library and of what it writes.
const Version = "0.1.0"

// Options say how text becomes terms and which terms are kept. The zero value
// takes words of two or more characters, lower-cased, and keeps all of them.
type Options struct {
	Analysis analysis.Options
	// MinDF and MaxDF bound the document frequency of the terms: a value below
	// 1 is a share of the documents, from 1 on a number of them; 0 is no bound.
	MinDF, MaxDF float64
	// Charset is recorded in the corpus; decoding is the reader's business.
	Charset string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Provenance says how a corpus was made.
type Provenance struct {
	Version  string           `json:"version"`
	Analysis analysis.Options `json:"analysis"`
	MinDF    float64          `json:"min_df,omitempty"`
	MaxDF    float64          `json:"max_df,omitempty"`
	Charset  string           `json:"charset,omitempty"`
	// InputHash is the xxh3-64 of names, labels and contents in order.
	InputHash string `json:"input_hash"`
}

// A Builder takes documents one at a time. It is not safe for concurrent use.
type Builder struct {
	opt     Options
	counter *analysis.Counter
	src     store.Source
	classes map[string]uint32
	found   []analysis.TermCount
	hash    *xxh3.Hasher
}

// NewBuilder checks the options and returns a builder without documents.
func NewBuilder(opt Options) (*Builder, error) {
	for _, bound := range []float64{opt.MinDF, opt.MaxDF} {
		if bound < 0 || math.IsNaN(bound) {
			return nil, usage("a bound on the document frequency must not be negative: %v", bound)
		}
	}
	a, err := analysis.New(opt.Analysis)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUsage, err)
	}
	opt.Analysis = a.Options()
	return &Builder{
		opt: opt, counter: a.NewCounter(), classes: map[string]uint32{}, hash: xxh3.New(),
		src: store.Source{LabelStart: []uint32{0}, DocStart: []uint64{0}},
	}, nil
}

// Add takes a document. Nothing of it is kept after the call but copies.
// Labels are a set: a repeated one counts once. The error is that of a value
// that is not positive and finite.
func (b *Builder) Add(d document.Document) error {
	b.hashDocument(d)
	if err := b.addTerms(d); err != nil {
		return err
	}
	b.src.IDs = append(b.src.IDs, d.ID)
	b.src.DocStart = append(b.src.DocStart, uint64(len(b.src.Terms)))
	first := len(b.src.Labels)
	for _, label := range d.Labels {
		class, ok := b.classes[label]
		if !ok {
			class = uint32(len(b.classes))
			b.classes[label] = class
			b.src.Classes = append(b.src.Classes, label)
		}
		if !slices.Contains(b.src.Labels[first:], class) {
			b.src.Labels = append(b.src.Labels, class)
		}
	}
	b.src.LabelStart = append(b.src.LabelStart, uint32(len(b.src.Labels)))
	return nil
}

func (b *Builder) addTerms(d document.Document) error {
	if d.Features == nil {
		b.found = b.counter.Count(d.Text, b.found[:0])
		if b.src.Values == nil {
			b.addCounts()
			return nil
		}
		for _, f := range b.found {
			b.addPosting(f.Term, float64(f.Count))
		}
		return nil
	}
	for _, f := range d.Features {
		if !(f.Value > 0) || math.IsInf(f.Value, 0) {
			return fmt.Errorf("%v: document %q: the value of term %q is %v; it must be positive and finite", d.Source, d.ID, f.Term, f.Value)
		}
	}
	for _, f := range d.Features {
		b.addPosting(b.counter.Add(f.Term), f.Value)
	}
	return nil
}

// addCounts is addPosting for the terms that were found in a text.
func (b *Builder) addCounts() {
	terms, counts := b.src.Terms, b.src.Counts
	if cap(terms)-len(terms) < len(b.found) {
		// Doubling copies half as much as append's growth by a quarter.
		terms = slices.Grow(terms, len(terms)+len(b.found))
		counts = slices.Grow(counts, len(counts)+len(b.found))
	}
	for _, f := range b.found {
		terms = append(terms, f.Term)
		counts = append(counts, f.Count)
	}
	b.src.Terms, b.src.Counts = terms, counts
}

// addPosting keeps a value as a count, until the first one that is none turns
// the column into real numbers.
func (b *Builder) addPosting(term uint32, value float64) {
	b.src.Terms = append(b.src.Terms, term)
	isCount := value == math.Trunc(value) && value <= math.MaxUint32
	switch {
	case b.src.Values != nil:
		b.src.Values = append(b.src.Values, value)
	case isCount:
		b.src.Counts = append(b.src.Counts, uint32(value))
	default:
		b.src.Values = make([]float64, 0, 2*len(b.src.Counts)+1)
		for _, c := range b.src.Counts {
			b.src.Values = append(b.src.Values, float64(c))
		}
		b.src.Counts = nil
		b.src.Values = append(b.src.Values, value)
	}
}

// hashDocument covers all that the result depends on, with lengths in between.
func (b *Builder) hashDocument(d document.Document) {
	part := func(s string) {
		_, _ = b.hash.WriteString(strconv.Itoa(len(s)))
		_, _ = b.hash.WriteString(":")
		_, _ = b.hash.WriteString(s)
	}
	part(d.ID)
	for _, l := range d.Labels {
		part(l)
	}
	for _, f := range d.Features {
		part(f.Term)
		part(strconv.FormatFloat(f.Value, 'g', -1, 64))
	}
	_, _ = b.hash.WriteString("=")
	_, _ = b.hash.Write(d.Text)
}

// Build makes the corpus. The builder must not be used afterwards. It returns
// [ErrEmpty] or [ErrNoLabels] where there is nothing to score.
func (b *Builder) Build(ctx context.Context) (*Corpus, error) {
	switch {
	case len(b.src.IDs) == 0:
		return nil, fmt.Errorf("%w: the corpus has no documents", ErrEmpty)
	case len(b.src.Labels) == 0:
		return nil, fmt.Errorf("%w: none of the %d documents says its class", ErrNoLabels, len(b.src.IDs))
	}
	meta, err := json.Marshal(Provenance{
		Version: Version, Analysis: b.opt.Analysis, MinDF: b.opt.MinDF, MaxDF: b.opt.MaxDF,
		Charset: b.opt.Charset, InputHash: fmt.Sprintf("%016x", b.hash.Sum64()),
	})
	if err != nil {
		return nil, err
	}
	b.src.Names = b.counter.Names()
	index, err := store.Build(ctx, b.src, store.BuildOptions{MinDF: b.opt.MinDF, MaxDF: b.opt.MaxDF, Meta: meta, Threads: b.opt.Threads})
	if err != nil {
		return nil, err
	}
	if index.Terms.Len() == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents has a term within the bounds", ErrEmpty, len(b.src.IDs))
	}
	return newCorpus(index)
}

// Build makes a corpus of a stream of documents, in their order.
func Build(ctx context.Context, docs document.Stream, opt Options) (*Corpus, error) {
	b, err := NewBuilder(opt)
	if err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "read", func(ctx context.Context) error {
		for d, err := range docs {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				err = b.Add(d)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.Build(ctx)
}
