package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
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
	// values) for each posting, and what the cells take in the file; "" is the directory of
	// the system.
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
// Two corpora of the same documents are an [ErrRepeated], unless AllowRepeats is set. The corpora must have been
// analysed in the same way, with the same charset and the same Dedupe, else the error is an [table.DifferenceError].
// Their terms must not be bounded by document frequency, else it wraps table.ErrPruned. If no term is left, the error
// is [ingest.ErrEmpty], and nothing is written.
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
	return ingest.WithoutTerms(store.Merge(ctx, w, shards, store.MergeOptions{
		MinDF: opt.MinDF, MaxDF: opt.MaxDF, Meta: meta, Cells: !opt.NoCells, Dir: opt.Dir, Threads: opt.Threads,
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

// StatisticsMergeOptions say how files of statistics are merged.
type StatisticsMergeOptions struct {
	// AllowRepeats permits the same input twice, whose documents then count twice.
	AllowRepeats bool
	// Dir is the directory of temporary files, which more than 256 files take; "" is the
	// directory of the system.
	Dir string
}

// ErrRepeated is wrapped by the errors of [Merge] and [MergeStatistics] for an input that is given twice.
var ErrRepeated = usage.NewError(usage.ErrData, "the same documents are given twice")

// MergeStatistics writes the file of the statistics of all documents of files of statistics,
// those of the first before those of the second: the bytes that one build of all of them
// gives, however large the counts are, as long as all of them add up to no more than 2^53. Of real
// values the last digit of a sum, and of a variance, depends on the grouping of the documents. It has a block of each
// file in memory, of 256 files at most; more are merged in passes.
//
// The numbers do not depend on the order of the files; the input hash in the [Provenance]
// does. The documents must have been analysed in the same way, else the error is an
// [table.DifferenceError]; terms must not be bounded by document frequency, else it wraps
// table.ErrPruned. Two files of the same input are an [ErrRepeated], or with AllowRepeats a
// warning each.
func MergeStatistics(ctx context.Context, w io.Writer, paths []string, o StatisticsMergeOptions) (warnings []string, err error) {
	if w == nil {
		return nil, usage.Errorf("a nil writer was given")
	}
	parts := make([]table.Provenance, len(paths))
	for i, path := range paths {
		var pruned bool
		if parts[i], pruned, err = statisticsHead(path); err != nil {
			return nil, err
		}
		if pruned {
			return nil, fmt.Errorf("%s: %w; count it without bounds", path, table.ErrPruned)
		}
	}
	p, err := table.JoinProvenances(parts, func(i int) string { return paths[i] })
	if err != nil {
		return nil, err
	}
	if warnings, err = repeatedInputs(parts, paths, o.AllowRepeats); err != nil {
		return nil, err
	}
	for i := range parts {
		p.Documents += parts[i].Documents
	}
	meta, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	open := func(i int) (*store.TableFile, error) {
		f, err := store.OpenTable(paths[i])
		if err == nil && int(f.Documents) != parts[i].Documents {
			err = errors.Join(errors.New("the file has changed"), f.Close())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", paths[i], err)
		}
		return f, nil
	}
	return warnings, store.MergeTables(ctx, w, len(paths), open, store.TableMergeOptions{Meta: meta, Dir: o.Dir})
}

// StatisticsProvenance returns what a file of statistics records of its documents, their number
// too, without reading its terms.
func StatisticsProvenance(path string) (table.Provenance, error) {
	p, _, err := statisticsHead(path)
	return p, err
}

// statisticsHead returns the provenance in a file of statistics, and whether terms are missing.
func statisticsHead(path string) (p table.Provenance, pruned bool, err error) {
	f, err := store.OpenTable(path)
	if err != nil {
		return p, false, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if p, err = decodeProvenance(f.Meta, f.Documents); err != nil {
		return p, false, fmt.Errorf("%s: %w", path, err)
	}
	return p, f.Pruned, nil
}

// decodeProvenance decodes the provenance of statistics of so many documents.
func decodeProvenance(meta json.RawMessage, documents float64) (p table.Provenance, err error) {
	if err := json.Unmarshal(meta, &p); errors.Is(err, usage.ErrData) {
		return p, err
	} else if err != nil || p.Documents != int(documents) {
		return p, &files.FileError{Section: "statistics", Err: files.ErrFormat, Detail: fmt.Sprintf("of %v documents: %v", documents, err)}
	}
	return p, nil
}

// repeatedInputs returns an error that wraps [ErrRepeated], or warnings if allow is set, for the
// records of parts of which two have the same documents. names are those of the parts.
func repeatedInputs(parts []table.Provenance, names []string, allow bool) (warnings []string, err error) {
	type input struct {
		hash      string
		documents int
		subsets   string
	}
	first := map[input]int{}
	for i, p := range parts {
		subsets, err := json.Marshal(p.Subsets)
		if err != nil {
			return nil, err
		}
		in := input{p.InputHash, p.Documents, string(subsets)}
		j, found := first[in]
		switch {
		case !found:
			first[in] = i
		case p.Documents == 0:
		case !allow:
			return nil, fmt.Errorf("%w: %s and %s are of the same %d documents: leave one out, or allow repeats (--allow-repeats) to count them twice",
				ErrRepeated, names[j], names[i], p.Documents)
		default:
			warnings = append(warnings, fmt.Sprintf("%s and %s are of the same %d documents, which count twice", names[j], names[i], p.Documents))
		}
	}
	return warnings, nil
}

// checkTokens returns an error that wraps [ingest.ErrOverflow] if the values of the
// corpora add up to more than can be represented exactly, see [ingest.MaxTokens]. Errors
// call corpus i by name(i).
func checkTokens(ctx context.Context, corpora []*Corpus, name func(i int) string) error {
	var total ingest.TokenTotal
	for i, c := range corpora {
		x, err := c.numbered.Index(ctx)
		if err != nil {
			return err
		}
		own := ingest.TokenTotal{Real: x.Real()}
		if own.Sum, err = x.MostTokens(ctx); err != nil {
			return err
		}
		if own.TooLarge() && !own.Real { // MostTokens is only an upper bound
			s, err := c.Statistics(ctx, CountOptions{})
			if err != nil {
				return err
			}
			own.Sum = s.Cells.Tokens
		}
		if total.Join(own); total.TooLarge() {
			return fmt.Errorf("%w: up to %s the sum is %.6g; counts may add up to 2^53, real values to 2^63: take fewer documents, or smaller values", ingest.ErrOverflow, name(i), total.Sum)
		}
	}
	return nil
}
