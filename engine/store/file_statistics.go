package store

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/cells"
)

// A file of statistics (FORMAT.md) consists of a header of 32 bytes, a body of varints,
// and the xxh3-64 of both.

const (
	statisticsMagic  = "TERMSSTA"
	statisticsHeader = 32

	// Statistics with what [cells.Centred] holds have version 2, others version 1.
	statisticsVersion = 1
	centredVersion    = 2

	realStatistics   = 1 // bits of the body's first byte
	prunedStatistics = 2
)

// IsStatistics reports whether a file that begins with prefix has the signature of
// statistics.
func IsStatistics(prefix []byte) bool {
	return len(prefix) >= len(statisticsMagic) && string(prefix[:len(statisticsMagic)]) == statisticsMagic
}

// WriteStatistics writes a file of statistics with the caller's description and returns
// its length. It leaves out the sums of weights, which are not additive. It returns an
// error for statistics that [DecodeStatistics] would reject: those of too many
// documents, or with sums that are not finite.
func WriteStatistics(w io.Writer, s *Statistics, meta json.RawMessage) (int64, error) {
	if err := s.writable(); err != nil {
		return 0, err
	}
	e, version := statisticsEncoder{real: s.Centred != nil || !s.whole()}, uint32(statisticsVersion)
	if s.Centred != nil {
		version = centredVersion
	}
	e.body(s, meta)
	data := make([]byte, statisticsHeader, statisticsHeader+len(e.data)+8)
	copy(data, statisticsMagic)
	le.PutUint32(data[8:], version)
	le.PutUint64(data[16:], uint64(cap(data)))
	le.PutUint64(data[24:], xxh3.Hash(data[:24]))
	data = append(data, e.data...)
	n, err := w.Write(le.AppendUint64(data, xxh3.Hash(data)))
	return int64(n), err
}

// mostDocuments is the largest number of documents in a file of statistics.
const mostDocuments = 1 << 32

// writable returns an error for statistics that [DecodeStatistics] would reject.
func (s *Statistics) writable() error {
	if s.Documents > mostDocuments {
		return fmt.Errorf("store: %.0f documents are more than a file of statistics holds", s.Documents)
	}
	if v, found := s.anySum(func(v float64) bool { return !isSum(v) }); found {
		return fmt.Errorf("store: a sum of %v cannot be kept in a file of statistics", v)
	}
	return nil
}

// whole reports whether all sums are whole numbers.
func (s *Statistics) whole() bool {
	_, found := s.anySum(func(v float64) bool { return v != math.Trunc(v) || v >= 1<<53 })
	return !found
}

// anySum returns a sum of values for which f is true, if there is one.
func (s *Statistics) anySum(f func(v float64) bool) (v float64, found bool) {
	search := func(columns ...[]float64) {
		for _, column := range columns {
			if i := slices.IndexFunc(column, f); i >= 0 && !found {
				v, found = column[i], true
			}
		}
	}
	search([]float64{s.Tokens}, s.ClassTokens)
	s.Tiles(&cells.Tile{}, 0, s.Cells.Terms(), true, func(t *cells.Tile) { search(t.CF, t.S, t.Q, t.M2) })
	return v, found
}

type statisticsEncoder struct {
	data []byte
	real bool
}

func (e *statisticsEncoder) body(s *Statistics, meta []byte) {
	flags := byte(0)
	if e.real {
		flags |= realStatistics
	}
	if s.Pruned {
		flags |= prunedStatistics
	}
	e.data = append(e.data, flags)
	e.text(string(meta))
	e.count(s.Documents)
	e.count(s.Labelled)
	e.sum(s.Tokens)
	e.count(float64(len(s.Classes)))
	for c, name := range s.Classes {
		e.text(name)
		e.count(s.ClassDocs[c])
		e.sum(s.ClassTokens[c])
	}
	e.count(float64(s.Terms.Len()))
	s.Tiles(&cells.Tile{}, 0, s.Terms.Len(), true, func(t *cells.Tile) { e.tile(s, t) })
}

// tile appends the terms of a tile.
func (e *statisticsEncoder) tile(s *Statistics, t *cells.Tile) {
	for i, df := range t.DF {
		e.text(s.Terms.Term(t.First + i))
		e.count(float64(df))
		e.sum(t.CF[i])
		if t.Centred {
			e.sum(t.LowCF[i])
		}
		from, to := t.Range(i)
		e.count(float64(to - from))
		for j := from; j < to; j++ {
			e.count(float64(t.Class[j]))
			e.count(t.A[j])
			e.sum(t.S[j])
			e.sum(t.Q[j])
			if t.Centred {
				e.sum(t.LowS[j])
				e.sum(t.M2[j])
			}
		}
	}
}

// count appends a whole number.
func (e *statisticsEncoder) count(v float64) { e.data = binary.AppendUvarint(e.data, uint64(v)) }

// sum appends a sum of values.
func (e *statisticsEncoder) sum(v float64) {
	if e.real {
		e.data = le.AppendUint64(e.data, math.Float64bits(v))
	} else {
		e.count(v)
	}
}

func (e *statisticsEncoder) text(s string) {
	e.count(float64(len(s)))
	e.data = append(e.data, s...)
}

// DecodeStatistics returns the statistics in the bytes of a file, and the caller's
// description. Its errors are those of [Decode].
func DecodeStatistics(data []byte) (*Statistics, json.RawMessage, error) {
	if err := checkStatistics(data); err != nil {
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

// checkStatistics verifies all bytes of a file.
func checkStatistics(data []byte) error {
	const section = "statistics"
	if !IsStatistics(data) {
		return broken(section, 0, ErrFormat, "the first bytes are not %q", statisticsMagic)
	}
	if len(data) < statisticsHeader+8 {
		return broken(section, len(data), ErrTruncated, "")
	}
	if le.Uint64(data[24:]) != xxh3.Hash(data[:24]) {
		return broken(section, 24, ErrChecksum, "of the header")
	}
	if v := le.Uint32(data[8:]); v != statisticsVersion && v != centredVersion {
		return broken(section, 8, ErrVersion, "version %d, this program reads %d and %d: write them again", v, statisticsVersion, centredVersion)
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
	at   int
	err  error

	real, centred bool
	lowS, m2      []float64 // of the current term, if centred
}

func (d *statisticsDecoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = broken("statistics", d.at, ErrFormat, format, args...)
	}
}

func (d *statisticsDecoder) body() (s *Statistics, meta json.RawMessage) {
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
	s = &Statistics{Pruned: flags[0]&prunedStatistics != 0}
	s.Documents, s.Labelled, s.Tokens = d.count(mostDocuments), d.count(mostDocuments), d.sum()
	for range d.length() {
		s.Classes = append(s.Classes, d.text())
		s.ClassDocs = append(s.ClassDocs, d.count(s.Labelled))
		s.ClassTokens = append(s.ClassTokens, d.sum())
		if n := len(s.Classes); n > 1 && s.Classes[n-1] <= s.Classes[n-2] {
			d.fail("the classes are not in the order of their bytes")
		}
	}
	if s.Labelled > s.Documents {
		d.fail("%v of %v documents have labels", s.Labelled, s.Documents)
	}
	d.terms(s)
	return s, meta
}

func (d *statisticsDecoder) terms(s *Statistics) {
	var names []string
	s.Start = []int{0}
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
	s.Terms = dictionaryOf(len(names), func(i int) string { return names[i] })
}

func (d *statisticsDecoder) cells(s *Statistics, df, cf float64) {
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
