package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/learn"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file opens the inputs of a command by what they are.

// inputFlags are the flags that say how raw text is read and analysed.
type inputFlags struct {
	*app
	docsFlags
	flags.Reading
	flags.Analysis
	minDF, maxDF       string
	dedupe             bool
	maxMemory, tempDir string
	perTerm, perText   int64 // bytes that a command takes beside an index, for a term and for a document
	threads            int
	segment            int // tokens of the segments that texts are cut into; 0 for none
	noMap              bool
	like               *corpus.Provenance // text is analysed as it was there
	classed            bool               // what is done tells classes apart, so that raw text needs labels
	shard              bool               // the text may be one of many shards, and have no term
}

// flags returns the flags. All but --docs, --threads, --max-list and --no-mmap apply to raw text
// only.
func (f *inputFlags) flags() []flags.Flag {
	return append(f.wholeFlags(), f.docsFlag(), threadsFlag(&f.threads))
}

func threadsFlag(to *int) flags.Flag {
	return flags.Flag{
		Name: "threads", To: to, Group: flags.GroupLimits, NotNegative: true, Most: pool.MostThreads, Applies: flags.OfInput | flags.OfWork, Help: "goroutines (default GOMAXPROCS)",
	}
}

// wholeFlags returns the flags of commands that take all documents and have their own --threads.
func (f *inputFlags) wholeFlags() []flags.Flag {
	return slices.Concat(f.Reading.Flags(), f.Analysis.Flags(), []flags.Flag{
		minDFFlag(&f.minDF, "least documents of a term: a number (5) or a share (0.5 or 50%; 1.0 is all)", flags.OfRaw|flags.OfAnalysis),
		maxDFFlag(&f.maxDF, "most documents of a term: a number (5) or a share (0.5 or 50%; 1.0 is all)", flags.OfRaw|flags.OfAnalysis),
		{
			Name: "dedupe", To: &f.dedupe, Group: flags.GroupInput, More: true, Applies: flags.OfRaw | flags.OfAnalysis,
			Help: "drop documents whose text an earlier one had, but for white space and case",
		},
		{
			Name: "max-memory", To: &f.maxMemory, Group: flags.GroupLimits, Takes: "SIZE", Applies: flags.OfRaw | flags.OfWork,
			Help: "bound the memory for building an index, as 256MiB or 2GB; the rest goes to temporary files",
		},
		tempDirFlag(&f.tempDir, "directory for temporary files, as large as the index, or Parquet that comes by a pipe (default the system's)", flags.OfRaw),
		{Name: "no-mmap", To: &f.noMap, Group: flags.GroupInput, More: true, Applies: flags.OfInput, Help: "read an index into memory instead of mapping it"},
		flags.MaxList(&f.Read.MaxList),
	})
}

func minDFFlag(to *string, help string, of flags.Use) flags.Flag {
	return flags.Flag{Name: "min-df", To: to, Default: "0", Takes: "N", Group: flags.GroupText, Applies: of, Excludes: "local-min-df", Why: "leaves out terms for good, which no sum bears", Help: help}
}

func maxDFFlag(to *string, help string, of flags.Use) flags.Flag {
	return flags.Flag{Name: "max-df", To: to, Default: "0", Takes: "N", Group: flags.GroupText, More: true, Applies: of, Help: help}
}

func tempDirFlag(to *string, help string, of flags.Use) flags.Flag {
	return flags.Flag{Name: "temp-dir", To: to, Folder: true, Group: flags.GroupLimits, More: true, Applies: of | flags.OfWork, Help: help}
}

// testSplitFlag returns the flag of the split of --test.
func testSplitFlag(to *string, help string) flags.Flag {
	return flags.Flag{Name: "test-split", To: to, Choices: flags.Among("all", "train", "test", "unused"), Group: flags.GroupEvaluation, More: true, Needs: "test", Help: help}
}

// splitOfTest returns the split of --test: that which was asked for, else --split beside an index, else
// the one that goes with --split.
func splitOfTest(asked, split string, besideIndex bool) string {
	switch {
	case asked != "":
		return asked
	case besideIndex:
		return split
	case split == "train":
		return "test"
	}
	return "all"
}

// changesAnalysis returns the name of a flag that the user gave and that says how text becomes
// terms, or "".
func changesAnalysis(c *cobra.Command) string { return givenName(c, flags.OfAnalysis) }

