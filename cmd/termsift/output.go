package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/files"
)

// openFiles creates the output files. It records what has a name before the run is done, temporary
// files and new folders, which an interruption must remove.
type openFiles struct {
	files.System
	mu      sync.Mutex
	names   map[string]bool
	folders []string // the outer ones first
	ended   bool     // all was removed, and nothing may be renamed any more
}

// Create implements [files.System].
func (o *openFiles) Create(path string) (files.File, error) {
	file, err := o.System.Create(path)
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

// makeFolder creates a folder and those above it.
func (o *openFiles) makeFolder(folder string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	var made []string
	for at := filepath.Clean(folder); ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	slices.Reverse(made)
	o.folders = append(o.folders, made...)
	return os.MkdirAll(folder, 0o755)
}

// renameAll renames files that belong together, which an interruption does not break off, and syncs the
// folders that were made for them.
func (o *openFiles) renameAll(all []files.Renaming) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ended {
		return context.Canceled
	}
	if err := files.RenameAll(o.System, all); err != nil {
		return err
	}
	for _, r := range all {
		delete(o.names, r.From)
	}
	for _, folder := range o.folders {
		if err := o.SyncDir(filepath.Dir(folder)); err != nil {
			return err
		}
	}
	o.folders = nil
	return nil
}

// removeAll removes what is recorded. What is complete has left the record.
func (o *openFiles) removeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name := range o.names {
		_ = os.Remove(name) // it may already have been renamed
	}
	for _, folder := range slices.Backward(o.folders) {
		_ = os.Remove(folder) // it stays if it has files
	}
	o.names, o.folders = nil, nil
}

