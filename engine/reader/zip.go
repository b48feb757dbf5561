package reader

import (
	zipfile "archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
)

// This file reads zip archives, by the rules of archive.go, in the order of their directories. A
// zip is read at any place: what is packed or comes by a pipe is copied to a temporary file,
// within the limits of the input.

// zipMethods names ways of compression in a zip that are not read.
var zipMethods = map[uint16]string{
	1: "Shrink", 6: "Implode", 9: "Deflate64", 14: "LZMA", 95: "xz", 96: "JPEG", 97: "WavPack", 98: "PPMd", 99: "AES encryption",
}

// isZip reports whether a prefix begins a zip archive, which may have no members.
func isZip(prefix []byte) bool {
	return bytes.HasPrefix(prefix, []byte("PK\x03\x04")) || bytes.HasPrefix(prefix, []byte("PK\x05\x06"))
}

// zip reads the members of a zip archive: a file, or what in has.
func (a *archiveWalk) zip(in *bufio.Reader, file *os.File) error {
	s, pos := a.s, a.pos()
	at, size, closing, err := a.seekable(in, file)
	if err != nil {
		return s.failure(pos, "the archive breaks off", err)
	}
	defer closing()
	if counted, ok := at.(*countedFile); ok {
		counted.end() // the limit of expansion compares with the whole archive
	}
	if file != nil && officeOf(a.name) != nil {
		return a.out(frame{pos: pos, items: []item{{name: filepath.Base(a.name), pos: pos}}, parse: parseItems})
	}
	headers := &headerReader{SectionReader: io.NewSectionReader(at, 0, size)} // whose errors at wild places are no failed reads
	z, err := zipfile.NewReader(headers, size)
	if err != nil && !errors.Is(err, zipfile.ErrInsecurePath) {
		return s.failure(pos, "the archive is broken or has no end", err)
	}
	if len(z.File) > s.opt.MaxMembers {
		return a.tooMany()
	}
	if kind := officeKind(z); kind != "" {
		return isKnown(pos, kind)
	}
	z.RegisterDecompressor(12, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(93, compression.ZipZstd(s.opt.MaxWindow))
	if err := a.checkZip(z, headers); err != nil {
		return s.failure(pos, "the archive is broken", err)
	}
	a.zipNames(z)
	for _, f := range z.File {
		if member := zipMember(f); !leadsOut(member.name) && !member.dir {
			a.see(parentOf(path.Clean(member.name)))
		}
	}
	a.known = true
	a.unlabelled = a.unlabelled || a.trunk == "." && !a.forked && (s.opt.Unlabelled || s.opt.OptionalLabels)
	for _, f := range z.File {
		if err := a.zipBody(f, zipMember(f)); err != nil {
			return err
		}
	}
	return a.end()
}

// zipNames puts the names of an archive into UTF-8. One that is not, and has none beside it, is in the charset of the
// options; without one in GB18030 if all names together look like it, or else in CP437, as the format says.
func (a *archiveWalk) zipNames(z *zipfile.Reader) {
	var foreign []*zipfile.File
	var names []byte
	for _, f := range z.File {
		if utf8.ValidString(f.Name) {
			continue
		}
		if beside := zipNameBeside(f); beside != "" {
			f.Name = beside
			continue
		}
		foreign, names = append(foreign, f), append(append(names, f.Name...), '\n')
	}
	d := charset.Decoder{Charset: a.s.opt.Charset}
	if len(foreign) > 0 && d.Charset == charset.Auto {
		if d.Charset = charset.Guess(names); d.Charset != charset.GB18030 {
			d.Charset = charset.CP437
		}
		a.s.note("%s: names are not UTF-8 and were read as %s; --charset reads them, and the texts, in another%s",
			a.name, strings.ToUpper(d.Charset), charset.OthersOf(d.Charset, names))
	}
	for _, f := range foreign {
		if name := d.Name([]byte(f.Name)); !strings.ContainsRune(name, utf8.RuneError) { // two may not become one
			f.Name = name
		}
	}
}

// zipNameBeside returns the name in UTF-8 that a member has in a field beside its name, with the checksum of that name;
// "" for none.
func zipNameBeside(f *zipfile.File) string {
	const id, head = 0x7075, 5 // version and checksum
	for extra := f.Extra; len(extra) >= 4; {
		kind, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		field := extra[4:][:min(size, len(extra)-4)]
		extra = extra[4+len(field):]
		if kind != id || len(field) <= head || binary.LittleEndian.Uint32(field[1:]) != crc32.ChecksumIEEE([]byte(f.Name)) {
			continue
		}
		if name := string(field[head:]); utf8.ValidString(name) {
			return name
		}
	}
	return ""
}

// zipBody reads one member.
func (a *archiveWalk) zipBody(f *zipfile.File, member archiveMember) error {
	pos := a.position(member.name)
	if member.dir || !member.regular {
		return a.member(member, strings.NewReader(""))
	}
	if err := zipUnread(pos, f); err != nil {
		return a.s.bad(a.meter.frame, err)
	}
	body, err := f.Open()
	if err != nil {
		return a.s.bad(a.meter.frame, a.s.failure(pos, "the archive is broken in this member", err))
	}
	defer body.Close()
	return a.member(member, &expansionGuard{meter: a.meter, pos: pos, out: compression.Naming(body, "zip", a.s.opt.MaxWindow)})
}

// zipMember returns what an archive says of a member. Some programs for Windows write
// backslashes between folders.
func zipMember(f *zipfile.File) archiveMember {
	name := f.Name
	if !strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, `\`, "/")
	}
	kind := f.Mode() &^ fs.ModePerm
	return archiveMember{
		name: name, dir: strings.HasSuffix(name, "/"), regular: kind&(fs.ModeType&^fs.ModeDir) == 0,
	}
}

// zipUnread returns an error for a member that is encrypted, or compressed in a way that is not
// known.
func zipUnread(pos document.Position, f *zipfile.File) error {
	const encrypted = 1
	method, unread := zipMethods[f.Method]
	switch {
	case f.Flags&encrypted != 0:
		return wrong(pos, "the member is encrypted", "",
			"unpack the archive with its password and read the folder; --skip-bad leaves such members out").of("encrypted member")
	case f.Method == zipfile.Store || f.Method == zipfile.Deflate || f.Method == 12 || f.Method == 93:
		return nil
	case !unread:
		method = fmt.Sprintf("method %d", f.Method)
	}
	return wrong(pos, "the member is compressed by "+method+", which is not read", "",
		"unpack the archive and read the folder; --skip-bad leaves such members out").of("member compressed in another way")
}

// A headerReader reads an archive, and remembers where it did last: of a member, whose DataOffset is asked for, at the
// header before its bytes.
type headerReader struct {
	*io.SectionReader
	at int64
}

func (h *headerReader) ReadAt(p []byte, offset int64) (int, error) {
	h.at = offset
	return h.SectionReader.ReadAt(p, offset)
}

const zipHead = 30 // bytes before the name in the header of a member

// checkZip returns an error if a member has another name before its bytes than in the directory, so that programs
// disagree on what it is, or if the bytes of one member are those of another, too, as in archives that are made to
// become very large. It notes bytes that are of no member.
func (a *archiveWalk) checkZip(z *zipfile.Reader, in *headerReader) error {
	type span struct {
		head, from, to int64
		name           string
	}
	odd := func(problem, name string) error {
		const care = "it is no archive that a packing program writes: unpack it elsewhere, with care"
		return &Error{Pos: a.pos(), Problem: problem, Bytes: quotable(name), Remedy: care, fatal: true}
	}
	spans := make([]span, 0, len(z.File))
	rest := in.Size() - 22 - int64(len(z.Comment)) // of which the directory is a part
	for _, f := range z.File {
		from, err := f.DataOffset()
		if err != nil {
			return err
		}
		if f.CompressedSize64 >= 1<<62 {
			return zipfile.ErrFormat
		}
		head := make([]byte, zipHead+len(f.Name))
		spans = append(spans, span{in.at, from, from + int64(f.CompressedSize64), f.Name})
		if _, err := in.ReadAt(head, in.at); err != nil {
			return err
		}
		if n := int(binary.LittleEndian.Uint16(head[26:])); n != len(f.Name) || string(head[zipHead:]) != f.Name {
			return odd(fmt.Sprintf("the directory of the archive calls a member %q, and the header before its bytes otherwise", quotable(f.Name)),
				string(head[zipHead:][:min(n, len(f.Name))]))
		}
		rest -= int64(46 + len(f.Name) + len(f.Extra) + len(f.Comment)) // its entry in the directory
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	for i := 1; i < len(spans); i++ {
		if a, b := spans[i-1], spans[i]; b.from < a.to+zipHead {
			return odd("members of the archive overlap", b.name)
		}
	}
	if n := len(spans); n > 0 {
		rest += spans[0].head - spans[n-1].to
	}
	const ends = 100 // what a directory of zip64, and the sizes behind the last member, may take
	if rest > ends {
		a.s.note("%s: %d bytes before or behind its members are not read, as where archives are joined: read them one by one", a.name, rest)
	}
	return nil
}

// officeKinds lists documents that are zips by a file that they have, or a folder if Microsoft's list of types is beside.
var officeKinds = []struct{ part, kind string }{
	{"xl/", "Excel"},
	{"word/", "Word"},
	{"ppt/", "PowerPoint"},
	{"META-INF/container.xml", "EPUB"},
	{"mimetype", "OpenDocument"},
	{"Index/Document.iwa", "Pages"},
}

// officeKind returns what a zip is that is a document of its own, "" for an archive.
func officeKind(z *zipfile.Reader) string {
	types := slices.ContainsFunc(z.File, func(f *zipfile.File) bool { return f.Name == "[Content_Types].xml" })
	for _, k := range officeKinds {
		if slices.ContainsFunc(z.File, func(f *zipfile.File) bool {
			return f.Name == k.part || types && k.part[len(k.part)-1] == '/' && strings.HasPrefix(f.Name, k.part)
		}) {
			return k.kind
		}
	}
	return ""
}