// noRaw returns an error for a flag of raw text where there is none, as what says.
func noRaw(c *cobra.Command, format string, args ...any) error {
	if name := givenName(c, flags.OfRaw); name != "" {
		return usageError("--%s says how raw text is read, but %s", name, fmt.Sprintf(format, args...))
	}
	return nil
}

// noAnalysis returns an error for a flag of the analysis where documents are analysed as others were.
func noAnalysis(c *cobra.Command, from, others string) error {
	if name := changesAnalysis(c); name != "" {
		return usageError("--%s contradicts %s: documents are analysed as %s were", name, from, others)
	}
	return nil
}

func givenName(c *cobra.Command, of flags.Use) string {
	if f := flags.Given(c.Flags(), of); f != nil {
		return f.Name
	}
	return ""
}

// optionalLabels reports whether raw text is read though no document has a label.
func (f *inputFlags) optionalLabels() bool { return f.optionalClasses && !f.classed }

// lists returns the reader of the files with names.
func (f *inputFlags) lists() flags.Lists { return flags.Lists{Limit: f.Read.MaxList} }

// options returns the options that the flags give for raw inputs, or an error if they are invalid.
func (f *inputFlags) options() (o corpus.Options, err error) {
	o = corpus.Options{Charset: f.Read.Charset, Fields: f.Fields(), Target: f.Read.Target, Threads: f.threads, Dedupe: f.dedupe, Unlabelled: f.against() || f.Read.Unlabelled || f.optionalLabels(), Segment: f.segment}
	if o.Analysis, err = f.analysis(); err != nil {
		return o, err
	}
	if o.MinDF, o.MaxDF, err = bounds(f.minDF, f.maxDF); err != nil {
		return o, err
	}
	o.Shard = f.shard && o.MinDF == 0 && o.MaxDF == 0
	o.TempDir, o.Sample, o.Distinct = f.tempDir, &analysis.Sample{}, &analysis.Distinct{}
	o.MaxMemory, err = f.boundMemory()
	return o, err
}

// analysis returns the options of the analysis, and says how many phrases there are.
func (f *inputFlags) analysis() (analysis.Options, error) {
	o, err := f.Analysis.Resolve(f.lists())
	if len(o.Phrases) > 0 {
		f.noteOnce("%d phrases of %s: %s", len(o.Phrases), f.PhraseFile, some(o.Phrases, few))
	}
	return o, err
}

// bounds parses --min-df and --max-df. All documents at most is no bound.
func bounds(minDF, maxDF string) (low, high float64, err error) {
	if low, err = usage.ParseBound("--min-df", minDF); err != nil {
		return 0, 0, err
	}
	if high, err = usage.ParseBound("--max-df", maxDF); high == usage.All {
		high = 0
	}
	return low, high, err
}

// counted opens the inputs of a command that needs no more than counts: a file of statistics, an
// index, or raw text.
func (f *inputFlags) counted(c *cobra.Command, paths []string) (rank.Counted, error) {
	if f.kindOfOne(paths) != statisticsFile {
		return f.corpus(c, paths)
	}
	if err := noRaw(c, "%s has statistics", paths[0]); err != nil {
		return nil, err
	}
	if name := givenName(c, flags.OfDocuments); name != "" {
		return nil, usageError("--%s needs the documents, and %s has statistics only: use the index", name, paths[0])
	}
	stats, err := f.openStatistics(paths[0])
	if err != nil {
		return nil, err
	}
	if n := int(stats.Missing); n > 0 {
		f.note("rare terms of the shards were left out: all terms in more than %d documents are there, and of each up to %d documents may not be counted", n, n)
	}
	return stats, nil
}

// corpus opens an index, or builds one in memory from raw inputs, and restricts it to
// the chosen documents. With a reference, the corpus has the documents of both sides.
func (f *inputFlags) corpus(c *cobra.Command, paths []string) (*corpus.Corpus, error) {
	referenceDocs, err := f.query("reference-docs", f.referenceDocs)
	if err == nil {
		err = f.checkInputs(c, paths)
	}
	if err != nil {
		return nil, err
	}
	return f.part(c, referenceDocs, paths...)
}

