package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader"
)

// inputFlags say how raw text is read and analysed.
type inputFlags struct {
	docsFlags
	read                        reader.Options
	format, classes             string
	classesFrom                 string
	tokens, stop, stem, headers string
	ngrams                      string
	maxToken                    int
	minDF, maxDF                string
	dedupe                      bool
	threads                     int
	like                        *engine.Provenance // text becomes terms as it did there
}

// analysisFlags are the flags that say how text becomes terms.
var analysisFlags = []string{"tokens", "stop", "stem", "headers", "ngrams", "max-token", "min-df", "max-df", "dedupe"}

// register adds the flags. All but --docs and --threads are settled once there is an
// index.
func (f *inputFlags) register(c *cobra.Command) {
	f.registerReading(c.Flags())
	f.registerAnalysis(c.Flags())
	c.Flags().VisitAll(func(flag *pflag.Flag) { // before any other flag is there
		flag.Annotations = map[string][]string{rawOnly: nil}
	})
	f.registerDocs(c)
	c.Flags().IntVar(&f.threads, "threads", 0, "goroutines (default GOMAXPROCS)")
}

// rawOnly annotates the flags that an index has settled already.
const rawOnly = "raw"

func (f *inputFlags) registerReading(flags *pflag.FlagSet) {
	o := &f.read
	flags.StringVar(&f.format, "input-format", "auto", words(reader.Formats()))
	flags.StringVar(&o.Split, "split", "all", "all, train, test or unused: folders whose name ends so, or the collection's")
	flags.StringVar(&o.ReutersSplit, "reuters-split", "modapte", "modapte, modlewis or modhayes")
	flags.StringVar(&o.Labels, "labels", "topics", "of Reuters: topics, places, people, orgs or exchanges")
	flags.BoolVar(&o.SingleLabel, "single-label", false, "drop documents that do not have exactly one label")
	flags.BoolVar(&o.FirstLabel, "first-label", false, "keep the first label of a document")
	flags.BoolVar(&o.Labelled, "labelled", false, "drop documents without a label")
	flags.StringVar(&f.classes, "classes", "all", "all; both: those of the train and the test split; or a file of names, one a line")
	flags.StringVar(&f.classesFrom, "classes-from", "", "keep the labels of this index")
	flags.StringVar(&o.Charset, "charset", "auto", words(reader.Charsets()))
	flags.StringVar(&o.TextField, "text-field", "", "field or column with the text (default text)")
	flags.StringVar(&o.LabelField, "label-field", "", "field or column with the labels (default labels or label)")
	flags.StringVar(&o.IDField, "id-field", "", "field or column with the name (default id)")
	flags.BoolVar(&o.NoHeader, "no-header", false, "CSV without a header line: columns are numbers from 1 on")
	flags.StringVar(&o.Qrels, "qrels", "", "file of lines \"label document 1\" with the labels of LYRL2004 files")
	flags.StringVar(&o.StripMetadata, "strip-metadata", "auto", "metadata lines of the Fudan corpus, which name the class: auto, on or off")
	flags.BoolVar(&o.SkipBad, "skip-bad", false, "leave out documents that cannot be understood, and say where they are")
	flags.Int64Var(&o.MaxDocument, "max-document", 64<<20, "most bytes of a document")
	flags.Int64Var(&o.MaxLine, "max-line", 16<<20, "most bytes of a line")
	flags.IntVar(&o.MaxLabels, "max-labels", 10_000, "most labels of a document")
	flags.IntVar(&o.MaxClasses, "max-classes", 1_000_000, "most distinct labels")
	flags.IntVar(&o.MaxMembers, "max-members", 10_000_000, "most members of an archive")
	flags.Int64Var(&o.MaxExpansion, "max-expansion", 1000, "most bytes that one byte of compressed input may become")
}

func (f *inputFlags) registerAnalysis(flags *pflag.FlagSet) {
	flags.StringVar(&f.tokens, "tokens", "words", words(analysis.Tokenizers()))
	flags.StringVar(&f.stop, "stop", "none", "stop list: "+words(analysis.StopLists())+"; or a file")
	flags.StringVar(&f.stem, "stem", "none", words(analysis.Stemmers()))
	flags.StringVar(&f.headers, "headers", "keep", "header lines of news: keep, none, or names to keep")
	flags.StringVar(&f.ngrams, "ngrams", "1", "runs of words that are terms: 1, 1-2, 2 and so on")
	flags.IntVar(&f.maxToken, "max-token", 256, "most bytes of a token")
	flags.StringVar(&f.minDF, "min-df", "0", "least documents of a term; below 1 or with % a share")
	flags.StringVar(&f.maxDF, "max-df", "0", "most documents of a term; below 1 or with % a share")
	flags.BoolVar(&f.dedupe, "dedupe", false, "drop documents whose text an earlier one had, but for white space and case")
}

