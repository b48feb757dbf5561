package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file writes and opens the file of a table, which has the sections cells, margins and meta. Terms are in the
// order of their bytes, so that files are merged block by block.

// mostDocuments is the largest number of documents in a file of statistics.
const mostDocuments = 1 << 32

// ErrUnwritable is wrapped by the errors of statistics that a file cannot hold.
var ErrUnwritable = usage.NewError(usage.ErrData, "statistics that a file cannot hold")

// WriteTable writes a file of statistics with the caller's description and returns
// its length. It leaves out the sums of weights, which are not additive. It returns an
// [ErrUnwritable] for statistics that [DecodeTable] would reject: those of too many
// documents, with sums that are not finite, with cells that contradict the margins, or with
// a term twice.
func WriteTable(w io.Writer, s *table.Table, meta json.RawMessage) (int64, error) {
	if err := s.Check(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	o, err := newTableWriter(w, s, s.Cells.Form)
	if err != nil {
		return 0, err
	}
	last := ""
	for i, t := range s.Names.Sorted() {
		name := s.Names.Term(int(t))
		if i > 0 && name == last {
			return int64(o.n), fmt.Errorf("%w: the term %q stands there twice", ErrUnwritable, usage.Cut(name))
		}
		o.spelled = append(o.spelled[:0], name...)
		o.block.name(o.spelled)
		o.block.append(&s.Cells, int(t), int(t)+1, nil)
		if err := o.endTerm(); err != nil {
			return int64(o.n), err
		}
		last = name
	}
	err = o.endTable(meta)
	return int64(o.n), err
}

// A tableWriter writes a file of statistics, term by term in the order of their bytes.
type tableWriter struct {
	*writer
	head    *table.Table // has the margins and classes
	block   blockBuilder
	spelled []byte // a name
	totals  totals
}

// totals are what a file says of all its blocks.
type totals struct {
	terms, cells        int
	mostA, mostS, mostQ float64
}

// add adds a block with these columns of documents, sums and squares.
func (t *totals) add(terms, cells int, a, s, q *table.Column) {
	t.terms, t.cells = t.terms+terms, t.cells+cells
	t.mostA, t.mostS, t.mostQ = max(t.mostA, a.Most()), max(t.mostS, s.Most()), max(t.mostQ, q.Most())
}

// squares returns an upper bound of the sums of squares.
func (t *totals) squares() float64 { return table.MostSquares(t.mostA, t.mostS, t.mostQ) }

// newTableWriter begins a file of the margins and classes of s.
func newTableWriter(w io.Writer, s *table.Table, form table.Form) (*tableWriter, error) {
	if s.Cells.Documents > mostDocuments {
		return nil, fmt.Errorf("%w: %.0f documents are more than the %d that it can have", ErrUnwritable, s.Cells.Documents, int64(mostDocuments))
	}
	for _, v := range append([]float64{s.Cells.Tokens}, s.Cells.ClassTokens...) {
		if !table.IsSum(v) {
			return nil, fmt.Errorf("%w: all values add up to %v", ErrUnwritable, v)
		}
	}
	for _, name := range s.ClassNames {
		if !utf8.ValidString(name) {
			return nil, fmt.Errorf("%w: the class %q is not UTF-8", ErrUnwritable, usage.Cut(name))
		}
	}
	o, err := newWriter(w, tableMagic)
	block := blockBuilder{layout: layout{table.ClassWidth(len(s.ClassNames)), form, true}}
	return &tableWriter{writer: o, head: s, block: block}, err
}

// endTerm writes the block if it is full.
func (o *tableWriter) endTerm() error {
	if !o.block.full() {
		return nil
	}
	return o.endTerms()
}

// endTerms writes the block.
func (o *tableWriter) endTerms() error {
	b := &o.block
	if b.terms == 0 {
		return nil
	}
	for i := range b.columns {
		for _, v := range b.columns[i].Escaped() {
			if !table.IsSum(v) {
				return fmt.Errorf("%w: a sum is %v", ErrUnwritable, v)
			}
		}
	}
	o.totals.add(b.terms, b.cells, &b.columns[docNumbers], &b.columns[sumNumbers], &b.columns[squareNumbers])
	return o.appendBlock(b.take())
}

// endTable writes the last block and what comes behind the blocks.
func (o *tableWriter) endTable(caller json.RawMessage) error {
	if err := o.endTerms(); err != nil {
		return err
	}
	if err := o.endSection(cellSection); err != nil {
		return err
	}
	s := o.head
	m := &s.Cells.Margins
	t := &o.totals
	margins := []float64{m.Documents, m.Labelled, m.Tokens, float64(t.terms), float64(t.cells), t.squares()}
	margins = slices.Concat(margins, m.ClassDocs, m.ClassTokens)
	if err := o.section(marginSection, files.BytesOf(margins)); err != nil {
		return err
	}
	meta, err := json.Marshal(fileMeta{s.ClassNames, s.Pruned, s.Missing, formNames[o.block.form], caller})
	if err != nil {
		return err
	}
	if err := o.section(metaSection, meta); err != nil {
		return err
	}
	return o.end()
}

// A TableFile is a file of statistics whose terms are read block by block. All but the blocks of terms
// has been verified; a block is when it is read.
type TableFile struct {
	table.Margins
	Classes []string // by bytes
	Pruned  bool     // terms were left out
	Missing uint32   // documents of a term that may not be counted
	Meta    json.RawMessage
	Terms   int
	Name    string // for errors; "" where there is none

	bounds      *table.Bounds
	body        *container
	closer      io.Closer // nil if the caller has opened the file
	layout      layout
	cells       int
	mostSquares float64
}

// OpenTable opens a file of statistics to be read block by block.
func OpenTable(path string) (*TableFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := openTable(file)
	if err == nil {
		f.Name = path
	}
	return f, err
}

// TemporaryTable opens a temporary file of statistics that fill writes. A nil system is the operating system.
func TemporaryTable(sys files.TemporarySystem, dir string, fill func(w io.Writer) error) (*TableFile, error) {
	t, err := files.CreateTemporary(sys, dir)
	if err != nil {
		return nil, err
	}
	if err := fill(t); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return openTable(t)
}

// openTable reads an open file, which it closes on error.
func openTable(file interface {
	io.ReaderAt
	io.Closer
	Stat() (os.FileInfo, error)
},
) (*TableFile, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f, err := newTableFile(file, info.Size())
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f.closer = file
	return f, nil
}

// DecodeTable returns the statistics in the bytes of a file, and the caller's
// description. Its errors are those of [Decode].
func DecodeTable(data []byte) (*table.Table, json.RawMessage, error) {
	f, err := newTableFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, err
	}
	s, err := f.all()
	if err != nil {
		return nil, nil, err
	}
	return s, f.Meta, nil
}

