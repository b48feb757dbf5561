package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/reader"
)

// inputFlags are the flags that say how raw text is read and analysed.
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
	maxMemory, tempDir          string
	threads                     int
	noMap                       bool
	like                        *corpus.Provenance // text is analysed as it was there
}

// analysisFlags lists the flags that say how text is turned into terms.
var analysisFlags = []string{"tokens", "stop", "stem", "headers", "ngrams", "max-token", "min-df", "max-df", "dedupe"}

// register adds the flags. All but --docs, --threads and --no-mmap apply to raw text
// only.
func (f *inputFlags) register(c *cobra.Command) {
	f.registerWhole(c)
	f.registerDocs(c)
	c.Flags().IntVar(&f.threads, "threads", 0, "goroutines (default GOMAXPROCS)")
}

// registerWhole adds the flags of commands that take all documents and have their own
// --threads. It comes before other flags are added.
func (f *inputFlags) registerWhole(c *cobra.Command) {
	f.registerReading(c.Flags())
	f.registerAnalysis(c.Flags())
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		flag.Annotations = map[string][]string{rawOnly: nil}
	})
	registerList(c.Flags(), &f.read.MaxList)
	c.Flags().BoolVar(&f.noMap, "no-mmap", false, "read an index into memory instead of mapping it")
}

// rawOnly is the annotation of flags that apply to raw text only.
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
	flags.StringVar(&o.TextField, "text-field", "", "field or column with the text (default text); data.text is a field in a field, title,body are joined")
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
	flags.Int64Var(&o.MaxExpansion, "max-expansion", 1000, "most bytes that one byte of compressed input may become, all levels and files together")
	flags.IntVar(&o.MaxName, "max-name", 4096, "most bytes of a name: of documents, labels, members, counted terms")
	flags.IntVar(&o.MaxDepth, "max-depth", 100, "most folders above a file or member")
	flags.IntVar(&o.MaxFields, "max-fields", 1<<16, "most columns of CSV")
	flags.Int64Var(&o.MaxInput, "max-input", 1<<40, "most bytes of an input that is no regular file")
}

func (f *inputFlags) registerAnalysis(flags *pflag.FlagSet) {
	flags.StringVar(&f.tokens, "tokens", analysis.Auto, "words, letters, unicode, zh-bigrams; auto: zh-bigrams where more than half of the first letters are Han, else words")
	flags.StringVar(&f.stop, "stop", "none", "stop list: "+words(analysis.StopLists())+"; or a file")
	flags.StringVar(&f.stem, "stem", "none", words(analysis.Stemmers()))
	flags.StringVar(&f.headers, "headers", "keep", "header lines of news: keep, none, or names to keep")
	flags.StringVar(&f.ngrams, "ngrams", "1", "runs of words that are terms: 1, 1-2, 2 and so on; words on both sides of a stop word are neighbours")
	flags.IntVar(&f.maxToken, "max-token", 256, "most bytes of a token")
	flags.StringVar(&f.minDF, "min-df", "0", "least documents of a term; below 1 or with % a share")
	flags.StringVar(&f.maxDF, "max-df", "0", "most documents of a term; below 1 or with % a share")
	flags.StringVar(&f.maxMemory, "max-memory", "", "bound the memory for building an index, as 256MiB or 2GB; the rest goes to temporary files")
	flags.StringVar(&f.tempDir, "temp-dir", "", "directory for temporary files, as large as the index, or Parquet that comes by a pipe (default the system's)")
	flags.BoolVar(&f.dedupe, "dedupe", false, "drop documents whose text an earlier one had, but for white space and case")
}

// words returns names as text for a help text.
func words[T ~string](names []T) string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = string(n)
	}
	return strings.Join(list, ", ")
}