// words lists names for a help text.
func words[T ~string](names []T) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = string(n)
	}
	return strings.Join(list, ", ")
}

// options checks the flags that say how text becomes terms.
func (f *inputFlags) options() (o engine.Options, err error) {
	o = engine.Options{Charset: f.read.Charset, Threads: f.threads, Dedupe: f.dedupe, Unlabelled: f.against()}
	o.Analysis = analysis.Options{
		Tokens: f.tokens, Stop: f.stop, Stem: f.stem, Headers: f.headers, NGrams: f.ngrams, MaxToken: f.maxToken,
	}
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
	for _, path := range paths {
		if isIndex, err := startsAsIndex(path); isIndex && err == nil {
			return nil, usageError("%s is an index, and raw text is read here: name the text, or the index alone where one will do", path)
		}
	}
	opt, err := a.readerOptions(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	s, err := reader.Read(ctx, paths, opt)
	if err != nil && exitCode(err) == exitIO && strings.HasPrefix(err.Error(), "unknown ") {
		return nil, usageError("%v", err)
	}
	return s, err
}

// readerOptions turns the flags into options; the classes that are in both splits
// are read from the inputs for that.
func (a *app) readerOptions(ctx context.Context, f *inputFlags, paths []string) (opt reader.Options, err error) {
	if err := f.checkLimits(); err != nil {
		return opt, err
	}
	opt = f.read
	opt.Stdin = a.stdin
	if opt.Format, err = reader.ParseFormat(f.format); err != nil {
		return opt, usageError("%v", err)
	}
	switch {
	case f.classesFrom != "" && f.classes != "all":
		return opt, usageError("--classes and --classes-from contradict each other: leave one away")
	case f.classesFrom != "":
		corpus, err := engine.Open(f.classesFrom)
		if err != nil {
			return opt, err
		}
		opt.Classes = corpus.Classes()
	case f.classes == "both":
		if opt.Classes, err = reader.CommonClasses(ctx, paths, opt); errors.Is(err, reader.ErrOnce) {
			err = usageError("--classes both: %v", err)
		}
	case f.classes != "all":
		opt.Classes, err = readLines(f.classes)
		if errors.Is(err, os.ErrNotExist) {
			err = usageError("unknown choice of classes %q; known: all both, or the name of a file", f.classes)
		}
	}
	return opt, err
}

// checkLimits refuses limits that nothing keeps.
func (f *inputFlags) checkLimits() error {
	o := &f.read
	for _, limit := range []struct {
		flag  string
		value int64
	}{
		{"max-document", o.MaxDocument},
		{"max-line", o.MaxLine},
		{"max-labels", int64(o.MaxLabels)},
		{"max-classes", int64(o.MaxClasses)},
		{"max-members", int64(o.MaxMembers)},
		{"max-expansion", o.MaxExpansion},
	} {
		if limit.value <= 0 {
			return usageError("--%s must be positive, not %d", limit.flag, limit.value)
		}
	}
	return nil
}

// readLines reads a file of one name a line.
func readLines(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			names = append(names, line)
		}
	}
	return names, nil
}

// corpus opens an index, or builds one in memory from raw inputs, and restricts it to
// the documents that are meant. With a reference it has the documents of both.
func (a *app) corpus(c *cobra.Command, f *inputFlags, paths []string) (*engine.Corpus, error) {
	docs, err := parseDocs("docs", f.docs)
	if err != nil {
		return nil, err
	}
	referenceDocs, err := parseDocs("reference-docs", f.referenceDocs)
	if err != nil {
		return nil, err
	}
	if err := f.checkInputs(c, paths); err != nil {
		return nil, err
	}
	whole, err := a.load(c.Context(), f, paths)
	if err != nil {
		return nil, err
	}
	return a.choose(c, f, whole, docs, referenceDocs)
}

// checkInputs refuses flags for raw text where there is none, and to read standard
// input twice.
func (f *inputFlags) checkInputs(c *cobra.Command, paths []string) error {
	name := changedRaw(c)
	inputs := [][]string{paths}
	if f.reference != "" {
		inputs = append(inputs, []string{f.reference})
		if f.reference == "-" && slices.Contains(paths, "-") {
			return usageError("standard input is the INPUT and cannot be the reference as well")
		}
	}
	for _, paths := range inputs {
		isIndex, err := isOneIndex(paths)
		if err != nil {
			return err
		}
		if !isIndex {
			return nil // the flags are meant for these
		}
	}
	if name != "" {
		return usageError("--%s says how raw text is read, but %s is an index: build it again with this flag", name, paths[0])
	}
	return nil
}

