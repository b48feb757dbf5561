package tablefile

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// A valueDecoder reads the values of the head of a file of statistics, or of its table of
// blocks. After the first error, which it keeps, it returns zeros.
type valueDecoder struct {
	data []byte
	base int // place of data in the file
	at   int
	err  error
}

func (d *valueDecoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = files.Broken("statistics", d.base+d.at, files.ErrFormat, format, args...)
	}
}

// margins reads the totals, and the classes with theirs.
func (d *valueDecoder) margins() (m table.Margins, classes []string) {
	m.Documents, m.Labelled, m.Tokens = d.count(mostDocuments), d.count(mostDocuments), d.sum()
	if m.Labelled > m.Documents {
		d.fail("%v of %v documents have labels", m.Labelled, m.Documents)
	}
	for range d.length() {
		classes = append(classes, d.text())
		if d.err == nil && !utf8.ValidString(classes[len(classes)-1]) {
			d.fail("the class %q is not UTF-8", usage.Cut(classes[len(classes)-1]))
		}
		m.ClassDocs = append(m.ClassDocs, d.count(m.Labelled))
		m.ClassTokens = append(m.ClassTokens, d.sum())
		if n := len(classes); n > 1 && classes[n-1] <= classes[n-2] {
			d.fail("the classes are not in the order of their bytes")
		}
	}
	return m, classes
}

// bounds returns what margins say of table.
func (d *valueDecoder) bounds(m *table.Margins, form table.Form) *table.Bounds {
	b, err := table.NewBounds(m, form)
	if err != nil {
		d.fail("%v", err)
	}
	return b
}

// count reads a whole number, which must not exceed most.
func (d *valueDecoder) count(most float64) float64 {
	v, n := binary.Uvarint(d.data[d.at:])
	if n <= 0 || float64(v) > most {
		d.fail("a number that is none, or above %v", most)
		return 0
	}
	d.at += n
	return float64(v)
}

// length reads the length of a list whose elements take at least one byte each.
func (d *valueDecoder) length() int {
	if d.err != nil {
		return 0
	}
	return int(d.count(float64(len(d.data) - d.at)))
}

func (d *valueDecoder) sum() float64 {
	v := d.float()
	if !table.IsSum(v) {
		d.fail("value %v", v)
		return 0
	}
	return v
}

// float reads eight bytes.
func (d *valueDecoder) float() float64 {
	if len(d.data)-d.at < 8 {
		d.fail("no number")
		return 0
	}
	d.at += 8
	return math.Float64frombits(le.Uint64(d.data[d.at-8:]))
}

func (d *valueDecoder) text() string {
	n := d.length()
	if n > len(d.data)-d.at { // the length itself took bytes
		d.fail("a text of %d bytes", n)
		return ""
	}
	text := string(d.data[d.at : d.at+n])
	d.at += n
	return text
}
