package indexfile

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// MergeOptions are the options of [Merge].
type MergeOptions struct {
	// MinDF and MaxDF bound the document frequency of the terms of the result, as in
	// [postings.BuildOptions].
	MinDF, MaxDF float64
	// SomeTerm makes Merge return a [NoTermsError], before it writes anything, if no
	// term is within the bounds.
	SomeTerm bool
	Meta     json.RawMessage
	// Cells adds the cells, as in [WriteOptions]. They are those of the shards, added up;
	// they are counted where a shard has none, and where values are real.
	Cells bool
	// Dir is the directory of temporary files; "" means that of the system. They take
	// up to 1 byte (12 for real values) per posting, and what the cells take in the file.
	Dir string
	// Threads bounds the goroutines; 0 means GOMAXPROCS. The result does not depend on
	// it.
	Threads int
	// MaxMemory is a bound on the memory in bytes; 0 means none. If it is set, whatever
	// grows with the number of terms is kept in temporary files too, and fewer
	// goroutines merge lists if their 32 bytes per document would take more than half
	// of it. It does not cover the memory of the shards: see [postings.Index.Spill].
	MaxMemory int64
	// Counts, if not nil, is set to the numbers of the result.
	Counts *MergeCounts

	// Temporary creates the temporary files; nil means the operating system.
	Temporary files.TemporarySystem

	spool int // bytes of a spool that are kept in memory; 0 means spoolBuffer
}

// A NoTermsError is returned if no term is within the bounds and MergeOptions.SomeTerm
// is set.
type NoTermsError struct{ Documents int }

func (e *NoTermsError) Error() string {
	return fmt.Sprintf("indexfile: none of the %d documents has a term within the bounds", e.Documents)
}

// MergeCounts are the numbers of a merged index.
type MergeCounts struct {
	Documents, Terms, Classes int
	Postings                  int64
	Empty                     int // documents without a term
	Pruned                    bool
}

// Merge writes the file of the index that [postings.Build] would make of the documents of all
// shards, in the order of the shards. It uses up to 7 bytes per document, 16 per run of
// a shard's documents of one class and, unless MaxMemory is set, 20 per term of each
// shard and 12 per term of the result. It returns [table.ErrPruned] if terms were left out of
// a shard.
//
// A file begins with the lengths of its sections, so these are computed first. The
// length of the bitmaps follows from the number of documents in each of their
// containers, which needs no merging. Then the sections are written in order. Values
// are merged together with the documents but come after all of them in the file, so a
// spool keeps them.
func Merge(ctx context.Context, w io.Writer, shards []*postings.Index, opt MergeOptions) (err error) {
	m := &merging{shards: shards, opt: opt, threads: pool.Threads(opt.Threads), scratch: files.Scratch{System: opt.Temporary, Dir: opt.Dir, Mapped: opt.MaxMemory > 0}}
	for kind := range m.spools {
		m.spools[kind] = spool{system: opt.Temporary, dir: opt.Dir, most: cmp.Or(opt.spool, spoolBuffer)}
	}
	for s := range m.cells.spools {
		m.cells.spools[s] = spool{system: opt.Temporary, dir: opt.Dir, most: cmp.Or(opt.spool, cellSpool)}
	}
	defer func() {
		err = errors.Join(err, m.scratch.Close(), m.cells.close())
		for kind := range m.spools {
			err = errors.Join(err, m.spools[kind].close())
		}
	}()
	return pool.Stage(ctx, "merge", func(ctx context.Context) error {
		return postings.UseEach(shards, func() error { return m.merge(ctx, w) })
	})
}

func (m *merging) merge(ctx context.Context, w io.Writer) error {
	if err := pool.InTurn(ctx, m.check, m.mergeDocuments, m.mergeTerms, m.makeCells, m.reckon); err != nil {
		return err
	}
	if m.opt.SomeTerm && len(m.terms) == 0 {
		return &NoTermsError{m.documents}
	}
	if err := m.write(ctx, w); err != nil {
		return err
	}
	m.count()
	return nil
}

// count sets MergeOptions.Counts.
func (m *merging) count() {
	if m.opt.Counts == nil {
		return
	}
	*m.opt.Counts = MergeCounts{
		Documents: m.documents, Terms: len(m.terms), Classes: len(m.classes), Postings: int64(m.postings),
		Empty: m.documents - m.seen.count(), Pruned: m.pruned,
	}
}

// A merging is the state of a merge.
type merging struct {
	shards  []*postings.Index
	opt     MergeOptions
	threads int

	classes   []string
	class     [][]uint32 // shard, class of the shard -> class of the result
	documents int
	segments  []segment
	number    []classShift
	scratch   files.Scratch
	terms     []mergedTerm
	pruned    bool
	refs      []ref
	escapes   int      // number of counts of 255 or more
	long      int      // number of terms that have bitmaps
	sizes     []uint32 // of the bitmaps, in bytes
	isReal    bool
	exact     bool // whether float32 holds all real values exactly

	workers  []listWorker
	parts    [2][]listPart
	round    int
	postings uint64        // postings whose lists have been written
	seen     seenDocuments // for Counts
	cells    mergedCells
	meta     []byte
	lengths  [sumSection]int
	spools   [sumSection]spool // contents that are made before their section is written
}

// check returns an error if the shards cannot be merged. It also determines the classes
// of the result.
func (m *merging) check(context.Context) error {
	m.exact = true
	pairs, labels := uint64(0), uint64(0)
	for i, x := range m.shards {
		if x.Pruned {
			return fmt.Errorf("shard %d: %w", i+1, table.ErrPruned)
		}
		m.isReal = m.isReal || x.Real()
		m.exact = m.exact && x.Values.Double == nil
		m.escapes += len(x.Values.Escaped)
		m.documents += x.Documents()
		pairs += uint64(x.NumPostings())
		labels += uint64(len(x.LabelOf))
		m.classes = append(m.classes, x.Classes...)
	}
	if uint64(m.documents) > math.MaxUint32-1 || labels > math.MaxUint32 || pairs > postings.MaxPostings {
		return fmt.Errorf("indexfile: %d documents with %d labels and %d postings are more than an index holds", m.documents, labels, pairs)
	}
	slices.Sort(m.classes)
	m.classes = slices.Compact(m.classes)
	for _, x := range m.shards {
		of := make([]uint32, len(x.Classes))
		for c, name := range x.Classes {
			i, _ := slices.BinarySearch(m.classes, name)
			of[c] = uint32(i)
		}
		m.class = append(m.class, of)
		m.exact = m.exact && !slices.ContainsFunc(x.Values.Escaped, func(n uint32) bool { return uint32(float32(n)) != n })
	}
	return nil
}
