package prepare

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file strips the markup of HTML and XML.

// withoutMarkup returns the text between tags with entities decoded. Comments, declarations and
// the contents of script and style are left out. A tag separates words unless it formats a part of
// one. A tag that does not end is text.
func (p *Preparer) withoutMarkup(text []byte) []byte {
	if bytes.IndexByte(text, '<') < 0 && bytes.IndexByte(text, '&') < 0 {
		return text
	}
	out := p.stripped[:0]
	z := html.NewTokenizer(bytes.NewReader(text))
	z.AllowCDATA(true)
	for hidden := false; ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			p.stripped = append(out, z.Raw()...)
			return p.stripped
		case html.TextToken:
			if !hidden {
				out = append(out, z.Text()...)
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			hidden = kind == html.StartTagToken && (tag == atom.Script || tag == atom.Style)
			if !hidden {
				z.NextIsNotRawText() // XML has elements such as <title/>
			}
			if !inline[tag] {
				out = append(out, ' ')
			}
		}
	}
}

// inline are the elements of HTML that format parts of words.
var inline = map[atom.Atom]bool{
	atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Big: true, atom.Cite: true, atom.Code: true, atom.Del: true, atom.Dfn: true,
	atom.Em: true, atom.Font: true, atom.I: true, atom.Ins: true, atom.Kbd: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true, atom.Strike: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Tt: true, atom.U: true, atom.Var: true,
	atom.Wbr: true,
}

// LooksLikeMarkup reports whether a text has a tag of HTML, an entity such as &nbsp; or &#160;, or
// begins with a tag or declaration of XML and has an end tag.
func LooksLikeMarkup(text []byte) bool {
	if start := bytes.TrimSpace(text); len(start) > 1 && start[0] == '<' && (start[1] == '?' || start[1] == '!' || isLetter(start[1])) && bytes.Contains(text, []byte("</")) {
		return true
	}
	for rest := text; ; {
		at := bytes.IndexAny(rest, "<&")
		if at < 0 {
			return false
		}
		rest = rest[at:]
		if rest[0] == '<' && startsWithTag(rest) || rest[0] == '&' && startsWithEntity(rest) {
			return true
		}
		rest = rest[1:]
	}
}

// longestName is more than any name of an element or entity that is looked for has.
const longestName = 16

// startsWithTag reports whether a text starts with a tag of HTML, as <br/>, </p> or <a href=.
func startsWithTag(text []byte) bool {
	name := bytes.TrimPrefix(text[1:min(len(text), longestName)], []byte("/"))
	end := bytes.IndexAny(name, "> /\t\n")
	return end > 0 && elements[atom.Lookup(bytes.ToLower(name[:end]))] && bytes.IndexByte(text[:min(len(text), 4096)], '>') > 0
}

// startsWithEntity reports whether a text starts with a common entity or the number of a character.
func startsWithEntity(text []byte) bool {
	name, _, found := bytes.Cut(text[1:min(len(text), longestName)], []byte(";"))
	return found && (entities[string(name)] || len(name) > 1 && name[0] == '#' && ('0' <= name[1] && name[1] <= '9' || name[1] == 'x'))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// elements are those of HTML that texts have, and entities those that programs write.
var (
	elements = map[atom.Atom]bool{
		atom.Br: true, atom.P: true, atom.A: true, atom.Div: true, atom.Span: true, atom.Em: true, atom.Strong: true, atom.Html: true,
		atom.Body: true, atom.Head: true, atom.Li: true, atom.Ul: true, atom.Ol: true, atom.Td: true, atom.Tr: true, atom.Table: true,
		atom.Img: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.Pre: true, atom.Code: true, atom.Font: true, atom.Hr: true,
		atom.Blockquote: true, atom.B: true, atom.I: true, atom.Script: true, atom.Style: true, atom.Sup: true, atom.Sub: true,
	}
	entities = map[string]bool{
		"amp": true, "lt": true, "gt": true, "quot": true, "apos": true, "nbsp": true, "mdash": true, "ndash": true, "hellip": true,
		"rsquo": true, "lsquo": true, "ldquo": true, "rdquo": true, "copy": true, "bull": true, "middot": true,
	}
)
