package main

import (
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/collocation"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/usage"
)

// This file learns phrases from raw text, which is read once more than it is counted.

// phraseFlags say which pairs of words are phrases.
type phraseFlags struct {
	threshold        optionalNumber
	minCount, passes int
	connectors       string
	list             string
	learnt           *analysis.Phrases // by an earlier build of the run; nil before
}

// flags returns the flags.
func (f *phraseFlags) flags() []flags.Flag {
	return flags.Like(flags.Flag{Group: flags.GroupText, More: true, Applies: flags.OfRaw | flags.OfAnalysis}, []flags.Flag{
		{Name: "phrase-threshold", To: &f.threshold, Takes: "X", Help: "score above which --phrases takes a pair (default 10 of default, 0.5 of npmi)"},
		{Name: "phrase-min-count", To: &f.minCount, Default: collocation.DefaultMinCount, Positive: true, Most: flags.Unlimited, Help: "count that a pair of --phrases needs: default subtracts it"},
		{Name: "phrase-passes", To: &f.passes, Default: 1, Positive: true, Most: collocation.MostPasses, Help: "how often --phrases learns, each time with the phrases found before as words"},
		{
			Name: "connectors", To: &f.connectors, Default: noConnectors, Choices: flags.Among(noConnectors, englishConnectors), Reads: flags.AFile,
			Help: "words that may stand inside phrases, not at their ends: none, english (of, the, and the like), or a file as for --stop",
		},
		{Name: "phrase-list", To: &f.list, Writes: true, Help: "write the phrases that --phrases has learnt to this file, which --phrases takes"},
	})
}

// The values of --connectors that are no files.
const (
	noConnectors      = "none"
	englishConnectors = "english"
)

// gensim's ENGLISH_CONNECTOR_WORDS.
var connectorsOfEnglish = strings.Fields("a an the for of with without at from to in on by and or")

// An optionalNumber is the value of a flag of a number whose default depends on others.
type optionalNumber struct {
	text  string
	value float64
}

func (n *optionalNumber) String() string { return n.text }

func (n *optionalNumber) Type() string { return "float64" }

func (n *optionalNumber) Set(text string) error {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil {
		n.text, n.value = text, v
	}
	return err
}

// or returns the number, or another if it was not given.
func (n *optionalNumber) or(other float64) float64 {
	if n.text == "" {
		return other
	}
	return n.value
}

// phraseOptions returns the options of learning that the flags give.
func (f *inputFlags) phraseOptions() (o collocation.PhraseOptions, err error) {
	p := &f.phrases
	o = collocation.PhraseOptions{Scorer: f.LearnsPhrases(), Threshold: p.threshold.or(math.NaN()), MinCount: p.minCount, Passes: p.passes}
	switch p.connectors {
	case noConnectors:
	case englishConnectors:
		o.Connectors = connectorsOfEnglish
	default:
		if o.Connectors, err = f.lists().StopWords(p.connectors); err != nil {
			return o, err
		}
	}
	return o, o.Validate()
}

// learnPhrases adds the phrases of raw inputs to the analysis, if the flags ask for it. Those of the
// reference are learnt together with them, so that both sides are analysed alike.
func (f *inputFlags) learnPhrases(ctx context.Context, paths []string, opt *corpus.Options) error {
	if f.LearnsPhrases() == "" {
		return f.phrases.unused()
	}
	if f.phrases.learnt != nil {
		opt.Analysis.Phrases = *f.phrases.learnt
		return nil
	}
	o, err := f.phraseOptions()
	if err != nil {
		return err
	}
	if err := collocation.CheckWords(analysis.Options{Tokens: opt.Analysis.Tokens}); err != nil {
		return err
	}
	if f.reference != "" && f.kind(f.reference) == otherFile && !slices.Contains(paths, f.reference) {
		paths = append(slices.Clone(paths), f.reference)
	}
	for _, path := range paths {
		if !reader.ReadableTwice(path) {
			return usageError("--phrases %s reads the input twice, and %s is a pipe: save it to a file and name that, or name a list of phrases", f.Phrases, path)
		}
	}
	learnt, set, err := collocation.Learn(ctx, opt.Analysis, o, func(a analysis.Options) (collocation.Source, error) {
		return f.countPairs(ctx, paths, a, opt)
	})
	if err != nil {
		return err
	}
	f.noteLearnt(learnt)
	opt.Analysis.Phrases, f.phrases.learnt = set, &set
	if f.phrases.list == "" {
		return nil
	}
	return f.write(f.phrases.list, func(w io.Writer) error { return flags.WritePhrases(w, learnt) })
}

