package main

import (
	"context"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/usage"
)

// inputFlags are the flags that say how raw text is read and analysed.
type inputFlags struct {
	docsFlags
	flags.Reading
	flags.Analysis
	minDF, maxDF       string
	dedupe             bool
	maxMemory, tempDir string
	threads            int
	noMap              bool
	like               *corpus.Provenance // text is analysed as it was there
}

// analysisFlags lists the flags that say how text is turned into terms.
var analysisFlags = slices.Concat(flags.OfAnalysis, []string{"min-df", "max-df", "dedupe"})

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
	f.Reading.Register(c.Flags())
	f.Analysis.Register(c.Flags())
	f.registerBuilding(c.Flags())
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		flag.Annotations = map[string][]string{rawOnly: nil}
	})
	flags.RegisterList(c.Flags(), &f.Read.MaxList)
	c.Flags().BoolVar(&f.noMap, "no-mmap", false, "read an index into memory instead of mapping it")
}

// rawOnly is the annotation of flags that apply to raw text only.
const rawOnly = "raw"

// registerBuilding adds the flags of what needs an index.
func (f *inputFlags) registerBuilding(flags *pflag.FlagSet) {
	flags.StringVar(&f.minDF, "min-df", "0", "least documents of a term: a number (5) or a share (0.5 or 50%; 1.0 is all)")
	flags.StringVar(&f.maxDF, "max-df", "0", "most documents of a term: a number (5) or a share (0.5 or 50%; 1.0 is all)")
	flags.StringVar(&f.maxMemory, "max-memory", "", "bound the memory for building an index, as 256MiB or 2GB; the rest goes to temporary files")
	flags.StringVar(&f.tempDir, "temp-dir", "", "directory for temporary files, as large as the index, or Parquet that comes by a pipe (default the system's)")
	flags.BoolVar(&f.dedupe, "dedupe", false, "drop documents whose text an earlier one had, but for white space and case")
}

// options returns the analysis options that the flags give, or an error if they are
// invalid.
func (f *inputFlags) options() (o corpus.Options, err error) {
	o = corpus.Options{Charset: f.Read.Charset, Fields: f.Fields(), Threads: f.threads, Dedupe: f.dedupe, Unlabelled: f.against() || f.Read.Unlabelled}
	if o.Analysis, err = f.Analysis.Options(flags.Lists{Limit: f.Read.MaxList}); err != nil {
		return o, err
	}
	if o.MinDF, o.MaxDF, err = bounds(f.minDF, f.maxDF); err != nil {
		return o, err
	}
	o.TempDir, o.Sample = f.tempDir, &analysis.Sample{}
	o.MaxMemory, err = f.boundMemory()
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

// corpus opens an index, or builds one in memory from raw inputs, and restricts it to
// the chosen documents. With a reference, the corpus has the documents of both sides.
func (a *app) corpus(c *cobra.Command, f *inputFlags, paths []string) (*corpus.Corpus, error) {
	docs, err := parseDocs(flags.Lists{Limit: f.Read.MaxList}, "docs", f.docs)
	if err != nil {
		return nil, err
	}
	referenceDocs, err := parseDocs(flags.Lists{Limit: f.Read.MaxList}, "reference-docs", f.referenceDocs)
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
		opt.Analysis, opt.MinDF, opt.MaxDF, opt.Sample = f.like.Analysis, 0, 0, nil
	} else {
		a.noteDeprecated(f)
	}
	return a.buildWith(ctx, f, paths, opt)
}

// buildWith is build with the given options.
func (a *app) buildWith(ctx context.Context, f *inputFlags, paths []string, opt corpus.Options) (*corpus.Corpus, error) {
	source, err := a.source(ctx, f, paths)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	built, err := corpus.BuildBatches(ctx, a.watchBatches(source), opt)
	if err := explained(source, err); err != nil {
		return nil, err
	}
	a.noteAnalysis(opt, built.Provenance())
	a.sumUp(source, time.Since(start), &vocabulary{built.Terms(), len(built.Classes())})
	info, err := corpus.Overview(ctx, built)
	if err != nil {
		return nil, err
	}
	a.noteLeftOut(info.EmptyDocuments, info.Provenance)
	return built, nil
}
