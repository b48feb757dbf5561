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

	"github.com/termsift/termsift/engine/files"
)

// This file determines the outputs of a run, and tries them before its inputs are read, so
// that hours of reading do not end at a folder that does not exist.

// writtenFlags are the text flags that name a file to write.
var writtenFlags = []string{
	"class-terms", "confusion", "cpuprofile", "html", "memprofile", "output", "predictions", "svmlight", "svmlight-test", "trace",
}

// writtenInFolder maps the flags of folders to what the names of the files end in that a
// command writes there.
var writtenInFolder = map[string]string{"svg": ".svg"}

// namesFolder reports whether a text flag names a folder that files are written to.
func namesFolder(c *cobra.Command, flag *pflag.Flag) bool {
	return writtenInFolder[flag.Name] != "" || c.Name() == "split" && flag.Name == "output"
}

func (a *app) addOutputs(c *cobra.Command, args []string) (err error) {
	if f, ok := opened("the output", "standard output", a.stdout); ok && a.use.toStdout {
		a.use.outputs = append(a.use.outputs, f)
	}
	if writesFolder(c) && len(args) > 0 {
		a.addFolder("DIR", args[0], "")
	}
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		for _, path := range texts(flag) {
			switch {
			case namesFolder(c, flag):
				a.addFolder(typed(flag), path, writtenInFolder[flag.Name])
			case !slices.Contains(writtenFlags, flag.Name):
			case path == "-" && flag.Name == "output":
			case path == "-" && (a.use.toStdout || slices.Contains(profileFlags, flag.Name)):
				err = usageError("%s - and the output would both go to standard output: name a file for one of them", typed(flag))
			case path == "-":
				a.use.toStdout = true
			case flag.Name == "output":
				a.use.outputs = append(a.use.outputs, used(typed(flag), path, outputKind(c, args)))
				for _, beside := range writtenBeside(c, path) {
					a.use.outputs = append(a.use.outputs, used(typed(flag), beside, otherFile))
				}
			default:
				a.use.outputs = append(a.use.outputs, used(typed(flag), path, otherFile))
			}
		}
	})
	return err
}

// addFolder adds a folder that the run writes to, and the files in it that may be
// overwritten: those whose names end in suffix, none if it is "".
func (a *app) addFolder(role, folder, suffix string) {
	out := used(role, folder, otherFile)
	out.folder = true
	a.use.outputs = append(a.use.outputs, out)
	entries, _ := os.ReadDir(folder) // a missing folder is created later
	for _, e := range entries {
		if suffix != "" && !e.IsDir() && strings.HasSuffix(e.Name(), suffix) {
			a.use.outputs = append(a.use.outputs, used(role, filepath.Join(folder, e.Name()), otherFile))
		}
	}
}

// tryOutputs returns an error unless each output can be written, as far as that can be
// known without writing.
func (a *app) tryOutputs(c *cobra.Command, args []string) error {
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
	if replacesInput(c) && c.Flags().Lookup("output").Value.String() == "" && len(args) > 0 {
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
		return fmt.Errorf("no temporary file can be written: %w; name another folder by %s", err, typed(dir))
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
