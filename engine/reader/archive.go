package reader

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
)

// This file says what the members of an archive are, and reads tar; zip.go reads zip.

// undecidedBytes is how much of a folder of an archive is held back until it is known
// whether the folder is a class, and how much of the trunk until it is known to be one.
// Reuters-21578 has 660 kB of other files before its first file of many documents.
const undecidedBytes = 1 << 20

// memberBytes is the memory that a member takes beside its content and its name.
const memberBytes = 128

// An archiveWalk is the state of reading an archive.
type archiveWalk struct {
	*folders
	folder string
	held   []heldMember   // of folder, and of the trunk: they may be beside classes
	holds  map[string]int // bytes of these in memory, by folder
	early  int            // documents of folders that turned out to be no class
	late   map[string]int // files that were skipped, by folder, which may turn out to be a class
	forked bool           // the trunk has two folders
	known  bool           // all folders have been seen
}

// A heldMember is a file that is a document if its folder turns out to be a class, or to be no
// part of the trunk.
type heldMember struct {
	item
	data []byte
}

// An archiveMember is what an archive says of a member.
type archiveMember struct {
	name         string
	dir, regular bool
}

// position returns the place of a member.
func (a *archiveWalk) position(member string) document.Position {
	return document.Position{File: a.name + "!" + member}
}

// tooMany returns the error for an archive of more members than the limit.
func (a *archiveWalk) tooMany() error {
	return beyond(a.pos(), "", "--max-members", "the archive has more than %d members", a.s.opt.MaxMembers)
}

