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
	members []member
}

// A member is what the directory at the end of a zip says of a member.
type member struct {
	name     string
	sum      uint32
	size, at uint64
}

const (
	follows   = 0x8 // the flag: sum and size follow the member
	version20 = 20  // the version of the format
	version64 = 45  // that with numbers of 64 bits
)

var le = binary.LittleEndian

// newZipWriter returns a zipWriter to w.
func newZipWriter(w io.Writer) *zipWriter { return &zipWriter{w: w} }

// Create begins a member, whose bytes are those of the following calls of Write.
func (z *zipWriter) Create(name string) error {
	z.members = append(z.members, member{name: name, at: z.at})
	b := le.AppendUint32(nil, 0x04034b50)
	b = appendShorts(b, version20, follows, 0, 0, 0)
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

// End ends a member.
func (z *zipWriter) End() error {
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

// Close writes the directory. It does not close the underlying writer.
func (z *zipWriter) Close() error {
	start := z.at
	for i := range z.members {
		if err := z.put(z.members[i].entry()); err != nil {
			return err
		}
	}
	return z.put(z.directoryEnd(start, z.at))
}

// isLarge reports whether the size needs 64 bits.
func (m *member) isLarge() bool { return m.size >= math.MaxUint32 }

// entry returns the entry of the directory.
func (m *member) entry() []byte {
	size, needed := uint32(m.size), uint16(version20)
	if m.isLarge() {
		needed = version64
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
	b = appendShorts(b, version20, needed, follows, 0, 0, 0)
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
		b = appendShorts(b, version64, version64, 0, 0, 0, 0)
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
