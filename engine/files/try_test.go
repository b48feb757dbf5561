package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
)

// Try says in advance what Write says, and neither leaves anything behind.
func TestTryIsTheBeginningOfWrite(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{"file": "old", "readonly": "old"} {
		testkit.OK(os.WriteFile(filepath.Join(dir, path), []byte(text), 0o444))
	}
	testkit.OK(errors.Join(os.Mkdir(filepath.Join(dir, "folder"), 0o777), os.Symlink("file", filepath.Join(dir, "link")),
		os.Symlink("nowhere", filepath.Join(dir, "dangling")), os.Symlink("loop", filepath.Join(dir, "loop"))))
	for path, want := range map[string]error{
		"new": nil, "file": nil, "readonly": nil, "link": nil, "dangling": nil, "folder/new": nil, os.DevNull: nil,
		"folder": syscall.EISDIR, "missing/new": fs.ErrNotExist, "other/": fs.ErrNotExist, "file/new": syscall.ENOTDIR,
		"loop": syscall.ELOOP, "loop/new": syscall.ELOOP, "nul\x00": syscall.EINVAL, strings.Repeat("x", 256): syscall.ENAMETOOLONG,
	} {
		if !filepath.IsAbs(path) {
			path = dir + "/" + path
		}
		before := namesIn(dir)
		err := files.Try(files.OS{}, path)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if after := namesIn(dir); after != before {
			t.Errorf("%s: %s became %s", path, before, after)
		}
		text := func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }
		if written := files.Write(t.Context(), files.OS{}, path, text); (written == nil) != (err == nil) {
			t.Errorf("%s: trying gives %v, writing %v", path, err, written)
		}
	}
}

func TestTryFolderIsTheBeginningOfMkdirAll(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(errors.Join(os.WriteFile(filepath.Join(dir, "file"), nil, 0o666), os.Mkdir(filepath.Join(dir, "folder"), 0o777),
		os.Symlink("folder", filepath.Join(dir, "link")), os.Symlink("nowhere", filepath.Join(dir, "dangling"))))
	for path, want := range map[string]error{
		"new": nil, "new2/": nil, "folder": nil, "link": nil, "link/new": nil, "new3/in/it": nil, "folder/new": nil,
		"file": syscall.ENOTDIR, "file/new": syscall.ENOTDIR, "dangling": fs.ErrNotExist, "dangling/new": fs.ErrNotExist,
		strings.Repeat("x", 256): syscall.ENAMETOOLONG,
	} {
		before := namesIn(dir)
		err := files.TryFolder(files.OS{}, filepath.Join(dir, path))
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if after := namesIn(dir); after != before {
			t.Errorf("%s: %s became %s", path, before, after)
		}
		if made := os.MkdirAll(filepath.Join(dir, path), 0o777); (made == nil) != (err == nil) {
			t.Errorf("%s: trying gives %v, making %v", path, err, made)
		}
	}
}

// namesIn returns the names in a folder and below.
func namesIn(dir string) string {
	var names []string
	testkit.OK(filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	}))
	return strings.Join(names, " ")
}
