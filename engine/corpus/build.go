package corpus

import (
	"context"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Options say how text becomes terms and which terms are kept. The zero value lets the texts
// decide what a term is (Auto of package analysis), in lower case, and keeps all of them.
type Options = ingest.Options

// Provenance records how a corpus was made.
type Provenance = table.Provenance

// Build makes a corpus of a stream of documents, in their order. The stream runs on a
// single goroutine, which is not the caller's; a stream that depends on its thread must
// call [runtime.LockOSThread] itself. If the stream panics or ends its goroutine, Build
// returns an error ([ErrGoexit]). Texts are copied for the goroutines that analyse them,
// unless there is only one.
//
// Labels are a set: a repeated one counts once. What an index cannot hold gives an
// [ingest.DocumentError]: a value that is not positive or not below [ingest.MaxValue], a
// term twice among the features of a document, a label that is not UTF-8, a name longer
// than [ingest.MaxName]. The error is [ingest.ErrEmpty] if there is no document,
// [ingest.ErrNoLabels] if no document has a label.
func Build(ctx context.Context, docs document.Stream, opt ingest.Options) (*Corpus, error) {
	if docs == nil {
		return nil, usage.Errorf("a nil stream of documents was given")
	}
	if pool.Threads(opt.Threads) > 1 || opt.MaxMemory > 0 {
		return BuildBatches(ctx, ingest.Batched(docs), opt)
	}
	return BuildBatches(ctx, func(yield func(document.Stream, error) bool) { yield(docs, nil) }, opt)
}

// BuildBatches makes a corpus of batches of documents, in their order, which it reads and
// analyses on all threads. The corpus depends neither on how the documents are cut into
// batches nor on the number of threads. The batches, and the streams in them, run on other
// goroutines than the caller's, as in [Build].
func BuildBatches(ctx context.Context, batches document.Batches, opt ingest.Options) (*Corpus, error) {
	index, err := ingest.BuildIndex(ctx, batches, opt)
	if err != nil {
		return nil, err
	}
	return newCorpus(index)
}

// BuildInMemory is [BuildBatches] without a bound on memory: Options.MaxMemory must be 0. A
// program that builds by it alone has no code for temporary files, which is 0.25 MB.
func BuildInMemory(ctx context.Context, batches document.Batches, opt ingest.Options) (*Corpus, error) {
	index, err := ingest.BuildInMemory(ctx, batches, opt)
	if err != nil {
		return nil, err
	}
	return newCorpus(index)
}
