package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/termsift/termsift/engine/files"
)

// openFiles creates the output files. It records the temporary files that have names,
// which an interruption must remove.
type openFiles struct {
	files.OS
	mu    sync.Mutex
	names map[string]bool
}

// Create implements [files.System].
func (o *openFiles) Create(path string) (files.File, error) {
	file, err := o.OS.Create(path)
	if err != nil || file.Temporary() == "" {
		return file, err
	}
	o.remember(file.Temporary())
	return &openFile{file, o}, nil
}

// remember records a temporary name.
func (o *openFiles) remember(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.names == nil {
		o.names = map[string]bool{}
	}
	o.names[name] = true
}

func (o *openFiles) removeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name := range o.names {
		_ = os.Remove(name) // it may already have been renamed
	}
	o.names = nil
}

// An openFile is a file that is removed from the record when it is done.
type openFile struct {
	files.File
	of *openFiles
}

// Discard implements [files.File].
func (f *openFile) Discard() error {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	delete(f.of.names, f.Temporary())
	return f.File.Discard()
}

// write writes an output file with fill, so that it appears complete or not at all. "-"
// and "" mean standard output. An interruption stops fill or ends the process.
func (a *app) write(path string, fill func(w io.Writer) error) error {
	if path == "" || path == "-" {
		return fill(a.out)
	}
	if err := a.use.admit(path); err != nil {
		return err
	}
	return files.Write(context.Background(), &a.files, path, fill)
}

// A filled is a file to write, with what writes its contents.
type filled struct {
	path string
	kind fileKind
	fill func(w io.Writer) error
}

// writeAll writes files of one folder, which it makes, so that all of them appear or none
// does: each is written to a temporary name, and when all are, they are renamed.
func (a *app) writeAll(folder string, all []filled) (err error) {
	made, err := makeFolders(folder)
	if err != nil {
		return err
	}
	written := map[string]string{} // temporary names, to what they become
	defer func() {
		for name := range written {
			_ = os.Remove(name) // the error says what is wrong
		}
		for i := len(made) - 1; i >= 0 && err != nil; i-- {
			_ = os.Remove(made[i]) // likewise
		}
	}()
	for _, f := range all {
		if err := a.use.admitAs(f.path, f.kind); err != nil {
			return err
		}
		if err := files.Try(&a.files, f.path); err != nil {
			return err
		}
		path := f.path
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
		name := path
		info, err := os.Stat(path)
		if err != nil || info.Mode().IsRegular() { // not a device, which is written to and stays
			name = files.TemporaryName(path)
			a.files.remember(name)
			written[name] = path
		}
		if err := files.Write(context.Background(), &a.files, name, f.fill); err != nil {
			return err
		}
		if info != nil && name != path {
			if err := os.Chmod(name, info.Mode().Perm()); err != nil {
				return err
			}
		}
	}
	for name, path := range written {
		if err := os.Rename(name, path); err != nil {
			return err
		}
	}
	return nil
}

// makeFolders creates a folder and those above it, and returns those that did not exist,
// the outer ones first.
func makeFolders(folder string) (made []string, err error) {
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append([]string{at}, made...)
	}
	return made, os.MkdirAll(folder, 0o755)
}

// create creates a file that is written while the command runs.
func (a *app) create(path string) (*os.File, error) {
	if err := a.use.admit(path); err != nil {
		return nil, err
	}
	return os.Create(path)
}

// A target is where the index made from another index is written: a file of its own, or
// the place of the other index, which no other process replaces meanwhile.
type target struct {
	a    *app
	path string      // its own file
	held *files.Held // else the index to replace
}

// target returns where the result of append or remove is written. It waits until no
// other process changes the index that is to be replaced.
func (a *app) target(ctx context.Context, index, out string) (*target, error) {
	if out != "" {
		return &target{a: a, path: out}, nil
	}
	if isIndex, err := startsAsIndex(index); err != nil || !isIndex {
		return &target{a: a, path: index}, err // opening it returns the error
	}
	held, err := files.Hold(ctx, index, func() { a.note("waiting for another process that changes %s", index) })
	return &target{a: a, held: held}, err
}

func (t *target) write(fill func(w io.Writer) error) error {
	if t.held == nil {
		return t.a.write(t.path, fill)
	}
	return t.held.Write(context.Background(), &t.a.files, fill)
}

// close lets other processes change the index.
func (t *target) close() error {
	if t.held == nil {
		return nil
	}
	return t.held.Close()
}
