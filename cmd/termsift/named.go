package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/reader"
)

// This file determines which files the flags and arguments of a command name. Before anything is
// read, it refuses to overwrite an input, or a file that took work to make.

// setFiles determines the files that the flags and arguments of a command name, and
// returns an error if one of them must not be written.
func (a *app) setFiles(c *cobra.Command, args []string) error {
	own := a.commandOf(c)
	a.optionalClasses = own.classes == classesOptional && flags.Given(c.Flags(), flags.OfLabels) == nil
	a.use = fileUse{force: a.use.force, toStdout: true, remedy: "name another file to write"}
	if out := c.Flags().Lookup("output"); out != nil {
		path := out.Value.String()
		a.use.toStdout = path == "-" || path == ""
	}
	a.addInputs(own, c, args)
	if err := a.addOutputs(own, c, args); err != nil {
		return err
	}
	for i, out := range a.use.outputs {
		if err := a.use.check(out, a.use.outputs[:i]); err != nil {
			return err
		}
	}
	return a.tryOutputs(c)
}

// commandOf returns the command that cobra runs. That of a command of cobra's has no flags.
func (a *app) commandOf(c *cobra.Command) *command {
	if i := slices.IndexFunc(a.commands, func(own *command) bool { return own.name() == c.Name() }); i >= 0 {
		return a.commands[i]
	}
	return &command{use: c.Use}
}

func (a *app) addInputs(own *command, c *cobra.Command, args []string) {
	add := func(role, path string) {
		if path != "-" {
			in := used(role, path, "")
			in.plain = own.classes == classesIgnored
			a.use.inputs = append(a.use.inputs, in)
		} else if f, ok := opened("INPUT", "standard input", a.stdin); ok {
			a.use.inputs = append(a.use.inputs, f)
		}
	}
	if !own.writesTo {
		for _, path := range args {
			add("INPUT", path)
		}
	}
	c.Flags().VisitAll(func(p *pflag.Flag) {
		f := flags.Of(p)
		for _, path := range f.Inputs() {
			add(f.Typed(), path)
		}
	})
}

// opened returns a stream that may be a file.
func opened(role, name string, stream any) (f usedFile, ok bool) {
	file, ok := stream.(*os.File)
	if !ok {
		return f, false
	}
	info, err := file.Stat()
	return usedFile{role: role, path: name, info: info, kind: otherFile, stream: true}, err == nil
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
	case own.output != nil && f.Name == cmp.Or(own.outputFlag, "output"):
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
func (a *app) tryOutputs(c *cobra.Command) error {
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
			remedy := ""
			if errors.Is(err, fs.ErrNotExist) {
				remedy = "; make the folder first, or name another"
			}
			return fmt.Errorf("%s %s cannot be written: %w%s", out.role, cmp.Or(out.path, `""`), err, remedy)
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
	file, err := files.CreateTemporary(nil, dir.Value.String())
	if err != nil {
		return err
	}
	return file.Close()
}

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
func (u *fileUse) admit(path string) error {
	if slices.ContainsFunc(u.outputs, func(o usedFile) bool { return o.path == path }) {
		return nil
	}
	out := used("an output", path, otherFile)
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
		data, _ := reader.NamesData(e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if isReadIn(filepath.Join(folder, e.Name()), file, plain) {
				return true
			}
		case e.Type().IsRegular() && (plain || !holdsFolders || data):
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
