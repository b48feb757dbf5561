package parquetfile

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

func (t *thrift) text(id int, s string) {
	t.field(id, 8)
	t.Write(binary.AppendUvarint(nil, uint64(len(s))))
	t.WriteString(s)
}

func (t *thrift) structure(id int, encoded []byte) {
	t.field(id, 12)
	t.Write(encoded)
}

// list begins a list of structures, which follow.
func (t *thrift) list(id, n int) {
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
func (p *Page) header() []byte {
	var t, h thrift
	t.number(1, int64(p.Kind))
	t.number(2, int64(p.Unpacked))
	t.number(3, int64(len(p.Body)))
	if !p.NoCRC {
		t.number(4, int64(int32(p.CRC)))
	}
	h.number(1, int64(p.Entries))
	switch {
	case p.NoHeaders:
	case p.Kind == DictionaryPage:
		h.number(2, int64(p.Encoding))
		t.structure(7, h.end())
	case p.Kind == DataPageV2:
		h.number(2, int64(p.Nulls))
		h.number(3, int64(p.Rows))
		h.number(4, int64(p.Encoding))
		h.number(5, int64(p.DefBytes))
		h.number(6, int64(p.RepBytes))
		if p.StoredValues {
			h.field(7, 2)
		}
		p.statistics(&h, 8)
		t.structure(8, h.end())
	default:
		h.number(2, int64(p.Encoding))
		h.number(3, int64(p.DefLevels))
		h.number(4, int64(p.RepLevels))
		p.statistics(&h, 5)
		t.structure(5, h.end())
	}
	return t.end()
}

// footer returns the footer.
func (w *writer) footer(rows int, groups [][]byte) []byte {
	var t thrift
	t.number(1, 2)
	elements := w.schema()
	t.list(2, len(elements))
	for _, e := range elements {
		t.Write(e)
	}
	t.number(3, int64(rows+w.More))
	t.list(4, len(groups))
	for _, g := range groups {
		t.Write(g)
	}
	t.list(5, len(w.Keys))
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
			e.number(1, int64(kind))
		}
		e.number(3, int64(repetition))
		e.text(4, name)
		if children > 0 {
			e.number(5, int64(children))
		}
		if converted > 0 {
			e.number(6, int64(converted-1))
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
func (p *Page) statistics(h *thrift, id int) {
	if p.Largest == "" {
		return
	}
	var s thrift
	s.text(1, p.Largest)
	h.structure(id, s.end())
}
