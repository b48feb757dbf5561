package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// MergeOptions say how indexes are merged.
type MergeOptions struct {
	// MinDF and MaxDF bound the terms of the result, as in [BuildOptions].
	MinDF, MaxDF float64
	Meta         json.RawMessage
	// Dir is where temporary files go, as large as the result; "" is that of the
	// system.
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
}

// MergeCounts are the numbers of a merged index.
type MergeCounts struct {
	Documents, Terms, Classes int
	Postings                  int64
	Empty                     int // documents without a term
	Pruned                    bool
}

// Merge writes the file of the index that [Build] would make of the documents of all
// shards, those of the first before those of the second. It reads their lists once, in
// the order of the result, and keeps up to 4 bytes a document and, unless MaxMemory says no,
// 20 for each term of each shard and 12 for each of the result.
// An index that was pruned does not merge: [ErrPruned].
func Merge(ctx context.Context, w io.Writer, shards []*Index, opt MergeOptions) (err error) {
	m := &merging{shards: shards, opt: opt, threads: pool.Threads(opt.Threads), scratch: scratch{dir: opt.Dir, mapped: opt.MaxMemory > 0}}
	for kind := range m.spools {
		m.spools[kind].dir = opt.Dir
	}
	defer func() {
		err = errors.Join(err, m.scratch.close())
		for kind := range m.spools {
			err = errors.Join(err, m.spools[kind].close())
		}
	}()
	return pool.Stage(ctx, "merge", func(ctx context.Context) error {
		if err := inTurn(ctx, m.check, m.mergeDocuments, m.mergeTerms, m.mergeLists); err != nil {
			return err
		}
		m.count()
		return m.write(w)
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

// A merging holds the sections of the result as they grow.
type merging struct {
	shards  []*Index
	opt     MergeOptions
	threads int

	classes   []string
	class     [][]uint32 // shard, its class -> of the result
	documents int
	number    []classShift
	scratch   scratch
	terms     []mergedTerm
	pruned    bool
	refs      []ref
	long      int // terms that have bitmaps
	isReal    bool
	exact     bool // float32 holds all real values

	postings uint64
	seen     seenDocuments // for Counts
	spools   [sumSection]spool
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

// mergeDocuments numbers the documents: by their first class, then by shard.
func (m *merging) mergeDocuments(ctx context.Context) error {
	next := make([]int, len(m.shards))
	before := make([]uint32, len(m.shards)) // documents of the shards before
	for i, x := range m.shards {
		m.number = append(m.number, m.newClassShift(x))
		if i > 0 {
			before[i] = before[i-1] + uint32(m.shards[i-1].Documents())
		}
		if err := x.Guard(x.readyDocuments); err != nil {
			return err
		}
	}
	if err := m.put32(labelStarts, 0); err != nil {
		return err
	}
	number, labels := 0, uint32(0)
	return m.run(ctx, 1, func(int) error {
		for class := range uint32(len(m.classes) + 1) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			for i, x := range m.shards {
				m.number[i].delta[class] = uint32(number - next[i]) // modulo 2^32
				for ; next[i] < x.Documents() && m.firstClass(i, next[i]) == class; next[i]++ {
					number++
					labels += uint32(len(x.Labels(next[i])))
					if err := m.document(i, next[i], before[i], labels); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// A classShift gives the documents of a shard their numbers in the result. Those of
// one first class stay together, so that their numbers differ by the same from the old
// ones; the codes of the classes stay in the cache, which a number for each of a
// million documents would not.
type classShift struct {
	codes codes
	delta []uint32 // by first class of the result, modulo 2^32
}

func (m *merging) newClassShift(x *Index) classShift {
	shard := len(m.number)
	return classShift{
		newCodes(x.Documents(), len(m.classes), func(d int) uint32 { return m.firstClass(shard, d) }),
		make([]uint32, len(m.classes)+1),
	}
}

// firstClass is that of the result; behind the last for an unlabelled document.
func (m *merging) firstClass(shard, doc int) uint32 {
	own := m.shards[shard].Labels(doc)
	if len(own) == 0 {
		return uint32(len(m.classes))
	}
	return m.class[shard][own[0]]
}

// document appends a document of a shard, which ends at a label of the result.
func (m *merging) document(shard, doc int, before, labels uint32) error {
	x := m.shards[shard]
	name := x.ids.Term(doc)
	if _, err := io.WriteString(&m.spools[documentText], name); err != nil {
		return err
	}
	var length [binary.MaxVarintLen64]byte
	if _, err := m.spools[documentLengths].Write(length[:binary.PutUvarint(length[:], uint64(len(name)))]); err != nil {
		return err
	}
	if err := m.put32(inputPlaces, before+x.input[doc]); err != nil {
		return err
	}
	for _, c := range x.Labels(doc) {
		if err := m.put32(labelSection, m.class[shard][c]); err != nil {
			return err
		}
	}
	return m.put32(labelStarts, labels)
}

func (m *merging) put32(kind sectionKind, v uint32) error {
	var b [4]byte
	le.PutUint32(b[:], v)
	_, err := m.spools[kind].Write(b[:])
	return err
}

// write writes the sections behind each other.
func (m *merging) write(w io.Writer) error {
	meta, err := json.Marshal(fileMeta{Classes: m.classes, Pruned: m.pruned, Caller: m.opt.Meta})
	if err != nil {
		return err
	}
	if _, err := m.spools[metaSection].Write(meta); err != nil {
		return err
	}
	o := newFileWriter(w)
	for kind := range m.spools {
		o.lengths[kind] = m.spools[kind].n
	}
	if err := o.begin(); err != nil {
		return err
	}
	for kind := range m.spools {
		if err := m.spools[kind].each(o.append); err != nil {
			return err
		}
		if err := o.endSection(sectionKind(kind)); err != nil {
			return err
		}
	}
	return o.end()
}
