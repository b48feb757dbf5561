// Package ingest reads documents, counts their terms on all threads, and makes one index
// of them.
//
// It takes a stream of batches of documents and [Options], and gives a [postings.Index]
// ([BuildIndex]) or writes its file ([BuildTo]), together with a [table.Provenance] that says how
// it was made. The index depends neither on how the documents are cut into batches nor on
// the number of threads.
//
// Begin reading with builder in build.go. A worker has a dictionary of its own and
// counts batches (gather.go); the dictionaries are joined (package vocabulary) and the
// counted batches put one behind the other (join.go). With a bound on memory that is done
// several times, each time the result is moved to a temporary file, a shard, and the
// shards are merged in the end.
//
// Three words: a batch is some consecutive documents, a worker is what one goroutine
// counts with, a shard is an index of some of the documents in a temporary file.
//
// The package never opens or decodes input files, and never scores a term.
package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

var (
	// ErrEmpty is returned when a corpus has no documents or no terms.
	ErrEmpty = usage.NewError(usage.ErrData, "nothing to count")
	// ErrNoLabels is returned when no document of a corpus has a label.
	ErrNoLabels = usage.ErrNoLabels
)

// Options say how text becomes terms, which terms are kept, and what a build may take.
// The zero value lets the first documents decide what a term is, and keeps all.
type Options struct {
	// Analysis may have the Tokens [analysis.Auto], or "", which is the same here: then the first
	// documents decide, and the corpus records what they decided. Parts of a whole that are counted
	// one by one had better all have what the first decided.
	Analysis analysis.Options
	// Sample gets the texts at the beginning, unless it is nil; it is whole when the build ends.
	Sample *analysis.Sample
	// Distinct gets the terms before they are hashed, unless it is nil or Analysis.HashBits are 0; it is whole
	// when the build ends.
	Distinct *analysis.Distinct
	// MinDF and MaxDF bound the document frequency of the terms: a value below 1 is a
	// share of the documents ([usage.All] is all), one from 1 on a number; 0 is no bound.
	MinDF, MaxDF float64
	// Dedupe drops a document if an earlier one has the same text, but for white space
	// and case, or the same terms with the same values. Provenance.Repeats counts them.
	Dedupe bool
	// Segment cuts the text of each document, from its start, into segments of so many tokens, which
	// take its place and have its name and labels; what is left at the end is dropped. 0 does not. The
	// documents must come as texts, and the terms be n-grams of one length. Provenance.Short counts
	// the documents that are shorter.
	Segment int
	// Unlabelled permits a corpus without any label, as one side of [corpus.Contrast].
	Unlabelled bool
	// Shard permits [Count] documents without any label or term, or no documents at all: they
	// are some of many, and their statistics are added to those of others.
	Shard bool
	// Charset, Fields and Target are recorded in the corpus. Documents must be decoded already, and
	// their labels be the numbers of the target.
	Charset string
	Fields  table.Fields
	Target  string
	// MaxMemory bounds the memory in bytes; it must be at least MinMemory, or 0 for no
	// bound. What does not fit goes to temporary files as large as the index, which is
	// the same. Not bounded are what the caller's stream takes, some 40 bytes a document,
	// and as many again for Dedupe. The caller should bound the garbage collector by
	// GOMEMLIMIT or debug.SetMemoryLimit; else there may be as much garbage again.
	MaxMemory int64
	// NoCells makes [BuildTo] leave out the cells, as corpus.SaveOptions.NoCells does.
	NoCells bool
	// TempDir is the directory of temporary files; "" is the system's.
	TempDir string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// newAnalyzer checks the options, fills in the defaults of opt.Analysis, and returns the
// analyzer, nil if the texts are to decide. Its errors are [usage.ErrUsage].
func (opt *Options) newAnalyzer() (*analysis.Analyzer, error) {
	if err := CheckBounds(opt.MinDF, opt.MaxDF); err != nil {
		return nil, err
	}
	if opt.MaxMemory != 0 && opt.MaxMemory < MinMemory {
		return nil, usage.Errorf("a build takes at least %d MiB of memory: MaxMemory is %d bytes", MinMemory>>20, opt.MaxMemory)
	}
	opt.Analysis.Tokens = cmp.Or(opt.Analysis.Tokens, analysis.Auto)
	checked := opt.Analysis
	if checked.Tokens == analysis.Auto {
		checked.Tokens = "" // all else is checked before the texts are read
	}
	a, err := analysis.New(checked)
	if err != nil {
		return nil, err
	}
	if err := opt.checkSegment(a.Options().NGrams); err != nil {
		return nil, err
	}
	if opt.Analysis.Tokens == analysis.Auto {
		return nil, nil
	}
	opt.Analysis = a.Options()
	return a, nil
}

// CheckBounds returns a [usage.ErrUsage] if a bound on the document frequency is negative
// or NaN.
func CheckBounds(bounds ...float64) error {
	for _, bound := range bounds {
		if bound < 0 || math.IsNaN(bound) {
			return usage.Errorf("a bound on the document frequency must not be negative: %v", bound)
		}
	}
	return nil
}

// checkContents returns the error of a corpus without documents, labels or terms.
func (opt *Options) checkContents(documents int, labelled bool, terms int) error {
	switch {
	case documents == 0:
		return fmt.Errorf("%w: the corpus has no documents", ErrEmpty)
	case !labelled && !opt.Unlabelled:
		return fmt.Errorf("%w: none of the %d documents says its class", ErrNoLabels, documents)
	case terms == 0:
		return fmt.Errorf("%w: none of the %d documents has a term within the bounds%s",
			ErrEmpty, documents, opt.tooShort())
	}
	return nil
}

// tooShort says why texts may have no term though nothing bounds the terms.
func (opt *Options) tooShort() string {
	words := []string{"", analysis.Auto, analysis.Tokenizers()[0]}
	if !slices.Contains(words, opt.Analysis.Tokens) || opt.MinDF != 0 || opt.MaxDF != 0 {
		return ""
	}
	return ": words have two letters or digits or more, and of tokens \"unicode\" one is enough"
}

// BuildIndex makes the index of the documents of batches, in their order: in memory, or in a mapped temporary file if
// Options.MaxMemory demands it. It reads and analyses on all threads. Posting lists are made when they are first
// needed. The index depends neither on how the documents are cut into batches nor on the number of threads. The batches
// are run on other goroutines than the caller's.
func BuildIndex(ctx context.Context, batches document.Batches, opt Options) (*postings.Numbered, error) {
	b, err := newBoundedBuilder(opt)
	if err != nil {
		return nil, err
	}
	return counted(ctx, b, batches, b.buildIndex)
}

// BuildInMemory is [BuildIndex] without a bound on memory: Options.MaxMemory must be 0. A
// program that builds by it alone has no code for temporary files and for merging them, which
// is 0.25 MB.
func BuildInMemory(ctx context.Context, batches document.Batches, opt Options) (*postings.Numbered, error) {
	if opt.MaxMemory != 0 {
		return nil, usage.Errorf("MaxMemory is %d, but building in memory has no bound: it must be 0", opt.MaxMemory)
	}
	b, err := newBuilder(opt)
	if err != nil {
		return nil, err
	}
	return counted(ctx, b, batches, b.index)
}

// Decided calls f with the batches after the first documents have decided what Options.Analysis
// leaves to them, and with the analysis. Options.Sample gets the texts at the beginning. Those documents are copied,
// and counted like the others afterwards.
func Decided(ctx context.Context, batches document.Batches, opt Options, f func(document.Batches, analysis.Options) error) error {
	b, err := newBuilder(opt)
	if err != nil {
		return err
	}
	_, err = counted(ctx, b, batches, func(context.Context) (*struct{}, error) { return nil, f(b.batches, b.analyzer.Options()) })
	return err
}

// A builder counts the documents of batches.
type builder struct {
	opt      Options
	analyzer *analysis.Analyzer // nil until the texts have decided how they are analysed
	totals   inputTotals
	next     func() (document.Stream, error, bool) // the next batch
	ended    bool                                  // next has no more

	footprint atomic.Int64 // bytes of memory that it takes to make an index or a table of what was counted
	spillAt   int64        // footprint at which what was counted goes to a temporary file; 0 = never
	spill     func(ctx context.Context, g *gatherer) error
	mu        sync.Mutex // of the totals, while batches are read
	shards    []*postings.Index
	anyLabel  bool                  // some document of the shards has a label
	system    files.TemporarySystem // nil is the operating system
}

func newBuilder(opt Options) (*builder, error) {
	a, err := opt.newAnalyzer()
	if err != nil {
		return nil, err
	}
	return &builder{opt: opt, analyzer: a}, nil
}

// counted runs count on a goroutine of its own, once the first documents have decided what the options leave to them.
func counted[T any](ctx context.Context, b *builder, batches document.Batches, count func(context.Context) (*T, error)) (x *T, err error) {
	if batches == nil {
		return nil, usage.Errorf("nil batches of documents were given")
	}
	err = pool.Detached(ctx, func(ctx context.Context) (err error) {
		next, stop := pool.Pull(batches)
		defer func() { err = cmp.Or(err, stop()) }()
		b.next = next
		if err := b.decide(ctx); err != nil {
			return err
		}
		x, err = count(ctx)
		return b.tooFew(err)
	})
	return x, err
}

// decide reads batches until the texts decide, and makes the analyzer if there is none. The batches that it has read
// are the next ones.
func (b *builder) decide(ctx context.Context) (err error) {
	if b.analyzer != nil && b.opt.Sample == nil {
		return nil
	}
	sample := cmp.Or(b.opt.Sample, &analysis.Sample{})
	var read []*streamBatch
	next, ended := b.next, false
	for !sample.Full() && !ended {
		docs, err, ok := next()
		if !ok {
			ended = true
			break
		}
		held := &streamBatch{err: err}
		if err == nil {
			held.err = eachDocument(ctx, docs, func(d document.Document) error {
				sample.Add(d.Text)
				held.add(d)
				return nil
			})
		}
		read, ended = append(read, held), held.err != nil
	}
	b.next = func() (docs document.Stream, err error, ok bool) {
		switch {
		case len(read) > 0:
			docs, read = read[0].documents, read[1:]
			return docs, nil, true
		case ended:
			return nil, nil, false
		}
		return next()
	}
	if b.analyzer == nil {
		b.opt.Analysis.Tokens = sample.Tokens()
		b.analyzer, err = b.opt.newAnalyzer()
	}
	return err
}

// batches yields the next batches, cut into segments if the options ask for them, to the end or until what was counted
// is to go to a temporary file.
func (b *builder) batches(yield func(document.Stream, error) bool) {
	for b.spillAt == 0 || b.footprint.Load() < b.spillAt {
		docs, err, ok := b.next()
		b.ended = !ok
		if b.opt.Segment > 0 && docs != nil {
			docs = b.segments(docs)
		}
		if !ok || !yield(docs, err) {
			return
		}
	}
}

// read counts batches on all threads.
func (b *builder) read(ctx context.Context, count func(ctx context.Context, worker, number int, docs document.Stream) error) error {
	b.footprint.Store(0)
	batches, hash := Hashed(b.batches)
	err := pool.Stage(ctx, "read", func(ctx context.Context) error {
		return pool.Feed(ctx, b.opt.Threads, batches, func(worker, number int, docs document.Stream) error {
			return count(ctx, worker, number, docs)
		})
	})
	b.totals.hash.Append(hash())
	return err
}

// index counts all documents and makes their index in memory. It returns nil if they are in shards.
func (b *builder) index(ctx context.Context) (*postings.Numbered, error) {
	for {
		g := newGatherer(b)
		if err := b.read(ctx, g.countBatch); err != nil {
			return nil, err
		}
		if b.ended && len(b.shards) == 0 {
			return b.number(ctx, g)
		}
		if err := b.spill(ctx, g); err != nil || b.ended {
			return nil, err
		}
	}
}

// number makes the index of what was gathered, which is all documents. It returns [ErrEmpty] without documents or
// terms, [ErrNoLabels] without labels.
func (b *builder) number(ctx context.Context, g *gatherer) (*postings.Numbered, error) {
	source, err := b.join(ctx, g)
	if err != nil {
		return nil, err
	}
	documents, labelled := len(source.IDs), len(source.Labels) > 0
	if err := b.opt.checkContents(documents, labelled, 1); err != nil {
		return nil, err
	}
	meta, err := json.Marshal(b.provenance())
	if err != nil {
		return nil, err
	}
	index, err := postings.Number(ctx, *source, postings.BuildOptions{MinDF: b.opt.MinDF, MaxDF: b.opt.MaxDF, Meta: meta, Threads: b.opt.Threads, Consume: true})
	if err != nil {
		return nil, err
	}
	return index, b.opt.checkContents(documents, labelled, index.Head().Terms.Len())
}
