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

	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/analysis"
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
	maxMemory, tempDir          string
	threads                     int
	noMap                       bool
	like                        *engine.Provenance // text becomes terms as it did there
}

// analysisFlags are the flags that say how text becomes terms.
var analysisFlags = []string{"tokens", "stop", "stem", "headers", "ngrams", "max-token", "min-df", "max-df", "dedupe"}

// register adds the flags. All but --docs, --threads and --no-mmap are settled once
// there is an index.
func (f *inputFlags) register(c *cobra.Command) {
	f.registerReading(c.Flags())
	f.registerAnalysis(c.Flags())
	c.Flags().VisitAll(func(flag *pflag.Flag) { // before any other flag is there
		flag.Annotations = map[string][]string{rawOnly: nil}
	})
	f.registerDocs(c)
	c.Flags().IntVar(&f.threads, "threads", 0, "goroutines (default GOMAXPROCS)")
	c.Flags().BoolVar(&f.noMap, "no-mmap", false, "read an index into memory instead of mapping it")
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
	flags.StringVar(&f.maxMemory, "max-memory", "", "bound the memory for building an index, as 256MiB or 2GB; the rest goes to temporary files")
	flags.StringVar(&f.tempDir, "temp-dir", "", "directory for temporary files, as large as the index (default the system's)")
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
	if o.MaxDF, err = share("--max-df", f.maxDF); err != nil {
		return o, err
	}
	o.TempDir = f.tempDir
	o.MaxMemory, err = f.boundMemory()
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

// changedRaw gives the name of a flag for raw text that the user set.
func changedRaw(c *cobra.Command) (name string) {
	c.Flags().Visit(func(flag *pflag.Flag) {
		if _, ok := flag.Annotations[rawOnly]; ok {
			name = flag.Name
		}
	})
	return name
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
	return a.buildWith(ctx, f, paths, opt)
}

// buildWith is build with given options.
func (a *app) buildWith(ctx context.Context, f *inputFlags, paths []string, opt engine.Options) (*engine.Corpus, error) {
	source, err := a.source(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	corpus, err := engine.BuildBatches(ctx, a.watchBatches(source.Batches()), opt)
	if err != nil {
		return nil, emptyInput(source, err)
	}
	a.sumUp(source, time.Since(start), fmt.Sprintf(", %d terms, %d classes", corpus.Terms(), len(corpus.Classes())))
	info, err := corpus.Info(ctx)
	if err != nil {
		return nil, err
	}
	a.noteLeftOut(info.EmptyDocuments, info.Provenance)
	return corpus, nil
}

// noteLeftOut tells what is not in an index, or hardly.
func (a *app) noteLeftOut(emptyDocuments int, p engine.Provenance) {
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
