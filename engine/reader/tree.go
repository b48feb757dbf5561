package reader

import (
	"archive/tar"
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

// This file reads a folder for each class, on disk and inside tar: the class of
// a file is the folder directly above it, at any depth. A folder that holds
// folders is no class; plain files in it are skipped.

// tree walks a directory in the order of the names' bytes. Links, devices and
// files whose name begins with a dot are skipped.
func (s *Source) tree(root string, f emit) error {
	var buffer []byte
	folders, before := 0, s.summary.Documents
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		switch {
		case entry.IsDir():
			if name != "." {
				folders++
			}
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
			return s.lookAhead(file, name)
		case !s.wanted(name, entry.Type().IsRegular()):
			return nil
		}
		if buffer, err = s.readFile(file, buffer[:0]); err != nil {
			return err
		}
		return s.emitFile(name, document.Position{File: file}, buffer, f)
	})
	if err == nil && folders == 0 && s.summary.Documents == before {
		return &Error{
			Pos: document.Position{File: root}, Problem: "the directory has no folders, and a folder is what names a class",
			Remedy: "put the files of each class into a folder of its name",
		}
	}
	return err
}

// lookAhead learns whether a directory holds folders.
func (s *Source) lookAhead(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			s.outer[name] = true
		}
	}
	return nil
}

// wanted says whether a file is a document, and counts why not.
func (s *Source) wanted(name string, regular bool) bool {
	dir, base := path.Split(name)
	folders := strings.Split(strings.Trim(dir, "/"), "/")
	if dir != "" {
		s.folders[folders[0]] = true
	}
	switch {
	case !regular:
		s.summary.Skipped["not a regular file"]++
	case strings.HasPrefix(base, "."):
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
	class := s.label(path.Base(path.Dir(name)))
	return f(document.Document{ID: name, Labels: []string{class}, Text: utf, Source: pos})
}

// tar streams the members; nothing is written to disk. They come in the order
// of the archive, so a plain file is known to stand beside class folders only
// when one of those came before it.
func (s *Source) tar(name string, r io.Reader, f emit) error {
	archive := tar.NewReader(r)
	var buffer []byte
	at := "the first member"
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return s.tarError(name, "after "+at, err)
		}
		pos := document.Position{File: name + "!" + h.Name}
		at = h.Name
		member := path.Clean(h.Name)
		s.markOuter(member, h.Typeflag == tar.TypeDir)
		switch {
		case h.Typeflag == tar.TypeDir, h.Typeflag == tar.TypeXGlobalHeader:
			continue
		case path.IsAbs(h.Name) || member == ".." || strings.HasPrefix(member, "../") || strings.ContainsRune(h.Name, 0):
			return &Error{Pos: pos, Problem: "the member's name leads out of the archive", Bytes: h.Name}
		case !s.wanted(member, h.Typeflag == tar.TypeReg):
			continue
		}
		if buffer, err = s.readAll(pos, archive, buffer[:0]); err != nil {
			return s.tarError(name, "in "+h.Name, err)
		}
		if err := s.emitFile(member, pos, buffer, f); err != nil {
			return err
		}
	}
}

// markOuter notes that the folders above a member's own hold folders.
func (s *Source) markOuter(member string, folder bool) {
	above := path.Dir(member)
	if !folder {
		above = path.Dir(above)
	}
	for ; above != "." && above != "/" && !s.outer[above]; above = path.Dir(above) {
		s.outer[above] = true
	}
}

// tarError keeps our own errors and the context's, and says of others where
// the archive is broken.
func (s *Source) tarError(name, where string, err error) error {
	if errors.Is(err, ErrBadInput) || s.ctx.Err() != nil {
		return err
	}
	return &Error{
		Pos: document.Position{File: name}, Problem: "the archive is broken " + where, Err: err,
		Remedy: "fetch or pack it again",
	}
}
