package prepare

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
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
			tag, _ := z.TagName()
			hidden = kind == html.StartTagToken && (string(tag) == "script" || string(tag) == "style")
			if !hidden {
				z.NextIsNotRawText() // XML has elements such as <title/>
			}
			if !inline[string(tag)] {
				out = append(out, ' ')
			}
		}
	}
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
	return end > 0 && elements[string(bytes.ToLower(name[:end]))] && bytes.IndexByte(text[:min(len(text), 4096)], '>') > 0
}

// startsWithEntity reports whether a text starts with a common entity or the number of a character.
func startsWithEntity(text []byte) bool {
	name, _, found := bytes.Cut(text[1:min(len(text), longestName)], []byte(";"))
	return found && (entities[string(name)] || len(name) > 1 && name[0] == '#' && ('0' <= name[1] && name[1] <= '9' || name[1] == 'x'))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// set returns the set of the words of a text.
func set(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}

var (
	// inline are the elements of HTML that format parts of words.
	inline = set("abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr")
	// elements are those of HTML that texts have, and entities those that programs write.
	elements = set(`br p a div span em strong html body head li ul ol td tr table img h1 h2 h3 pre code font hr blockquote b i
		script style sup sub`)
	entities = set("amp lt gt quot apos nbsp mdash ndash hellip rsquo lsquo ldquo rdquo copy bull middot")
)