// part is corpus without a look at the flags.
func (f *inputFlags) part(c *cobra.Command, referenceDocs *corpus.Query, paths ...string) (*corpus.Corpus, error) {
	docs, err := f.query("docs", f.docs)
	if err != nil {
		return nil, err
	}
	whole, err := f.load(c.Context(), paths)
	if err != nil {
		return nil, err
	}
	target, reference, err := f.sides(c, whole, docs, referenceDocs)
	if err != nil || reference == nil {
		return target, err
	}
	return corpus.Contrast(c.Context(), target, reference, corpus.ContrastOptions{Threads: f.threads})
}

// checkInputs returns an error if flags for raw text are set without raw text, or if
// standard input is read twice.
func (f *inputFlags) checkInputs(c *cobra.Command, paths []string) error {
	onlyIndexes := f.kindOfOne(paths) == indexFile
	if f.reference != "" {
		if f.reference == "-" && slices.Contains(paths, "-") {
			return usageError("standard input is the INPUT and cannot be the reference as well")
		}
		onlyIndexes = onlyIndexes && f.kind(f.reference) == indexFile
	}
	if f.text != "" || !onlyIndexes {
		return nil
	}
	return noRaw(c, "%s is an index: build it again with this flag", paths[0])
}

// load opens an index, or builds one in memory from raw inputs.
func (f *inputFlags) load(ctx context.Context, paths []string) (built *corpus.Corpus, err error) {
	switch f.kindOfOne(paths) {
	case statisticsFile:
		return nil, usageError("%s has statistics only, without documents: score, select, compare, explain, keyness and merge take them; anything else needs the index", paths[0])
	case indexFile:
		return f.openCorpus(paths[0], corpus.OpenOptions{Read: f.noMap})
	}
	return f.build(ctx, paths)
}

// build builds a corpus from raw inputs, which are analysed as the flags say, or as another corpus was.
func (f *inputFlags) build(ctx context.Context, paths []string) (built *corpus.Corpus, err error) {
	err = f.read(ctx, paths, func(source *reader.Source, opt *corpus.Options) (m made, err error) {
		if f.like != nil {
			opt.Analysis, opt.MinDF, opt.MaxDF, opt.Sample, opt.Distinct = f.like.Analysis, 0, 0, nil, nil
		}
		built, err = corpus.BuildBatches(ctx, f.watchBatches(source), *opt)
		if err := explained(source, err); err != nil {
			return m, err
		}
		if err := f.fits(built, opt.MaxMemory); err != nil {
			return m, errors.Join(err, built.Close())
		}
		info, err := corpus.Overview(ctx, built)
		return made{vocabulary{built.Terms(), len(built.Classes())}, info.EmptyDocuments, built.Provenance()}, err
	})
	return built, err
}

// fits returns an error if what a command takes beside an index is beyond a bound on memory, of which the runtime takes
// a part.
func (f *inputFlags) fits(c *corpus.Corpus, most int64) error {
	const ofRuntime, ofTerm = 24 << 20, 16
	need := ofRuntime + int64(c.Terms())*(ofTerm+f.perTerm) + int64(c.Documents())*f.perText
	if most == 0 || need <= most {
		return nil
	}
	return usageError("--max-memory bounds the building of an index, and what comes of %d terms and %d documents here takes about %d MiB, more than %s: raise it, or omit it",
		c.Terms(), c.Documents(), need>>20, f.maxMemory)
}

// ofReference returns the flags of raw text that is held against the corpus with this
// record: it is read and analysed likewise, as far as no flag says otherwise.
func (f *inputFlags) ofReference(c *cobra.Command, p corpus.Provenance) *inputFlags {
	in := *f
	in.RememberFields(c.Flags().Changed, p)
	in.OptionalFields(c.Flags().Changed)
	switch {
	case changesAnalysis(c) == "":
		in.like, in.dedupe = &p, p.Dedupe
	case in.Tokens == analysis.Auto:
		in.Tokens = p.Analysis.Tokens
	}
	return &in
}

// A fileKind is the kind of contents of a file.
type fileKind string

const (
	otherFile      fileKind = "another kind of file"
	indexFile      fileKind = "an index"
	statisticsFile fileKind = "a file of statistics"
	featuresFile   fileKind = "a features file"
	modelFile      fileKind = "a model"
)

