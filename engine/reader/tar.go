package reader

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// undecidedBytes bounds how much of a folder is held back until it is known
// whether it is a class: it is none if it turns out to hold folders or files of
// many documents. Reuters-21578 has 660 kB of other files before the first.
const undecidedBytes = 1 << 20

// A tarWalk is the way through a tar.
type tarWalk struct {
	*folders
	s       *Source
	name    string
	out     func(frame) error
	members frame  // not yet handed out
	folder  string // of the last of them
	open    int    // members from here on are in folder, which may be no class
	early   int    // documents of folders that turned out to be no class
}

// tar streams the members; nothing is written to disk. They come in the order of
// the archive, so a plain file is known to stand beside class folders only when
// one of those came before it, or soon after; a note says where it did not.
func (s *Source) tar(name string, r io.Reader, out func(frame) error) error {
	a := tarWalk{folders: newFolders(), s: s, name: name, out: out}
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
			return &Error{
				Pos: document.Position{File: name}, Problem: fmt.Sprintf("the archive has more than %d members", s.opt.MaxMembers),
				Remedy: "raise the limit with --max-members",
			}
		}
		at = h.Name
		if err := a.member(h, t); err != nil {
			return err
		}
	}
	a.settle()
	if err := a.flush(); err != nil {
		return err
	}
	if a.early > 0 {
		s.note("%s: %d files beside class folders come before these, and were read as documents of the folder they are in", name, a.early)
	}
	return s.tarEnd(name, at, end)
}

// member takes one member of the archive.
func (a *tarWalk) member(h *tar.Header, body io.Reader) error {
	pos := document.Position{File: a.name + "!" + h.Name}
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil
	}
	if leadsOut(h.Name) {
		return &Error{
			Pos: pos, Problem: "the member's name leads out of the archive", Bytes: h.Name,
			Remedy: "pack it again with names below one folder",
		}
	}
	name := path.Clean(h.Name)
	if h.Typeflag == tar.TypeDir {
		a.markOuter(path.Dir(name))
		return nil
	}
	a.markOuter(path.Dir(path.Dir(name)))
	regular := h.Typeflag == tar.TypeReg
	if regular && !hidden(name) && (layoutByName(name) != nil || layoutOf(a.s.opt.Format) != nil) {
		packed := a.s.buffered(body)
		defer a.s.recycle(packed)
		in, closing, err := a.s.decompressed(pos, packed)
		if err != nil {
			return err
		}
		defer closing()
		if l := a.s.layoutOfMember(name, in); l != nil {
			return a.dataFile(name, pos, in, l)
		}
		body = in
	}
	if !a.s.wanted(a.folders, name, regular) {
		return nil
	}
	return a.add(name, pos, body)
}

// dataFile cuts a member of many documents.
func (a *tarWalk) dataFile(name string, pos document.Position, in *bufio.Reader, l *layout) error {
	a.markOuter(path.Dir(name))
	a.settle()
	if err := a.flush(); err != nil {
		return err
	}
	return a.s.cut(pos.File, unmarked(in), l.open(a.s, pos.File), a.out)
}

// add takes a member that is a document, or will turn out to be none.
func (a *tarWalk) add(name string, pos document.Position, body io.Reader) error {
	if folder := path.Dir(name); folder != a.folder {
		a.settle()
		a.folder = folder
	}
	if len(a.members.data) >= frameBytes && a.open == len(a.members.items) {
		if err := a.flush(); err != nil {
			return err
		}
	}
	f := &a.members
	if f.data == nil {
		f.data = a.s.buffer()
	}
	from := len(f.data)
	var err error
	if f.data, err = a.s.readAll(pos, body, f.data); err != nil {
		return a.s.failure(pos, "the archive is broken in this member", err)
	}
	f.items = append(f.items, item{name, pos, from, len(f.data)})
	if a.read[a.folder] > 0 || len(f.data) >= undecidedBytes {
		a.settle()
	}
	return nil
}

// settle makes documents of the members of the last folder.
func (a *tarWalk) settle() {
	members := len(a.members.items)
	a.read[a.folder] += members - a.open
	a.open = members
}

// flush hands out the members so far, which are documents.
func (a *tarWalk) flush() error {
	f := a.members
	a.members, a.open = frame{}, 0
	if len(f.items) == 0 {
		return nil
	}
	f.parse = parseMembers
	return a.out(f)
}

// markOuter notes that a folder is no class, and those above it. Its members that
// are held back are no documents.
func (a *tarWalk) markOuter(folder string) {
	for ; folder != "." && !a.outer[folder]; folder = path.Dir(folder) {
		a.outer[folder] = true
		a.early += a.read[folder]
		if folder == a.folder {
			a.dropOpen()
		}
	}
}

// dropOpen forgets the members that are held back.
func (a *tarWalk) dropOpen() {
	f := &a.members
	dropped := f.items[a.open:]
	if len(dropped) > 0 {
		f.data = f.data[:dropped[0].from]
	}
	for range dropped {
		a.s.skip("file outside a class folder")
	}
	f.items = f.items[:a.open]
}

// parseMembers decodes the members of a frame, one document each.
func parseMembers(p *parser, f *frame) error {
	for _, m := range f.items {
		text, err := p.s.expanded(m.pos, f.data[m.from:m.to])
		if err == nil {
			err = p.emitFile(m, text)
		}
		if err := p.bad(err); err != nil {
			return err
		}
	}
	return nil
}

// leadsOut says whether a member's name is absolute or goes upwards.
func leadsOut(name string) bool {
	return path.IsAbs(name) || strings.ContainsRune(name, 0) || slices.Contains(strings.Split(name, "/"), "..")
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
