package reader

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// This file says which files of a directory or archive are documents, and of which class.

// folders records what is known of the folders of a tree or archive.
type folders struct {
	s     *Source
	outer map[string]bool // folders that hold files of many documents
	above map[string]bool // folders that hold folders
	read  map[string]int  // documents handed out from each folder
	// trunk is the folder that all others are in or above, as that of an archive of one
	// folder. What stands there beside the classes is about them.
	trunk string
	// unlabelled says that files outside all folders are documents, if there is no folder.
	unlabelled bool
}

func newFolders(s *Source) *folders {
	return &folders{s: s, outer: map[string]bool{}, above: map[string]bool{}, read: map[string]int{}, trunk: "."}
}

// outside reports whether the plain files of a folder are no documents: it is the trunk or a split, and has files of
// many documents or the folders of the classes. The files of any other folder are of its class, whatever else is there.
func (k *folders) outside(folder string) bool {
	return k.s.opt.FolderLevel == 0 && (k.outer[folder] || k.above[folder]) && (k.onTrunk(folder) || splitNamed(folder) != "")
}

// noteMixed says which class folders have files of many documents beside their texts.
func (k *folders) noteMixed(root string) {
	for folder, n := range k.read {
		if k.outer[folder] && !k.outside(folder) {
			k.s.note("%s: the texts in folder %s (%d) are of its class, although files of many documents are beside them", root, folder, n)
		}
	}
}

// onTrunk reports whether a folder is the trunk or above it.
func (k *folders) onTrunk(folder string) bool {
	return folder == "." || k.trunk == folder || strings.HasPrefix(k.trunk, folder) && k.trunk[len(folder)] == '/'
}

// textless returns nil for the error of a table without a text, of which nobody named the column, and counts it: beside
// class folders it is about them. Check returns the error where there are none.
func (k *folders) textless(frame int, err error) error {
	var e *Error
	if !errors.As(err, &e) || !e.textless {
		return err
	}
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	k.s.total.skipped[outsideReason]++
	k.s.total.textless.add("", once(frame, e))
	return nil
}

// outsideReason is why a file beside class folders is skipped.
const outsideReason = "file outside a class folder"

// wanted reports whether a file is a document of the split asked for, and counts the reason
// if it is none.
func (s *Source) wanted(known *folders, name string, regular bool) bool {
	dir, _ := path.Split(name)
	if dir != "" && s.opt.Split != "" {
		top, _, _ := strings.Cut(dir, "/")
		s.seeFolder(top)
	}
	switch {
	case !regular:
		s.skip("not a regular file")
	case hidden(name):
		s.skip("hidden file")
	case s.opt.Format != Auto && s.opt.Format != Tree && s.opt.Format != Tar:
		s.skip(fmt.Sprintf("not a file of format %v", s.opt.Format))
	case dir == "" && !known.unlabelled || known.outside(path.Clean(dir)):
		s.skip(outsideReason)
	case strings.Count(name, "/") < s.opt.FolderLevel:
		s.skip("file above the folders of --folder-level")
	case s.opt.Split != "" && s.opt.Split != splitOf(s.classFolder(name)):
		// another split is no problem to report
	default:
		return true
	}
	return false
}

// seeFolder records a folder for the error that says that a split has no documents.
func (s *Source) seeFolder(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.folders[name] = true
}

// classFolder returns the folder whose name is the class of a file: the one directly above it,
// or the one that --folder-level says.
func (s *Source) classFolder(name string) string {
	if s.opt.FolderLevel == 0 {
		return parentOf(name)
	}
	end := 0
	for range s.opt.FolderLevel {
		next := strings.IndexByte(name[end:], '/')
		if next < 0 {
			return "." // of --label-from, or of no document
		}
		end += next + 1
	}
	return name[:end-1]
}

// splitOf returns the split that the folders of a class name: the nearest above it, or else
// the class itself. So neither news/train/protest nor latest/train/news is in the test split.
func splitOf(class string) string {
	for f := parentOf(class); f != "."; f = parentOf(f) {
		if split := splitNamed(f); split != "" {
			return split
		}
	}
	return splitNamed(class)
}

// parentOf is path.Dir for names that are clean and relative, which it does not check again.
func parentOf(name string) string {
	if at := strings.LastIndexByte(name, '/'); at > 0 {
		return name[:at]
	}
	return "."
}

// splitNamed returns the split that a folder's name ends in, or "".
func splitNamed(folder string) string {
	for _, split := range []string{"train", "test", "unused"} {
		if strings.HasSuffix(folder, split) {
			return split
		}
	}
	return ""
}
