package analysis

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"
)

// This file makes texts ready for tokenizers: it strips markup, takes soft hyphens out, brings Unicode into a normal
// form and takes header lines off. A text that needs nothing is returned as it is, without a copy.

// normalForms lists the values of Options.Normalize, the default first: the normal forms of Unicode
// (UAX 15) that compose characters.
func normalForms() []string { return []string{"none", "nfc", "nfkc"} }

// markups lists the values of Options.Markup, the default first.
func markups() []string { return []string{"keep", "strip"} }

// A preparer prepares texts. It belongs to one goroutine, and keeps none of its texts.
type preparer struct {
	headers          headerFilter
	form             norm.Form
	normalize, strip bool
	soft             bool // soft hyphens stay

	stripped, whole, normal []byte
}

// softHyphen shows where a word may be broken at the end of a line. It is no part of the word.
var softHyphen = []byte("\u00ad")

// newPreparer returns a preparer of texts as the options ask for it.
func newPreparer(o *Options, headers headerFilter) *preparer {
	p := &preparer{headers: headers, normalize: o.Normalize == "nfc" || o.Normalize == "nfkc", strip: o.Markup == "strip", soft: o.FullCase}
	if o.Normalize == "nfkc" {
		p.form = norm.NFKC
	}
	return p
}

// text returns a text without markup and soft hyphens and in the normal form, as far as the options ask for it.
// The result is valid until the next call, and may be the text itself.
func (p *preparer) text(text []byte) []byte {
	if p.strip {
		text = p.withoutMarkup(text)
	}
	if !p.soft && bytes.Contains(text, softHyphen) {
		p.whole = p.whole[:0]
		for piece := range bytes.SplitSeq(text, softHyphen) {
			p.whole = append(p.whole, piece...)
		}
		text = p.whole
	}
	if p.normalize && p.form.QuickSpan(text) < len(text) {
		p.normal = p.form.Append(p.normal[:0], text...)
		text = p.normal
	}
	return text
}

// parts appends to dst the parts of [preparer.parts] that the headers leave.
func (p *preparer) parts(text []byte, dst [][]byte) [][]byte {
	return p.headers.split(p.text(text), dst)
}

// headerFilter say what to do with the header block of a news or mail message: lines of
// the form "Name: value" and indented continuations, a line of spaces among
// them, up to the first empty line or the end. A text with any other line before
// its first empty line has no header block and stays whole.
type headerFilter struct {
	keepAll bool
	names   []string // lower case; the headers whose values stay
}

// parseHeaders parses keep (also ""), none, or names of headers separated by commas. ok is false if
// one is no name.
func parseHeaders(option string) (h headerFilter, ok bool) {
	switch option {
	case "", "keep":
		return headerFilter{keepAll: true}, true
	case "none":
		return headerFilter{}, true
	}
	for name := range strings.SplitSeq(option, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if len(headerName([]byte(name+":"))) != len(name) || name == "" {
			return h, false
		}
		if !slices.Contains(h.names, name) {
			h.names = append(h.names, name)
		}
	}
	return h, true
}

// String gives the option that makes this filter.
func (h headerFilter) String() string {
	switch {
	case h.keepAll:
		return "keep"
	case len(h.names) == 0:
		return "none"
	}
	return strings.Join(h.names, ",")
}

// split appends the parts of a text that are left to dst: values, then the body.
func (h headerFilter) split(text []byte, dst [][]byte) [][]byte {
	rest := text
	if bytes.HasPrefix(text, []byte("From ")) { // the line that begins a message in an mbox
		_, rest, _ = bytes.Cut(text, []byte{'\n'})
	}
	if h.keepAll || headerName(rest) == nil {
		return append(dst, text)
	}
	none := len(dst)
	keeping := false
	for len(rest) > 0 {
		line, next, _ := bytes.Cut(rest, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) == 0 {
			return append(dst, next)
		}
		if name := headerName(line); name != nil {
			keeping = slices.ContainsFunc(h.names, func(n string) bool { // makes no string: a text may have many header lines
				return len(n) == len(name) && strings.EqualFold(n, string(name))
			})
			line = line[len(name)+1:]
		} else if line[0] != ' ' && line[0] != '\t' {
			return append(dst[:none], text)
		}
		if keeping {
			dst = append(dst, line)
		}
		rest = next
	}
	return dst
}

