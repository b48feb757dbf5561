package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/postings/indexfile"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// MergeOptions say how corpora are merged. The zero value keeps all terms.
type MergeOptions struct {
	// MinDF and MaxDF bound the terms of the result, as in [ingest.Options].
	MinDF, MaxDF float64
	// AllowRepeats permits the same documents twice, which then count twice; Warn, unless nil, is told of them.
	AllowRepeats bool
	Warn         func(warnings []string)
	// NoCells leaves out the cells, see [SaveOptions]. They are added up while the index is written.
	NoCells bool
	// Dir is the directory of temporary files, which take up to 1 byte (12 bytes for real
	// values) for each posting of the rarer terms, and what the cells take in the file; "" is
	// the directory of the system.
	Dir string
	// Names are the names that errors use for the corpora, such as their files; nil
	// numbers them.
	Names []string
	// Threads bounds the goroutines; 0 means GOMAXPROCS.
	Threads int
}

// Merge writes the index file of the documents of all corpora, in the order of the
// corpora. If each corpus has all documents of its input, the file is byte for byte the
// one that a single build of all documents gives.
//
// If one has not, because of Dedupe or [Corpus.Subset], the Provenance lists the corpora
// as Shards. A document that is in two corpora then counts twice, as Dedupe only compares
// the documents of one build.
//
// Two corpora of the same documents are an [ErrRepeated], unless AllowRepeats is set. The corpora must have been analysed in the same way, with the same charset and the same
// Dedupe, else the error is an [table.DifferenceError]. Their terms must not be bounded
// by document frequency, else it wraps table.ErrPruned. If no term is left, the error is
// [ingest.ErrEmpty], and nothing is written.
func Merge(ctx context.Context, w io.Writer, opt MergeOptions, corpora ...*Corpus) error {
	if w == nil || slices.Contains(corpora, nil) {
		return usage.Errorf("a nil writer or corpus was given")
	}
	meta, err := opt.check(corpora)
	if err != nil {
		return err
	}
	if err := checkTokens(ctx, corpora, opt.name); err != nil {
		return err
	}
	shards := make([]*postings.Index, len(corpora))
	for i, c := range corpora {
		if shards[i], err = c.numbered.Index(ctx); err != nil {
			return err
		}
	}
	return ingest.WithoutTerms(indexfile.Merge(ctx, w, shards, indexfile.MergeOptions{
		MinDF: opt.MinDF, MaxDF: opt.MaxDF, SomeTerm: true, Meta: meta, Cells: !opt.NoCells,
		Dir: opt.Dir, Threads: opt.Threads,
	}))
}

// check returns an error for options and corpora that cannot be merged, else the encoded
// Provenance of the result.
func (opt *MergeOptions) check(corpora []*Corpus) (meta json.RawMessage, err error) {
	if len(corpora) == 0 {
		return nil, usage.Errorf("nothing to merge")
	}
	if err := ingest.CheckBounds(opt.MinDF, opt.MaxDF); err != nil {
		return nil, err
	}
	var shards []table.Provenance
	var names []string
	for i, c := range corpora {
		if c.head().Pruned {
			return nil, fmt.Errorf("%s: %w; count it without bounds, and give them to what is merged", opt.name(i), table.ErrPruned)
		}
		shards, names = append(shards, c.provenance), append(names, opt.name(i))
		shards[i].Documents = c.Documents()
	}
	p, err := table.JoinProvenances(shards, opt.name)
	if err != nil {
		return nil, err
	}
	warnings, err := repeatedInputs(shards, names, opt.AllowRepeats)
	if err != nil {
		return nil, err
	}
	if opt.Warn != nil {
		opt.Warn(warnings)
	}
	p.MinDF, p.MaxDF = opt.MinDF, opt.MaxDF
	return json.Marshal(p)
}

// name returns the name that errors use for corpus i.
func (opt *MergeOptions) name(i int) string {
	if i < len(opt.Names) {
		return opt.Names[i]
	}
	return fmt.Sprintf("corpus %d", i+1)
}
