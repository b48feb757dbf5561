package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/termsift/termsift/cmd/internal/flags"
	"github.com/termsift/termsift/engine/files"
)

// This file determines which files the flags and arguments of a command name. Before anything is
// read, it refuses to overwrite an input, or a file that took work to make.

// setFiles determines the files that the flags and arguments of a command name, and
// returns an error if one of them must not be written.
func (a *app) setFiles(c *cobra.Command, args []string) error {
	own := a.commandOf(c)
	a.optionalClasses = own.classes == classesOptional && flags.Given(c.Flags(), flags.OfLabels) == nil
	a.use = fileUse{force: a.use.force, toStdout: own.writesStdout(c), remedy: "name another file to write"}
	a.addInputs(own, c, args)
	if err := a.addOutputs(own, c, args); err != nil {
		return err
	}
	for i, out := range a.use.outputs {
		if err := a.use.check(out, a.use.outputs[:i]); err != nil {
			return err
		}
	}
	return a.tryOutputs(own, c, args)
}

// commandOf returns the command that cobra runs. That of a command of cobra's has no flags.
func (a *app) commandOf(c *cobra.Command) *command {
	if i := slices.IndexFunc(a.commands, func(own *command) bool { return own.name() == c.Name() }); i >= 0 {
		return a.commands[i]
	}
	return &command{use: c.Use}
}

// writesStdout reports whether the main output of a command is standard output.
func (own *command) writesStdout(c *cobra.Command) bool {
	out := c.Flags().Lookup("output")
	if out == nil {
		return true
	}
	text := out.Value.String()
	return text == "-" || text == ""
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
