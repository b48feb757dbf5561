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
