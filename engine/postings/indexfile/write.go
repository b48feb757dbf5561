package indexfile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// WriteOptions say what a file has beside the lists. Results are the same with and without it.
type WriteOptions struct {
	Cells   bool // the counts of every term in every class: 4 to 7 bytes per cell, 2 per term, of real values up to 38 and 11; see alwaysStored
	Threads int  // 0 means GOMAXPROCS

	// Counted are the statistics of all documents that Cells are of; nil has them counted.
	Counted *table.Table
}

// Rewrite writes the file of an index and returns its length: with cells if it was opened from
// a file that has them. The same index gives the same bytes.
func Rewrite(w io.Writer, x *postings.Index) (int64, error) {
	if err := x.Verify(); err != nil {
		return 0, err
	}
	var cells storedCells
	if f := fileOf(x); f != nil {
		cells = f.cells
	}
	return writeWith(w, x, &cells)
}

// Write writes the file of an index, with cells or without, and returns its length.
func Write(ctx context.Context, w io.Writer, x *postings.Index, opt WriteOptions) (int64, error) {
	if err := x.Verify(); err != nil {
		return 0, err
	}
	if err := x.Terms.Spell(ctx, opt.Threads); err != nil {
		return 0, err
	}
	var cells storedCells
	if opt.Cells {
		var err error
		if cells, err = countCells(ctx, x, opt); err != nil {
			return 0, err
		}
	}
	return writeWith(w, x, &cells)
}

// WriteNumbered is [Write] for what was just counted. It counts cells before the lists are made, from
// the rows if there are any.
func WriteNumbered(ctx context.Context, w io.Writer, n *postings.Numbered, opt WriteOptions) (written int64, err error) {
	if opt.Cells && opt.Counted == nil {
		if opt.Counted, err = n.Count(ctx, postings.CountOptions{Threads: opt.Threads}); err != nil {
			return 0, err
		}
	}
	x, err := n.Index(ctx)
	if err != nil {
		return 0, err
	}
	return Write(ctx, w, x, opt)
}

func writeWith(w io.Writer, x *postings.Index, cells *storedCells) (n int64, err error) {
	meta, err := json.Marshal(fileMeta{x.Classes, x.Pruned, cells.present, x.Meta})
	if err != nil {
		return 0, err
	}
	err = x.Guard(func() (err error) {
		n, err = writeSections(w, featuresOf(cells.form), [sumSection][]byte{
			meta, []byte(x.IDs.Text()), appendLengths(nil, x.IDs), files.BytesOf(x.Input), files.BytesOf(x.LabelStart), files.BytesOf(x.LabelOf),
			[]byte(x.Terms.Text()), appendLengths(nil, x.Terms), appendRuns(nil, x.DocFreq), files.BytesOf(x.DenseAt), x.Dense, packLists(x),
			x.Values.Counts, files.BytesOf(x.Values.EscapeAt), files.BytesOf(x.Values.Escaped), files.BytesOf(x.Values.Single), files.BytesOf(x.Values.Double),
			cellTerms: cells.terms, cells.classes, cells.docs, cells.sums, cells.squares, files.BytesOf(cells.escapes),
		})
		return err
	})
	return n, err
}

// writeSections writes a file of the given features and sections and computes the sums.
func writeSections(w io.Writer, features uint64, sections [sumSection][]byte) (int64, error) {
	o := newFileWriter(w)
	o.features = features
	for kind, data := range sections {
		o.lengths[kind] = len(data)
	}
	if err := o.begin(); err != nil {
		return o.n, err
	}
	for kind, data := range sections {
		if err := o.append(data); err != nil {
			return o.n, err
		}
		if err := o.endSection(sectionKind(kind)); err != nil {
			return o.n, err
		}
	}
	return o.n, o.end()
}

// A fileWriter writes the sections of a file in order. Their lengths must be known at
// the beginning. It computes the section of sums; the caller appends the others.
type fileWriter struct {
	w        io.Writer
	n        int64
	features uint64 // that a reader must know
	lengths  [numSections]int
	offsets  [numSections]int
	checks   [numSections]uint64 // of the sums of the sections' blocks
	sums     []byte
	first    int // in sums: the first of the section
	block    *xxh3.Hasher
	inBlock  int
	inside   int // bytes written of the section
}

func newFileWriter(w io.Writer) *fileWriter { return &fileWriter{w: w, block: xxh3.New()} }

// begin writes the header.
func (o *fileWriter) begin() error {
	offset, sums := headerSize, 0
	for kind := range sumSection {
		o.offsets[kind] = offset
		offset += aligned(o.lengths[kind])
		sums += 8 * blocks(o.lengths[kind])
	}
	o.lengths[sumSection], o.offsets[sumSection] = sums, offset
	offset += aligned(sums)
	return o.write(header{length: uint64(offset + int(numSections)*entrySize + footerSize), required: o.features}.encode())
}

func (o *fileWriter) write(data []byte) error {
	n, err := o.w.Write(data)
	o.n += int64(n)
	return err
}

// endSection pads a section after its content has been appended.
func (o *fileWriter) endSection(kind sectionKind) error {
	n := o.lengths[kind]
	if o.inside != n {
		return fmt.Errorf("indexfile: section %v has %d bytes, not the %d that were reckoned", kind, o.inside, n)
	}
	if err := o.append(make([]byte, aligned(n)-n)); err != nil {
		return err
	}
	o.endBlock()
	o.checks[kind] = xxh3.Hash(o.sums[o.first:])
	o.first, o.inside = len(o.sums), 0
	return nil
}

// append writes a part of a section and computes the sums of its blocks.
func (o *fileWriter) append(data []byte) error {
	o.inside += len(data)
	for len(data) > 0 {
		part := data[:min(len(data), blockSize-o.inBlock)]
		_, _ = o.block.Write(part) // hashing cannot fail
		if err := o.write(part); err != nil {
			return err
		}
		if o.inBlock += len(part); o.inBlock == blockSize {
			o.endBlock()
		}
		data = data[len(part):]
	}
	return nil
}

func (o *fileWriter) endBlock() {
	if o.inBlock > 0 {
		o.sums = le.AppendUint64(o.sums, o.block.Sum64())
		o.block.Reset()
		o.inBlock = 0
	}
}

// end writes the sums, the table of contents and the footer.
func (o *fileWriter) end() error {
	padded := append(o.sums, make([]byte, aligned(len(o.sums))-len(o.sums))...)
	o.checks[sumSection] = xxh3.Hash(padded)
	var contents []byte
	for kind := range numSections {
		contents = le.AppendUint64(contents, uint64(kind))
		contents = le.AppendUint64(contents, uint64(o.offsets[kind]))
		contents = le.AppendUint64(contents, uint64(o.lengths[kind]))
		contents = le.AppendUint64(contents, o.checks[kind])
	}
	for _, part := range [][]byte{padded, contents, encodeFooter(o.offsets[sumSection]+len(padded), contents)} {
		if err := o.write(part); err != nil {
			return err
		}
	}
	return nil
}
