package faults

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A thrift is a structure in the compact protocol.
type thrift struct {
	bytes.Buffer
	last int // number of the last field
}

func (t *thrift) field(id, kind int) {
	t.WriteByte(byte((id-t.last)<<4 | kind))
	t.last = id
}

func (t *thrift) number(id int, n int64) {
	t.field(id, 6)
	t.Write(binary.AppendVarint(nil, n))
}

// numbers adds numbers, each behind its field.
func (t *thrift) numbers(fields ...int) {
	for i := 0; i < len(fields); i += 2 {
		t.number(fields[i], int64(fields[i+1]))
	}
}

func (t *thrift) text(id int, s string) {
	t.field(id, 8)
	t.Write(binary.AppendUvarint(nil, uint64(len(s))))
	t.WriteString(s)
}

func (t *thrift) structure(id int, encoded []byte) {
	t.field(id, 12)
	t.Write(encoded)
}

// list adds a list of structures.
func (t *thrift) list(id int, structures ...[]byte) {
	t.begin(id, len(structures))
	for _, s := range structures {
		t.Write(s)
	}
}

// begin begins a list of structures, which follow.
func (t *thrift) begin(id, n int) {
	t.field(id, 9)
	t.WriteByte(0xfc)
	t.Write(binary.AppendUvarint(nil, uint64(n)))
}

// end returns the structure with its end mark.
func (t *thrift) end() []byte {
	t.WriteByte(0)
	return t.Bytes()
}

// header returns the header of a page.
func (p *ParquetPage) header() []byte {
	var t, h thrift
	t.numbers(1, p.Kind, 2, p.Unpacked, 3, len(p.Body))
	if !p.NoCRC {
		t.number(4, int64(int32(p.CRC)))
	}
	h.numbers(1, p.Entries)
	switch {
	case p.NoHeaders:
	case p.Kind == DictionaryPage:
		h.numbers(2, p.Encoding)
		t.structure(7, h.end())
	case p.Kind == DataPageV2:
		h.numbers(2, p.Nulls, 3, p.Rows, 4, p.Encoding, 5, p.DefBytes, 6, p.RepBytes)
		if p.StoredValues {
			h.field(7, 2)
		}
		p.statistics(&h, 8)
		t.structure(8, h.end())
	default:
		h.numbers(2, p.Encoding, 3, p.DefLevels, 4, p.RepLevels)
		p.statistics(&h, 5)
		t.structure(5, h.end())
	}
	return t.end()
}

// footer returns the footer.
func (w *writer) footer(rows int, groups [][]byte) []byte {
	var t thrift
	t.numbers(1, 2)
	t.list(2, w.schema()...)
	t.numbers(3, rows+w.More)
	t.list(4, groups...)
	t.begin(5, len(w.Keys))
	for _, key := range w.Keys {
		var k thrift
		k.text(1, key[0])
		k.text(2, key[1])
		t.Write(k.end())
	}
	return t.end()
}

// schema returns the elements of the schema.
func (w *writer) schema() [][]byte {
	const required, optional, repeated = 0, 1, 2
	element := func(kind, repetition int, name string, children, converted int) []byte {
		var e thrift
		if children == 0 {
			e.numbers(1, kind)
		}
		e.numbers(3, repetition)
		e.text(4, name)
		if children > 0 {
			e.numbers(5, children)
		}
		if converted > 0 {
			e.numbers(6, converted-1)
		}
		return e.end()
	}
	all := [][]byte{element(0, required, "schema", len(w.Columns), 0)}
	for _, c := range w.Columns {
		repetition := required
		if c.Optional {
			repetition = optional
		}
		if !c.List {
			all = append(all, element(c.Type, repetition, c.Name, 0, c.Converted))
			continue
		}
		all = append(all, element(0, repetition, c.Name, 1, 4), element(0, repeated, "list", 1, 0),
			element(c.Type, optional, "element", 0, c.Converted))
	}
	return all
}

// width returns the bits of the numbers up to a limit.
func width(limit int) int { return bits.Len(uint(limit)) }

// hybrid encodes numbers up to a limit as runs and packed bits; nil for levels that are all 0.
func hybrid(numbers []int, limit int) (out []byte) {
	if limit == 0 {
		return nil
	}
	out = []byte{}
	for len(numbers) > 0 {
		n := 1
		for n < len(numbers) && numbers[n] == numbers[0] {
			n++
		}
		if n >= 8 || n == len(numbers) {
			out = binary.AppendUvarint(out, uint64(n)<<1)
			for i := range (width(limit) + 7) / 8 {
				out = append(out, byte(numbers[0]>>(8*i)))
			}
		} else {
			n = min(8, len(numbers))
			out = append(append(out, 1<<1|1), group(numbers[:n], width(limit))...)
		}
		numbers = numbers[n:]
	}
	return out
}

// group packs up to eight numbers.
func group(numbers []int, width int) []byte {
	out := make([]byte, width)
	for i, n := range numbers {
		for bit := range width {
			if n>>bit&1 == 1 {
				at := i*width + bit
				out[at/8] |= 1 << (at % 8)
			}
		}
	}
	return out
}

// statistics adds the statistics of a page to its header.
func (p *ParquetPage) statistics(h *thrift, id int) {
	if p.Largest == "" {
		return
	}
	var s thrift
	s.text(1, p.Largest)
	h.structure(id, s.end())
}