// newTableFile verifies all but the blocks of terms of a file.
func newTableFile(file io.ReaderAt, size int64) (f *TableFile, err error) {
	f = &TableFile{}
	if f.body, err = openContainer(nil, file, size, tableMagic); err != nil {
		return nil, err
	}
	for kind := range f.body.sections {
		if kind := sectionKind(kind); kind < cellSection && f.body.sections[kind].length > 0 {
			return nil, files.Broken(kind.String(), 0, files.ErrFormat, "a file of statistics has none")
		}
	}
	text, err := f.body.whole(metaSection)
	if err != nil {
		return nil, err
	}
	var meta fileMeta
	if err := json.Unmarshal(text, &meta); err != nil {
		return nil, files.Broken("meta", 0, files.ErrFormat, "%v", err)
	}
	f.Classes, f.Pruned, f.Missing, f.Meta = meta.Classes, meta.Pruned, meta.Missing, meta.Caller
	if f.layout, err = meta.layout(true); err != nil {
		return nil, err
	}
	if f.Missing > table.MostMissing {
		return nil, files.Broken("meta", 0, files.ErrFormat, "%d documents are missing", f.Missing)
	}
	return f, f.readMargins()
}

// layout returns that of the blocks of cells.
func (m *fileMeta) layout(named bool) (layout, error) {
	for i := 1; i < len(m.Classes); i++ {
		if m.Classes[i] <= m.Classes[i-1] {
			return layout{}, files.Broken("meta", 0, files.ErrFormat, "the classes are not in the order of their bytes")
		}
	}
	form := slices.Index(formNames, m.Cells)
	if form < 0 && (named || m.Cells != "") {
		return layout{}, files.Broken("meta", 0, files.ErrVersion, "cells of the form %q, which this program does not know: use a newer one", usage.Cut(m.Cells))
	}
	return layout{table.ClassWidth(len(m.Classes)), table.Form(max(form, 0)), named}, nil
}

