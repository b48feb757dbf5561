package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A Renaming gives a complete file its name. To is no symbolic link.
type Renaming struct{ From, To string }

// RenameAll renames files that belong together, in their order, and syncs their directories.
//
// If one of them cannot be renamed, those before it are taken back: To is again what it was, or is not
// there. Only where the file system cannot give an old file a second name does To stay the new file. A
// process that is killed between two renames leaves new files beside old ones.
func RenameAll(sys System, all []Renaming) error {
	var done []replacement
	for _, r := range all {
		kept := keepOld(r.To)
		if err := sys.Rename(r.From, r.To); err != nil {
			err = errors.Join(err, kept.forget())
			for _, d := range slices.Backward(done) {
				err = errors.Join(err, d.takeBack(sys))
			}
			return err
		}
		done = append(done, kept)
	}
	var err error
	for _, d := range done {
		err = errors.Join(err, d.forget())
	}
	return errors.Join(err, syncDirs(sys, done))
}

// syncDirs syncs the directory of each file, once.
func syncDirs(sys System, done []replacement) error {
	synced := map[string]bool{}
	for _, d := range done {
		dir := filepath.Dir(d.path)
		if synced[dir] {
			continue
		}
		if err := sys.SyncDir(dir); err != nil {
			return err
		}
		synced[dir] = true
	}
	return nil
}

// A replacement is a path that gets a new file.
type replacement struct {
	path string
	old  string // a second name of the file that was there, "" if there is none
	new  bool   // nothing was there
}

// keepOld gives the file at a path a second name.
func keepOld(path string) replacement {
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return replacement{path: path, new: true}
	}
	old := filepath.Join(filepath.Dir(path), fmt.Sprintf("%s%d-old", temporary(path), os.Getpid()))
	_ = os.Remove(old) // of a killed process of the same number
	if os.Link(path, old) != nil {
		return replacement{path: path}
	}
	return replacement{path: path, old: old}
}

// forget removes the second name.
func (r replacement) forget() error {
	if r.old == "" {
		return nil
	}
	return os.Remove(r.old)
}

// takeBack undoes the renaming.
func (r replacement) takeBack(sys System) error {
	switch {
	case r.new:
		return os.Remove(r.path)
	case r.old != "":
		return sys.Rename(r.old, r.path)
	}
	return fmt.Errorf("%s is the new file already, and those that belong to it are not", r.path)
}
