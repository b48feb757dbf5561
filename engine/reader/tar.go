package reader

import (
	"archive/tar"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads a folder for each class inside tar, by the rules of tree.go.

// tar streams the members; nothing is written to disk. They come in the order
// of the archive, so a plain file is known to stand beside class folders only
// when one of those came before it; a note says where it did not.
func (s *Source) tar(name string, r io.Reader, f emit) error {
	end := &endReader{r: r}
	archive := tar.NewReader(end)
	var buffer []byte
	early, at := 0, "its beginning"
	s.begin()
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.failure(document.Position{File: name}, "the archive is broken after "+at, err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		pos := document.Position{File: name + "!" + h.Name}
		if leadsOut(h.Name) {
			return &Error{
				Pos: pos, Problem: "the member's name leads out of the archive", Bytes: h.Name,
				Remedy: "pack it again with names below one folder",
			}
		}
		at = h.Name
		member := path.Clean(h.Name)
		early += s.markOuter(member, h.Typeflag == tar.TypeDir)
		if h.Typeflag == tar.TypeDir || !s.wanted(member, h.Typeflag == tar.TypeReg) {
			continue
		}
		if buffer, err = s.readAll(pos, archive, buffer[:0]); err != nil {
			return s.failure(pos, "the archive is broken in this member", err)
		}
		if err := s.emitFile(member, pos, buffer, f); err != nil {
			return err
		}
	}
	if early > 0 {
		s.note("%s: %d files beside class folders come before these, and were read as documents of the folder they are in", name, early)
	}
	return s.tarEnd(name, at, end)
}

// leadsOut says whether a member's name is absolute or goes upwards.
func leadsOut(name string) bool {
	return path.IsAbs(name) || strings.ContainsRune(name, 0) || slices.Contains(strings.Split(name, "/"), "..")
}

// markOuter notes that the folders above a member's own hold folders. It gives
// the number of documents that were read from these before.
func (s *Source) markOuter(member string, folder bool) (early int) {
	above := path.Dir(member)
	if !folder {
		above = path.Dir(above)
	}
	for ; above != "." && !s.outer[above]; above = path.Dir(above) {
		s.outer[above] = true
		early += s.read[above]
	}
	return early
}

// tarEnd reads behind the last member. An archive that was cut between two
// members lacks its end mark, and only there is the checksum of gzip checked.
func (s *Source) tarEnd(name, at string, end *endReader) error {
	pos := document.Position{File: name}
	if end.reached {
		return &Error{
			Pos: pos, Problem: "the archive has no end mark and may be cut after " + at,
			Remedy: "fetch or pack it again; if it is whole, add 1024 zero bytes",
		}
	}
	more := false
	for buffer := make([]byte, 1<<15); ; {
		n, err := end.Read(buffer)
		more = more || strings.Trim(string(buffer[:n]), "\x00") != ""
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.failure(pos, "the archive is broken after "+at, err)
		}
	}
	if more {
		s.note("%s goes on behind the end of the archive; that is not read", name)
	}
	return nil
}

// An endReader knows whether the end of the input was met.
type endReader struct {
	r       io.Reader
	reached bool
}

func (e *endReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.reached = e.reached || errors.Is(err, io.EOF)
	return n, err
}
