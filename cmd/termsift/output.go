package main

import (
	"context"
	"io"
	"os"
	"sync"

	"github.com/termsift/termsift/engine/atomicfile"
)

// openFiles is where outputs are written. It knows the temporary files that have names,
// which an interruption must remove.
type openFiles struct {
	atomicfile.OS
	mu    sync.Mutex
	names map[string]bool
}

// Create implements [atomicfile.System].
func (o *openFiles) Create(path string) (atomicfile.File, error) {
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
		_ = os.Remove(name) // it may have been renamed already
	}
	o.names = nil
}

// An openFile is forgotten when it is done.
type openFile struct {
	atomicfile.File
	of *openFiles
}

// Discard implements [atomicfile.File].
func (f *openFile) Discard() error {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	delete(f.of.names, f.Temporary())
	return f.File.Discard()
}

// write makes an output file appear whole or not at all. "-" and "" are standard
// output. An interruption ends what fills it, or the process.
func (a *app) write(path string, fill func(w io.Writer) error) error {
	if path == "" || path == "-" {
		return fill(a.out)
	}
	return atomicfile.Write(context.Background(), &a.files, path, fill)
}
