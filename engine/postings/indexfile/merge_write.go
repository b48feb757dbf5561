package indexfile

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file computes the lengths of the sections of a merged index and writes them.

// reckon computes the lengths of all sections.
func (m *merging) reckon(ctx context.Context) (err error) {
	if m.meta, err = json.Marshal(fileMeta{Classes: m.classes, Pruned: m.pruned, Cells: m.cells.present, Caller: m.opt.Meta}); err != nil {
		return err
	}
	m.lengths[metaSection] = len(m.meta)
	if err := m.run(ctx, 1, func(int) error { m.reckonDocuments(); return nil }); err != nil {
		return err
	}
	for _, kind := range []sectionKind{documentText, termText} {
		if err := table.CheckNames(uint64(m.lengths[kind])); err != nil {
			return err
		}
	}
	if err := m.reckonBitmaps(ctx); err != nil {
		return err
	}
	m.lengths[denseOffsets] = 8 * (m.long + 1)
	for _, size := range m.sizes {
		m.lengths[denseSection] += int(size)
	}
	postings, form := 0, packing{documents: m.documents}
	for t, term := range m.terms {
		postings += int(term.df)
		if t >= m.long {
			form = form.of(int(term.df))
			m.lengths[flatSection] += form.size
		}
	}
	switch {
	case !m.isReal:
		m.lengths[countSection] = postings
		m.lengths[escapePlaces], m.lengths[escapeSection] = 8*m.escapes, 4*m.escapes
	case m.exact:
		m.lengths[valueSection] = 4 * postings
	default:
		m.lengths[valueSection], m.lengths[exactSection] = 4*postings, 8*postings
	}
	return nil
}

// write writes the file: its sections in order.
func (m *merging) write(ctx context.Context, w io.Writer) error {
	if m.opt.Counts != nil {
		m.seen = make(seenDocuments, (m.documents+63)/64)
	}
	m.startWorkers()
	o := newFileWriter(w)
	o.features = featuresOf(m.cells.form)
	copy(o.lengths[:], m.lengths[:])
	if err := o.begin(); err != nil {
		return err
	}
	for kind := range sumSection {
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
func (m *merging) section(ctx context.Context, o *fileWriter, kind sectionKind) error {
	switch kind {
	case metaSection:
		return o.append(m.meta)
	case documentText:
		return m.putDocuments(ctx, o, appendNames)
	case documentLengths:
		return m.putDocuments(ctx, o, appendNameLengths)
	case inputPlaces:
		return m.putDocuments(ctx, o, m.appendPlaces())
	case labelStarts:
		if err := o.append(make([]byte, 4)); err != nil {
			return err
		}
		return m.putDocuments(ctx, o, m.appendLabelStarts())
	case labelSection:
		return m.putDocuments(ctx, o, m.appendLabels)
	case termText:
		return m.putNames(ctx, o)
	case dfRuns:
		return m.putRuns(o)
	case denseOffsets:
		return m.putPlaces(o)
	case denseSection:
		return m.putLists(ctx, o, pool.Range{To: m.long})
	case flatSection:
		return m.putLists(ctx, o, pool.Range{From: m.long, To: len(m.terms)})
	}
	if err := m.cells.put(o, kind); err != nil {
		return err
	}
	return m.spools[kind].each(o.append)
}

// putNames writes the terms and spools their lengths.
func (m *merging) putNames(ctx context.Context, o *fileWriter) error {
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
			if _, err := m.spools[termLengths].Write(lengths); err != nil {
				return err
			}
			text, lengths = text[:0], lengths[:0]
		}
		return nil
	})
}

// putRuns writes the document frequencies in the form of appendRuns.
func (m *merging) putRuns(o *fileWriter) error {
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

// putPlaces writes the offsets of the bitmaps, then the end of the last.
func (m *merging) putPlaces(o *fileWriter) error {
	b := make([]byte, 8, 8*min(m.long+1, blockSize/8))
	at := uint64(0)
	for _, size := range m.sizes {
		at += uint64(size)
		if b = le.AppendUint64(b, at); len(b) < blockSize {
			continue
		}
		if err := o.append(b); err != nil {
			return err
		}
		b = b[:0]
	}
	return o.append(b)
}

// changed returns the error for a shard whose lists changed after the lengths of the
// sections were computed.
func (m *merging) changed(t int) error {
	return fmt.Errorf("indexfile: the lists of term %d of the result changed while they were merged", t)
}
