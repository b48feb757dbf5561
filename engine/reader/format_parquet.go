package reader

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/parquet"
)

// This file reads Parquet: a row is a document, columns are found as those of CSV and mean
// what the fields of JSON lines do, and the file's own format is read by the room parquet.
// Its footer stands behind the data, so what is no file that can be read from any place is
// copied to a temporary file first. Batches of rows are frames, whose pages the workers
// decompress.

var parquetLayout = layout{
	format: Parquet, extensions: []string{".parquet"}, fields: true,
	detect: func(prefix []byte, _ bool) bool { return parquet.Begins(prefix) },
	parser: func(p *parser) frameParser { return (&parquetParser{parser: p}).parse },
	frames: (*Source).parquet,
}

// A parquetInput is an input with what its frame parsers know of it.
type parquetInput struct {
	s       *Source
	name    string
	columns parquetColumns
	layout  *layout
}

// parquet passes the frames of an input to out. file is the input itself if it is a file;
// otherwise in is read to its end.
func (s *Source) parquet(name string, m *meter, in *bufio.Reader, file *os.File, out func(frame) error) error {
	at, size, closing, err := s.seekable(name, m, in, file)
	if err != nil {
		return s.failure(document.Position{File: name}, "the input breaks off", err)
	}
	defer closing()
	input := &parquetInput{s: s, name: name, layout: layoutOf(Parquet)}
	if err = input.read(at, size, m, out); err != nil {
		return s.failure(document.Position{File: name}, "the input breaks off", input.placed(err))
	}
	return nil
}

// read cuts the rows into frames.
func (in *parquetInput) read(at io.ReaderAt, size int64, m *meter, out func(frame) error) error {
	opt := &in.s.opt
	pos := document.Position{File: in.name}
	file, err := parquet.Open(at, size, parquet.Limits{
		Page: max(opt.MaxDocument, 64<<20), Columns: opt.MaxFields,
		Grow: func(bytes int64) error {
			if m.unpacked += bytes; m.exceeded() {
				return m.error(pos)
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	if err := in.columns.find(opt, file); err != nil {
		return placed(err, pos, 1)
	}
	for batch, err := range file.Batches(in.columns.read...) {
		if err == nil {
			err = out(in.frame(batch))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A parquetBatch is a batch of rows of an input.
type parquetBatch struct {
	in    *parquetInput
	batch *parquet.Batch
}

// frame returns the frame of a batch.
func (in *parquetInput) frame(batch *parquet.Batch) frame {
	return frame{
		pos: document.Position{File: in.name, Line: int(batch.First) + 1},
		parse: func(p *parser, _ *frame) error {
			return in.placed(p.of(in.layout)(parquetBatch{in, batch}, nil))
		},
	}
}

// placed makes an Error of one of the room parquet.
func (in *parquetInput) placed(err error) error {
	e, ok := errors.AsType[*parquet.Error](err)
	if !ok {
		return err
	}
	return &Error{Pos: document.Position{File: in.name}, Problem: e.Problem, Err: e.Err, Remedy: e.Remedy, fatal: true}
}

// parquetColumns are the columns that are read. They are places in read, -1 for none.
type parquetColumns struct {
	read             []int // places in the file
	text             []int
	parts            []string // of a joined text, their names
	tokens           bool     // the text is a list of these
	label, id, split int
	names            fieldNames
	classes          []string // what the numbers of a ClassLabel mean; nil = the numbers are the labels
	kinds            []parquet.Column
}

// find finds the columns that the options name, by the rules of CSV.
func (c *parquetColumns) find(opt *Options, file *parquet.File) error {
	all := file.Columns()
	for i := range all {
		c.names = append(c.names, all[i].Name)
	}
	found, err := header{names: c.names, width: len(all)}.columns(opt)
	if err != nil {
		return err
	}
	c.parts = found.parts
	for _, i := range found.text {
		c.text = append(c.text, c.add(all, i))
	}
	if opt.IDField == "" && found.id >= 0 && (all[found.id].List || !slices.Contains([]parquet.Kind{parquet.Bytes, parquet.Int, parquet.Uint}, all[found.id].Kind)) {
		found.id = -1 // nobody asked for it
	}
	c.label, c.id, c.split = c.add(all, found.label), c.add(all, found.id), -1
	if opt.Split != "" {
		c.split = c.add(all, found.split)
	}
	if err := c.check(opt); err != nil || c.label < 0 {
		return err
	}
	c.classes, err = file.Classes(&c.kinds[c.label])
	return err
}

// add makes a column of the file one that is read, and returns its place.
func (c *parquetColumns) add(all []parquet.Column, i int) int {
	if i < 0 {
		return -1
	}
	c.read = append(c.read, i)
	c.kinds = append(c.kinds, all[i])
	return len(c.read) - 1
}

// check returns an error for a column that is not of a kind that it may be.
func (c *parquetColumns) check(opt *Options) error {
	c.tokens = c.parts == nil && c.kinds[c.text[0]].List
	for _, i := range c.text {
		if err := c.checkOne(i, "text", "--text-field", parquet.Bytes); err != nil {
			return err
		}
	}
	if err := c.checkOne(c.id, "text or whole numbers", "--id-field", parquet.Bytes, parquet.Int, parquet.Uint); err != nil {
		return err
	}
	if opt.Target != "" {
		if err := c.checkOne(c.label, "numbers", "--target", parquet.Bytes, parquet.Int, parquet.Uint, parquet.Float32, parquet.Float64); err != nil {
			return err
		}
	}
	return c.checkOne(c.split, "text", "", parquet.Bytes)
}

func (c *parquetColumns) checkOne(place int, what, flag string, kinds ...parquet.Kind) error {
	if place < 0 {
		return nil
	}
	column := &c.kinds[place]
	if err := column.Check(); err != nil {
		return err
	}
	for _, k := range kinds {
		if column.Kind == k && (!column.List || c.tokens && place == c.text[0]) {
			return nil
		}
	}
	remedy := "name another column with " + flag
	if flag == "" {
		remedy = "leave --split away, or write the column as text"
	}
	return wrong(nowhere, fmt.Sprintf("the column %.80q does not hold %s, a value a row", column.Name, what), "", remedy).of("a column of another type")
}