// kindOf returns the kind of an existing file by its first bytes.
func kindOf(path string) (fileKind, error) {
	prefix, err := beginning(path)
	switch {
	case err != nil:
		return otherFile, err
	case corpus.IsIndex(prefix):
		return indexFile, nil
	case corpus.IsStatistics(prefix):
		return statisticsFile, nil
	case selection.IsFeatures(prefix):
		return featuresFile, nil
	case learn.IsPipeline(prefix):
		return modelFile, nil
	}
	return otherFile, nil
}

// beginning returns the first bytes of a regular file, and nothing for any other.
func beginning(path string) ([]byte, error) {
	if path == "-" {
		return nil, nil
	}
	// A pipe is opened once: its writer ends with the first reader.
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, 32))
}

// kind returns the kind of an input, otherFile if it cannot be read: opening it returns the error.
func (a *app) kind(path string) fileKind {
	kind, _ := kindOf(path)
	return kind
}

// kindOfOne returns the kind of the one input, that of raw text for several.
func (a *app) kindOfOne(paths []string) fileKind {
	if len(paths) != 1 {
		return otherFile
	}
	return a.kind(paths[0])
}

// ofKinds returns how many of the inputs are of each kind.
func (a *app) ofKinds(paths []string) map[fileKind]int {
	of := map[fileKind]int{}
	for _, path := range paths {
		of[a.kind(path)]++
	}
	return of
}

// regular returns an error for a path that is not a regular file. An index is read in
// place, and a device or a pipe may not end.
func regular(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() { // Open returns the error
		return nil
	}
	return usageError("%s is no regular file, and an index is read in place: save it to a file and name that", path)
}

// openCorpus opens an index that the run reads.
func (tk *talk) openCorpus(path string, o corpus.OpenOptions) (*corpus.Corpus, error) {
	c, err := corpus.Open(path, o)
	if err == nil && tk.summary.asked {
		tk.summary.update(func(l *summaryLine) {
			l.addCounted(c.Documents(), c.Documents()-corpus.Labelled(c), &vocabulary{c.Terms(), len(c.Classes())})
		})
	}
	return c, err
}

// openStatistics opens a file of statistics that the run reads.
func (tk *talk) openStatistics(path string) (*table.Table, error) {
	s, err := corpus.OpenStatistics(path)
	if err == nil {
		unlabelled := int(s.Cells.Documents - s.Cells.Labelled)
		tk.summary.update(func(l *summaryLine) {
			l.addCounted(s.Documents(), unlabelled, &vocabulary{s.Terms(), len(s.Classes())})
		})
	}
	return s, err
}

// readFile reads a file by a function of the engine.
func readFile[T any](path string, read func(r io.Reader, name string) (T, error)) (v T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return v, err
	}
	defer file.Close()
	return read(file, path)
}

func readSelection(path string) (*selection.Selection, error) { return readFile(path, selection.Read) }

func readPipeline(path string) (*learn.Pipeline, error) {
	p, err := readFile(path, learn.LoadPipeline)
	if errors.Is(err, learn.ErrNoModel) {
		kind, _ := kindOf(path)
		switch kind {
		case featuresFile:
			return nil, usageError("%s is a features file, which has terms and no model: termsift train --features %[1]s makes one", path)
		case otherFile:
			err = fmt.Errorf("%w; write it with termsift train", err)
		default:
			return nil, usageError("%s is %s and no model: termsift train makes one of it", path, kind)
		}
	}
	return p, err
}

// byTarget has by name measures of a target, if the labels of the inputs are numbers and no flag asks
// for other measures or for classes.
func (f *inputFlags) byTarget(c *cobra.Command, args []string, by *string, measures string) {
	if flags.Given(c.Flags(), flags.OfClasses) != nil {
		return
	}
	if target := f.targetOf(args); target != "" {
		*by = measures
		f.note("%q is a number of each document: terms are ranked by %s, unless --by names other measures", target, measures)
	}
}

// targetOf returns the target of inputs, "" where labels are classes or an input cannot be read: opening it
// returns the error.
func (f *inputFlags) targetOf(paths []string) string {
	switch f.kindOfOne(paths) {
	case statisticsFile:
		p, _ := corpus.StatisticsProvenance(paths[0])
		return p.Target
	case indexFile:
		c, err := corpus.Open(paths[0], corpus.OpenOptions{})
		if err != nil {
			return ""
		}
		defer c.Close() // nothing was written
		return c.Provenance().Target
	}
	return f.Read.Target
}
