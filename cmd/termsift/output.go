package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/termsift/termsift/cmd/internal/tables"
	"github.com/termsift/termsift/cmd/internal/terminal"
	"github.com/termsift/termsift/engine/files"
)

// This file writes the outputs, complete or not at all.

// outputs are what a run writes.
type outputs struct {
	rawOut     io.Writer // what stdout writes to
	stdout     *terminal.Output
	toTerminal bool
	outScreen  terminal.Screen // of stdout
	files      openFiles
	use        fileUse
	table      tableFile
}

// visible returns a name, without characters that control a terminal if standard output
// is one.
func (o *outputs) visible(s string) string { return terminal.Visible(s, o.toTerminal) }

// style returns how a table in a format is shown.
func (o *outputs) style(format tables.Format) tables.Style {
	return tables.Style{Format: format, Terminal: o.toTerminal, Name: o.table.name, Command: o.table.command, Spreadsheet: &o.table.spreadsheet}
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

// create creates a file that is written while the command runs.
func (o *outputs) create(path string) (*os.File, error) {
	if err := o.use.admit(path); err != nil {
		return nil, err
	}
	return os.Create(path)
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

// openFiles creates the output files. It records what had a name before the run is done, temporary
// files and new folders, which an interruption must remove. A file that is done has lost its
// temporary name, and there is nothing to remove.
type openFiles struct {
	files.System
	mu      sync.Mutex
	names   []string
	folders []string // the outer ones first
	ended   bool     // all was removed, and nothing may be renamed any more
}

// Create implements [files.System].
func (o *openFiles) Create(path string) (files.File, error) {
	file, err := o.System.Create(path)
	if err == nil && file.Temporary() != "" {
		o.remember(file.Temporary())
	}
	return file, err
}

// remember records a temporary name.
func (o *openFiles) remember(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = append(o.names, name)
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
	for _, folder := range o.folders {
		if err := o.SyncDir(filepath.Dir(folder)); err != nil {
			return err
		}
	}
	o.folders = nil
	return nil
}

// removeAll removes what is recorded.
func (o *openFiles) removeAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, name := range o.names {
		_ = os.Remove(name) // it may have been renamed or removed
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
