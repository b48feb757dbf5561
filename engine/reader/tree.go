package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads a folder for each class on disk, tar.go inside tar: the class of
// a file is the folder directly above it, at any depth. A folder that holds
// folders is no class; plain files in it are skipped.

// tree walks a directory in the order of the names' bytes, folder by folder.
// Links, devices and names that begin with a dot are skipped; the root itself
// may be a link.
func (s *Source) tree(root string, f emit) error {
	var buffer []byte
	folders := 0
	s.begin()
	err := filepath.WalkDir(root+string(filepath.Separator), func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case name == ".":
			return s.lookAhead(file, name)
		case entry.IsDir() && hidden(name):
			s.summary.Skipped["hidden folder"]++
			return fs.SkipDir
		case entry.IsDir():
			folders++
			return s.lookAhead(file, name)
		case !s.wanted(name, entry.Type().IsRegular()):
			return nil
		}
		if buffer, err = s.readFile(file, buffer[:0]); err != nil {
			return err
		}
		return s.emitFile(name, document.Position{File: file}, buffer, f)
	})
	if err == nil && folders == 0 {
		return &Error{
			Pos: document.Position{File: root}, Problem: "the directory has no folders, and a folder is what names a class",
			Remedy: "put the files of each class into a folder of its name",
		}
	}
	return err
}

// begin forgets the folders of the tree or archive before: a class there may
// hold folders here.
func (s *Source) begin() {
	clear(s.outer)
	clear(s.read)
}

// hidden says whether a file or a folder above it has a name that begins with
// a dot.
func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || strings.Contains(name, "/.")
}

// lookAhead learns whether a directory holds folders.
func (s *Source) lookAhead(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && !hidden(e.Name()) {
			s.outer[name] = true
		}
	}
	return nil
}

// wanted says whether a file is a document, and counts why not.
func (s *Source) wanted(name string, regular bool) bool {
	dir, _ := path.Split(name)
	folders := strings.Split(strings.Trim(dir, "/"), "/")
	if dir != "" && s.opt.Split != "" {
		s.folders[folders[0]] = true
	}
	switch {
	case !regular:
		s.summary.Skipped["not a regular file"]++
	case hidden(name):
		s.summary.Skipped["hidden file"]++
	case dir == "" || s.outer[path.Clean(dir)]:
		s.summary.Skipped["file outside a class folder"]++
	case !s.inSplit(folders):
		// another split is no problem to report
	default:
		return true
	}
	return false
}

func (s *Source) inSplit(folders []string) bool {
	if s.opt.Split == "" {
		return true
	}
	for _, f := range folders {
		if strings.HasSuffix(f, s.opt.Split) {
			return true
		}
	}
	return false
}

func (s *Source) readFile(file string, buffer []byte) ([]byte, error) {
	r, err := os.Open(file)
	if err != nil {
		return buffer, err
	}
	defer r.Close()
	return s.readAll(document.Position{File: file}, r, buffer)
}

// readAll reads a document into buffer, up to the limit.
func (s *Source) readAll(pos document.Position, r io.Reader, buffer []byte) ([]byte, error) {
	limited := io.LimitReader(r, s.opt.MaxDocument+1)
	for {
		if len(buffer) == cap(buffer) {
			buffer = append(buffer, make([]byte, max(len(buffer), 1<<14))...)[:len(buffer)]
		}
		n, err := limited.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		if int64(len(buffer)) > s.opt.MaxDocument {
			return buffer, &Error{
				Pos: pos, Problem: fmt.Sprintf("the document has more than %d bytes", s.opt.MaxDocument),
				Remedy: "raise the limit with --max-document",
			}
		}
		if errors.Is(err, io.EOF) {
			return buffer, nil
		}
		if err != nil {
			return buffer, err
		}
	}
}

func (s *Source) emitFile(name string, pos document.Position, text []byte, f emit) error {
	s.summary.Bytes += int64(len(text))
	utf, guessed, err := s.decoder.decode(text)
	if err != nil {
		return &Error{Pos: pos, Problem: "the text is not " + s.opt.Charset, Err: err}
	}
	if guessed {
		s.latin++
	}
	folder := path.Dir(name)
	s.read[folder]++
	class := s.label(path.Base(folder))
	return f(document.Document{ID: name, Labels: []string{class}, Text: utf, Source: pos})
}