// headerName gives the name of a header line, nil if it is none:
// ^[A-Za-z][A-Za-z0-9-]*:
func headerName(line []byte) []byte {
	for i, c := range line {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
		case i > 0 && (c == '-' || '0' <= c && c <= '9'):
		case i > 0 && c == ':':
			return line[:i]
		default:
			return nil
		}
	}
	return nil
}

// withoutMarkup returns the text between tags with entities decoded. Comments, declarations and
// the contents of script and style are left out. A tag separates words unless it formats a part of
// one. A tag that does not end is text.
func (p *preparer) withoutMarkup(text []byte) []byte {
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

// looksLikeMarkup reports whether a text has a tag of HTML, an entity such as &nbsp; or &#160;, or
// begins with a tag or declaration of XML and has an end tag.
func looksLikeMarkup(text []byte) bool {
	if start := bytes.TrimSpace(text); len(start) > 1 && start[0] == '<' && (start[1] == '?' || start[1] == '!' || 'a' <= start[1]|0x20 && start[1]|0x20 <= 'z') && bytes.Contains(text, []byte("</")) {
		return true
	}
	for rest := text; ; rest = rest[1:] {
		at := bytes.IndexAny(rest, "<&")
		if at < 0 {
			return false
		}
		rest = rest[at:]
		head := rest[1:min(len(rest), longestName)]
		if rest[0] == '<' { // as in <br/>, </p> or <a href=
			name := bytes.TrimPrefix(head, []byte("/"))
			end := bytes.IndexAny(name, "> /\t\n")
			if end > 0 && elements[string(bytes.ToLower(name[:end]))] && bytes.IndexByte(rest[:min(len(rest), 4096)], '>') > 0 {
				return true
			}
			continue
		}
		name, _, found := bytes.Cut(head, []byte(";"))
		if found && (entities[string(name)] || len(name) > 1 && name[0] == '#' && ('0' <= name[1] && name[1] <= '9' || name[1] == 'x')) {
			return true
		}
	}
}

// longestName is more than any name of an element or entity that is looked for has.
const longestName = 16

// wordSet returns the set of the words of a text.
func wordSet(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}

var (
	// inline are the elements of HTML that format parts of words.
	inline = wordSet("abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup tt u var wbr")
	// elements are those of HTML that texts have, and entities those that programs write.
	elements = wordSet(`br p a div span em strong html body head li ul ol td tr table img h1 h2 h3 pre code font hr blockquote b i
		script style sup sub`)
	entities = wordSet("amp lt gt quot apos nbsp mdash ndash hellip rsquo lsquo ldquo rdquo copy bull middot")
)

// isWhite reports whether a character is white space to Python: to \s of its re and to str.split.
func isWhite(r rune) bool {
	switch {
	case '\t' <= r && r <= '\r', 0x1C <= r && r <= ' ', 0x2000 <= r && r <= 0x200A:
		return true
	}
	switch r {
	case 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}

// whiteAt returns the length of the white space character at the start of a text, 0 if there is
// another.
func whiteAt(text []byte) int {
	switch whiteBytes[text[0]] {
	case white:
		return 1
	case mayBeWhite:
		if r, size := utf8.DecodeRune(text); isWhite(r) {
			return size
		}
	}
	return 0
}

// What a byte at the start of a character says.
const (
	dark = iota
	white
	mayBeWhite
)

var whiteBytes = func() (kinds [256]uint8) {
	for r := range rune(0x3001) {
		if isWhite(r) {
			kinds[string(r)[0]] = mayBeWhite
		}
		if isWhite(r) && r < utf8.RuneSelf {
			kinds[r] = white
		}
	}
	return kinds
}()

// nextDark returns the first place from one on in a text where no white space is.
func nextDark(text []byte, from int) int {
	for from < len(text) {
		n := whiteAt(text[from:])
		if n == 0 {
			break
		}
		from += n
	}
	return from
}

// nextWhite returns the first place from one on in a text where white space is.
func nextWhite(text []byte, from int) int {
	for from < len(text) && (whiteBytes[text[from]] == dark || whiteAt(text[from:]) == 0) {
		from++
	}
	return from
}

// squeeze appends to dst a text in which each run of two or more characters of white space is one
// space. A single one stays what it is.
func squeeze(dst, text []byte) []byte {
	for at := 0; at < len(text); {
		end := nextWhite(text, at)
		dst = append(dst, text[at:end]...)
		if end == len(text) {
			break
		}
		one := end + whiteAt(text[end:])
		if at = nextDark(text, one); at > one {
			dst = append(dst, ' ')
		} else {
			dst = append(dst, text[end:one]...)
		}
	}
	return dst
}
