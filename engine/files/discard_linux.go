package files

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Discard gives the whole pages of data back to the system: what was in them is lost. The memory is
// still the caller's, and of zeros when it is written or read again. The collector gives memory back
// later and on one thread, as the end of a process does: 0.1 ms a megabyte.
func Discard(data []byte) {
	page := os.Getpagesize()
	before := -int(uintptr(unsafe.Pointer(unsafe.SliceData(data)))) & (page - 1)
	if size := (len(data) - before) &^ (page - 1); size > 0 {
		_ = unix.Madvise(data[before:before+size], unix.MADV_DONTNEED) // without it they are kept
	}
}
