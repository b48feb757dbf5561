package charset

import (
	"bytes"
	"encoding/base64"
	"io"
	"iter"
	"mime"
	"mime/quotedprintable"
	"strings"
)

// This file decodes mail and news by their headers: encoded words (RFC 2047), bodies in quoted-printable or base64, and
// multipart bodies (RFC 2045 and 2046), each text in the charset that it names.

// A mail is what became of a message.
type mail struct {
	text            []byte // the header and the text parts, in UTF-8
	leftOut, broken int
}

// mostNestedParts is how deep parts lie in parts.
const mostNestedParts = 10

// Mail decodes a message whose header says that it, or its body, is encoded, to UTF-8. Parts are left out that are no
// text, or say what a text before them says; broken ones stay as they stand, for they are not in the encoding that
// their header names. It is not ok for any other text.
func (d *Decoder) Mail(text []byte) (utf []byte, leftOut, broken int, ok bool) {
	var m mail
	from := 0
	if bytes.HasPrefix(text, []byte("From ")) { // the line that begins it in an mbox
		from = bytes.IndexByte(text, '\n') + 1
	}
	head, body, ok := cutHeader(text[from:])
	if !ok {
		return nil, 0, 0, false
	}
	kind, _, _ := mime.ParseMediaType(field(head, "content-type"))
	encoding := transferOf(head)
	coded := strings.HasPrefix(kind, "multipart/") || encoding == "quoted-printable" || encoding == "base64"
	if !coded && !bytes.Contains(head, []byte("=?")) {
		return nil, 0, 0, false
	}
	m.text = d.appendHeader(append(m.text, text[:from]...), head)
	if !coded && bytes.Equal(m.text[from:], head) {
		return nil, 0, 0, false // what looked like an encoded word is none
	}
	m.text = append(m.text, '\n')
	d.addPart(&m, head, body, 0)
	return m.text, m.leftOut, m.broken, true
}

// transferOf returns the encoding of a body for the way.
func transferOf(head []byte) string { return strings.ToLower(field(head, "content-transfer-encoding")) }

// addPart adds the text of a part with this header, or of the parts in it.
func (d *Decoder) addPart(m *mail, head, body []byte, depth int) {
	kind, with, _ := mime.ParseMediaType(field(head, "content-type")) // "" for what cannot be read, and is taken for text
	before := len(m.text)
	inner, text, isMessage := cutHeader(body)
	multipart := strings.HasPrefix(kind, "multipart/")
	switch {
	case depth > mostNestedParts:
	case multipart && with["boundary"] != "":
		for part := range parts(body, with["boundary"]) {
			if kind == "multipart/alternative" && len(m.text) > before {
				m.leftOut++
				continue
			}
			if inner, text, ok := cutHeader(part); ok {
				d.addPart(m, inner, text, depth+1)
			} else { // it begins with an empty line, or has none
				d.addPart(m, nil, bytes.TrimLeft(part, "\r\n"), depth+1)
			}
		}
		return
	case kind == "message/rfc822" && isMessage:
		m.text = append(d.appendHeader(m.text, inner), '\n')
		d.addPart(m, inner, text, depth+1)
		return
	case kind != "" && !strings.HasPrefix(kind, "text") && !multipart:
		m.leftOut++
		return
	}
	text, err := transferred(head, body)
	if err != nil {
		m.broken++
		text = body
	}
	label := strings.ToLower(with["charset"])
	if name, err := Parse(label); err == nil && name != Auto && label != "us-ascii" {
		text = d.As(name, text)
	} else {
		text, _ = d.Decode(text)
	}
	if m.text = append(m.text, text...); !bytes.HasSuffix(m.text, []byte{'\n'}) {
		m.text = append(m.text, '\n')
	}
}

// transferred returns a body as it was before it was encoded for the way.
func transferred(head, body []byte) ([]byte, error) {
	switch transferOf(head) {
	case "quoted-printable":
		return io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
	case "base64":
		packed, rest, _ := bytes.Cut(body, []byte{'='}) // lists add lines behind the end
		packed = bytes.Join(bytes.Fields(packed), nil)
		text, err := base64.RawStdEncoding.AppendDecode(nil, packed)
		return append(text, bytes.TrimLeft(rest, "= \r\n")...), err
	}
	return body, nil
}

// parts yields the parts of a multipart body. Without an end the last one goes on to the end of the body.
func parts(body []byte, boundary string) iter.Seq[[]byte] {
	mark := []byte("--" + boundary)
	return func(yield func([]byte) bool) {
		begin, at := -1, 0
		for line := range bytes.Lines(body) {
			behind, marked := bytes.CutPrefix(bytes.TrimRight(line, " \t\r\n"), mark)
			if last := string(behind) == "--"; marked && (last || len(behind) == 0) {
				if begin >= 0 && !yield(body[begin:at]) || last {
					return
				}
				begin = at + len(line)
			}
			at += len(line)
		}
		yield(body[max(begin, 0):])
	}
}

// appendHeader appends a header in UTF-8, with its encoded words decoded. A line that has some is one with those that
// continue it.
func (d *Decoder) appendHeader(to, head []byte) []byte {
	words := mime.WordDecoder{CharsetReader: func(label string, in io.Reader) (io.Reader, error) {
		name, err := Parse(label)
		if err != nil || name == Auto || name == UTF8 {
			return in, err
		}
		return encodingNamed(name).NewDecoder().Reader(in), nil
	}}
	head, _ = d.Decode(head)
	for line := range fields(head) {
		if text := string(line); strings.Contains(text, "=?") {
			if decoded, err := words.DecodeHeader(text); err == nil && decoded != text {
				to = append(append(to, strings.Join(strings.Fields(decoded), " ")...), '\n')
				continue
			}
		}
		to = append(to, line...)
	}
	return to
}

// cutHeader cuts a message behind its header, lines "Name: value" and those that continue them, up to an empty line.
func cutHeader(text []byte) (head, body []byte, ok bool) {
	at := 0
	for line := range bytes.Lines(text) {
		switch {
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			return text[:at], text[at+len(line):], at > 0
		case nameLength(line) == 0 && (at == 0 || line[0] != ' ' && line[0] != '\t'):
			return nil, nil, false
		}
		at += len(line)
	}
	return text, nil, at > 0
}

// nameLength returns the length of the name that a line of a header begins with, 0 for none.
func nameLength(line []byte) int {
	for i, c := range line {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case c == ':':
			return i
		case i == 0 || c != '-' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// fields yields the lines of a header, each with those that continue it.
func fields(head []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(head) > 0 {
			n := 0
			for line := range bytes.Lines(head) {
				if n > 0 && line[0] != ' ' && line[0] != '\t' {
					break
				}
				n += len(line)
			}
			if !yield(head[:n]) {
				return
			}
			head = head[n:]
		}
	}
}

// field returns the value of the first line of a header with a name, "" for none.
func field(head []byte, name string) string {
	for line := range fields(head) {
		if n := nameLength(line); n == len(name) && bytes.EqualFold(line[:n], []byte(name)) {
			return strings.Join(strings.Fields(string(line[n+1:])), " ")
		}
	}
	return ""
}