// isOneIndex says that inputs are a single index.
func isOneIndex(paths []string) (bool, error) {
	if len(paths) != 1 {
		return false, nil
	}
	return startsAsIndex(paths[0])
}

// load opens an index, or builds one in memory.
func (a *app) load(ctx context.Context, f *inputFlags, paths []string) (*engine.Corpus, error) {
	isIndex, err := isOneIndex(paths)
	if err != nil {
		return nil, err
	}
	if isIndex {
		return engine.Open(paths[0])
	}
	return a.build(ctx, f, paths)
}

// changedRaw gives the name of a flag for raw text that the user set.
func changedRaw(c *cobra.Command) (name string) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		if _, ok := flag.Annotations[rawOnly]; ok {
			name = flag.Name
		}
	})
	return name
}

func startsAsIndex(path string) (bool, error) {
	prefix, err := beginning(path)
	return err == nil && engine.IsIndex(prefix), err
}

// beginning gives the first bytes of a file, of anything else none.
func beginning(path string) ([]byte, error) {
	if path == "-" {
		return nil, nil
	}
	// A pipe is opened once: what writes to it goes away with the first reader.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	prefix := make([]byte, 32)
	n, err := io.ReadFull(file, prefix)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	return prefix[:n], nil
}

// build reads raw inputs into a corpus and sums up on stderr.
func (a *app) build(ctx context.Context, f *inputFlags, paths []string) (*engine.Corpus, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	if f.like != nil {
		opt.Analysis, opt.MinDF, opt.MaxDF = f.like.Analysis, 0, 0
	}
	source, err := a.source(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	corpus, err := engine.BuildBatches(ctx, a.watchBatches(source.Batches()), opt)
	if empty := source.Check(); empty != nil && errors.Is(err, engine.ErrEmpty) {
		err = empty
	}
	if err != nil {
		return nil, err
	}
	a.sumUp(source, time.Since(start), fmt.Sprintf(", %d terms, %d classes", corpus.Terms(), len(corpus.Classes())))
	a.noteLeftOut(corpus.Info())
	return corpus, nil
}

// noteLeftOut tells what is not in an index, or hardly.
func (a *app) noteLeftOut(i engine.Info) {
	p := i.Provenance
	if i.EmptyDocuments > 0 {
		a.note("%d documents have no terms; they count as documents", i.EmptyDocuments)
	}
	if p.Repeats > 0 {
		a.note("dropped %d documents whose text an earlier one has, %d of them with other labels", p.Repeats, p.Relabelled)
	}
	if p.LongTokens > 0 {
		a.note("dropped %d tokens of more than %d bytes; --max-token is the limit", p.LongTokens, p.Analysis.MaxToken)
	}
}

// sumUp tells what was read.
func (a *app) sumUp(source *reader.Source, took time.Duration, more string) {
	s := source.Summary()
	for _, n := range s.Notes {
		a.note("%s", n)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		a.note("skipped %d: %s", s.Skipped[reason], reason)
	}
	for _, p := range s.Problems {
		a.note("left out %d: %s; the first is %v", p.Count, p.Kind, p.Places[0])
	}
	a.note("%d documents, %.1f MB at %.0f MB/s%s", s.Documents, float64(s.Bytes)/1e6, float64(s.Bytes)/1e6/max(took.Seconds(), 1e-9), more)
}

// watch shows progress on a terminal, from the first second on.
func (a *app) watch(docs document.Stream) document.Stream {
	if !isTerminal(a.stderr) {
		return docs
	}
	return func(yield func(document.Document, error) bool) {
		p := progress{w: a.stderr, start: time.Now()}
		defer p.end()
		for d, err := range docs {
			p.add(1)
			if !yield(d, err) {
				break
			}
		}
	}
}

// watchBatches is watch for batches, which are read on several goroutines.
func (a *app) watchBatches(batches document.Batches) document.Batches {
	if !isTerminal(a.stderr) {
		return batches
	}
	return func(yield func(document.Stream, error) bool) {
		p := progress{w: a.stderr, start: time.Now()}
		defer p.end()
		counted := func(docs document.Stream) document.Stream {
			return func(yield func(document.Document, error) bool) {
				n := 0
				for d, err := range docs {
					n++
					if !yield(d, err) {
						break
					}
				}
				p.add(n)
			}
		}
		for docs, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(counted(docs), nil) {
				return
			}
		}
	}
}