// end removes what is recorded, and lets nothing be renamed any more.
func (o *openFiles) end() {
	o.mu.Lock()
	o.ended = true
	o.mu.Unlock()
	o.removeAll()
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
func (o *outputs) write(path string, fill func(w io.Writer) error) error {
	if path == "" || path == "-" {
		return fill(o.stdout)
	}
	if err := o.use.admit(path); err != nil {
		return err
	}
	return files.Write(context.Background(), &o.files, path, fill)
}

// writeIf is write if there is a path, else it calls fill with nil.
func (o *outputs) writeIf(path string, fill func(w io.Writer) error) error {
	if path == "" {
		return fill(nil)
	}
	return o.write(path, fill)
}

// A filled is a file to write, with what writes its contents.
type filled struct {
	path string
	kind fileKind
	fill func(w io.Writer) error
}

// writeAll writes files of one folder, which it makes, so that all of them appear or none
// does: each is written to a temporary name, and when all are, they are renamed in their order.
func (o *outputs) writeAll(folder string, all []filled) (err error) {
	defer func() {
		if err != nil {
			o.files.removeAll()
		}
	}()
	if err := o.files.makeFolder(folder); err != nil {
		return err
	}
	var written []files.Renaming
	for _, f := range all {
		to, err := o.writeBeside(f)
		if err != nil {
			return err
		}
		if to.From != to.To {
			written = append(written, to)
		}
	}
	return o.files.renameAll(written)
}

// writeBeside writes a file to a temporary name, which it returns with what it will become. A
// device has no such name: it is written to, and stays.
func (o *outputs) writeBeside(f filled) (files.Renaming, error) {
	if err := o.use.admitAs(f.path, f.kind); err != nil {
		return files.Renaming{}, err
	}
	if err := files.Try(&o.files, f.path); err != nil {
		return files.Renaming{}, err
	}
	to := files.Renaming{From: f.path, To: f.path}
	if target, err := filepath.EvalSymlinks(f.path); err == nil {
		to.To = target
	}
	info, err := os.Stat(to.To)
	if err == nil && !info.Mode().IsRegular() {
		return files.Renaming{}, files.Write(context.Background(), &o.files, f.path, f.fill)
	}
	to.From = files.TemporaryName(to.To)
	o.files.remember(to.From)
	if err := files.Write(context.Background(), &o.files, to.From, f.fill); err != nil {
		return to, err
	}
	if info != nil {
		return to, os.Chmod(to.From, info.Mode().Perm())
	}
	return to, nil
}

// create creates a file that is written while the command runs.
func (o *outputs) create(path string) (*os.File, error) {
	if err := o.use.admit(path); err != nil {
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
	if a.kind(index) != indexFile {
		return &target{a: a, path: index}, nil // opening it returns the error
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

func (a *app) addOutputs(own *command, c *cobra.Command, args []string) (err error) {
	if f, ok := opened("the output", "standard output", a.rawOut); ok && a.use.toStdout {
		a.use.outputs = append(a.use.outputs, f)
	}
	if own.writesTo && len(args) > 0 {
		a.addFolder("DIR", args[0], "")
	}
	c.Flags().VisitAll(func(p *pflag.Flag) {
		f := flags.Of(p)
		if !f.Writes {
			return
		}
		for _, path := range f.Texts() {
			if failed := a.addOutput(own, f, path, args); err == nil {
				err = failed
			}
		}
	})
	return err
}

// addOutput adds what a flag writes to a path.
func (o *outputs) addOutput(own *command, f *flags.Flag, path string, args []string) error {
	isMain := f.Name == "output"
	switch {
	case f.Folder:
		o.addFolder(f.Typed(), path, f.Ending)
	case path == "-" && isMain:
	case path == "-" && (o.use.toStdout || f.Group == flags.GroupProfiling):
		return usageError("%s - and the output would both go to standard output: name a file for one of them", f.Typed())
	case path == "-":
		o.use.toStdout = true
	case isMain && own.output != nil:
		o.use.outputs = append(o.use.outputs, used(f.Typed(), path, own.output(args)))
	default:
		o.use.outputs = append(o.use.outputs, used(f.Typed(), path, otherFile))
	}
	if isMain && own.beside != nil && path != "-" {
		for _, beside := range own.beside(path) {
			o.use.outputs = append(o.use.outputs, used(f.Typed(), beside, otherFile))
		}
	}
	return nil
}

// addFolder adds a folder that the run writes to, and the files in it that may be
// overwritten: those whose names end in suffix, none if it is "".
func (o *outputs) addFolder(role string, folder string, suffix string) {
	out := used(role, folder, otherFile)
	out.folder = true
	o.use.outputs = append(o.use.outputs, out)
	entries, _ := os.ReadDir(folder) // a missing folder is created later
	for _, e := range entries {
		if suffix != "" && !e.IsDir() && strings.HasSuffix(e.Name(), suffix) {
			o.use.outputs = append(o.use.outputs, used(role, filepath.Join(folder, e.Name()), otherFile))
		}
	}
}

// tryOutputs returns an error unless each output can be written, as far as that can be
// known without writing.
func (a *app) tryOutputs(own *command, c *cobra.Command, args []string) error {
	for _, out := range a.use.outputs {
		var err error
		switch {
		case out.stream:
		case out.folder:
			err = files.TryFolder(&a.files, out.path)
		case !a.use.makesFolder(filepath.Dir(out.path)):
			err = files.Try(&a.files, out.path)
		}
		if err != nil {
			return cannotWrite(out.role, out.path, err)
		}
	}
	if own.replaces && c.Flags().Lookup("output").Value.String() == "" && len(args) > 0 {
		if err := files.Try(&a.files, args[0]); err != nil {
			return cannotWrite("the new", args[0], err)
		}
	}
	return tryTemporary(c)
}

// makesFolder reports whether a folder does not exist yet, and the run makes it, or one in it.
func (u *fileUse) makesFolder(folder string) bool {
	if _, err := os.Stat(folder); err == nil {
		return false
	}
	inside := func(in string) string { return resolved(in) + string(filepath.Separator) }
	return slices.ContainsFunc(u.outputs, func(out usedFile) bool {
		return out.folder && strings.HasPrefix(inside(out.path), inside(folder))
	})
}

// tryTemporary returns an error unless temporary files can be created where the flags of
// a command put them.
func tryTemporary(c *cobra.Command) error {
	dir, bound := c.Flags().Lookup("temp-dir"), c.Flags().Lookup("max-memory")
	if dir == nil || !dir.Changed && (bound == nil || !bound.Changed) {
		return nil
	}
	folder := dir.Value.String()
	file, err := files.CreateTemporary(nil, folder)
	if err != nil {
		var failed *fs.PathError
		if errors.As(err, &failed) {
			err = &fs.PathError{Op: "create files in", Path: cmp.Or(folder, os.TempDir()), Err: failed.Err}
		}
		return fmt.Errorf("no temporary file can be written: %w; name another folder by %s", err, "--"+dir.Name)
	}
	return file.Close()
}

func cannotWrite(role, path string, err error) error {
	remedy := ""
	if errors.Is(err, fs.ErrNotExist) {
		remedy = "; make the folder first, or name another"
	}
	return fmt.Errorf("%s %s cannot be written: %w%s", role, cmp.Or(path, `""`), err, remedy)
}
