package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/table/tablefile"
)

func init() {
	register.DoFn4x1[context.Context, int, []byte, func([]byte), error](&selectFn{})
	register.DoFn5x1[context.Context, int, func(*[]byte) bool, func(*[]byte) bool, func(string), error](&mergeFn{})
	register.DoFn5x1[context.Context, int, func(*numbered) bool, func(*[]byte) bool, func(string), error](&wholeFn{})
	register.Iter1[[]byte]()
	register.Emitter1[string]()
}

// selectTerms selects from the sums of the parts, and writes the features file. It returns its
// name, which is there when the file is.
func selectTerms(s beam.Scope, o choice, out string, parts, heads beam.PCollection) (written beam.PCollection) {
	s = s.Scope("select")
	if o.mergeable() {
		features := beam.ParDo(s, &selectFn{Choice: encodePlan(o)}, parts)
		written = beam.ParDo(s, &mergeFn{Parts: o.Parts, Out: out, Repeats: o.Repeats}, together(s, features, heads))
	} else {
		written = writeJoined(s, &wholeFn{Choice: encodePlan(o), Out: out}, parts, heads)
	}
	logAll(s, written)
	return written
}

// selectFn selects terms from a part: those of the whole are among them. It emits a features file.
type selectFn struct {
	Choice string
	choice choice
}

// Setup decodes the choice.
func (f *selectFn) Setup() error { return decodePlan(f.Choice, &f.choice) }

// ProcessElement selects from the sum of one part.
func (f *selectFn) ProcessElement(ctx context.Context, number int, file []byte, emit func([]byte)) (err error) {
	defer mark(&err)
	stats, err := decodePart(number, f.choice.Parts, file)
	if err == nil {
		err = checkLabels(stats)
	}
	if err != nil {
		return err
	}
	s, err := f.choice.selection(ctx, stats, true)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err = s.WriteTSV(&out); err == nil {
		emit(out.Bytes())
	}
	return err
}

// decodePart returns the statistics in a file, with the number of the part as their record.
func decodePart(number, of int, file []byte) (*table.Table, error) {
	file, err := unpack(file)
	if err != nil {
		return nil, fmt.Errorf("part %d of %d: %w", number, of, err)
	}
	counts, _, err := tablefile.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("part %d of %d: %w", number, of, err)
	}
	var p table.Provenance
	if of > 1 {
		p.Part = &table.Part{Numbers: []int{number}, Of: of}
	}
	counts.SetProvenance(p)
	return counts, nil
}

// mergeFn merges the features of the parts, and writes the file.
type mergeFn struct {
	Parts   int
	Out     string
	Repeats bool // the same documents may come twice
}

// ProcessElement merges the features of all parts.
func (f *mergeFn) ProcessElement(ctx context.Context, _ int, features, heads func(*[]byte) bool, written func(string)) (err error) {
	defer mark(&err)
	s, err := f.merged(features, heads)
	if err != nil {
		return err
	}
	if err = writeWhole(ctx, f.Out, s.WriteTSV); err == nil {
		written(f.Out)
	}
	return err
}

func (f *mergeFn) merged(features, heads func(*[]byte) bool) (*selection.Selection, error) {
	p, err := joinHeads(heads, f.Repeats)
	if err != nil {
		return nil, err
	}
	var parts []*selection.Selection
	var file []byte
	for features(&file) {
		s, err := selection.Read(bytes.NewReader(file), fmt.Sprintf("the features of a part of %d", f.Parts))
		if err != nil {
			return nil, err
		}
		parts = append(parts, s)
	}
	s, err := selection.MergeFeatures(parts...)
	if err != nil {
		return nil, err
	}
	if len(s.Features) == 0 {
		return nil, fmt.Errorf("%w: none of the %d terms passes %s", selection.ErrNothingSelected, s.Stages[0].Candidates, s.Stages[0].Criterion)
	}
	s.Provenance = p
	return s, nil
}

// wholeFn joins all parts and writes a file of them, in whose memory all statistics are: what is selected
// by criteria that look at all terms, or the statistics.
type wholeFn struct {
	Choice, Out string
	Statistics  bool // are written
	choice      choice
}

// Setup decodes the choice.
func (f *wholeFn) Setup() error { return decodePlan(f.Choice, &f.choice) }

// ProcessElement joins the parts and writes the file.
func (f *wholeFn) ProcessElement(ctx context.Context, _ int, parts func(*numbered) bool, heads func(*[]byte) bool, written func(string)) (err error) {
	defer mark(&err)
	stats, err := joinParts(f.choice.Parts, parts, heads, f.choice.Repeats)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { _, err := corpus.WriteStatistics(w, stats); return err }
	if !f.Statistics {
		s, err := f.choice.selection(ctx, stats, false)
		if err != nil {
			return err
		}
		for _, w := range s.Warnings {
			log.Warn(ctx, w)
		}
		write = s.WriteTSV
	}
	if err = writeWhole(ctx, f.Out, write); err == nil {
		written(f.Out)
	}
	return err
}

// writeJoined writes a file of all parts.
func writeJoined(s beam.Scope, f *wholeFn, parts, heads beam.PCollection) (written beam.PCollection) {
	return beam.ParDo(s, f, together(s, beam.ParDo(s, withNumber, parts), heads))
}

// joinParts returns the statistics of all terms.
func joinParts(of int, parts func(*numbered) bool, heads func(*[]byte) bool, repeats bool) (*table.Table, error) {
	record, err := joinHeads(heads, repeats)
	if err != nil {
		return nil, err
	}
	var all []*table.Table
	var p numbered
	for parts(&p) {
		s, err := decodePart(p.Number, of, p.File)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	joined, err := table.JoinParts(all...)
	if err != nil {
		return nil, err
	}
	joined.SetProvenance(record)
	if joined, err = joined.OfClasses(); err != nil {
		return nil, err
	}
	if err := checkLabels(joined); err != nil {
		return nil, err
	}
	if joined.Cells.Terms() == 0 {
		return nil, fmt.Errorf("%w: none of the %d documents has a term", ingest.ErrEmpty, joined.Documents())
	}
	return joined, nil
}

// checkLabels returns an error if there is no document, or none with a label.
func checkLabels(s *table.Table) error {
	switch {
	case s.Cells.Documents == 0:
		return errNoDocuments()
	case s.Cells.Labelled == 0:
		return fmt.Errorf("%w: none of the %.0f documents says its class", ingest.ErrNoLabels, s.Cells.Documents)
	}
	return nil
}
