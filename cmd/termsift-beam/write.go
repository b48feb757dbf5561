package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/termsift/termsift/engine/files"
)

// tryOutputs returns an error unless files and folders of this machine can be written. It is
// asked before the job, whose hours would else end there. Elsewhere a worker may have what
// this machine lacks.
func tryOutputs(paths, folders []string) error {
	elsewhere := func(path string) bool { return path == "" || !inProcess() || strings.Contains(path, "://") }
	paths, folders = slices.DeleteFunc(paths, elsewhere), slices.DeleteFunc(folders, elsewhere)
	for _, path := range paths {
		folders = append(folders, filepath.Dir(path))
	}
	for _, folder := range folders {
		if err := files.TryFolder(files.OS{}, folder); err != nil {
			return err
		}
	}
	for _, path := range paths {
		if err := files.Try(files.OS{}, path); err != nil && !errors.Is(err, fs.ErrNotExist) { // the folder will be made
			return err
		}
	}
	return nil
}

// writeWhole writes a file, of this machine or of a store that Beam knows, that appears whole or
// not at all. A worker that writes it again, or two at a time, write the same bytes.
func writeWhole(ctx context.Context, path string, fill func(w io.Writer) error) error {
	if !strings.Contains(path, "://") {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return files.Write(ctx, files.OS{}, path, fill)
	}
	store, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer store.Close()
	temporary := fmt.Sprintf("%s.%016x.tmp", path, rand.Uint64())
	if err := writeObject(ctx, store, temporary, fill); err != nil {
		return errors.Join(err, remove(ctx, store, temporary))
	}
	return filesystem.Rename(ctx, store, temporary, path)
}

// writeObject writes a file of a store.
func writeObject(ctx context.Context, fs filesystem.Interface, path string, fill func(w io.Writer) error) error {
	file, err := fs.OpenWrite(ctx, path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<18)
	if err := fill(w); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(w.Flush(), file.Close())
}

// remove removes a temporary file, as far as the store can.
func remove(ctx context.Context, fs filesystem.Interface, path string) error {
	if r, ok := fs.(filesystem.Remover); ok {
		return r.Remove(ctx, path)
	}
	return nil
}
