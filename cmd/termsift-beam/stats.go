package main

import (
	"context"
	"io"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/termsift/termsift/engine/corpus"
)

func init() {
	register.DoFn5x1[context.Context, int, func(*numbered) bool, func(*[]byte) bool, func(string), error](&statsFn{})
}

// statsFn joins the parts of statistics and writes their file. It has all of them in memory.
type statsFn struct {
	Parts   int
	Out     string
	Repeats bool // the same documents may come twice
}

// ProcessElement joins all parts.
func (f *statsFn) ProcessElement(ctx context.Context, _ int, parts func(*numbered) bool, heads func(*[]byte) bool, written func(string)) error {
	stats, err := joinParts(f.Parts, parts, heads, f.Repeats)
	if err != nil {
		return marked(err)
	}
	err = writeWhole(ctx, f.Out, func(w io.Writer) error {
		_, err := corpus.WriteStatistics(w, stats)
		return err
	})
	if err == nil {
		written(f.Out)
	}
	return marked(err)
}

// writeStatistics writes the statistics of all parts.
func writeStatistics(s beam.Scope, f *statsFn, parts, heads beam.PCollection) {
	s = s.Scope("write")
	logAll(s, beam.ParDo(s, f, together(s, withNumbers(s, parts), heads)))
}
