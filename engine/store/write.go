package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// This file writes the file of an index.

// WriteOptions say what a file has beside the lists. Results are the same with and without it.
type WriteOptions struct {
	Cells   bool // the counts of every term in every class: 4 to 7 bytes per cell, 2 per term, of real values up to 38 and 11; see alwaysStored
	Threads int  // 0 means GOMAXPROCS

	// Counted are the statistics of all documents that Cells are of; nil has them counted.
	Counted *table.Table
}

// Write writes the file of an index, with cells or without, and returns its length. It counts the cells before the
// lists are made, from the rows if there are any. The same index gives the same bytes.
func Write(ctx context.Context, w io.Writer, n *postings.Numbered, opt WriteOptions) (written int64, err error) {
	counted := opt.Counted
	if opt.Cells && counted == nil {
		if counted, err = n.Count(ctx, postings.CountOptions{Threads: opt.Threads}); err != nil {
			return 0, err
		}
	}
	x, err := n.Index(ctx)
	if err != nil {
		return 0, err
	}
	if err := x.Verify(); err != nil {
		return 0, err
	}
	if err := x.Terms.Spell(ctx, opt.Threads); err != nil {
		return 0, err
	}
	if !opt.Cells || counted.Cells.Len() > mostCells(x.NumPostings()) {
		return writeIndex(w, x, nil)
	}
	return writeIndex(w, x, &counted.Cells)
}

// alwaysStored is the number of cells up to which they are stored if they are asked for.
// More are left out where they are more than half of the postings, as with 100,000 classes:
// they would double the file, and be read no faster than they are counted.
const alwaysStored = 1 << 16

// mostCells returns the number of cells up to which they are stored.
func mostCells(postings int) int { return max(alwaysStored, postings/2) }

// writeIndex writes an index with these cells, or none.
func writeIndex(w io.Writer, x *postings.Index, c *table.Cells) (n int64, err error) {
	meta := fileMeta{Classes: x.Classes, Pruned: x.Pruned, Caller: x.Meta}
	if c != nil {
		meta.Cells = formNames[c.Form]
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return 0, err
	}
	err = x.Guard(func() error {
		o, err := newWriter(w, indexMagic)
		if err == nil {
			err = writeSections(o, x, c, text)
		}
		n = int64(o.n)
		return err
	})
	return n, err
}

// writeSections writes what follows the header.
func writeSections(o *writer, x *postings.Index, c *table.Cells, meta []byte) error {
	for kind, data := range [numSections][]byte{
		[]byte(x.IDs.Text()), appendLengths(nil, x.IDs), files.BytesOf(x.Input), files.BytesOf(x.LabelStart), files.BytesOf(x.LabelOf),
		[]byte(x.Terms.Text()), appendLengths(nil, x.Terms), appendRuns(nil, x.DocFreq), x.Dense, packLists(x), files.BytesOf(x.DenseAt),
		x.Values.Counts, files.BytesOf(x.Values.EscapeAt), files.BytesOf(x.Values.Escaped), files.BytesOf(x.Values.Single), files.BytesOf(x.Values.Double),
		metaSection: meta,
	} {
		if err := o.append(data); err != nil {
			return err
		}
		if kind == int(cellSection) && c != nil {
			if err := appendCells(x, c, o.appendBlock); err != nil {
				return err
			}
		}
		if err := o.endSection(sectionKind(kind)); err != nil {
			return err
		}
	}
	return o.end()
}

// Encoded is what is shorter in a file than in memory: the lengths of names as
// varints, and runs of equal document frequencies. On 20 Newsgroups they take 0.07
// bytes per posting; offsets and frequencies of 4 bytes each took 0.58.

// appendLengths appends the lengths of the terms of a dictionary as varints.
func appendLengths(dst []byte, d *table.Dictionary) []byte {
	dst = slices.Grow(dst, d.Len())
	offsets := d.Offsets()
	for i := range d.Len() {
		dst = binary.AppendUvarint(dst, uint64(offsets[i+1]-offsets[i]))
	}
	return dst
}

// readDictionary returns the dictionary of a text and the lengths of its terms. The
// blocks of both sections have been verified.
func readDictionary(f *container, textKind, lengthKind sectionKind, text string) (*table.Dictionary, error) {
	lengths := f.content(lengthKind)
	if uint64(len(text)) > math.MaxUint32 {
		return nil, files.Broken(textKind.String(), 0, files.ErrFormat, "%d bytes of text", len(text))
	}
	offsets := make([]uint32, 1, len(lengths)+1)
	end := uint64(0)
	for at := 0; at < len(lengths); {
		length, n := uint64(lengths[at]), 1
		if length >= 0x80 {
			if length, n = binary.Uvarint(lengths[at:]); n <= 0 {
				return nil, files.Broken(lengthKind.String(), at, files.ErrFormat, "no length")
			}
		}
		if length > uint64(len(text))-end {
			return nil, files.Broken(lengthKind.String(), at, files.ErrFormat, "a name of %d bytes ends behind the text", length)
		}
		end += length
		at += n
		offsets = append(offsets, uint32(end))
	}
	if end != uint64(len(text)) {
		return nil, files.Broken(lengthKind.String(), len(lengths), files.ErrFormat, "names of %d bytes for a text of %d", end, len(text))
	}
	return table.NewDictionary(text, offsets, nil), nil
}

// appendRuns appends pairs of a frequency and the number of consecutive terms that have
// it.
func appendRuns(dst []byte, df []uint32) []byte {
	for i := 0; i < len(df); {
		run := i + 1
		for run < len(df) && df[run] == df[i] {
			run++
		}
		dst = le.AppendUint32(dst, df[i])
		dst = le.AppendUint32(dst, uint32(run-i))
		i = run
	}
	return dst
}

// readRuns returns the frequencies of the given number of terms and, in start, where
// the list of each begins in the columns and where the last ends. It verifies the order
// and the range of the runs, not of each term.
func readRuns(runs []byte, terms, documents int) (df []uint32, start []uint64, err error) {
	df, start = make([]uint32, terms), make([]uint64, terms+1)
	at, postings := 0, uint64(0)
	for place := 0; place < len(runs); place += 8 {
		value, n := le.Uint32(runs[place:]), int(le.Uint32(runs[place+4:]))
		if n > terms-at {
			return nil, nil, files.Broken("df-runs", place, files.ErrFormat, "more frequencies than the %d terms", terms)
		}
		if n == 0 || value == 0 || int(value) > documents || at > 0 && value >= df[at-1] {
			return nil, nil, files.Broken("df-runs", place, files.ErrFormat, "the frequency of term %d, %d, is out of range or order", at, value)
		}
		own, starts := df[at:at+n], start[at+1:at+1+n]
		for i := range own {
			postings += uint64(value)
			own[i], starts[i] = value, postings
		}
		at += n
	}
	if at != terms {
		return nil, nil, files.Broken("df-runs", len(runs), files.ErrFormat, "%d frequencies for %d terms", at, terms)
	}
	return df, start, nil
}
