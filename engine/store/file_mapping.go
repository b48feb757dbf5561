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

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
)

// A mapping is an open index file that is mapped or read into memory. If another
// process truncates a mapped file, reads fault, or return zeros after the end within
// the last page. All reads therefore run under guard, which returns errors for both.
type mapping struct {
	data     []byte
	file     opened // nil if the bytes were read into memory
	size     int64
	modified time.Time
	room     []byte // memory for unpacked lists
}

// opened is an open file that can be mapped.
type opened interface {
	io.ReadCloser
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	Map(size int, write bool) ([]byte, error)
}

// osFile is an opened file of the operating system.
type osFile struct{ *os.File }

// Map implements opened.
func (f osFile) Map(size int, write bool) ([]byte, error) { return files.Map(f.File, size, write) }

// mapFile opens a file and maps it. If read is set, or files cannot be mapped, it reads
// the file into memory instead.
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
		r = io.NewSectionReader(f, 0, info.Size()) // its offset may be at the end, after it was written
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

// readBytes reads until the end. size is the expected length, which is unknown for a
// pipe. If the file was truncated meanwhile, the checks of the contents find that.
func readBytes(r io.Reader, size int) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(size + bytes.MinRead)
	_, err := data.ReadFrom(r)
	return data.Bytes(), err
}

// beginsAsIndex verifies the header, before anything is mapped.
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
	err := errors.Join(files.Unmap(m.data), m.file.Close())
	if m.room != nil {
		err = errors.Join(err, files.Unmap(m.room))
	}
	return err
}

// roomFor returns room for n numbers, valid until the mapping is closed. Pages that are
// never written take no memory, whereas the heap would clear all of it at once if it
// reuses memory.
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

// guard runs f, which reads the mapping, on this goroutine, and returns faults in the
// mapping as errors.
func (m *mapping) guard(f func() error) error {
	if m.file == nil {
		return f()
	}
	return m.judge(m.catch(f))
}

// catch runs f and returns a fault in the mapping as an error.
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

// causeOf returns the error behind a panic with value r, or nil if the file did not
// cause the panic. The file did if the fault is in the mapping, or if the file has
// changed, since numbers that were verified may have become zeros. Some systems do not
// report the address of a fault (an emulated arm64).
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

// judge returns the state of the file as the error if the file has changed, else err.
// After a truncation, the bytes behind the end are zeros, which match no sum, or were
// verified before and are not checked again.
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

// readAt fills to with the bytes of the file at an offset.
func (m *mapping) readAt(to []byte, offset int) error {
	n, err := m.file.ReadAt(to, int64(offset))
	switch {
	case n == len(to):
		return nil
	case errors.Is(err, io.EOF):
		return m.cut()
	}
	return err
}

func (m *mapping) cut() error {
	return files.Broken("file", int(m.size), files.ErrTruncated, "%s was changed while it was open", m.file.Name())
}

// Guard runs f, which reads the lists of the index, on this goroutine. It returns
// files.ErrTruncated if the file is truncated meanwhile, and [ErrClosed] if the index was
// closed.
func (x *Index) Guard(f func() error) error {
	return x.use(func() error {
		if m := x.mapping(); m != nil {
			return m.guard(f)
		}
		return f()
	})
}

// mapping returns the mapping of the index's file, or nil if the index is in memory.
func (x *Index) mapping() *mapping {
	if x.file != nil {
		return x.file.mapping
	}
	return x.spilled
}

// settle verifies all lists and the column, for callers that read them more than once.
func (x *Index) settle(ctx context.Context, threads int) error {
	if x.file == nil {
		return nil
	}
	if err := x.checkTerms(); err != nil {
		return err
	}
	chunks := x.Chunks()
	return x.Run(ctx, threads, len(chunks), func(_, k int) error { return x.ready(chunks[k], true) })
}

// runOver is [Index.Run] for work that reads several indexes.
func runOver(ctx context.Context, indexes []*Index, threads, chunks int, f func(worker, chunk int) error) error {
	for _, x := range indexes {
		inner := f
		f = func(worker, chunk int) error { return x.Guard(func() error { return inner(worker, chunk) }) }
	}
	return pool.Run(ctx, threads, chunks, f)
}

// Run is [pool.Run] for work that reads the lists of the index, with the errors of
// [Index.Guard].
func (x *Index) Run(ctx context.Context, threads, chunks int, f func(worker, chunk int) error) error {
	open := func(worker, chunk int) error {
		if x.lifetime.ended() {
			return ErrClosed
		}
		return f(worker, chunk)
	}
	return x.use(func() error {
		m := x.mapping()
		if m == nil || m.file == nil {
			return pool.Run(ctx, threads, chunks, open)
		}
		return m.judge(pool.Run(ctx, threads, chunks, func(worker, chunk int) error {
			return m.catch(func() error { return open(worker, chunk) })
		}))
	})
}
