package reader

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/parquet"
)

// This file reads Parquet: a row is a document, columns are found as those of CSV and mean what the fields of JSON lines
// do, and package parquet reads the format of the file. Its footer stands behind the data, so what is no file that can be
// read from any place is copied to a temporary file first. Batches of rows are frames, whose pages the workers decompress.

var parquetLayout = layout{
	format: Parquet, extensions: []string{".parquet"}, fields: true,
	detect: func(prefix []byte, _ bool) bool { return parquet.Begins(prefix) },
	parser: func(p *parser) frameParser { return (&parquetParser{parser: p}).parse },
	frames: (*input).parquet,
}

// A parquetInput is an input with what its frame parsers know of it.
type parquetInput struct {
	*input
	columns parquetColumns
	batch   *parquet.Batch // of a frame
}

// parquet passes the frames of an input to out. file is the input itself if it is a file;
// otherwise r is read to its end.
func (in *input) parquet(r *bufio.Reader, file *os.File) error {
	at, size, closing, err := in.seekable(r, file)
	if err != nil {
		return in.s.failure(in.pos(), "the input breaks off", err)
	}
	defer closing()
	p := &parquetInput{input: in}
	if err = p.read(at, size); err != nil {
		return in.s.failure(in.pos(), "the input breaks off", p.placed(err))
	}
	return nil
}

