package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"time"
	"unsafe"
)

// A Mapping is an open file that is mapped or read into memory. If another
// process truncates a mapped file, reads fault, or return zeros after the end within
// the last page. All reads therefore run under [Mapping.Guard], which returns errors for both.
type Mapping struct {
	data     []byte
	file     Mappable // nil if the bytes were read into memory
	size     int64
	modified time.Time
	room     []byte // see RoomFor
}

// A Mappable is an open file that can be mapped.
type Mappable interface {
	io.ReadCloser
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	Map(size int, write bool) ([]byte, error)
}

// osFile is a file of the operating system.
type osFile struct{ *os.File }

// Map implements [Mappable].
func (f osFile) Map(size int, write bool) ([]byte, error) { return mapFile(f.File, size, write) }

// A MappingOptions says how a file is mapped.
type MappingOptions struct {
	// Read reads the file into memory.
	Read bool
	// Check verifies the beginning of the file, whose size is known, before anything is mapped.
	Check func(f io.ReaderAt, size int64) error
}

// OpenMapping opens a file and maps it. If the options say so, or files cannot be mapped, it reads
// the file into memory instead.
func OpenMapping(path string, opt MappingOptions) (*Mapping, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return NewMapping(osFile{file}, opt)
}

// NewMapping is [OpenMapping] for an open file, which it takes over.
func NewMapping(f Mappable, opt MappingOptions) (*Mapping, error) {
	m, err := newMapping(f, opt)
	if err != nil || m.file == nil {
		_ = f.Close() // nothing was written
	}
	return m, err
}

func newMapping(f Mappable, opt MappingOptions) (*Mapping, error) {
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
		if err := opt.Check(f, info.Size()); err != nil {
			return nil, err
		}
	}
	if !opt.Read && info.Mode().IsRegular() {
		if m, err := MapWhole(f); err == nil {
			return m, nil
		}
	}
	data, err := readBytes(r, int(info.Size()))
	return &Mapping{data: data}, err
}

// MapWhole maps an open file. The error wraps [errors.ErrUnsupported] on systems that cannot map files.
func MapWhole(f Mappable) (*Mapping, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data, err := f.Map(int(info.Size()), false)
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	return &Mapping{data: data, file: f, size: info.Size(), modified: info.ModTime()}, nil
}

// readBytes reads until the end. size is the expected length, which is unknown for a
// pipe. If the file was truncated meanwhile, the checks of the contents find that.
func readBytes(r io.Reader, size int) ([]byte, error) {
	var data bytes.Buffer
	data.Grow(size + bytes.MinRead)
	_, err := data.ReadFrom(r)
	return data.Bytes(), err
}

// Close releases the memory and the file.
func (m *Mapping) Close() error {
	if m.file == nil {
		return nil
	}
	err := errors.Join(unmap(m.data), m.file.Close())
	if m.room != nil {
		err = errors.Join(err, unmap(m.room))
	}
	return err
}

// RoomFor returns room for n numbers, valid until the mapping is closed. Pages that are
// never written take no memory, whereas the heap would clear all of it at once if it
// reuses memory.
func (m *Mapping) RoomFor(n int) []uint32 {
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

// Guard runs f, which reads the mapping, on this goroutine, and returns faults in the
// mapping as errors.
func (m *Mapping) Guard(f func() error) error {
	return m.Judge(m.Catch(f))
}

// Catch runs f and returns a fault in the mapping as an error.
func (m *Mapping) Catch(f func() error) (err error) {
	if m.file == nil {
		return f()
	}
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
func (m *Mapping) causeOf(r any) error {
	if fault, ok := r.(interface{ Addr() uintptr }); ok && m.holds(fault.Addr()) {
		return m.cut()
	}
	if _, ok := r.(error); ok {
		return m.Judge(nil)
	}
	return nil
}

func (m *Mapping) holds(address uintptr) bool {
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
	return address-first < uintptr(len(m.data))
}

// Judge returns the state of the file as the error if the file has changed, else err.
// After a truncation, the bytes behind the end are zeros, which match no sum, or were
// verified before and are not checked again.
func (m *Mapping) Judge(err error) error {
	if m.file == nil {
		return err
	}
	info, statErr := m.file.Stat()
	if statErr != nil {
		return statErr
	}
	if info.Size() != m.size || !info.ModTime().Equal(m.modified) {
		return m.cut()
	}
	return err
}

// Mapped reports whether the file is mapped, not read into memory.
func (m *Mapping) Mapped() bool { return m.file != nil }

// Bytes returns the bytes of the file.
func (m *Mapping) Bytes() []byte { return m.data }

// ReadAt fills to with the bytes of the file at an offset.
func (m *Mapping) ReadAt(to []byte, offset int) error {
	n, err := m.file.ReadAt(to, int64(offset))
	switch {
	case n == len(to):
		return nil
	case errors.Is(err, io.EOF):
		return m.cut()
	}
	return err
}

func (m *Mapping) cut() error {
	return Broken("file", int(m.size), ErrTruncated, "%s was changed while it was open", m.file.Name())
}
