// Package prepare makes text ready for tokenizers: it strips markup, brings Unicode into a normal
// form, takes header lines off, and puts capital sigmas into lower case.
//
// Begin reading with [Preparer.Parts]. The package never looks at words, and returns a text that
// needs nothing as it is, without a copy.
package prepare

import "golang.org/x/text/unicode/norm"

// Forms lists the values of the option normalize, the default first: the normal forms of Unicode
// (UAX 15) that compose characters.
func Forms() []string { return []string{"none", "nfc", "nfkc"} }

// Markups lists the values of the option markup, the default first.
func Markups() []string { return []string{"keep", "strip"} }

// A Preparer prepares texts. It belongs to one goroutine, and keeps none of its texts.
type Preparer struct {
	headers          Headers
	form             norm.Form
	normalize, strip bool

	stripped, normal, lower []byte
}

// New returns a preparer for one of [Forms] and one of [Markups]; "" is the default of either.
func New(normalize, markup string, headers Headers) *Preparer {
	p := &Preparer{headers: headers, normalize: normalize == "nfc" || normalize == "nfkc", strip: markup == "strip"}
	if normalize == "nfkc" {
		p.form = norm.NFKC
	}
	return p
}

// Text returns a text without markup and in the normal form, as far as the options ask for it.
// The result is valid until the next call, and may be the text itself.
func (p *Preparer) Text(text []byte) []byte {
	if p.strip {
		text = p.withoutMarkup(text)
	}
	if p.normalize && p.form.QuickSpan(text) < len(text) {
		p.normal = p.form.Append(p.normal[:0], text...)
		text = p.normal
	}
	return text
}

// Parts appends to dst the parts of [Preparer.Parts] that the headers leave.
func (p *Preparer) Parts(text []byte, dst [][]byte) [][]byte {
	return p.headers.split(p.Text(text), dst)
}

// Sigmas returns a part of a text in which capital sigmas are small ones, at the same places. The
// result is valid until the next call, and may be the part itself.
func (p *Preparer) Sigmas(part []byte) []byte {
	part, p.lower = sigmas(part, p.lower)
	return part
}
