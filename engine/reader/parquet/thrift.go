package parquet

import "encoding/binary"

// A thriftReader reads the compact protocol of Thrift, in which the footer and the headers of
// pages are written. It keeps the first error, and gives zeros after it.
type thriftReader struct {
	data []byte
	at   int
	err  error
}

// A thriftKind is the type of a value in the compact protocol.
type thriftKind byte

const (
	thriftTrue   thriftKind = 1
	thriftFalse  thriftKind = 2
	thriftByte   thriftKind = 3
	thriftI16    thriftKind = 4
	thriftI32    thriftKind = 5
	thriftI64    thriftKind = 6
	thriftDouble thriftKind = 7
	thriftBinary thriftKind = 8
	thriftList   thriftKind = 9
	thriftSet    thriftKind = 10
	thriftStruct thriftKind = 12
)

// mostNestedThrift bounds how deep values are nested: Parquet's own need eight levels.
const mostNestedThrift = 32

// fail records the first problem.
func (t *thriftReader) fail(problem string) {
	if t.err == nil {
		t.err = damaged("byte %d of its metadata: %s", t.at, problem)
	}
}

func (t *thriftReader) byte() byte {
	if t.err != nil || t.at >= len(t.data) {
		t.fail("it ends early")
		return 0
	}
	t.at++
	return t.data[t.at-1]
}

func (t *thriftReader) uvarint() uint64 {
	if t.err != nil {
		return 0
	}
	v, n := binary.Uvarint(t.data[t.at:])
	if n <= 0 {
		t.fail("a number has no end")
		return 0
	}
	t.at += n
	return v
}

// varint reads a signed number of any width but one byte.
func (t *thriftReader) varint() int64 {
	v := t.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// take reads n bytes, which refer to the data.
func (t *thriftReader) take(n uint64) []byte {
	if t.err == nil && n > uint64(len(t.data)-t.at) {
		t.fail("a text is longer than what is left")
	}
	if t.err != nil {
		return nil
	}
	from := t.at
	t.at += int(n)
	return t.data[from:t.at:t.at]
}

// list reads the head of a list: the number of its elements, each of which has a byte or
// more, and their kind.
func (t *thriftReader) list() (size int, of thriftKind) {
	head := t.byte()
	n := uint64(head >> 4)
	if n == 15 {
		n = t.uvarint()
	}
	if t.err == nil && n > uint64(len(t.data)-t.at) {
		t.fail("a list has more elements than bytes are left")
	}
	if t.err != nil {
		return 0, 0
	}
	return int(n), thriftKind(head & 15)
}

// structure calls field with the fields of a structure. What field does not read, it must
// skip.
func (t *thriftReader) structure(field func(id int64, kind thriftKind)) {
	id := int64(0)
	for t.err == nil {
		head := t.byte()
		if head == 0 {
			return
		}
		if step := head >> 4; step > 0 {
			id += int64(step)
		} else {
			id = t.varint()
		}
		field(id, thriftKind(head&15))
	}
}

// fields says what reads the fields of a structure, by their numbers.
type fields map[int64]func(kind thriftKind)

// record reads a structure. It skips other fields, as a reader does with those of a later version.
func (t *thriftReader) record(known fields) {
	t.structure(func(id int64, kind thriftKind) {
		if read := known[id]; read != nil {
			read(kind)
			return
		}
		t.skip(kind)
	})
}

// number returns what reads a field that is a number.
func number[N ~int64](t *thriftReader, to *N) func(kind thriftKind) {
	return func(kind thriftKind) {
		switch kind {
		case thriftByte:
			*to = N(int8(t.byte()))
		case thriftI16, thriftI32, thriftI64:
			*to = N(t.varint())
		default:
			t.fail("a number should stand here")
		}
	}
}

// text returns what reads a field that is a text, which refers to the data.
func (t *thriftReader) text(to *[]byte) func(kind thriftKind) {
	return func(kind thriftKind) {
		if kind != thriftBinary {
			t.fail("a text should stand here")
			return
		}
		*to = t.take(t.uvarint())
	}
}

// isFalse returns what reads a field that is a truth value.
func (t *thriftReader) isFalse(to *bool) func(kind thriftKind) {
	return func(kind thriftKind) {
		*to = kind == thriftFalse
		t.skip(kind)
	}
}

// inner returns what reads a field that is a structure, and records that it was there.
func (t *thriftReader) inner(there *bool, known fields) func(kind thriftKind) {
	return func(kind thriftKind) {
		if *there = kind == thriftStruct; !*there {
			t.skip(kind)
			return
		}
		t.record(known)
	}
}

// structures reads a list of structures, of each of which it calls element.
func (t *thriftReader) structures(kind thriftKind, element func()) {
	if kind != thriftList {
		t.fail("a list should stand here")
		return
	}
	size, of := t.list()
	if size > 0 && of != thriftStruct {
		t.fail("the elements of a list are of another kind")
	}
	for i := 0; i < size && t.err == nil; i++ {
		element()
	}
}

// skip passes over a value. Parquet has no maps.
func (t *thriftReader) skip(kind thriftKind) { t.skipNested(kind, 0) }

func (t *thriftReader) skipNested(kind thriftKind, depth int) {
	if depth > mostNestedThrift {
		t.fail("values are nested too deep")
	}
	if t.err != nil {
		return
	}
	switch kind {
	case thriftTrue, thriftFalse: // the kind is the value
	case thriftByte:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.uvarint()
	case thriftDouble:
		for range 8 {
			t.byte()
		}
	case thriftBinary:
		t.take(t.uvarint())
	case thriftList, thriftSet:
		size, of := t.list()
		if of == thriftTrue || of == thriftFalse {
			of = thriftByte // which each has in a list
		}
		for ; size > 0 && t.err == nil; size-- {
			t.skipNested(of, depth+1)
		}
	case thriftStruct:
		t.structure(func(_ int64, kind thriftKind) { t.skipNested(kind, depth+1) })
	default:
		t.fail("a value of an unknown kind")
	}
}
