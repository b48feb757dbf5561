package reader

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file says what the members of an archive are; tar.go and zip.go read archives.

// undecidedBytes is how much of a folder of an archive is held back until it is known
// whether the folder is a class, and how much of the trunk until it is known to be one.
// Reuters-21578 has 660 kB of other files before its first file of many documents.
const undecidedBytes = 1 << 20

// memberBytes is the memory that a member takes beside its content and its name.
const memberBytes = 128

// An archiveWalk is the state of reading an archive.
type archiveWalk struct {
	*folders
	s       *Source
	name    string
	meter   *meter
	out     func(frame) error
	members frame  // not yet handed out
	size    int    // of them, in memory
	folder  string // of the last of them
	open    int    // members from here on are in folder, which may be no class
	early   int    // documents of folders that turned out to be no class
	forked  bool   // the trunk has two folders
	known   bool   // all folders have been seen
	waiting []waitingMember
	waits   int // bytes of these
}

// A waitingMember is a file beside folders on the trunk. If a later file shows that the trunk
// is shorter, it is a document of its folder.
type waitingMember struct {
	item
	data []byte
}

// An archiveMember is what an archive says of a member.
type archiveMember struct {
	name         string
	dir, regular bool
}

// clean returns the name of a member without what means nothing in it.
func (m archiveMember) clean() string { return path.Clean(m.name) }

func newArchive(s *Source, name string, m *meter, out func(frame) error) archiveWalk {
	return archiveWalk{folders: newFolders(s), s: s, name: name, meter: m, out: out}
}

// position returns the place of a member.
func (a *archiveWalk) position(member string) document.Position {
	return document.Position{File: a.name + "!" + member}
}

// tooManyMembers returns the error for an archive of more members than the limit.
func tooManyMembers(pos document.Position, limit int) error {
	return &Error{
		Pos: pos, Problem: fmt.Sprintf("the archive has more than %d members", limit),
		Remedy: "raise the limit with --max-members",
	}
}

// end hands out what is held back when all members have been read.
func (a *archiveWalk) end() error {
	a.settle()
	a.dropWaiting()
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
	pos := a.position(m.name)
	if leadsOut(m.name) {
		return &Error{
			Pos: pos, Problem: "the member's name leads out of the archive", Bytes: m.name,
			Remedy: "pack it again with names below one folder",
		}
	}
	name, regular := m.clean(), m.regular
	if m.dir {
		a.see(name)
		return nil
	}
	folder := parentOf(name)
	a.see(folder)
	if regular && !hidden(name) && (a.s.opt.LabelFrom == fromFile || layoutByName(name) != nil || layoutOf(a.s.opt.Format) != nil) {
		packed := buffered(body)
		defer recycle(packed)
		in, closing, err := a.s.decompressed(pos, a.meter, packed)
		if err != nil {
			return err
		}
		defer closing()
		if l := a.s.layoutOfMember(name, in); l != nil {
			return a.dataFile(name, pos, in, l)
		}
		body = in
	}
	if folder != "." && regular && !hidden(name) && a.mayBecome(folder) {
		return a.wait(name, pos, body)
	}
	if !a.s.wanted(a.folders, name, regular) {
		return nil
	}
	return a.add(name, pos, body)
}

// dataFile passes the frames of a member with many documents to out.
func (a *archiveWalk) dataFile(name string, pos document.Position, in *bufio.Reader, l *layout) error {
	a.markOuter(parentOf(name))
	a.settle()
	if err := a.flush(); err != nil {
		return err
	}
	in, encoding := a.s.utf8Input(pos.File, in)
	in = a.s.withLineFeeds(in)
	return a.s.framesOf(pos.File, a.meter, l, in, encoding, nil, a.out)
}

