package reader

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/parquet"
)

// A parquetParser parses batches of rows. A document refers to its memory and to the pages of
// the batch.
type parquetParser struct {
	*parser
	cursors []*parquet.Cursor
	there   []bool // whether the row has something in the column
	valid   []byte // a text made UTF-8
	digits  []byte // of a number
	in      *parquetInput
}

// parse emits the documents of a parquetBatch.
func (p *parquetParser) parse(from any, _ *frame) error {
	in, batch := from.(parquetBatch).in, from.(parquetBatch).batch
	p.in, p.cursors = in, p.cursors[:0]
	p.there = append(p.there[:0], make([]bool, len(in.columns.read))...)
	for i := range in.columns.read {
		c, err := batch.Cursor(i)
		if err != nil {
			return err
		}
		p.cursors = append(p.cursors, c)
	}
	pos := document.Position{File: in.name, Line: int(batch.First)}
	for range batch.Rows {
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
		return p.s.tooLarge(pos, "text has")
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
	i := p.in.columns.id
	if i < 0 || !p.there[i] {
		return p.lineID(pos)
	}
	if id := p.value(i); len(id) > 0 {
		return p.decoder.Name(id)
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
	classes := p.in.columns.classes
	if classes == nil {
		return p.addWritten(i, pos)
	}
	n := p.cursors[i].Number()
	switch {
	case n == -1:
		return nil
	case p.s.opt.Target != "":
		return p.addWritten(i, pos)
	case n < 0 || n >= int64(len(classes)):
		return wrong(pos, fmt.Sprintf("the label is %d, and there are names of %d classes", n, len(classes)), "",
			"write the file again with the names of all classes, or with the names as text").of("a class without a name")
	}
	return p.addLabel([]byte(classes[n]), pos)
}

// addWritten appends the label that a cursor is at as it is written in the file.
func (p *parquetParser) addWritten(i int, pos document.Position) error {
	switch p.in.columns.kinds[i].Kind {
	case parquet.Bytes:
		return p.addLabels(p.value(i), pos)
	case parquet.Float32, parquet.Float64:
		switch value, _ := p.real(i); {
		case math.IsNaN(value):
			return nil // as pandas writes what is missing
		case math.IsInf(value, 0) && p.s.opt.Target == "":
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
	words, bytes := p.words[:0], int64(0)
	for c := p.cursors[i]; c.NextValue(); {
		p.meter.unpacked += rowBytes
		if c.Null() {
			continue
		}
		token := c.Text()
		p.meter.unpacked += int64(len(token))
		if bytes += int64(len(token)); bytes > p.s.opt.MaxDocument {
			return nil, p.s.tooLarge(pos, "tokens have")
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
	p.words, p.tally.bytes = words, p.tally.bytes+bytes
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
	p.valid = p.valid[:0]
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		p.valid = utf8.AppendRune(p.valid, r)
		text = text[size:]
	}
	return p.valid
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
