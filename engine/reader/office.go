package reader

import (
	zipfile "archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/document"
)

// This file reads documents of word processors and books, which are zips of XML: Word (ISO/IEC 29500), OpenDocument text
// (ISO/IEC 26300) and EPUB (W3C, EPUB 3.3). The text is that of their paragraphs, notes too, a line each; what was deleted,
// comments and styles are no text.

// An office is a kind of such documents.
type office struct {
	extension string
	// parts returns the names of the parts of a document that have text, in their order.
	parts func(z *zipfile.Reader, most int64) ([]string, error)
	only  string // the element whose characters are text; "" is any
	lines string // elements that end a line
	skips string // elements whose content is no text
}

var offices = []office{
	{extension: ".docx", parts: wordParts, only: "t", lines: "p br cr", skips: "Fallback moveFrom"},
	{extension: ".odt", parts: namedParts("content.xml"), lines: "p h line-break", skips: "tracked-changes annotation scripts font-face-decls automatic-styles"},
	{extension: ".epub", parts: chapters, lines: "p br div li dt dd h1 h2 h3 h4 h5 h6 tr blockquote pre section figcaption", skips: "head script style"},
}

// officeOf returns the kind of the document in a file of this name, nil for none.
func officeOf(name string) *office {
	extension := strings.ToLower(path.Ext(name))
	if at := slices.IndexFunc(offices, func(o office) bool { return o.extension == extension }); at >= 0 {
		return &offices[at]
	}
	return nil
}

// officeText returns the text of a document of up to MaxDocument bytes.
func (s *Source) officeText(pos document.Position, o *office, data []byte) ([]byte, error) {
	broken := func(err error) error {
		return &Error{Pos: pos, Kind: "broken " + o.extension, Problem: "the file is no whole " + o.extension, Err: err, Remedy: "open it in the program that made it, and save it again"}
	}
	z, err := zipfile.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, broken(err)
	}
	parts, err := o.parts(z, s.opt.MaxDocument)
	if err != nil {
		return nil, broken(err)
	}
	var text []byte
	left := s.opt.MaxDocument
	for _, name := range parts {
		part, err := zipPart(z, name, left)
		if errors.Is(err, errPartTooLarge) {
			return nil, s.opt.tooLarge(pos, "document has")
		}
		if err == nil {
			left -= int64(len(part))
			text, err = o.appendText(text, part)
		}
		if err != nil {
			return nil, broken(err)
		}
	}
	return text, nil
}

// errPartTooLarge is the error of a part that is larger than a document may be.
var errPartTooLarge = errors.New("the part is too large")

// zipPart returns a part of a zip, of up to most bytes.
func zipPart(z *zipfile.Reader, name string, most int64) ([]byte, error) {
	in, err := z.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	part, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(part)) > most {
		err = errPartTooLarge
	}
	return part, err
}

// appendText appends the text of XML.
func (o *office) appendText(text, part []byte) ([]byte, error) {
	d := xml.NewDecoder(bytes.NewReader(part))
	d.Strict, d.Entity, d.AutoClose = false, xml.HTMLEntity, xml.HTMLAutoClose
	is := func(list, name string) bool { return slices.Contains(strings.Fields(list), name) }
	skipped, inside := 0, 0 // elements around
	for {
		token, err := d.Token()
		switch t := token.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return text, nil
			}
			return nil, err
		case xml.StartElement:
			switch name := t.Name.Local; {
			case skipped > 0 || is(o.skips, name):
				skipped++
			case name == o.only:
				inside++
			case name == "tab":
				text = append(text, '\t')
			case name == "s" && o.only == "": // spaces of OpenDocument
				text = append(text, strings.Repeat(" ", spacesOf(t))...)
			}
		case xml.EndElement:
			switch name := t.Name.Local; {
			case skipped > 0:
				skipped--
			case name == o.only:
				inside--
			case is(o.lines, name):
				text = append(text, '\n')
			}
		case xml.CharData:
			if skipped == 0 && (o.only == "" || inside > 0) {
				text = append(text, t...)
			}
		}
	}
}

// spacesOf returns how many spaces an element stands for.
func spacesOf(e xml.StartElement) int {
	for _, a := range e.Attr {
		if n, err := strconv.Atoi(a.Value); a.Name.Local == "c" && err == nil {
			return max(0, min(n, 1000))
		}
	}
	return 1
}

// namedParts returns the one part with a name.
func namedParts(name string) func(*zipfile.Reader, int64) ([]string, error) {
	return func(*zipfile.Reader, int64) ([]string, error) { return []string{name}, nil }
}

// wordParts returns the text of a document of Word, and its notes if it has some.
func wordParts(z *zipfile.Reader, _ int64) ([]string, error) {
	parts := []string{"word/document.xml"}
	for _, name := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		if slices.ContainsFunc(z.File, func(f *zipfile.File) bool { return f.Name == name }) {
			parts = append(parts, name)
		}
	}
	return parts, nil
}

// chapters returns the files of a book in the order in which it is read.
func chapters(z *zipfile.Reader, most int64) (parts []string, err error) {
	var container struct {
		Files []struct {
			Path string `xml:"full-path,attr"`
		} `xml:"rootfiles>rootfile"`
	}
	var book struct {
		Items []struct {
			ID   string `xml:"id,attr"`
			Href string `xml:"href,attr"`
		} `xml:"manifest>item"`
		Spine []struct {
			ID string `xml:"idref,attr"`
		} `xml:"spine>itemref"`
	}
	read := func(name string, to any) error {
		part, err := zipPart(z, name, most)
		if err != nil {
			return err
		}
		return xml.Unmarshal(part, to)
	}
	if err := read("META-INF/container.xml", &container); err != nil {
		return nil, err
	}
	if len(container.Files) == 0 {
		return nil, errors.New("its container names no book")
	}
	if err := read(container.Files[0].Path, &book); err != nil {
		return nil, err
	}
	hrefs := map[string]string{}
	for _, item := range book.Items {
		hrefs[item.ID] = item.Href
	}
	for _, item := range book.Spine {
		if href := hrefs[item.ID]; href != "" {
			parts = append(parts, path.Join(path.Dir(container.Files[0].Path), href))
		}
	}
	return parts, nil
}