// countPairs counts the words and pairs of raw inputs, whatever their classes.
func (f *inputFlags) countPairs(ctx context.Context, paths []string, a analysis.Options, counted *corpus.Options) (collocation.Source, error) {
	source, err := f.source(ctx, paths)
	if err != nil {
		return nil, err
	}
	opt := ingest.Options{Analysis: a, Unlabelled: true, Dedupe: counted.Dedupe, Threads: counted.Threads, TempDir: counted.TempDir, MaxMemory: counted.MaxMemory}
	pairs, err := countedPairs(ctx, withoutLabels(f.watchBatches(source)), opt)
	if unknown := (*usage.UnknownError)(nil); errors.As(err, &unknown) && a.Tokens == analysis.Auto { // Han, which has no pairs
		err = usageError("most letters at the beginning are Han, whose terms are pairs of characters and no words: --phrases needs --tokens words or unicode, and texts with spaces between words")
	}
	if err := explained(source, err); err != nil {
		return nil, err
	}
	return pairs, nil
}

// countedPairs counts words and pairs in memory or, if that is bounded and no repeats are to be found, in a file.
func countedPairs(ctx context.Context, batches document.Batches, opt ingest.Options) (collocation.Source, error) {
	if opt.MaxMemory > 0 && !opt.Dedupe {
		counted, err := ingest.CountToFile(ctx, batches, opt)
		if err != nil {
			return nil, err
		}
		return collocation.OfFile(counted.File, counted.Provenance), nil
	}
	counted, err := corpus.CountBatches(ctx, batches, opt)
	if err != nil {
		return nil, err
	}
	return collocation.OfTable(counted.Table), nil
}

// withoutLabels returns the texts of batches without their labels.
func withoutLabels(batches document.Batches) document.Batches {
	return func(yield func(document.Stream, error) bool) {
		for docs, err := range batches {
			if err == nil {
				docs = textsOnly(docs)
			}
			if !yield(docs, err) {
				return
			}
		}
	}
}

func textsOnly(docs document.Stream) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for d, err := range docs {
			if err == nil && d.Features != nil {
				err = ingest.NewDocumentError(&d, "it comes counted, and phrases are learnt from words in their order")
			}
			d.Labels, d.Stratum = nil, ""
			if !yield(d, err) || err != nil {
				return
			}
		}
	}
}

// noteLearnt says which phrases there are.
func (tk *talk) noteLearnt(learnt []collocation.Phrase) {
	if len(learnt) == 0 {
		tk.warn([]string{"no two words are a phrase: all terms are single words; --phrase-threshold and --phrase-min-count can be lower"})
		return
	}
	names := make([]string, len(learnt))
	for i, p := range learnt {
		names[i] = p.Text
	}
	tk.note("%d phrases: %s", len(learnt), some(names))
}

// unused returns an error for flags of learning where nothing is learnt.
func (f *phraseFlags) unused() error {
	name := ""
	switch {
	case f.threshold.text != "":
		name = "phrase-threshold"
	case f.minCount != collocation.DefaultMinCount:
		name = "phrase-min-count"
	case f.passes != 1:
		name = "phrase-passes"
	case f.connectors != noConnectors:
		name = "connectors"
	case f.list != "":
		name = "phrase-list"
	default:
		return nil
	}
	return usageError("--%s is for phrases that are learnt from the text: add --phrases default or --phrases npmi", name)
}
