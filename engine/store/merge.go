package store

import (
	"cmp"
	"context"
	"encoding/binary"
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
	"github.com/termsift/termsift/engine/usage"
)

// MergeOptions are the options of [Merge].
type MergeOptions struct {
	// MinDF and MaxDF bound the document frequency of the terms of the result, as in
	// [postings.BuildOptions].
	MinDF, MaxDF float64
	Meta         json.RawMessage
	// Cells adds the cells, as in [WriteOptions]. They are counted in the merged lists.
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

// A NoTermsError is returned, before anything is written, if no term is within the bounds.
type NoTermsError struct{ Documents int }

func (e *NoTermsError) Error() string {
	return fmt.Sprintf("store: none of the %d documents has a term within the bounds", e.Documents)
}

// MergeCounts are the numbers of a merged index.
type MergeCounts struct {
	Documents, Terms, Classes int
	Empty                     int // documents without a term
}

// Merge writes the file of the index that [postings.Build] would make of the documents of all
// shards, in the order of the shards. It uses up to 16 bytes per document of one label, 16 per run of
// a shard's documents of one class and, unless MaxMemory is set, 20 per term of each
// shard and 12 per term of the result. It returns [table.ErrPruned] if terms were left out of
// a shard, and a [NoTermsError] if none is left.
//
// Documents and terms are united first. Then the lists are merged, term by term, and with them their values
// and cells, which come after all lists in the file, so that spools keep them.
func Merge(ctx context.Context, w io.Writer, shards []*postings.Index, opt MergeOptions) (err error) {
	m := &merging{shards: shards, opt: opt, threads: pool.Threads(opt.Threads), scratch: files.Scratch{System: opt.Temporary, Dir: opt.Dir, Mapped: opt.MaxMemory > 0}}
	for kind := range m.spools {
		m.spools[kind] = spool{system: opt.Temporary, dir: opt.Dir, most: cmp.Or(opt.spool, spoolBuffer)}
	}
	defer func() {
		err = errors.Join(err, m.scratch.Close())
		for kind := range m.spools {
			err = errors.Join(err, m.spools[kind].close())
		}
	}()
	return pool.Stage(ctx, "merge", func(ctx context.Context) error {
		return postings.UseEach(shards, func() error { return m.merge(ctx, w) })
	})
}

func (m *merging) merge(ctx context.Context, w io.Writer) error {
	if err := pool.InTurn(ctx, m.check, m.mergeDocuments, m.mergeTerms, m.prepareCells); err != nil {
		return err
	}
	if len(m.terms) == 0 {
		return &NoTermsError{m.documents}
	}
	if err := m.write(ctx, w); err != nil {
		return err
	}
	if m.opt.Counts != nil {
		*m.opt.Counts = MergeCounts{m.documents, len(m.terms), len(m.classes), m.documents - m.seen.count()}
	}
	return nil
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
	multi     bool // some document has several labels
	scratch   files.Scratch

	labelStart, labelOf []uint32 // of the documents of the result, see [postings.Memory]

	terms  []mergedTerm
	pruned bool
	refs   []ref
	long   int // number of terms that have bitmaps
	isReal bool
	exact  bool // whether float32 holds all real values exactly

	workers  []listWorker
	parts    [2][]listPart
	round    int
	postings uint64        // postings whose lists have been written
	denseAt  []uint64      // where the bitmaps begin that have been written, and where the last ends
	seen     seenDocuments // for Counts
	cells    mergedCells
	spools   [numSections]spool // contents that are made before their section is written
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
		m.documents += x.Documents()
		pairs += uint64(x.NumPostings())
		labels += uint64(len(x.LabelOf))
		m.classes = append(m.classes, x.Classes...)
	}
	if uint64(m.documents) > math.MaxUint32-1 || labels > math.MaxUint32 || pairs > postings.MaxPostings {
		return fmt.Errorf("store: %d documents with %d labels and %d postings are more than an index holds", m.documents, labels, pairs)
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

// write writes the file: its sections in order.
func (m *merging) write(ctx context.Context, w io.Writer) error {
	if m.opt.Counts != nil {
		m.seen = make(seenDocuments, (m.documents+63)/64)
	}
	workers := m.threads
	if m.opt.MaxMemory > 0 { // the longest lists are to be merged in half of it
		workers = int(min(max(m.opt.MaxMemory/2/(listBytes*int64(max(m.documents, 1))), 1), int64(workers)))
	}
	m.workers = make([]listWorker, workers)
	for i := range m.parts {
		m.parts[i] = make([]listPart, m.perRound())
	}
	o, err := newWriter(w, indexMagic)
	if err != nil {
		return err
	}
	for kind := range numSections {
		if err := m.section(ctx, o, kind); err != nil {
			return err
		}
		if err := o.endSection(kind); err != nil {
			return err
		}
	}
	return o.end()
}

// section writes the content of a section.
func (m *merging) section(ctx context.Context, o *writer, kind sectionKind) error {
	switch kind {
	case documentText:
		return m.putDocuments(ctx, o, appendNames)
	case documentLengths:
		return m.putDocuments(ctx, o, appendNameLengths)
	case inputPlaces:
		return m.putDocuments(ctx, o, m.appendPlaces())
	case labelStarts:
		return o.append(files.BytesOf(m.labelStart))
	case labelSection:
		return o.append(files.BytesOf(m.labelOf))
	case termText:
		return m.putNames(ctx, o)
	case dfRuns:
		return m.putRuns(o)
	case denseSection:
		m.denseAt = append(m.denseAt, 0)
		return m.putLists(ctx, o, pool.Range{To: m.long})
	case flatSection:
		return m.putLists(ctx, o, pool.Range{From: m.long, To: len(m.terms)})
	case denseOffsets:
		return o.append(files.BytesOf(m.denseAt))
	case cellSection:
		return m.putCells(o)
	case metaSection:
		meta, err := json.Marshal(fileMeta{Classes: m.classes, Pruned: m.pruned, Cells: m.cells.name(), Caller: m.opt.Meta})
		if err != nil {
			return err
		}
		return o.append(meta)
	default:
		return m.spools[kind].each(nil, o.append)
	}
}

// putNames writes the terms and spools their lengths.
func (m *merging) putNames(ctx context.Context, o *writer) error {
	return m.run(ctx, 1, func(int) error {
		var text, lengths []byte
		for t := range m.terms {
			r := m.refs[m.terms[t].first]
			name := m.shards[r.shard].Terms.Term(int(r.term))
			text = append(text, name...)
			lengths = binary.AppendUvarint(lengths, uint64(len(name)))
			if len(text) < blockSize && t < len(m.terms)-1 {
				continue
			}
			if ctx.Err() != nil {
				return usage.Cause(ctx)
			}
			if err := o.append(text); err != nil {
				return err
			}
			if err := m.spools[termLengths].write(lengths); err != nil {
				return err
			}
			text, lengths = text[:0], lengths[:0]
		}
		return nil
	})
}

// putRuns writes the document frequencies in the form of appendRuns.
func (m *merging) putRuns(o *writer) error {
	var b []byte
	for i := 0; i < len(m.terms); {
		run := i + 1
		for run < len(m.terms) && m.terms[run].df == m.terms[i].df {
			run++
		}
		b = le.AppendUint32(b, m.terms[i].df)
		b = le.AppendUint32(b, uint32(run-i))
		i = run
	}
	return o.append(b)
}
