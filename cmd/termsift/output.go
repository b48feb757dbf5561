package main

import (
	"bufio"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// openFiles are the temporary files that an interruption must remove.
type openFiles struct {
	mu    sync.Mutex
	names map[string]bool
}

func (o *openFiles) add(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.names == nil {
		o.names = map[string]bool{}
	}
	o.names[name] = true
}

func (o *openFiles) remove(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.names[name] {
		_ = os.Remove(name) // it may have been renamed already
		delete(o.names, name)
	}
}

func (o *openFiles) removeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name := range o.names {
		_ = os.Remove(name)
	}
	o.names = nil
}

// write makes an output file appear whole or not at all: it writes a temporary
// file beside it, syncs, renames, and syncs the directory. "-" and "" are
// standard output. A device or pipe stays what it is.
func (a *app) write(path string, fill func(w io.Writer) error) (err error) {
	if path == "" || path == "-" {
		return fill(a.out)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return writeThrough(path, fill)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays, too
	}
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	a.files.add(file.Name())
	defer a.files.remove(file.Name())
	w := bufio.NewWriterSize(file, 1<<18)
	for _, step := range []func() error{
		func() error { return fill(w) },
		w.Flush,
		func() error { return file.Chmod(0o644) },
		file.Sync,
	} {
		if err = step(); err != nil {
			_ = file.Close()
			return err
		}
	}
	if err = file.Close(); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncDirectory(dir)
}

// writeThrough writes to a device or pipe. To a directory it is an error.
func writeThrough(path string, fill func(w io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<18)
	err = fill(w)
	if err == nil {
		err = w.Flush()
	}
	return cmp.Or(err, file.Close())
}

func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
