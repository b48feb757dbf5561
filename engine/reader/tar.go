package reader

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
)

// tar reads the members of an archive in its order; nothing is written to disk. A plain file
// is known to be beside class folders only if one of these comes before it, or within
// undecidedBytes after it. Where it comes later the file was read as a document, and a note
// says so.
func (s *Source) tar(name string, m *meter, r io.Reader, out func(frame) error) error {
	a := newArchive(s, name, m, out)
	end := &endReader{r: r}
	t := tar.NewReader(end)
	at := "its beginning"
	for members := 1; ; members++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.failure(document.Position{File: name}, "the archive is broken after "+at, err)
		}
		if members > s.opt.MaxMembers {
			return tooManyMembers(document.Position{File: name}, s.opt.MaxMembers)
		}
		at = shortName(h.Name)
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		member := archiveMember{h.Name, h.Typeflag == tar.TypeDir, h.Typeflag == tar.TypeReg || h.Typeflag == tar.TypeGNUSparse}
		if err := a.member(member, t); err != nil {
			return err
		}
	}
	if err := a.end(); err != nil {
		return err
	}
	return s.tarEnd(name, at, end)
}

// tarEnd reads on after the last member. An archive that was cut between two members lacks
// its end mark, which is an error, and gzip compares its checksum only at its end.
func (s *Source) tarEnd(name, at string, end *endReader) error {
	pos := document.Position{File: name}
	if end.reached {
		return wrong(pos, "the archive has no end mark and may be cut after "+at, "", "fetch or pack it again; if it is whole, add 1024 zero bytes")
	}
	more, size := false, 0
	for buffer := make([]byte, 1<<15); size <= compression.MostPadding; {
		n, err := end.Read(buffer)
		size += n
		more = more || bytes.Count(buffer[:n], []byte{0}) < n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s.failure(pos, "the archive is broken after "+at, err)
		}
	}
	if more || size > compression.MostPadding {
		s.note("%s goes on behind the end of the archive; that is not read", name)
	}
	return nil
}

// An endReader records whether the end of the input was reached.
type endReader struct {
	r       io.Reader
	reached bool
}

func (e *endReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.reached = e.reached || errors.Is(err, io.EOF)
	return n, err
}