// read cuts the rows into frames.
func (in *parquetInput) read(at io.ReaderAt, size int64) error {
	opt, m := &in.s.opt, in.meter
	file, err := parquet.Open(at, size, parquet.Limits{
		Page: max(opt.MaxDocument, 64<<20), Columns: opt.MaxFields,
		Grow: func(bytes int64) error {
			if m.unpacked += bytes; m.exceeded() {
				return m.error(in.pos())
			}
			return nil
		},
	})
	if err != nil {
		return err
	}
	if err := in.columns.find(opt, file); err != nil {
		return placed(err, in.pos())
	}
	for batch, err := range file.Batches(in.columns.read...) {
		if err == nil {
			err = in.out(in.frame(batch))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// frame returns the frame of a batch.
func (in parquetInput) frame(batch *parquet.Batch) frame {
	in.batch = batch
	return frame{
		pos:   document.Position{File: in.name, Line: int(batch.First) + 1},
		parse: func(p *parser, f *frame) error { return in.placed(p.decided(layoutOf(Parquet), &in, f)) },
	}
}

// placed makes an Error of one of package parquet.
func (in *parquetInput) placed(err error) error {
	e, ok := errors.AsType[*parquet.Error](err)
	if !ok {
		return err
	}
	return &Error{Pos: in.pos(), Problem: e.Problem, Err: e.Err, Remedy: e.Remedy, fatal: true}
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
		remedy = "omit --split, or write the column as text"
	}
	return wrong(nowhere, fmt.Sprintf("the column %.80q does not hold %s, a value a row", column.Name, what), "", remedy).of("a column of another type")
}

// A parquetParser parses batches of rows. A document refers to its memory and to the pages of
// the batch.
type parquetParser struct {
	*parser
	cursors []*parquet.Cursor
	there   []bool // whether the row has something in the column
	digits  []byte // of a number
	in      *parquetInput
}

// parse emits the documents of a batch.
func (p *parquetParser) parse(from any, _ *frame) error {
	in := from.(*parquetInput)
	p.in, p.cursors = in, p.cursors[:0]
	p.there = append(p.there[:0], make([]bool, len(in.columns.read))...)
	for i := range in.columns.read {
		c, err := in.batch.Cursor(i)
		if err != nil {
			return err
		}
		p.cursors = append(p.cursors, c)
	}
	pos := document.Position{File: in.name, Line: int(in.batch.First)}
	for range in.batch.Rows {
		pos.Line++
		for i, c := range p.cursors {
			p.there[i] = c.NextRow()
		}
		if err := p.bad(p.row(pos)); err != nil {
			return err
		}
	}
	return nil
}

// row emits the document of the row that the cursors are at.
func (p *parquetParser) row(pos document.Position) error {
	if err := p.spend(pos); err != nil {
		return err
	}
	d := document.Document{Source: pos}
	if i := p.in.columns.split; i >= 0 {
		var name []byte
		if p.there[i] {
			name = p.cursors[i].Text()
		}
		d.Split = p.splitOf(name)
	}
	if want := p.s.opt.Split; want != "" && want != d.Split {
		return nil
	}
	d.ID = p.idOf(pos)
	err := p.labelsOf(pos)
	if err != nil {
		return err
	}
	d.Labels = p.labels
	if p.in.columns.tokens {
		d.Features, err = p.tokensOf(pos)
	} else {
		d.Text, err = p.textOf(pos)
	}
	if err != nil {
		return err
	}
	if int64(len(d.Text)) > p.s.opt.MaxDocument {
		return p.s.opt.tooLarge(pos, "text has")
	}
	return p.emit(d)
}

// rowBytes is what a row counts beside its text, of which a run of the same may take no bytes
// of a page.
const rowBytes = 16

// spend counts what a row becomes of which the page may have less: a text of a dictionary, or
// a null.
func (p *parquetParser) spend(pos document.Position) error {
	for _, i := range p.in.columns.text {
		switch c := p.cursors[i]; {
		case !p.there[i]:
			p.meter.unpacked += rowBytes
		case p.in.columns.tokens: // tokensOf counts them
		case c.Grown():
			p.meter.unpacked += rowBytes + int64(len(c.Text()))
		}
	}
	return p.exceeded(pos)
}

func (p *parquetParser) exceeded(pos document.Position) error {
	if p.meter.exceeded() {
		return p.meter.error(document.Position{File: pos.File})
	}
	return nil
}

// idOf returns the id of the row, made of its position where it has none.
func (p *parquetParser) idOf(pos document.Position) string {
	if i := p.in.columns.id; i >= 0 && p.there[i] {
		if id := p.value(i); len(id) > 0 {
			return p.decoder.Name(id)
		}
	}
	return p.lineID(pos)
}

// value returns the value that a cursor is at as text.
func (p *parquetParser) value(i int) []byte {
	c := p.cursors[i]
	switch p.in.columns.kinds[i].Kind {
	case parquet.Bytes:
		return c.Text()
	case parquet.Bool:
		p.digits = strconv.AppendBool(p.digits[:0], c.Number() != 0)
	case parquet.Uint:
		p.digits = strconv.AppendUint(p.digits[:0], uint64(c.Number()), 10)
	case parquet.Float32, parquet.Float64:
		value, bits := p.real(i)
		p.digits = shortest(p.digits[:0], value, bits)
	default:
		p.digits = strconv.AppendInt(p.digits[:0], c.Number(), 10)
	}
	return p.digits
}

// real returns the number that a cursor of such is at, and its size in bits.
func (p *parquetParser) real(i int) (value float64, bits int) {
	n := p.cursors[i].Number()
	if p.in.columns.kinds[i].Kind == parquet.Float32 {
		return float64(math.Float32frombits(uint32(n))), 32
	}
	return math.Float64frombits(uint64(n)), 64
}

// labelsOf sets p.labels.
func (p *parquetParser) labelsOf(pos document.Position) error {
	i := p.in.columns.label
	p.labels = p.labels[:0]
	if i < 0 {
		p.noLabel(pos, func() fieldNames { return p.in.columns.names })
		return nil
	}
	for p.there[i] && p.cursors[i].NextValue() {
		if p.cursors[i].Null() {
			return wrong(pos, "the document is not understood: a label of its list is null", "",
				"write the list without it, or name another field with --label-field")
		}
		if err := p.addValue(i, pos); err != nil {
			return err
		}
	}
	return nil
}

// addValue appends the label that a cursor is at. The number -1 of a ClassLabel is none, and
// a real number has its shortest form: 1.0 is 1, since a column of whole numbers of which one is
// missing becomes one of real numbers.
func (p *parquetParser) addValue(i int, pos document.Position) error {
	classes, target := p.in.columns.classes, p.s.opt.Target != ""
	switch kind := p.in.columns.kinds[i].Kind; {
	case classes != nil:
		n := p.cursors[i].Number()
		switch {
		case n == -1:
			return nil
		case target:
		case n < 0 || n >= int64(len(classes)):
			return wrong(pos, fmt.Sprintf("the label is %d, and there are names of %d classes", n, len(classes)), "",
				"write the file again with the names of all classes, or with the names as text").of("a class without a name")
		default:
			return p.addLabel([]byte(classes[n]), pos)
		}
	case kind == parquet.Bytes:
		return p.addLabels(p.value(i), pos)
	case kind == parquet.Float32 || kind == parquet.Float64:
		switch value, _ := p.real(i); {
		case math.IsNaN(value):
			return nil // as pandas writes what is missing
		case math.IsInf(value, 0) && !target:
			return wrong(pos, "the document is not understood: its label is infinite", "", "name another field with --label-field")
		}
	}
	return p.addLabel(p.value(i), pos)
}

// textOf returns the text of the row, joined if it is that of several columns. Those that are
// null are left out.
func (p *parquetParser) textOf(pos document.Position) ([]byte, error) {
	columns := &p.in.columns
	if columns.parts == nil {
		if i := columns.text[0]; p.there[i] {
			return p.decoded(p.cursors[i], pos), nil
		}
		return nil, p.nullText(pos)
	}
	joined, some := p.join(columns.parts, func(n int) ([]byte, bool) {
		i := columns.text[n]
		if !p.there[i] {
			return nil, false
		}
		return p.decoded(p.cursors[i], pos), true
	})
	if !some {
		return nil, p.nullText(pos)
	}
	return joined, nil
}

// tokensOf returns the tokens of the row, each counted. They are terms as they stand; one
// without a byte is none.
func (p *parquetParser) tokensOf(pos document.Position) ([]document.Feature, error) {
	i := p.in.columns.text[0]
	if !p.there[i] {
		return nil, p.nullText(pos)
	}
	words, size := p.words[:0], int64(0)
	for c := p.cursors[i]; c.NextValue(); {
		p.meter.unpacked += rowBytes
		if c.Null() {
			continue
		}
		token := c.Text()
		p.meter.unpacked += int64(len(token))
		if size += int64(len(token)); size > p.s.opt.MaxDocument {
			return nil, p.s.opt.tooLarge(pos, "tokens have")
		}
		if len(token) > p.s.opt.MaxName {
			return nil, longName(pos, "token", string(token), p.s.opt.MaxName)
		}
		if !utf8.Valid(token) {
			token = []byte(p.decoder.Name(token))
		}
		if len(token) > 0 {
			words = append(words, p.terms.intern(token))
		}
	}
	p.words, p.tally.bytes = words, p.tally.bytes+size
	return p.countWords(pos), p.exceeded(pos)
}

// nullText returns the error for a row without a text.
func (p *parquetParser) nullText(pos document.Position) error {
	name := p.in.columns.kinds[p.in.columns.text[0]].Name
	return wrong(pos, fmt.Sprintf("the document is not understood: its %.80q is null", name), "",
		"--skip-bad leaves such rows out; name another field with --text-field")
}

// decoded returns the text that a cursor is at in UTF-8, which it is unless the options name another charset. As in
// JSON lines, malformed bytes become U+FFFD.
func (p *parquetParser) decoded(c *parquet.Cursor, pos document.Position) []byte {
	text := c.Text()
	p.tally.bytes += int64(len(text))
	if p.decoder.DecodesAll() {
		return p.decode(text, pos)
	}
	if utf8.Valid(text) {
		return text
	}
	p.tally.malformed++
	return []byte(string(bytes.Runes(text)))
}

// shortest appends the shortest decimal form that reads as a finite number of so many bits. It
// has an exponent where encoding/json writes one.
func shortest(to []byte, value float64, bits int) []byte {
	size := math.Abs(value)
	switch {
	case size == 0:
		return append(to, '0') // and no sign
	case size < 1e-6 || size >= 1e21:
		return strconv.AppendFloat(to, value, 'e', -1, bits)
	}
	return strconv.AppendFloat(to, value, 'f', -1, bits)
}
