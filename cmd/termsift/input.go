package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// inputFlags say how raw text is read and analysed.
type inputFlags struct {
	format, split, charset        string
	textField, labelField, idName string
	tokens, stop, stem, headers   string
	minDF, maxDF                  string
	maxDocument, maxLine          int64
	threads                       int
}

// indexOnly are the flags that an index has settled already.
var indexOnly = []string{
	"input-format", "split", "charset", "text-field", "label-field", "id-field",
	"tokens", "stop", "stem", "headers", "min-df", "max-df", "max-document", "max-line",
}

func (f *inputFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.format, "input-format", "auto", "auto, tree, tar, jsonl or svmlight")
	flags.StringVar(&f.split, "split", "all", "all, train or test: folders whose name ends so")
	flags.StringVar(&f.charset, "charset", "auto", "auto, utf-8, latin-1 or gb18030")
	flags.StringVar(&f.textField, "text-field", "", "JSON field with the text (default text)")
	flags.StringVar(&f.labelField, "label-field", "", "JSON field with the labels (default labels)")
	flags.StringVar(&f.idName, "id-field", "", "JSON field with the name (default id)")
	flags.StringVar(&f.tokens, "tokens", "words", "words (letters, digits, _; two or more) or letters")
	flags.StringVar(&f.stop, "stop", "none", "stop list: "+strings.Join(analysis.StopLists(), ", ")+", or a file")
	flags.StringVar(&f.stem, "stem", "none", strings.Join(analysis.Stemmers(), ", "))
	flags.StringVar(&f.headers, "headers", "keep", "header lines of news: keep, none, or names to keep")
	flags.StringVar(&f.minDF, "min-df", "0", "least documents of a term; below 1 or with % a share")
	flags.StringVar(&f.maxDF, "max-df", "0", "most documents of a term; below 1 or with % a share")
	flags.Int64Var(&f.maxDocument, "max-document", 64<<20, "most bytes of a document")
	flags.Int64Var(&f.maxLine, "max-line", 16<<20, "most bytes of a line")
	flags.IntVar(&f.threads, "threads", 0, "goroutines (default GOMAXPROCS)")
}

// options checks the flags that say how text becomes terms.
func (f *inputFlags) options() (o engine.Options, err error) {
	o = engine.Options{Charset: f.charset, Threads: f.threads}
	o.Analysis = analysis.Options{Tokens: f.tokens, Stop: f.stop, Stem: f.stem, Headers: f.headers}
	if !slices.Contains(analysis.StopLists(), f.stop) {
		words, err := readWords(f.stop)
		if errors.Is(err, os.ErrNotExist) {
			return o, usageError("unknown stop list %q; known: %s, or the name of a file", f.stop, strings.Join(analysis.StopLists(), " "))
		}
		if err != nil {
			return o, err
		}
		o.Analysis.Stop, o.Analysis.StopWords = "none", words
	}
	if o.MinDF, err = share("--min-df", f.minDF); err != nil {
		return o, err
	}
	o.MaxDF, err = share("--max-df", f.maxDF)
	return o, err
}

// share reads "5", "0.5" or "50%".
func share(flag, text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || v < 0 || v != v || percent && v > 1 {
		return 0, usageError("%s takes a number of documents, a share below 1 or a percentage, not %q", flag, text)
	}
	return v, nil
}

// readWords reads a file of one word a line.
func readWords(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(data)), nil
}

// source opens raw inputs.
func (a *app) source(ctx context.Context, f *inputFlags, paths []string) (*reader.Source, error) {
	format, err := reader.ParseFormat(f.format)
	if err != nil {
		return nil, usageError("%v", err)
	}
	s, err := reader.Read(ctx, paths, reader.Options{
		Format: format, Split: f.split, Charset: f.charset, TextField: f.textField, LabelField: f.labelField,
		IDField: f.idName, MaxDocument: f.maxDocument, MaxLine: f.maxLine, Stdin: a.stdin,
	})
	if err != nil && exitCode(err) == exitIO && strings.HasPrefix(err.Error(), "unknown ") {
		return nil, usageError("%v", err)
	}
	return s, err
}

// corpus opens an index, or builds one in memory from raw inputs.
func (a *app) corpus(c *cobra.Command, f *inputFlags, paths []string) (*engine.Corpus, error) {
	if len(paths) == 1 {
		isIndex, err := startsAsIndex(paths[0])
		if err != nil {
			return nil, err
		}
		if isIndex {
			for _, name := range indexOnly {
				if c.Flags().Changed(name) {
					return nil, usageError("--%s says how raw text is read, but %s is an index: build it again with this flag", name, paths[0])
				}
			}
			return engine.Open(paths[0])
		}
	}
	return a.build(c.Context(), f, paths)
}

func startsAsIndex(path string) (bool, error) {
	if path == "-" {
		return false, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	// What was read from a pipe is gone for the reader behind.
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	prefix := make([]byte, 16)
	n, err := io.ReadFull(file, prefix)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return engine.IsIndex(prefix[:n]), nil
}

// build reads raw inputs into a corpus and sums up on stderr.
func (a *app) build(ctx context.Context, f *inputFlags, paths []string) (*engine.Corpus, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	source, err := a.source(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	corpus, err := engine.Build(ctx, a.watch(source.Documents()), opt)
	if err != nil {
		return nil, err
	}
	a.sumUp(source, time.Since(start), fmt.Sprintf(", %d terms, %d classes", corpus.Terms(), len(corpus.Classes())))
	return corpus, nil
}

func (a *app) sumUp(source *reader.Source, took time.Duration, more string) {
	s := source.Summary()
	for _, n := range s.Notes {
		a.note("%s", n)
	}
	reasons := make([]string, 0, len(s.Skipped))
	for reason, n := range s.Skipped {
		reasons = append(reasons, fmt.Sprintf("skipped %d: %s", n, reason))
	}
	slices.Sort(reasons)
	for _, r := range reasons {
		a.note("%s", r)
	}
	a.note("%d documents, %.1f MB at %.0f MB/s%s", s.Documents, float64(s.Bytes)/1e6, float64(s.Bytes)/1e6/max(took.Seconds(), 1e-9), more)
}

// watch shows progress on a terminal, from the first second on.
func (a *app) watch(docs document.Stream) document.Stream {
	if !isTerminal(a.stderr) {
		return docs
	}
	return func(yield func(document.Document, error) bool) {
		start, last := time.Now(), time.Now()
		n, shown := 0, false
		for d, err := range docs {
			n++
			if n%64 == 0 && time.Since(start) > time.Second && time.Since(last) > 200*time.Millisecond {
				last, shown = time.Now(), true
				fmt.Fprintf(a.stderr, "\r%d documents, %.0f a second ", n, float64(n)/time.Since(start).Seconds())
			}
			if !yield(d, err) {
				break
			}
		}
		if shown {
			fmt.Fprint(a.stderr, "\r\x1b[K")
		}
	}
}
