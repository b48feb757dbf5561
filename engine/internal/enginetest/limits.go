package enginetest

import (
	"io/fs"
	"os"
	"runtime"
	"testing"
)

// Allocated returns the number of bytes that f allocates.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// NothingIn fails the test if dir has a file.
func NothingIn(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// DocLists returns the list of names of file=name in expressions for documents: there are
// "odd", "a list" and "empty".
func DocLists(name string) ([]string, error) {
	switch name {
	case "odd":
		return []string{"d1", "d3", "d5", "d3"}, nil
	case "a list":
		return []string{"d0", "x y", "nobody", "no one"}, nil
	case "empty":
		return nil, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