// add reads a member that is a document unless its folder turns out to be no class.
func (a *archiveWalk) add(name string, pos document.Position, body io.Reader) error {
	if folder := parentOf(name); folder != a.folder {
		a.settle()
		a.folder = folder
	}
	if a.size >= frameBytes && a.open == len(a.members.items) {
		if err := a.flush(); err != nil {
			return err
		}
	}
	f := &a.members
	if f.data == nil {
		f.data = a.s.memory.Get(frameBytes)
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
	f.items = append(f.items, item{name, pos, from, len(f.data)})
	a.size += len(f.data) - from + memberBytes + len(name)
	if a.read[a.folder] > 0 || a.size >= undecidedBytes {
		a.settle()
	}
	return nil
}

// settle makes documents of the members that are held back.
func (a *archiveWalk) settle() {
	members := len(a.members.items)
	a.read[a.folder] += members - a.open
	a.open = members
}

// flush passes the members so far, all of them documents, to out as a frame.
func (a *archiveWalk) flush() error {
	f := a.members
	a.members, a.open, a.size = frame{}, 0, 0
	if len(f.items) == 0 {
		return nil
	}
	f.parse = parseMembers
	return a.out(f)
}

// see records that there is a folder. The trunk goes on with the only folder in it, and ends
// where there are two. Files of folders that are not on it any more are documents.
func (a *archiveWalk) see(folder string) {
	if folder == "." || hidden(folder) || ofMacintosh(folder) {
		return
	}
	switch {
	case a.onTrunk(folder):
	case !strings.HasPrefix(folder, a.trunk+"/") && a.trunk != ".":
		for a.trunk != "." && !strings.HasPrefix(folder, a.trunk+"/") {
			a.trunk = parentOf(a.trunk)
		}
		a.forked = true
		a.release(func(folder string) bool { return !a.onTrunk(folder) })
	case !a.forked:
		a.trunk = folder
	}
	a.markAbove(parentOf(folder))
}

// ofMacintosh reports whether a folder has only what macOS adds to archives.
func ofMacintosh(folder string) bool {
	top, _, _ := strings.Cut(folder, "/")
	return top == "__MACOSX"
}

// mayBecome reports whether the files of a folder are outside the classes only because it is
// on the trunk.
func (a *archiveWalk) mayBecome(folder string) bool {
	return !a.known && a.s.opt.FolderLevel == 0 && a.above[folder] && a.onTrunk(folder) && !a.outer[folder] && splitNamed(folder) == ""
}

// wait holds back a file on the trunk.
func (a *archiveWalk) wait(name string, pos document.Position, body io.Reader) error {
	if err := a.add(name, pos, body); err != nil {
		return err
	}
	a.holdOpen()
	return nil
}

// holdOpen makes the members that are held back wait, of which more than undecidedBytes are
// documents.
func (a *archiveWalk) holdOpen() {
	f := &a.members
	for _, m := range f.items[a.open:] {
		held := waitingMember{m, slices.Clone(f.data[m.from:m.to])}
		a.waiting = append(a.waiting, held)
		a.waits += len(held.data) + memberBytes + len(m.name)
	}
	a.takeOpen()
	if a.waits > undecidedBytes {
		a.release(func(string) bool { return true })
	}
}

// release makes documents of the waiting members of some folders.
func (a *archiveWalk) release(of func(folder string) bool) {
	a.settle()
	f := &a.members
	if f.data == nil {
		f.data = a.s.memory.Get(frameBytes)
	}
	left := a.waiting[:0]
	for _, m := range a.waiting {
		folder := parentOf(m.name)
		if !of(folder) {
			left = append(left, m)
			continue
		}
		m.from = len(f.data)
		f.data = append(f.data, m.data...)
		m.to = len(f.data)
		f.items = append(f.items, m.item)
		a.size += len(m.data) + memberBytes + len(m.name)
		a.waits -= len(m.data) + memberBytes + len(m.name)
		a.read[folder]++
	}
	a.waiting, a.open = left, len(f.items)
}

// dropWaiting skips the members that wait, and counts the documents of folders that turned out
// to be no class.
func (a *archiveWalk) dropWaiting() {
	for range a.waiting {
		a.s.skip("file outside a class folder")
	}
	a.waiting = nil
	for folder, n := range a.read {
		if folder != "." && !a.outer[folder] && a.outside(folder) {
			a.early += n
		}
	}
}

// markAbove records that a folder and those above it hold folders.
func (a *archiveWalk) markAbove(folder string) {
	for ; folder != "." && !a.above[folder]; folder = parentOf(folder) {
		a.above[folder] = true
		switch {
		case folder != a.folder:
		case a.mayBecome(folder):
			a.holdOpen()
		case a.outside(folder):
			a.dropOpen()
		}
	}
}

// markOuter records that a folder holds files of many documents, and drops its members that
// are held back.
func (a *archiveWalk) markOuter(folder string) {
	if folder == "." || a.outer[folder] {
		return
	}
	a.outer[folder] = true
	a.early += a.read[folder]
	if folder == a.folder {
		a.dropOpen()
	}
	a.waiting = slices.DeleteFunc(a.waiting, func(m waitingMember) bool {
		if parentOf(m.name) != folder {
			return false
		}
		a.waits -= len(m.data) + memberBytes + len(m.name)
		a.s.skip("file outside a class folder")
		return true
	})
}

// dropOpen drops the members that are held back and counts them as skipped.
func (a *archiveWalk) dropOpen() {
	for range a.members.items[a.open:] {
		a.s.skip("file outside a class folder")
	}
	a.takeOpen()
}

// takeOpen takes the members that are held back off those that are documents.
func (a *archiveWalk) takeOpen() {
	f := &a.members
	taken := f.items[a.open:]
	if len(taken) > 0 {
		f.data = f.data[:taken[0].from]
	}
	for _, m := range taken {
		a.size -= m.to - m.from + memberBytes + len(m.name)
	}
	f.items = f.items[:a.open]
}

// parseMembers emits the members of a frame, one document each.
func parseMembers(p *parser, f *frame) error {
	for _, m := range f.items {
		text, err := p.expanded(m.pos, f.data[m.from:m.to])
		if err := p.file(m, text, err); err != nil {
			return err
		}
	}
	return nil
}

// leadsOut reports whether a member's name is absolute, also on Windows, has a ".." or a zero
// byte.
func leadsOut(name string) bool {
	return path.IsAbs(name) || len(name) > 1 && name[1] == ':' || strings.ContainsRune(name, 0) || slices.Contains(strings.Split(name, "/"), "..")
}
