package files

import (
	"fmt"

	"github.com/termsift/termsift/engine/usage"
)

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
