package store

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"slices"

	"github.com/zeebo/xxh3"
)

// The file of statistics (FORMAT.md): a header of 32 bytes, a body of varints, and the
// xxh3-64 of both.

const (
	statisticsMagic   = "TERMSSTA"
	statisticsVersion = 1
	statisticsHeader  = 32

	realStatistics   = 1 // bits of the body's first byte
	prunedStatistics = 2
)

// IsStatistics says whether a file that begins with these bytes claims to be statistics.
func IsStatistics(prefix []byte) bool {
	return len(prefix) >= len(statisticsMagic) && string(prefix[:len(statisticsMagic)]) == statisticsMagic
}

// WriteStatistics writes a file of statistics with the caller's description. Sums of
// weights are left out: they do not add up.
func WriteStatistics(w io.Writer, s *Statistics, meta json.RawMessage) (int64, error) {
	e := statisticsEncoder{real: !s.whole()}
	e.body(s, meta)
	data := make([]byte, statisticsHeader, statisticsHeader+len(e.data)+8)
	copy(data, statisticsMagic)
	le.PutUint32(data[8:], statisticsVersion)
	le.PutUint64(data[16:], uint64(cap(data)))
	le.PutUint64(data[24:], xxh3.Hash(data[:24]))
	data = append(data, e.data...)
	n, err := w.Write(le.AppendUint64(data, xxh3.Hash(data)))
	return int64(n), err
}

// whole says that all sums are whole numbers.
func (s *Statistics) whole() bool {
	for _, column := range [][]float64{{s.Tokens}, s.ClassTokens, s.CF, s.S, s.Q} {
		if slices.ContainsFunc(column, func(v float64) bool { return v != math.Trunc(v) || v >= 1<<53 }) {
			return false
		}
	}
	return true
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
	for t := range s.Terms.Len() {
		e.text(s.Terms.Term(t))
		e.count(s.DF[t])
		e.sum(s.CF[t])
		from, to := s.CellStart[t], s.CellStart[t+1]
		e.count(float64(to - from))
		for i := from; i < to; i++ {
			e.count(float64(s.CellClass[i]))
			e.count(s.A[i])
			e.sum(s.S[i])
			e.sum(s.Q[i])
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

// DecodeStatistics reads the bytes of a file of statistics, and the caller's
// description. Errors are those of [Decode].
func DecodeStatistics(data []byte) (*Statistics, json.RawMessage, error) {
	if err := checkStatistics(data); err != nil {
		return nil, nil, err
	}
	d := &statisticsDecoder{data: data[:len(data)-8], at: statisticsHeader}
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
	if v := le.Uint32(data[8:]); v != statisticsVersion {
		return broken(section, 8, ErrVersion, "version %d, this program reads %d: write them again", v, statisticsVersion)
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

// A statisticsDecoder keeps the first error and gives zeros behind it.
type statisticsDecoder struct {
	data []byte
	at   int
	real bool
	err  error
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
	meta = []byte(d.text())
	s = &Statistics{Pruned: flags[0]&prunedStatistics != 0, Documents: d.count(1 << 32), Labelled: d.count(1 << 32), Tokens: d.sum()}
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
	s.CellStart = []int{0}
	for t := range d.length() {
		names = append(names, d.text())
		s.DF = append(s.DF, d.count(s.Documents))
		s.CF = append(s.CF, d.sum())
		if s.DF[t] == 0 || t > 0 && (s.DF[t] > s.DF[t-1] || s.DF[t] == s.DF[t-1] && names[t] <= names[t-1]) {
			d.fail("term %d is out of order", t)
		}
		d.cells(s, s.DF[t])
		s.CellStart = append(s.CellStart, len(s.CellClass))
		if d.err != nil {
			return
		}
	}
	s.Terms = dictionaryOf(len(names), func(i int) string { return names[i] })
}

func (d *statisticsDecoder) cells(s *Statistics, df float64) {
	next := 0.0
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
		s.addCell(uint32(class), a, sum, d.sum())
		if d.err != nil {
			return
		}
	}
}

// count reads a whole number.
func (d *statisticsDecoder) count(most float64) float64 {
	v, n := binary.Uvarint(d.data[d.at:])
	if n <= 0 || float64(v) > most {
		d.fail("a number that is none, or above %v", most)
		return 0
	}
	d.at += n
	return float64(v)
}

// length reads the length of a list, each element of which takes a byte at least.
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
	if len(d.data)-d.at < 8 {
		d.fail("no number")
		return 0
	}
	v := math.Float64frombits(le.Uint64(d.data[d.at:]))
	if !(v >= 0) || math.IsInf(v, 0) {
		d.fail("value %v", v)
		return 0
	}
	d.at += 8
	return v
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
