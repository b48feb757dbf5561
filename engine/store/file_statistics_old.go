package store

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads the files of statistics of the versions 1 and 2 (FORMAT.md), which consist of
// a header of 32 bytes, a body of varints, and the xxh3-64 of both.

const (
	// Statistics with what [table.Centred] holds have version 2, others version 1.
	countVersion   = 1
	centredVersion = 2

	realStatistics   = 1 // bits of the body's first byte
	prunedStatistics = 2
)

// decodeOldStatistics is DecodeStatistics for the old versions. The header was verified.
func decodeOldStatistics(data []byte) (*table.Table, json.RawMessage, error) {
	if err := checkOldStatistics(data); err != nil {
		return nil, nil, err
	}
	d := &statisticsDecoder{data: data[:len(data)-8], at: statisticsHeader, centred: le.Uint32(data[8:]) == centredVersion}
	s, meta := d.body()
	if d.err == nil && d.at != len(d.data) {
		d.fail("bytes behind the last term")
	}
	if d.err != nil {
		return nil, nil, d.err
	}
	return s, meta, nil
}

// checkOldStatistics verifies all bytes of a file.
func checkOldStatistics(data []byte) error {
	const section = "statistics"
	if len(data) < statisticsHeader+8 {
		return broken(section, len(data), ErrTruncated, "")
	}
	if le.Uint32(data[12:]) != 0 {
		return broken(section, 12, ErrFormat, "a reserved byte is not 0")
	}
	switch total := le.Uint64(data[16:]); {
	case total > uint64(len(data)):
		return broken(section, len(data), ErrTruncated, "%d of %d bytes", len(data), total)
	case total < uint64(len(data)):
		return broken(section, int(total), ErrFormat, "%d foreign bytes after the end", uint64(len(data))-total)
	}
	end := len(data) - 8
	if le.Uint64(data[end:]) != xxh3.Hash(data[:end]) {
		return broken(section, end, ErrChecksum, "")
	}
	return nil
}

// A statisticsDecoder reads the values of a body. After the first error, which it
// keeps, it returns zeros.
type statisticsDecoder struct {
	data []byte
	base int // place of data in the file
	at   int
	err  error

	real, centred bool
	lowS, m2      []float64 // of the current term, if centred
}

func (d *statisticsDecoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = broken("statistics", d.base+d.at, ErrFormat, format, args...)
	}
}

func (d *statisticsDecoder) body() (s *table.Table, meta json.RawMessage) {
	flags := d.data[d.at:min(d.at+1, len(d.data))]
	if len(flags) == 0 || flags[0] > realStatistics|prunedStatistics {
		d.fail("unknown flags")
		return nil, nil
	}
	d.at++
	d.real = flags[0]&realStatistics != 0
	if d.centred && !d.real {
		d.fail("counts have the form of real values")
	}
	meta = []byte(d.text())
	s = &table.Table{Pruned: flags[0]&prunedStatistics != 0}
	s.Margins, s.Classes = d.margins()
	d.terms(s)
	if bounds := d.bounds(&s.Margins, d.real); d.err == nil {
		if t, err := bounds.CheckTerms(&s.Cells); err != nil {
			d.fail("term %d: %v", t, err)
		}
	}
	return s, meta
}

// margins reads the totals, and the classes with theirs.
func (d *statisticsDecoder) margins() (m table.Margins, classes []string) {
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

// lowTotals reads what the totals lack.
func (d *statisticsDecoder) lowTotals(m *table.Margins) {
	d.centred = true
	m.LowTokens, m.LowClassTokens = d.lacking(m.Tokens), make([]float64, len(m.ClassTokens))
	for c, tokens := range m.ClassTokens {
		m.LowClassTokens[c] = d.lacking(tokens)
	}
}

// bounds returns what margins say of cells.
func (d *statisticsDecoder) bounds(m *table.Margins, centred bool) *table.Bounds {
	b, err := table.NewBounds(m, centred)
	if err != nil {
		d.fail("%v", err)
	}
	return b
}

func (d *statisticsDecoder) terms(s *table.Table) {
	var names []string
	s.Start = []int{0}
	if d.real {
		s.Centred = &table.Centred{} // which the first version does not have
	}
	for t := range d.length() {
		names = append(names, d.text())
		df, cf := d.count(s.Documents), d.sum()
		if last := t - 1; df == 0 || t > 0 && (df > float64(s.DF[last]) || df == float64(s.DF[last]) && names[t] <= names[last]) {
			d.fail("term %d is out of order", t)
		}
		low := d.lacking(cf)
		d.cells(s, df, cf)
		if d.centred {
			s.EndCentredTerm(df, cf, low, d.lowS, d.m2)
		} else {
			s.EndTerm(df, cf)
		}
		if d.err != nil {
			return
		}
	}
	s.Terms = table.DictionaryOf(len(names), func(i int) string { return names[i] })
}

func (d *statisticsDecoder) cells(s *table.Table, df, cf float64) {
	next := 0.0
	d.lowS, d.m2 = d.lowS[:0], d.m2[:0]
	for range d.length() {
		class := d.count(float64(len(s.Classes)))
		if class < next || class == float64(len(s.Classes)) {
			d.fail("class %v of %d is out of order", class, len(s.Classes))
		}
		next = class + 1
		a := d.count(df)
		if a == 0 {
			d.fail("a cell without documents")
		}
		sum := d.sum()
		if !d.real && sum > cf {
			d.fail("%v tokens of a term that has %v", sum, cf)
		}
		s.Append(uint32(class), a, sum, d.sum())
		d.distances(a, sum)
		if d.err != nil {
			return
		}
	}
}

// lacking reads what a sum lacks of the exact one.
func (d *statisticsDecoder) lacking(sum float64) float64 {
	if !d.centred {
		return 0
	}
	v := d.float()
	if d.err == nil && !lacks(v, sum) {
		d.fail("a sum of %v that lacks %v", sum, v)
	}
	return v
}

// distances reads what a cell of a documents has beside its sums.
func (d *statisticsDecoder) distances(a, sum float64) {
	if !d.centred {
		return
	}
	d.lowS, d.m2 = append(d.lowS, d.lacking(sum)), append(d.m2, d.sum())
	if m2 := d.m2[len(d.m2)-1]; a == 1 && m2 != 0 {
		d.fail("squared distances of %v of a single document", m2)
	}
}

// count reads a whole number, which must not exceed most.
func (d *statisticsDecoder) count(most float64) float64 {
	v, n := binary.Uvarint(d.data[d.at:])
	if n <= 0 || float64(v) > most {
		d.fail("a number that is none, or above %v", most)
		return 0
	}
	d.at += n
	return float64(v)
}

// length reads the length of a list whose elements take at least one byte each.
func (d *statisticsDecoder) length() int {
	if d.err != nil {
		return 0
	}
	return int(d.count(float64(len(d.data) - d.at)))
}

func (d *statisticsDecoder) sum() float64 {
	if !d.real {
		return d.count(1 << 53)
	}
	v := d.float()
	if !isSum(v) {
		d.fail("value %v", v)
		return 0
	}
	return v
}

// float reads eight bytes.
func (d *statisticsDecoder) float() float64 {
	if len(d.data)-d.at < 8 {
		d.fail("no number")
		return 0
	}
	d.at += 8
	return math.Float64frombits(le.Uint64(d.data[d.at-8:]))
}

func (d *statisticsDecoder) text() string {
	n := d.length()
	if n > len(d.data)-d.at { // the length itself took bytes
		d.fail("a text of %d bytes", n)
		return ""
	}
	text := string(d.data[d.at : d.at+n])
	d.at += n
	return text
}
