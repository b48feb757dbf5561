package files_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
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
		testkit.Is(t, err, want, path)
		testkit.Equal(t, namesIn(dir), before, path, "became")
		text := func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }
		testkit.Equal(t, files.Write(t.Context(), files.OS{}, path, text) == nil, err == nil, path, "trying gives", err,
			"writing")
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
		testkit.Is(t, err, want, path)
		testkit.Equal(t, namesIn(dir), before, path, "became")
		testkit.Equal(t, os.MkdirAll(filepath.Join(dir, path), 0o777) == nil, err == nil, path, "trying gives", err,
			"making")
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

// namedOnly is a system without nameless files.
type namedOnly struct{ files.OS }

func (namedOnly) Create(path string) (files.File, error) { return files.CreateNamed(path) }

// Every call fails once, until none is left to fail: the old file stays, but for what
// fails after the new one has its name, and nothing is left behind.
func TestEveryFault(t *testing.T) {
	before, after := bytes.Repeat([]byte("old\n"), 1<<18), bytes.Repeat([]byte("newer\n"), 1<<18)
	points := 0
	for _, sys := range []files.System{files.OS{}, namedOnly{}} {
		for _, fault := range []faults.System{{Err: syscall.EIO}, {Err: syscall.ENOSPC}, {Err: io.ErrShortWrite, Short: true}} {
			for done := false; !done; {
				fault.Of = sys
				fault.At++
				system := fault // with no calls yet
				path := testkit.Write(filepath.Join(t.TempDir(), "file"), before)
				err := files.Write(t.Context(), &system, path, func(w io.Writer) error {
					for part := range slices.Chunk(after, 1<<18) {
						if _, err := w.Write(part); err != nil {
							return err
						}
					}
					return nil
				})
				if done = system.Calls() < fault.At; done != (err == nil) || !done && !errors.Is(err, fault.Err) {
					t.Fatalf("%T: call %d of %d failed with %v, and it said %v", sys, fault.At, system.Calls(), fault.Err, err)
				}
				if !done {
					points++
				}
				data, _ := os.ReadFile(path)
				if !bytes.Equal(data, after) && (done || !bytes.Equal(data, before)) {
					t.Fatalf("%T: after a fault at call %d the file has %d bytes", sys, fault.At, len(data))
				}
				if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
					t.Fatalf("left behind: %v", left)
				}
			}
		}
	}
	testkit.TriedCases(t, points)
}

// Each rename of several and each sync fails once: all files are new, or none is, and no second name is left.
func TestEveryFaultOfRenaming(t *testing.T) {
	names := []string{"w", "x", "y", "z"}
	for at, done := 1, false; !done; at++ {
		dir := t.TempDir()
		write := func(name, text string) {
			testkit.Write(filepath.Join(dir, name), text)
		}
		var all []files.Renaming
		old := map[string]string{}
		for i, name := range names {
			write("new-"+name, "new")
			if i%2 == 0 {
				write(name, "old")
				old[name] = "old"
			}
			all = append(all, files.Renaming{From: filepath.Join(dir, "new-"+name), To: filepath.Join(dir, name)})
		}
		system := faults.System{Of: files.OS{}, At: at, Err: syscall.EIO}
		err := files.RenameAll(&system, all)
		if done = system.Calls() < at; done != (err == nil) || !done && !errors.Is(err, syscall.EIO) {
			t.Fatalf("call %d of %d failed, and it said %v", at, system.Calls(), err)
		}
		found := map[string]string{}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if name := e.Name(); !strings.HasPrefix(name, "new-") {
				data, _ := os.ReadFile(filepath.Join(dir, name))
				found[name] = string(data)
			}
		}
		want := old
		if at > len(names) { // the sync failed, or nothing
			want = map[string]string{"w": "new", "x": "new", "y": "new", "z": "new"}
		}
		testkit.Equal(t, maps.Equal(found, want), true, "after a fault at call", at, "there is", found, "want", want)
	}
}