// end hands out what is left when all members have been read.
func (a *archiveWalk) end() error {
	a.settle()
	a.decide(func(string) bool { return true }, false)
	for folder, n := range a.read {
		if folder != "." && a.outside(folder) {
			a.early += n
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(a.late)) {
		if !a.outside(folder) {
			return wrong(a.position(folder), "the folder has texts behind a file of many documents, and only folders behind it tell that it is a class", "",
				"unpack the archive and read the folder, or take the file out")
		}
	}
	a.noteMixed()
	if err := a.flush(); err != nil {
		return err
	}
	if a.early > 0 {
		a.s.note("%s: %d files beside class folders come before these, and were read as documents of the folder they are in", a.name, a.early)
	}
	return nil
}

// member reads one member of the archive.
func (a *archiveWalk) member(m archiveMember, body io.Reader) error {
	if err := a.s.opt.badName(a.pos(), m.name); err != nil {
		return a.s.bad(a.meter.frame, err)
	}
	pos := a.position(m.name)
	if leadsOut(m.name) {
		return wrong(pos, "the member's name leads out of the archive", m.name, "pack it again with names below one folder")
	}
	name, regular := path.Clean(m.name), m.regular
	if m.dir {
		a.see(name)
		return nil
	}
	folder := parentOf(name)
	a.see(folder)
	if regular && stray(name) == "" && (a.s.opt.LabelFrom == fromFile || layoutByName(name) != nil || layoutOf(a.s.opt.Format) != nil) {
		packed := buffered(body)
		defer recycle(packed)
		in, closing, err := a.s.decompressed(pos, a.meter, packed)
		if err != nil {
			return err
		}
		defer closing()
		if l := a.s.opt.layoutOfMember(name, in); l != nil {
			return a.dataFile(name, pos, in, l)
		}
		body = in
	}
	waits := folder != "." && regular && stray(name) == "" && a.mayBecome(folder)
	if !waits && !a.wanted(name, regular) {
		return nil
	}
	return a.add(name, folder, pos, body)
}

// dataFile passes the frames of a member with many documents to out.
func (a *archiveWalk) dataFile(name string, pos document.Position, in *bufio.Reader, l *layout) error {
	if folder := parentOf(name); folder != "." && !a.outer[folder] {
		a.outer[folder] = true
		a.drop(folder)
	}
	a.settle()
	if err := a.flush(); err != nil {
		return err
	}
	text, encoding := a.s.utf8Input(pos.File, in)
	text = withLineFeeds(text, a.s.opt.Format)
	member := &input{a.s, pos.File, a.meter, firstTextless(a.out)}
	return a.s.textless(a.meter.frame, member.framesOf(l, text, encoding, nil))
}

// add reads a member. It is held until it is known that its folder is a class.
func (a *archiveWalk) add(name, folder string, pos document.Position, body io.Reader) error {
	if folder != a.folder {
		a.settle()
		a.folder = folder
	}
	if a.size >= frameBytes {
		if err := a.flush(); err != nil {
			return err
		}
	}
	f := &a.ready
	if f.data == nil {
		f.data = a.s.memory.get()
	}
	from := len(f.data)
	var err error
	var reason errNotText
	switch f.data, err = a.s.readAll(pos, body, f.data, true); {
	case errors.As(err, &reason):
		f.data = f.data[:from]
		a.s.skip(string(reason))
		return nil
	case err != nil:
		return a.s.failure(pos, "the archive is broken in this member", err)
	}
	m := item{name: name, pos: pos, from: from, to: len(f.data)}
	if a.read[folder] > 0 {
		a.accept(m, folder)
		return nil
	}
	a.held = append(a.held, heldMember{m, bytes.Clone(f.data[from:])})
	a.holds[folder] += memoryOf(m)
	f.data = f.data[:from]
	a.bound()
	return nil
}

// memoryOf returns the memory that a member takes.
func memoryOf(m item) int { return m.to - m.from + memberBytes + len(m.name) }

// bound makes documents of what is held of the folder, or of the trunk if the folder is a part of
// it, where that is more than undecidedBytes.
func (a *archiveWalk) bound() {
	alike := func(folder string) bool {
		return folder == a.folder || a.mayBecome(folder) && a.mayBecome(a.folder)
	}
	size := 0
	for folder, n := range a.holds {
		if alike(folder) {
			size += n
		}
	}
	if size > undecidedBytes {
		a.decide(alike, !a.outer[a.folder])
	}
}

// accept makes a document of a member whose data are at the end of the frame.
func (a *archiveWalk) accept(m item, folder string) {
	a.ready.items = append(a.ready.items, m)
	a.size += memoryOf(m)
	a.read[folder]++
}

// settle makes documents of what is held of the folder, unless it is on the trunk.
func (a *archiveWalk) settle() {
	if !a.mayBecome(a.folder) {
		a.decide(func(folder string) bool { return folder == a.folder }, true)
	}
}

// decide makes documents of what is held of some folders, or skips it.
func (a *archiveWalk) decide(of func(folder string) bool, documents bool) {
	f := &a.ready
	a.held = slices.DeleteFunc(a.held, func(m heldMember) bool {
		folder := parentOf(m.name)
		switch {
		case !of(folder):
			return false
		case documents:
			m.from = len(f.data)
			f.data = append(f.data, m.data...)
			m.to = len(f.data)
			a.accept(m.item, folder)
		default:
			a.s.skip(outsideReason)
			a.late[folder]++
		}
		return true
	})
	maps.DeleteFunc(a.holds, func(folder string, _ int) bool { return of(folder) })
}

// see records that there is a folder. The trunk goes on with the only folder in it, and ends
// where there are two. Files of folders that are not on it any more are documents.
func (a *archiveWalk) see(folder string) {
	if folder == "." || hidden(folder) || strings.HasPrefix(folder+"/", "__MACOSX/") { // which has what macOS adds
		return
	}
	switch {
	case a.onTrunk(folder):
	case !strings.HasPrefix(folder, a.trunk+"/") && a.trunk != ".":
		for a.trunk != "." && !strings.HasPrefix(folder, a.trunk+"/") {
			a.trunk = parentOf(a.trunk)
		}
		a.forked = true
		a.settle()
		a.decide(func(folder string) bool { return !a.onTrunk(folder) }, true)
	case !a.forked:
		a.trunk = folder
	}
	a.markAbove(parentOf(folder))
}

// mayBecome reports whether the files of a folder are outside the classes only because it is
// on the trunk.
func (a *archiveWalk) mayBecome(folder string) bool {
	return !a.known && a.s.opt.beside() && (a.above[folder] || a.outer[folder]) && a.onTrunk(folder) && splitNamed(folder) == ""
}

// markAbove records that a folder and those above it hold folders.
func (a *archiveWalk) markAbove(folder string) {
	for ; folder != "." && !a.above[folder]; folder = parentOf(folder) {
		a.above[folder] = true
		a.drop(folder)
	}
}

// drop skips what is held of a folder that turned out to be outside the classes.
func (a *archiveWalk) drop(folder string) {
	if !a.mayBecome(folder) && a.outside(folder) {
		a.decide(func(held string) bool { return held == folder }, false)
	}
}

// leadsOut reports whether a member's name is absolute, also on Windows, has a ".." or a zero
// byte.
func leadsOut(name string) bool {
	return path.IsAbs(name) || len(name) > 1 && name[1] == ':' || strings.ContainsRune(name, 0) || slices.Contains(strings.Split(name, "/"), "..")
}

// tar reads the members of an archive in its order; nothing is written to disk. A plain file
// is known to be beside class folders only if one of these comes before it, or within
// undecidedBytes after it. Where it comes later the file was read as a document, and a note
// says so.
func (a *archiveWalk) tar(r io.Reader) error {
	end := &endReader{r: r}
	t := tar.NewReader(end)
	at := "its beginning"
	for members := 1; ; members++ {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return a.s.failure(a.pos(), "the archive is broken after "+at, err)
		}
		if members > a.s.opt.MaxMembers {
			return a.tooMany()
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
	return a.tarEnd(at, end)
}

// tarEnd reads on after the last member. An archive that was cut between two members lacks
// its end mark, which is an error, and gzip compares its checksum only at its end.
func (a *archiveWalk) tarEnd(at string, end *endReader) error {
	pos := a.pos()
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
			return a.s.failure(pos, "the archive is broken after "+at, err)
		}
	}
	if more || size > compression.MostPadding {
		a.s.note("%s goes on behind the end of the archive; that is not read", a.name)
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
