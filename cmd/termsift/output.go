package main

import (
	"context"
	"io"
	"os"
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
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.names == nil {
		o.names = map[string]bool{}
	}
	o.names[file.Temporary()] = true
	return &openFile{file, o}, nil
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
