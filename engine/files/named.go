package files

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// newMode is the mode of a file that did not exist before, subject to the umask.
const newMode fs.FileMode = 0o666

// modeOf returns the permissions of the regular file at path, and whether there is one.
func modeOf(path string) (mode fs.FileMode, found bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return newMode, false
	}
	return info.Mode().Perm(), true
}

// keepMode gives a temporary file the permissions of the file that it will replace. It
// fails if it cannot: otherwise a file that only its owner may read would become readable
// by everybody.
func keepMode(file *os.File, path string) error {
	want, found := modeOf(path)
	if !found {
		return nil
	}
	info, err := file.Stat()
	if err != nil || info.Mode().Perm() == want {
		return err
	}
	return file.Chmod(want)
}

// createNamed creates a temporary file with a name.
func createNamed(path string) (File, error) {
	// The file has its mode from the beginning, so that nobody without permission opens it.
	mode, _ := modeOf(path)
	dir, name := filepath.Dir(path), temporary(path)
	for try := 0; ; try++ {
		file, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s%d-%d", name, os.Getpid(), try)), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode|0o200)
		if os.IsExist(err) && try < mostTries {
			continue
		}
		if err != nil {
			return nil, err
		}
		f := &named{File: file}
		if err := keepMode(file, path); err != nil {
			_ = f.Discard() // the first error says what is wrong
			return nil, err
		}
		return f, nil
	}
}

// mostTries bounds how many names are tried for a temporary file. It must exceed the
// number of names that other writers of this process hold and killed processes have left.
const mostTries = 10_000

// longName is the length in bytes to which a name is cut for the temporary file, which
// appends some bytes to it. File systems allow names of 255 bytes, some only 143.
const longName = 80

// TemporaryName returns a name beside path for a file that will be renamed to path. If it is
// left behind, a later [Write] of path removes it.
func TemporaryName(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d-whole", temporary(path), os.Getpid()))
}

// temporary returns the prefix of the names of temporary files for path. A name that is
// too long is cut and followed by its hash.
func temporary(path string) string {
	name := filepath.Base(path)
	if len(name) > longName {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // it cannot fail
		cut := longName
		for cut > longName-utf8.UTFMax && !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = fmt.Sprintf("%s-%016x", name[:cut], h.Sum64())
	}
	return "." + name + ".tmp-"
}
