package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"time"
	"unsafe"

	"github.com/termsift/termsift/engine/usage"
)

// A Mapping is an open file that is mapped or read into memory. If another
// process truncates a mapped file, reads fault, or return zeros after the end within
// the last page. All reads therefore run under [Mapping.Guard], which returns errors for both.
type Mapping struct {
	data     []byte
	file     mappable // nil if the bytes were read into memory
	size     int64
	modified time.Time
	room     []byte // see RoomFor
}

// A mappable is an open file that can be mapped.
type mappable interface {
	io.ReadCloser
	io.ReaderAt
	Name() string
	Stat() (fs.FileInfo, error)
	Map(size int, write bool) ([]byte, error)
}

// osFile is a file of the operating system.
type osFile struct{ *os.File }

// Map implements [mappable].
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
func NewMapping(f mappable, opt MappingOptions) (*Mapping, error) {
	m, err := newMapping(f, opt)
	if err != nil || m.file == nil {
		_ = f.Close() // nothing was written
	}
	return m, err
}

func newMapping(f mappable, opt MappingOptions) (*Mapping, error) {
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
	var data bytes.Buffer // of a pipe the size is unknown; a file that was cut meanwhile fails the checks of its contents
	data.Grow(int(info.Size()) + bytes.MinRead)
	_, err = data.ReadFrom(r)
	return &Mapping{data: data.Bytes()}, err
}

// MapWhole maps an open file. The error wraps [errors.ErrUnsupported] on systems that cannot map files.
func MapWhole(f mappable) (*Mapping, error) {
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
	first := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
	if fault, ok := r.(interface{ Addr() uintptr }); ok && fault.Addr()-first < uintptr(len(m.data)) {
		return m.cut()
	}
	if _, ok := r.(error); ok {
		return m.Judge(nil)
	}
	return nil
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

// ReadAt implements [io.ReaderAt].
func (m *Mapping) ReadAt(to []byte, offset int64) (int, error) {
	n, err := m.file.ReadAt(to, offset)
	if errors.Is(err, io.EOF) {
		err = m.cut()
	}
	return n, err
}

func (m *Mapping) cut() error {
	return Broken("file", int(m.size), ErrTruncated, "%s was changed while it was open", m.file.Name())
}

// The views are numbers of the bytes of a section, and bytes of numbers, without a copy if the
// machine has the byte order of the file.

// An Element is a number of a section.
type Element interface {
	uint8 | uint32 | uint64 | float32 | float64
}

var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// ElementsOf returns the numbers of a section: the same memory, or a copy if that is
// not aligned or has the other byte order. The length is a multiple of the element
// size.
func ElementsOf[T Element](data []byte) []T {
	size := int(unsafe.Sizeof(T(0)))
	if len(data) == 0 {
		return nil
	}
	if littleEndian && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%uintptr(size) == 0 {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/size)
	}
	values := make([]T, len(data)/size)
	inFileOrder(MemoryOf(values)[:copy(MemoryOf(values), data)], size)
	return values
}

// BytesOf returns the bytes of numbers in the byte order of the file. They must not be
// modified.
func BytesOf[T Element](values []T) []byte {
	data := MemoryOf(values)
	if !littleEndian {
		data = bytes.Clone(data)
		inFileOrder(data, int(unsafe.Sizeof(T(0))))
	}
	return data
}

// MemoryOf returns the memory of numbers.
func MemoryOf[T Element](values []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(T(0))))
}

// inFileOrder changes the bytes of numbers from the byte order of the machine to that of the
// file, or back.
func inFileOrder(data []byte, size int) {
	if littleEndian {
		return
	}
	for i := 0; i < len(data); i += size {
		slices.Reverse(data[i : i+size])
	}
}

// StringOf returns a string that shares the memory of data.
func StringOf(data []byte) string { return unsafe.String(unsafe.SliceData(data), len(data)) }

// StringBytes returns the bytes of a string, which must not be modified.
func StringBytes(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// Reasons for which a file is rejected; the errors of those that decode it wrap one of them.
var (
	ErrFormat    = usage.NewError(usage.ErrCorrupt, "not a termsift index")
	ErrVersion   = usage.NewError(usage.ErrCorrupt, "an index of another version")
	ErrChecksum  = usage.NewError(usage.ErrCorrupt, "the bytes do not match their checksum")
	ErrTruncated = usage.NewError(usage.ErrCorrupt, "the file is cut short")
)

// A FileError describes where a file is invalid.
type FileError struct {
	Section string
	Offset  int64 // bytes from the beginning of the section
	Err     error // one of the reasons above
	Detail  string
}

func (e *FileError) Error() string {
	s := fmt.Sprintf("%v: section %s at byte %d", e.Err, e.Section, e.Offset)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}

func (e *FileError) Unwrap() error { return e.Err }

// Broken returns a [FileError].
func Broken(section string, offset int, reason error, format string, args ...any) error {
	return &FileError{section, int64(offset), reason, fmt.Sprintf(format, args...)}
}