// readMargins reads the totals, and those of the classes.
func (f *TableFile) readMargins() error {
	broken := func(format string, args ...any) error {
		return files.Broken("margins", 0, files.ErrFormat, format, args...)
	}
	data, err := f.body.whole(marginSection)
	if err != nil {
		return err
	}
	const totals = 6
	all, k := files.ElementsOf[float64](data), len(f.Classes)
	if len(all) != totals+2*k {
		return broken("%d numbers of %d classes", len(all), k)
	}
	for i, v := range all {
		sum := i == 2 || i == 5 || i >= totals+k
		if !table.IsSum(v) || !sum && table.IsFraction(v) || i < 2 && v > mostDocuments {
			return broken("number %d is %v", i, v)
		}
	}
	m := &f.Margins
	m.Documents, m.Labelled, m.Tokens, f.mostSquares = all[0], all[1], all[2], all[5]
	m.ClassDocs, m.ClassTokens = all[totals:totals+k:totals+k], all[totals+k:]
	if all[3] > float64(f.body.size) || all[4] > float64(f.body.size) {
		return broken("%v terms and %v cells in %d bytes", all[3], all[4], f.body.size)
	}
	f.Terms, f.cells = int(all[3]), int(all[4])
	if f.bounds, err = table.NewBounds(m, f.layout.form); err != nil {
		return broken("%v", err)
	}
	return nil
}

// Close closes the file if [OpenTable] has opened it.
func (f *TableFile) Close() error {
	if f.closer == nil {
		return nil
	}
	err := f.closer.Close()
	f.closer = nil
	return err
}

// Real reports whether there are values that are no counts.
func (f *TableFile) Real() bool { return f.layout.form == table.RealValues }

// all reads the whole file.
func (f *TableFile) all() (*table.Table, error) {
	p, ctx := newTablePart(f, nil), context.Background()
	c, text, offsets := table.Cells{Form: f.layout.form}, []byte(nil), []uint32{0}
	for {
		more, err := p.next(ctx)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if p.term == 0 {
			c.AppendTerms(&p.cells, 0, p.cells.Terms()) // the block
		}
		text = append(text, p.name...)
		if uint64(len(text)) > math.MaxUint32 {
			return nil, p.blocks.fail("names of more than 4 GiB together")
		}
		offsets = append(offsets, uint32(len(text)))
	}
	s, names, places := &table.Table{ClassNames: f.Classes, Pruned: f.Pruned, Missing: f.Missing}, string(text), table.PlacesByDF(c.DF)
	order := make([]uint32, len(places))
	for i, place := range places {
		order[place] = uint32(i)
	}
	s.Cells.Margins, s.Cells.Form = f.Margins, c.Form
	s.Cells.Reserve(len(order), c.Len())
	for _, t := range order {
		s.Cells.AppendTerms(&c, int(t), int(t)+1)
	}
	var err error
	s.Names, err = table.MakeDictionary(ctx, 1, len(order), places, func(i int) string { return names[offsets[order[i]]:offsets[order[i]+1]] })
	return s, err
}
