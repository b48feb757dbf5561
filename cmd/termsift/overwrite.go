package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/reader"
)

// This file says of the files that a run reads and writes which must not be written.

// A usedFile is a file or folder that a run reads or writes. Its info is nil if it does
// not exist.
type usedFile struct {
	role   string // name in messages: "INPUT", "--features"
	path   string
	info   fs.FileInfo
	kind   fileKind // of an output
	folder bool     // an output is a folder, which is made if it does not exist
	// stream reports whether the file is already open; its path is then the name for
	// messages.
	stream bool
	// plain reports whether the classes of an input do not matter, so that all files of a folder are read.
	plain bool
}

func (f usedFile) isRegular() bool { return f.info != nil && f.info.Mode().IsRegular() }

func (f usedFile) isFolder() bool { return f.info != nil && f.info.IsDir() }

// used returns the file that a path names at this moment.
func used(role, path string, kind fileKind) usedFile {
	info, _ := os.Stat(path) // nil if there is none
	return usedFile{role: role, path: path, info: info, kind: kind}
}

// A fileUse is the set of files that a run reads and writes.
type fileUse struct {
	inputs, outputs []usedFile
	force           bool // allow replacing indexes, models and features by other kinds
	toStdout        bool
	remedy          string // advice in the error for an output that is an input
}

// admit returns an error for an output that was not checked at the start if it must not
// be written.
func (u *fileUse) admit(path string) error { return u.admitAs(path, otherFile) }

// admitAs is admit for an output of a kind.
func (u *fileUse) admitAs(path string, kind fileKind) error {
	if slices.ContainsFunc(u.outputs, func(o usedFile) bool { return o.path == path }) {
		return nil
	}
	out := used("an output", path, kind)
	if err := u.check(out, u.outputs); err != nil {
		return err
	}
	u.outputs = append(u.outputs, out)
	return nil
}

// check returns an error that says why an output must not be written, or nil.
func (u *fileUse) check(out usedFile, others []usedFile) error {
	for _, in := range u.inputs {
		where, same := inside(in, out)
		if same {
			return usageError("%s%s is read as %s and would be overwritten by %s: %s", out.path, where, in.role, out.role, u.remedy)
		}
	}
	for _, other := range others {
		if sameOutput(other, out) {
			return usageError("%s would be written twice, by %s and by %s: name another file for one of them", out.path, other.role, out.role)
		}
	}
	if !out.isRegular() || out.stream || u.force {
		return nil
	}
	if is, _ := kindOf(out.path); is != otherFile && is != out.kind {
		return usageError("%s is %s, and %s would replace it by %s: name another file to write, or add --force", out.path, is, out.role, out.kind)
	}
	return nil
}

// inside reports whether an output is an input, or a file in a folder that is an input,
// and where.
func inside(in, out usedFile) (where string, same bool) {
	switch {
	case !out.isRegular():
		return "", false
	case in.isRegular():
		if in.path != out.path {
			where = " (that is " + in.path + ")"
		}
		return where, os.SameFile(in.info, out.info)
	case in.isFolder():
		kind, _ := kindOf(out.path) // reading it returns the error
		return " (in " + in.path + ")", (out.stream || kind == otherFile) && isReadIn(in.path, out.info, in.plain)
	}
	return "", false
}

// isReadIn reports whether the reader finds a file in a folder; indexes and the like
// are excluded before. It finds no links, no names that begin with a dot and, if the
// folder has subfolders and the input is not plain, only files of many documents.
func isReadIn(folder string, file fs.FileInfo, plain bool) bool {
	entries, _ := os.ReadDir(folder) // the reader returns the error
	holdsFolders := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.IsDir() && !strings.HasPrefix(e.Name(), ".") })
	for _, e := range entries {
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if isReadIn(filepath.Join(folder, e.Name()), file, plain) {
				return true
			}
		case e.Type().IsRegular() && (plain || !holdsFolders || reader.NamesData(e.Name())):
			if info, err := e.Info(); err == nil && os.SameFile(info, file) {
				return true
			}
		}
	}
	return false
}

// sameOutput reports whether two outputs are, or will be, one file.
func sameOutput(a, b usedFile) bool {
	if a.isRegular() && b.isRegular() {
		return os.SameFile(a.info, b.info)
	}
	if a.info != nil || b.info != nil {
		return false // two devices, such as /dev/null, may be one
	}
	one, other := resolved(a.path), resolved(b.path)
	return one == other || foldsNames && strings.EqualFold(one, other)
}

// foldsNames reports whether most file systems ignore the case of names.
const foldsNames = runtime.GOOS == "windows" || runtime.GOOS == "darwin"

// resolved returns the path of a file that does not exist, with the links above it
// resolved.
func resolved(path string) string {
	dir, name := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	return filepath.Join(dir, name)
}
