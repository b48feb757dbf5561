package vectors

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"math"
)

// A zipWriter writes a zip of members that are not compressed, byte for byte as archive/zip
// does. That package would link compress/flate, 0.1 MB of every program and library that makes
// rows and never writes npz.
type zipWriter struct {
	w       io.Writer
	at      uint64 // bytes written
	members []zipMember
}

// A zipMember is what the directory at the end of a zip says of a member.
type zipMember struct {
	name     string
	sum      uint32
	size, at uint64
}

const (
	zipFollows = 0x8 // the flag: sum and size follow the member
	zip20      = 20  // the version of the format
	zip64      = 45  // that with numbers of 64 bits
)

var le = binary.LittleEndian

// create begins a member, whose bytes are those of the following calls of Write.
func (z *zipWriter) create(name string) error {
	z.members = append(z.members, zipMember{name: name, at: z.at})
	b := le.AppendUint32(nil, 0x04034b50)
	b = appendShorts(b, zip20, zipFollows, 0, 0, 0)
	b = append(b, make([]byte, 12)...) // sum and sizes
	b = appendShorts(b, uint16(len(name)), 0)
	return z.put(append(b, name...))
}

// Write writes bytes of the last member.
func (z *zipWriter) Write(b []byte) (int, error) {
	m := &z.members[len(z.members)-1]
	m.sum = crc32.Update(m.sum, crc32.IEEETable, b)
	m.size += uint64(len(b))
	return len(b), z.put(b)
}

// end ends a member.
func (z *zipWriter) end() error {
	m := &z.members[len(z.members)-1]
	b := le.AppendUint32(nil, 0x08074b50)
	b = le.AppendUint32(b, m.sum)
	for range 2 { // compressed and not
		if m.isLarge() {
			b = le.AppendUint64(b, m.size)
		} else {
			b = le.AppendUint32(b, uint32(m.size))
		}
	}
	return z.put(b)
}

// close writes the directory.
func (z *zipWriter) close() error {
	start := z.at
	for i := range z.members {
		if err := z.put(z.members[i].entry()); err != nil {
			return err
		}
	}
	return z.put(z.directoryEnd(start, z.at))
}

// isLarge reports whether the size needs 64 bits.
func (m *zipMember) isLarge() bool { return m.size >= math.MaxUint32 }

// entry returns the entry of the directory.
func (m *zipMember) entry() []byte {
	size, needed := uint32(m.size), uint16(zip20)
	if m.isLarge() {
		needed = zip64
	}
	var extra []byte
	if m.isLarge() || m.at >= math.MaxUint32 {
		size = math.MaxUint32
		extra = appendShorts(nil, 1, 24)
		for _, n := range [...]uint64{m.size, m.size, m.at} {
			extra = le.AppendUint64(extra, n)
		}
	}
	b := le.AppendUint32(nil, 0x02014b50)
	b = appendShorts(b, zip20, needed, zipFollows, 0, 0, 0)
	b = le.AppendUint32(b, m.sum)
	b = le.AppendUint32(le.AppendUint32(b, size), size)
	b = appendShorts(b, uint16(len(m.name)), uint16(len(extra)), 0, 0, 0)
	b = le.AppendUint32(b, 0) // attributes
	b = le.AppendUint32(b, uint32(min(m.at, math.MaxUint32)))
	return append(append(b, m.name...), extra...)
}

// directoryEnd returns what follows the directory, which lies from start to end.
func (z *zipWriter) directoryEnd(start, end uint64) []byte {
	var b []byte
	records, size := uint64(len(z.members)), end-start
	if size >= math.MaxUint32 || start >= math.MaxUint32 {
		b = le.AppendUint32(b, 0x06064b50)
		b = le.AppendUint64(b, 44)
		b = appendShorts(b, zip64, zip64, 0, 0, 0, 0)
		for _, n := range [...]uint64{records, records, size, start} {
			b = le.AppendUint64(b, n)
		}
		b = le.AppendUint32(le.AppendUint32(b, 0x07064b50), 0)
		b = le.AppendUint32(le.AppendUint64(b, end), 1)
		records, size, start = math.MaxUint16, math.MaxUint32, math.MaxUint32
	}
	b = le.AppendUint32(b, 0x06054b50)
	b = appendShorts(b, 0, 0, uint16(records), uint16(records))
	b = le.AppendUint32(le.AppendUint32(b, uint32(size)), uint32(start))
	return appendShorts(b, 0)
}

func (z *zipWriter) put(b []byte) error {
	n, err := z.w.Write(b)
	z.at += uint64(n)
	return err
}

func appendShorts(b []byte, numbers ...uint16) []byte {
	for _, n := range numbers {
		b = le.AppendUint16(b, n)
	}
	return b
}
