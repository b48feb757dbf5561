package store

import (
	"encoding/binary"
	"encoding/json"
	"io"

	"github.com/zeebo/xxh3"
)

// WriteTo writes the file of the index. The same index gives the same bytes.
func (x *Index) WriteTo(w io.Writer) (int64, error) {
	if err := x.readyAll(); err != nil {
		return 0, err
	}
	var n int64
	err := x.Guard(func() (err error) {
		n, err = x.writeTo(w)
		return err
	})
	return n, err
}

func (x *Index) writeTo(w io.Writer) (int64, error) {
	meta, err := json.Marshal(fileMeta{x.Classes, x.Pruned, x.Meta})
	if err != nil {
		return 0, err
	}
	return writeSections(w, [sumSection][]byte{
		meta, []byte(x.ids.text), appendLengths(nil, x.ids), bytesOf(x.input), bytesOf(x.labelStart), bytesOf(x.labels),
		[]byte(x.Terms.text), appendLengths(nil, x.Terms), appendRuns(nil, x.df), bytesOf(x.denseAt), x.dense, bytesOf(x.flat),
		x.tf.counts, bytesOf(x.tf.escapeAt), bytesOf(x.tf.escaped), bytesOf(x.tf.single), bytesOf(x.tf.double),
	})
}

// writeSections writes a file of all sections but the sums, which it computes.
func writeSections(w io.Writer, sections [sumSection][]byte) (int64, error) {
	o := newFileWriter(w)
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

// A fileWriter writes the sections of a file in their order. Their lengths must be
// known at the beginning; all but the sums are given by the caller.
type fileWriter struct {
	w       io.Writer
	n       int64
	lengths [numSections]int
	offsets [numSections]int
	checks  [numSections]uint64 // of the sums of the sections' blocks
	sums    []byte
	first   int // in sums: the section's
	block   *xxh3.Hasher
	inBlock int
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
	return o.write(header{length: uint64(offset + int(numSections)*entrySize + footerSize)}.encode())
}

func (o *fileWriter) write(data []byte) error {
	n, err := o.w.Write(data)
	o.n += int64(n)
	return err
}

// endSection pads a section whose content has been appended.
func (o *fileWriter) endSection(kind sectionKind) error {
	n := o.lengths[kind]
	if err := o.append(make([]byte, aligned(n)-n)); err != nil {
		return err
	}
	o.endBlock()
	o.checks[kind] = xxh3.Hash(o.sums[o.first:])
	o.first = len(o.sums)
	return nil
}

// append writes a part of a section and sums up its blocks.
func (o *fileWriter) append(data []byte) error {
	for len(data) > 0 {
		part := data[:min(len(data), blockSize-o.inBlock)]
		_, _ = o.block.Write(part) // it cannot fail
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

func encode[T element](values []T) []byte {
	data, err := binary.Append(nil, le, values)
	if err != nil {
		panic(err) // the types of element are all fixed-size
	}
	return data
}