// options returns the analysis options that the flags give, or an error if they are
// invalid.
func (f *inputFlags) options() (o corpus.Options, err error) {
	o = corpus.Options{Charset: f.read.Charset, Fields: f.fields(), Threads: f.threads, Dedupe: f.dedupe, Unlabelled: f.against() || f.read.Unlabelled}
	o.Analysis = analysis.Options{
		Tokens: f.tokens, Stop: f.stop, Stem: f.stem, Headers: f.headers, NGrams: f.ngrams, MaxToken: f.maxToken,
	}
	if !slices.Contains(analysis.StopLists(), f.stop) {
		words, err := lists{f.read.MaxList}.words(f.stop)
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
	if o.MaxDF, err = share("--max-df", f.maxDF); err != nil {
		return o, err
	}
	o.TempDir = f.tempDir
	o.MaxMemory, err = f.boundMemory()
	return o, err
}

// share parses "5", "0.5" or "50%".
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

// corpus opens an index, or builds one in memory from raw inputs, and restricts it to
// the chosen documents. With a reference, the corpus has the documents of both sides.
func (a *app) corpus(c *cobra.Command, f *inputFlags, paths []string) (*corpus.Corpus, error) {
	docs, err := parseDocs(lists{f.read.MaxList}, "docs", f.docs)
	if err != nil {
		return nil, err
	}
	referenceDocs, err := parseDocs(lists{f.read.MaxList}, "reference-docs", f.referenceDocs)
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

// changedRaw returns the name of a flag for raw text that the user set, or "".
func changedRaw(c *cobra.Command) (name string) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		if _, ok := flag.Annotations[rawOnly]; ok {
			name = flag.Name
		}
	})
	return name
}

// build reads raw inputs into a corpus and prints a summary on stderr.
func (a *app) build(ctx context.Context, f *inputFlags, paths []string) (*corpus.Corpus, error) {
	opt, err := f.options()
	if err != nil {
		return nil, err
	}
	if f.like != nil {
		opt.Analysis, opt.MinDF, opt.MaxDF = f.like.Analysis, 0, 0
	} else {
		a.noteDeprecated(f)
	}
	return a.buildWith(ctx, f, paths, opt)
}

// noteDeprecated warns about a stemmer that exists only for old files.
func (a *app) noteDeprecated(f *inputFlags) {
	if slices.Contains(analysis.DeprecatedStemmers(), f.stem) {
		a.note("--stem %s is deprecated: it is neither Porter's paper nor his program. Take porter, or porter-c, which is the program", f.stem)
	}
}

// buildWith is build with the given options.
func (a *app) buildWith(ctx context.Context, f *inputFlags, paths []string, opt corpus.Options) (*corpus.Corpus, error) {
	source, err := a.source(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	corpus, err := corpus.BuildBatches(ctx, a.watchBatches(source), opt)
	if err != nil {
		return nil, explained(source, err)
	}
	a.noteDecided(opt, corpus.Provenance())
	a.sumUp(source, time.Since(start), fmt.Sprintf(", %d terms, %d classes", corpus.Terms(), len(corpus.Classes())))
	info, err := corpus.Info(ctx)
	if err != nil {
		return nil, err
	}
	a.noteLeftOut(info.EmptyDocuments, info.Provenance)
	return corpus, nil
}

// noteDecided says how text was analysed if the texts have decided it against the rule.
func (a *app) noteDecided(asked corpus.Options, p corpus.Provenance) {
	if asked.Analysis.Tokens == analysis.Auto && p.Analysis.Tokens != analysis.Tokenizers()[0] {
		a.note("most letters at the beginning are Han: --tokens %s; --tokens words takes whole runs of them", p.Analysis.Tokens)
	}
}

// noteLeftOut prints the number of documents without a term and what was dropped.
func (a *app) noteLeftOut(emptyDocuments int, p corpus.Provenance) {
	if emptyDocuments > 0 {
		a.note("%d documents have no terms; they count as documents", emptyDocuments)
	}
	if p.Repeats > 0 {
		a.note("dropped %d documents whose text an earlier one has, %d of them with other labels", p.Repeats, p.Relabelled)
	}
	if p.LongTokens > 0 {
		a.note("dropped %d tokens of more than %d bytes; --max-token is the limit", p.LongTokens, p.Analysis.MaxToken)
	}
}
