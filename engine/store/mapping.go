package store

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"time"
	"unsafe"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/tempfile"
)

// A mapping is an open index file whose bytes are memory. Somebody may cut it: then
// reading it faults, or finds zeros behind the end within the last page. So whatever
// reads it does so under guard, which makes errors of both.
type mapping struct {
	data     []byte
	file     opened // nil where the bytes were read
	size     int64
	modified time.Time
	room     []byte // memory of lists that are unpacked
}

// opened is an open file.
type opened interface {
	io.ReadCloser
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	Map(size int, write bool) ([]byte, error)
}

// osFile is one with a name.
type osFile struct{ *os.File }

// Map implements opened.
func (f osFile) Map(size int, write bool) ([]byte, error) { return tempfile.Map(f.File, size, write) }

// mapFile opens a file; with read, or where files cannot be mapped, its bytes are
// copied.
func mapFile(path string, read bool) (*mapping, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := osFile{file}
	m, err := newMapping(f, read)
	if err != nil || m.file == nil {
		_ = f.Close() // nothing was written
	}
	return m, err
}

func newMapping(f opened, read bool) (*mapping, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > math.MaxInt {
		return nil, &fs.PathError{Op: "map", Path: f.Name(), Err: errors.New("the file is larger than the memory that this machine can address")}
	}
	var r io.Reader = f
	if info.Mode().IsRegular() {
		r = io.NewSectionReader(f, 0, info.Size()) // who wrote it may be at its end
		if err := beginsAsIndex(f, info.Size()); err != nil {
			return nil, err
		}
	}
	if !read && info.Mode().IsRegular() {
		if data, err := f.Map(int(info.Size()), false); err == nil {
			return &mapping{data: data, file: f, size: info.Size(), modified: info.ModTime()}, nil
		}
	}
	data, err := readBytes(r, int(info.Size()))
	return &mapping{data: data}, err
}

// readBytes reads all that comes, about so many bytes; of a pipe nobody knows. What is
// missing in a file that was cut meanwhile is found out by who looks at the bytes.
func readBytes(r io.Reader, size int) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(size + bytes.MinRead)
	_, err := data.ReadFrom(r)
	return data.Bytes(), err
}

// beginsAsIndex looks at the header before anything is mapped.
func beginsAsIndex(f io.ReaderAt, size int64) error {
	prefix := make([]byte, min(size, headerSize))
	if _, err := f.ReadAt(prefix, 0); err != nil {
		return err
	}
	return readHeader(prefix, size)
}

func (m *mapping) close() error {
	if m.file == nil {
		return nil
	}
	err := errors.Join(tempfile.Unmap(m.data), m.file.Close())
	if m.room != nil {
		err = errors.Join(err, tempfile.Unmap(m.room))
	}
	return err
}

// roomFor gives room for n numbers until the mapping is closed. It takes no memory for
// those that are never set: of a heap that was used before, all would be cleared at once.
func (m *mapping) roomFor(n int) []uint32 {
	if m == nil || m.file == nil || n == 0 {
		return make([]uint32, n)
	}
	room, err := mapRoom(4 * n)
	if err != nil {
		return make([]uint32, n)
	}
	m.room = room
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(room))), n)
}

// guard runs f, which reads the mapping, on this goroutine.
func (m *mapping) guard(f func() error) error {
	if m.file == nil {
		return f()
	}
	return m.judge(m.catch(f))
}

// catch makes an error of a fault in the mapping.
func (m *mapping) catch(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if err = m.causeOf(r); err == nil {
			panic(r)
		}
	}()
	return f()
}

// causeOf gives the error behind a panic, nil where the file is not to blame: a fault
// in the mapping, or any error once the file was changed, for numbers that were verified
// may have become zeros since. Some systems do not tell where a
// fault was (an emulated arm64).
func (m *mapping) causeOf(r any) error {
	if fault, ok := r.(interface{ Addr() uintptr }); ok && m.holds(fault.Addr()) {
		return m.cut()
	}
	if _, ok := r.(error); ok {
		return m.judge(nil)
	}
	return nil
}

func (m *mapping) holds(address uintptr) bool {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
	return address-first < uintptr(len(m.data))
}

// judge prefers what the file itself says to the error of reading it: bytes behind
// a cut are zeros, which match no sum, or were read before and are not looked at.
func (m *mapping) judge(err error) error {
	info, statErr := m.file.Stat()
	if statErr != nil {
		return statErr
	}
	if info.Size() != m.size || !info.ModTime().Equal(m.modified) {
		return m.cut()
	}
	return err
}

func (m *mapping) cut() error {
	return broken("file", int(m.size), ErrTruncated, "%s was changed while it was open", m.file.Name())
}

// Guard runs f, which reads the lists of the index, on this goroutine: a file that is
// cut meanwhile gives ErrTruncated.
func (x *Index) Guard(f func() error) error {
	m := x.mapping()
	if m == nil {
		return f()
	}
	return m.guard(f)
}

// mapping is where the bytes of the index are; nil if that is memory.
func (x *Index) mapping() *mapping {
	if x.file != nil {
		return x.file.mapping
	}
	return x.spilled
}

// settle verifies all lists and the column, for what reads them more than once.
func (x *Index) settle(ctx context.Context, threads int) error {
	if x.file == nil {
		return nil
	}
	chunks := x.chunks()
	return x.Run(ctx, threads, len(chunks), func(_, k int) error { return x.ready(chunks[k], true) })
}

// runOver is [Index.Run] of work that reads several indexes.
func runOver(ctx context.Context, indexes []*Index, threads, chunks int, f func(worker, chunk int) error) error {
	for _, x := range indexes {
		inner := f
		f = func(worker, chunk int) error { return x.Guard(func() error { return inner(worker, chunk) }) }
	}
	return pool.Run(ctx, threads, chunks, f)
}

// Run is [pool.Run] of work that reads the lists of the index, as [Index.Guard] says.
func (x *Index) Run(ctx context.Context, threads, chunks int, f func(worker, chunk int) error) error {
	m := x.mapping()
	if m == nil || m.file == nil {
		return pool.Run(ctx, threads, chunks, f)
	}
	return m.judge(pool.Run(ctx, threads, chunks, func(worker, chunk int) error {
		return m.catch(func() error { return f(worker, chunk) })
	}))
}
