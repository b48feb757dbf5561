package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/tempfile"
)

// MergeOptions say how indexes are merged.
type MergeOptions struct {
	// MinDF and MaxDF bound the terms of the result, as in [BuildOptions].
	MinDF, MaxDF float64
	Meta         json.RawMessage
	// Dir is where temporary files go, up to a byte (12 of real values) for each posting
	// of the rarer terms; "" is that of the system.
	Dir string
	// Threads bounds the goroutines; 0 means GOMAXPROCS. The result does not depend on
	// it.
	Threads int
	// MaxMemory, unless it is 0, keeps what grows with the number of terms in temporary
	// files, too, and has fewer goroutines merge lists where their 32 bytes a document
	// would take more than half of it. The shards' own memory is theirs: see
	// [Index.Spill].
	MaxMemory int64
	// Counts says what the result has, unless it is nil.
	Counts *MergeCounts

	// Temporary makes the temporary files; nil is the operating system.
	Temporary tempfile.System

	spool int // bytes of a spool that stay in memory; 0 means spoolBuffer
}

// MergeCounts are the numbers of a merged index.
type MergeCounts struct {
	Documents, Terms, Classes int
	Postings                  int64
	Empty                     int // documents without a term
	Pruned                    bool
}

// Merge writes the file of the index that [Build] would make of the documents of all
// shards, those of the first before those of the second. It keeps up to 4 bytes a document
// and, unless MaxMemory says no, 20 for each term of each shard and 12 for each of the
// result.
// An index that was pruned does not merge: [ErrPruned].
//
// A file begins with the lengths of its sections, so these are reckoned first: that of
// the bitmaps from how many documents each of their containers will have, which needs
// no merging. Then each section is made behind the one before it. Values are made together
// with the documents, but stand behind all of these: those of the most frequent terms
// are made again when it is their turn (mergewide.go), the others wait in a spool.
func Merge(ctx context.Context, w io.Writer, shards []*Index, opt MergeOptions) (err error) {
	m := &merging{shards: shards, opt: opt, threads: pool.Threads(opt.Threads), scratch: scratch{system: opt.Temporary, dir: opt.Dir, mapped: opt.MaxMemory > 0}}
	for kind := range m.spools {
		m.spools[kind] = spool{system: opt.Temporary, dir: opt.Dir, most: cmp.Or(opt.spool, spoolBuffer)}
	}
	defer func() {
		err = errors.Join(err, m.scratch.close())
		for kind := range m.spools {
			err = errors.Join(err, m.spools[kind].close())
		}
	}()
	return pool.Stage(ctx, "merge", func(ctx context.Context) error {
		if err := inTurn(ctx, m.check, m.mergeDocuments, m.mergeTerms, m.reckon); err != nil {
			return err
		}
		if err := m.write(ctx, w); err != nil {
			return err
		}
		m.count()
		return nil
	})
}

// count tells the numbers of the result.
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
	shards  []*Index
	opt     MergeOptions
	threads int

	classes   []string
	class     [][]uint32 // shard, its class -> of the result
	documents int
	segments  []segment
	number    []classShift
	pieces    pieces
	scratch   scratch
	terms     []mergedTerm
	pruned    bool
	refs      []ref
	escapes   int      // counts of 255 and more
	long      int      // terms that have bitmaps
	wide      int      // of these, those that are merged by pieces
	sizes     []uint32 // of the bitmaps
	isReal    bool
	exact     bool // float32 holds all real values

	workers  []listWorker
	parts    [2][]listPart
	round    int
	postings uint64        // whose lists have been written
	seen     seenDocuments // for Counts
	meta     []byte
	lengths  [sumSection]int
	spools   [sumSection]spool // what is made before it is its turn
}

// check refuses what does not merge, and finds the classes.
func (m *merging) check(context.Context) error {
	m.exact = true
	postings := uint64(0)
	for i, x := range m.shards {
		if x.Pruned {
			return fmt.Errorf("shard %d: %w", i+1, ErrPruned)
		}
		m.isReal = m.isReal || x.Real()
		m.exact = m.exact && x.tf.double == nil
		m.escapes += len(x.tf.escaped)
		m.documents += x.Documents()
		postings += uint64(x.NumPostings())
		m.classes = append(m.classes, x.Classes...)
	}
	if uint64(m.documents) > math.MaxUint32-1 || postings > maxPostings {
		return fmt.Errorf("store: %d documents with %d postings are more than an index holds", m.documents, postings)
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
		m.exact = m.exact && !slices.ContainsFunc(x.tf.escaped, func(n uint32) bool { return uint32(float32(n)) != n })
	}
	return nil
}
