package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
)

// generateFlags are the parameters of a generated corpus.
type generateFlags struct {
	*app
	workload.Params
	to, out string
	threads int
}

func (f *generateFlags) flags() []flags.Flag {
	shape := flags.In(flags.GroupCorpus, []flags.Flag{
		{Name: "documents", To: &f.Documents, Default: 10_000, Most: 1_000_000_000, Help: "number of documents"},
		{Name: "length", To: &f.Tokens, Default: 298, Most: 1_000_000, Help: "mean number of tokens of a document"},
		{Name: "classes", To: &f.Classes, Default: 20, Most: 1_000_000, Help: "number of classes; the share of class k is as 1/(k+4)"},
		{Name: "labels", To: &f.Labels, Default: 1., Help: "mean number of labels of a document; 1: exactly one"},
		{Name: "terms", To: &f.Terms, Most: 100_000_000, Help: "words there are to draw from (default: by Heaps' law from the tokens)"},
		{Name: "class-terms", To: &f.Words.Topical, Default: workload.OfText.Topical, Help: "share of the tokens drawn from the terms of a class"},
		{Name: "zipf", To: &f.Words.Zipf, Default: workload.OfText.Zipf, Help: "exponent of the words' frequency by rank"},
		{
			Name: "kernel", To: &f.Words.Kernel, Default: workload.OfText.Kernel, Most: 1_000_000_000,
			Help: "ranks that it holds for; behind them it is one more; 0: all",
		},
		{Name: "seed", To: &f.Seed, Default: uint64(1), Help: "the same seed gives the same bytes on every machine"},
	})
	return append(
		shape,
		flags.Flag{Name: "output", Short: "o", To: &f.out, Writes: true, Group: flags.GroupOutput, Help: "output file (default standard output)"},
		flags.Flag{
			Name: "to", To: &f.to, Default: "jsonl", Group: flags.GroupOutput, Help: "jsonl, counts (JSON lines, counted already), svmlight or index",
			Choices: func([]string) []string { return append(slices.Sorted(maps.Keys(lineFormats)), "index") },
		},
		threadsFlag(&f.threads),
	)
}

// params returns the parameters that the flags give, with the vocabulary derived from
// them. It returns an error if they are invalid.
func (f *generateFlags) params() (workload.Params, error) {
	p := f.Params
	switch {
	case !(p.Labels >= 1):
		return p, usageError("--labels must be at least 1, not %v", p.Labels)
	case !(p.Words.Zipf > 0): // if all were 0, the library would use the law of the benchmarks
		return p, usageError("--zipf must be above 0, not %v", p.Words.Zipf)
	}
	if p.Terms == 0 {
		p.Terms = workload.Heaps(float64(p.Documents) * float64(p.Tokens))
	}
	if err := p.Validate(); err != nil {
		return p, usageError("%v", err)
	}
	if least := 2*p.Labels - 1; least > float64(p.Classes) { // label counts are distributed uniformly around the mean
		return p, usageError("--labels %v needs at least %.0f classes, not %d", p.Labels, math.Ceil(least), p.Classes)
	}
	return p, nil
}

func generateCommand(a *app) *command {
	var f generateFlags
	f.app = a
	return &command{
		use:   "generate [-o FILE]",
		short: "make a corpus of a known shape",
		long: "generate makes labelled documents of a chosen number and shape: words by Zipf's law, terms of\n" +
			"the classes, uneven classes. Equal flags give equal bytes on every machine and for any number\n" +
			"of threads. Documents are written as they are made; the memory does not grow with their number,\n" +
			"but for an index.",
		example: "  termsift generate --documents 1000 | termsift score --by chi --top 5 -\n" +
			"  termsift generate --documents 1000000 --classes 50 --to svmlight -o large.svm\n" +
			"  termsift generate --labels 2.9 --classes 100 --to index -o x.idx",
		args:     noArgs,
		flags:    f.flags(),
		complete: cobra.NoFileCompletions,
		output: func([]string) fileKind {
			if f.to == "index" {
				return indexFile
			}
			return otherFile
		},
		run: f.generate,
	}
}

// lineFormats are the formats with one line per document. Generated names consist of ASCII letters
// and digits, which no format escapes.
var lineFormats = map[string]struct {
	form   workload.Form
	append func(line []byte, d document.Document) []byte
}{
	"jsonl": {workload.Text, func(line []byte, d document.Document) []byte {
		return fmt.Appendf(line, `{"id":"%s","labels":["%s"],"text":"%s"}`, d.ID, strings.Join(d.Labels, `","`), d.Text)
	}},
	"counts": {workload.Counts, func(line []byte, d document.Document) []byte {
		line = fmt.Appendf(line, `{"id":"%s","labels":["%s"],"counts":{`, d.ID, strings.Join(d.Labels, `","`))
		return append(appendFeatures(line, d, `,"`, `":`), `}}`...)
	}},
	"svmlight": {workload.Numbers, func(line []byte, d document.Document) []byte {
		line = append(append(line, strings.Join(d.Labels, ",")...), ' ')
		return appendFeatures(line, d, " ", ":")
	}},
}

// appendFeatures appends the terms of a document with their counts. What is between two terms
// begins by a separator, which the first has not.
func appendFeatures(line []byte, d document.Document, between, behind string) []byte {
	before := between[1:]
	for _, f := range d.Features {
		line = append(append(append(line, before...), f.Term...), behind...)
		line = strconv.AppendInt(line, int64(f.Value), 10)
		before = between
	}
	return line
}

func (f *generateFlags) generate(c *cobra.Command, _ []string) error {
	p, err := f.params()
	if err != nil {
		return err
	}
	format, isLines := lineFormats[f.to]
	switch {
	case !isLines && f.to != "index":
		return usageError("unknown format %q; known: jsonl counts svmlight index", f.to)
	case !isLines && f.out == "":
		return usageError("--to index needs the file to write: -o FILE")
	}
	docs, err := workload.Documents(c.Context(), p, format.form, f.threads) // an index is made from text
	if err != nil {
		return err
	}
	docs = f.watch(docs, nil)
	fill := func(w io.Writer) error { return writeLines(w, docs, format.append) }
	if !isLines { // that which the command index would make of the JSON lines
		built, err := corpus.Build(c.Context(), docs, corpus.Options{Charset: "auto", Threads: f.threads})
		if err != nil {
			return err
		}
		fill = func(w io.Writer) error { _, err := built.WriteTo(w); return err }
	}
	if err := f.write(f.out, fill); err != nil {
		return err
	}
	f.note("%d documents, %d classes, %d words to draw from, seed %d", p.Documents, p.Classes, p.Terms, p.Seed)
	return nil
}

func writeLines(w io.Writer, docs document.Stream, appendLine func([]byte, document.Document) []byte) error {
	var line []byte
	for d, err := range docs {
		if err != nil {
			return err
		}
		line = append(appendLine(line[:0], d), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
