package reader

import (
	zipfile "archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// This file reads documents of word processors and books, which are zips of XML: Word (ISO/IEC 29500), OpenDocument text
// (ISO/IEC 26300) and EPUB (W3C, EPUB 3.3). Their text is what a person sees, a paragraph a line, notes too. Deleted
// text, comments, field codes, headers and footers are no text.

// An office is a kind of such documents.
type office struct {
	kind   string
	parts  func(z *officeZip) (names []string, err error) // that have text, in their order
	only   string                                         // the element whose characters are text; "" is any
	lines  []string                                       // elements that are lines, or end one
	spaces []string                                       // elements that stand for white space
	skips  []string                                       // elements whose content is no text
}

// offices has the kinds by their extensions.
var offices = map[string]*office{
	".docx": {
		kind: "Word", parts: wordParts, only: "t", lines: []string{"p", "br", "cr"}, spaces: []string{"tab", "ptab"},
		skips: []string{"Fallback", "moveFrom"}, // Fallback says again what stands before it
	},
	".odt": {
		kind: "OpenDocument", parts: openParts, lines: []string{"p", "h", "line-break"}, spaces: []string{"tab", "s"},
		skips: strings.Fields("tracked-changes annotation note-citation ruby-text desc forms scripts font-face-decls automatic-styles"),
	},
	".epub": {
		kind: "EPUB", parts: bookParts, skips: []string{"head", "script", "style", "rt", "rp"},
		lines: strings.Fields("p br hr div li dt dd h1 h2 h3 h4 h5 h6 caption th td tr blockquote pre section article aside header footer figure figcaption"),
	},
}

// officeOf returns the kind of the document in a file of this name, nil for none.
func officeOf(name string) *office { return offices[strings.ToLower(path.Ext(name))] }

// officeText returns the text of a document, in UTF-8.
func (p *parser) officeText(pos document.Position, o *office, data []byte) (text []byte, err error) {
	s, broken := p.s, "the "+strings.ToLower(path.Ext(pos.File))+" is broken"
	in, err := zipfile.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zipfile.ErrInsecurePath) {
		return nil, s.failure(pos, broken, err)
	}
	if kind := officeKind(in); kind != "" && kind != o.kind {
		return nil, isKnown(pos, kind)
	}
	z := &officeZip{parser: p, pos: pos, files: map[string]*zipfile.File{}, left: s.opt.MaxDocument}
	for _, f := range in.File {
		z.files[strings.ReplaceAll(f.Name, `\`, "/")] = f
	}
	names, err := o.parts(z)
	for i := 0; i < len(names) && err == nil; i++ {
		var part []byte
		part, err = z.read(names[i])
		text = o.appendText(text, part)
	}
	if err != nil {
		return nil, s.failure(pos, broken, err)
	}
	return text, nil
}

// An officeZip has the parts of a document by their names.
type officeZip struct {
	*parser
	pos   document.Position
	files map[string]*zipfile.File
	left  int64 // bytes that parts may still become
}

// read returns a part in UTF-8.
func (z *officeZip) read(name string) ([]byte, error) {
	f := z.files[name]
	if f == nil {
		return nil, fmt.Errorf("it has no part %.80q", name)
	}
	if err := zipUnread(z.pos, f); err != nil {
		return nil, err
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	part, err := io.ReadAll(io.LimitReader(&expansionGuard{meter: &z.meter, pos: z.pos, out: in}, z.left+1))
	if z.left -= int64(len(part)); z.left < 0 {
		return nil, z.s.opt.tooLarge(z.pos, "document has")
	}
	part, _ = (&charset.Decoder{Charset: charset.Auto}).Decode(part)
	return part, err
}

// encrypted returns the error for a document that cannot be read without a key.
func (z *officeZip) encrypted() error {
	return wrong(z.pos, "the document is encrypted", "", "save it without a password or copy protection; --skip-bad leaves such documents out").of("encrypted document")
}

// wordParts returns the text of a document of Word, and its notes if it has some.
func wordParts(z *officeZip) ([]string, error) {
	relations, _ := z.read("_rels/.rels")
	main := "word/document.xml" // the usual name
	for _, t := range xmlTags(relations) {
		if strings.HasSuffix(t.text("Type"), "/officeDocument") {
			main = strings.TrimPrefix(t.text("Target"), "/")
		}
	}
	parts := []string{main}
	for _, notes := range []string{"footnotes.xml", "endnotes.xml"} {
		if name := path.Join(path.Dir(main), notes); z.files[name] != nil {
			parts = append(parts, name)
		}
	}
	return parts, nil
}

// openParts returns the text of a document of OpenDocument.
func openParts(z *officeZip) ([]string, error) {
	manifest, _ := z.read("META-INF/manifest.xml")
	if bytes.Contains(manifest, []byte("encryption-data")) {
		return nil, z.encrypted()
	}
	if kind, err := z.read("mimetype"); err == nil && !bytes.HasPrefix(kind, []byte("application/vnd.oasis.opendocument.text")) {
		return nil, isKnown(z.pos, "OpenDocument")
	}
	return []string{"content.xml"}, nil
}

// bookParts returns the chapters of a book in the order in which it is read. Its fonts may be encrypted.
func bookParts(z *officeZip) (parts []string, err error) {
	container, err := z.read("META-INF/container.xml")
	index := ""
	for _, t := range xmlTags(container) {
		index = cmp.Or(index, t.text("full-path"))
	}
	if err != nil {
		return nil, err
	}
	book, err := z.read(index)
	if err != nil {
		return nil, err
	}
	secret, _ := z.read("META-INF/encryption.xml") // most have none
	encrypted, files := map[string]bool{}, map[string]string{}
	for _, t := range xmlTags(secret) {
		encrypted[t.text("URI")] = true
	}
	for _, t := range xmlTags(book) {
		switch id := t.text("idref"); {
		case string(t.name) == "item" && !strings.HasPrefix(t.text("media-type"), "image/"):
			files[t.text("id")] = path.Join(path.Dir(index), t.text("href"))
		case id == "" || files[id] == "":
		case encrypted[files[id]]:
			return nil, z.encrypted()
		default:
			name, err := url.PathUnescape(files[id])
			if err != nil {
				return nil, err
			}
			parts = append(parts, name)
			delete(files, id)
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("it names no chapters")
	}
	return parts, nil
}

// appendText appends the text of a part.
func (o *office) appendText(text, part []byte) []byte {
	skipped, depth, inside := "", 0, o.only == "" // the element around that is no text, and how many of its name are around
	for run, t := range xmlTags(part) {
		if skipped == "" && inside {
			text = appendRun(text, html.UnescapeString(string(run)))
		}
		name, empty := string(t.name), bytes.HasSuffix(t.inside, []byte("/>"))
		switch {
		case skipped != "":
			if name == skipped && t.closing {
				depth--
			} else if name == skipped && !empty {
				depth++
			}
			if depth == 0 {
				skipped = ""
			}
		case name == o.only:
			inside = !t.closing && !empty
		case slices.Contains(o.lines, name):
			if len(text) > 0 && text[len(text)-1] != '\n' {
				text = append(text, '\n')
			}
		case t.closing:
		case slices.Contains(o.spaces, name):
			text = appendRun(text, " ")
		case name == "noBreakHyphen":
			text = append(text, '-')
		case !empty && (slices.Contains(o.skips, name) || strings.HasSuffix(t.text("role")+t.text("type"), "noteref")):
			skipped, depth = name, 1
		}
	}
	return text
}

// appendRun appends characters. White space becomes one space, and none begins a line.
func appendRun(text []byte, run string) []byte {
	for i := range len(run) {
		if c := run[i]; !isSpace(c) {
			text = append(text, c)
		} else if n := len(text); n > 0 && !isSpace(text[n-1]) {
			text = append(text, ' ')
		}
	}
	return text
}

// text returns the value of an attribute without references, "" for none.
func (t *sgmlTag) text(name string) string { return html.UnescapeString(string(t.attribute(name))) }

// xmlTags yields the tags of XML, each behind the characters before it, their names without a prefix. It never fails, so
// that chapters that are rather HTML are read, and knows no entities but those of HTML.
func xmlTags(data []byte) iter.Seq2[[]byte, sgmlTag] {
	return func(yield func([]byte, sgmlTag) bool) {
		for len(data) > 0 {
			run := indexOrEnd(data, '<')
			t, rest := xmlTagAt(data[run:])
			if !yield(data[:run], t) {
				return
			}
			data = rest
		}
	}
}

// xmlTagAt reads what is at the front of data, and returns what is behind it. The tag has no name if it is none.
func xmlTagAt(data []byte) (t sgmlTag, rest []byte) {
	for _, other := range [][2]string{{"<!--", "-->"}, {"<![CDATA[", "CDATA["}, {"<?", "?>"}, {"<!", ">"}} {
		if bytes.HasPrefix(data, []byte(other[0])) {
			_, rest, _ = bytes.Cut(data, []byte(other[1]))
			return t, rest
		}
	}
	if len(data) == 0 {
		return t, nil
	}
	if t, ok := tagAt(data); ok {
		t.name = t.name[bytes.LastIndexByte(t.name, ':')+1:]
		return t, data[t.size:]
	}
	return t, data[1:]
}
