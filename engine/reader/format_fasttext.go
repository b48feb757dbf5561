package reader

import (
	"bytes"

	"github.com/termsift/termsift/engine/document"
)

// This file reads the lines of fastText: words separated by white space, of which those that
// begin with "__label__" are labels, wherever they stand, and the others are the text.

var fastTextMark = []byte("__label__")

// A fastTextParser parses lines of fastText. A document refers to its memory, which the next
// document overwrites.
type fastTextParser struct {
	*parser
	text []byte // without the labels
}

func fastTextLines(p *parser) lineParser { return (&fastTextParser{parser: p}).document }

// document emits the document of a line.
func (p *fastTextParser) document(line []byte, pos document.Position) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if p.s.opt.Split != "" {
		return noSplits(pos, "lines of fastText have")
	}
	text, err := p.withoutLabels(line, pos)
	if err != nil {
		return err
	}
	return p.emitLine(document.Document{Labels: p.labels, Text: p.decode(text, pos)}, line, pos)
}

// withoutLabels sets p.labels, and returns the line without them: what stands before, between
// and behind them.
func (p *fastTextParser) withoutLabels(line []byte, pos document.Position) (rest []byte, err error) {
	p.labels, p.text = p.labels[:0], p.text[:0]
	for rest = line; ; {
		at := nextFastText(rest)
		if at < 0 {
			break
		}
		p.text = append(p.text, rest[:at]...)
		word := rest[at:]
		if end := bytes.IndexAny(word, fastTextSpace); end >= 0 {
			word = word[:end]
		}
		if err = p.addLabel(word[len(fastTextMark):], pos); err != nil {
			return nil, err
		}
		rest = rest[at+len(word):]
	}
	if len(p.text) > 0 {
		p.text = append(p.text, rest...)
		rest = p.text
	}
	return bytes.Trim(rest, fastTextSpace), nil
}

// fastTextSpace is the white space of fastText that may stand in a line.
const fastTextSpace = " \t\v\f\r\x00"

// nextFastText returns the place of the first label of a line, -1 for none.
func nextFastText(line []byte) int {
	for from := 0; ; {
		at := bytes.Index(line[from:], fastTextMark)
		if at < 0 {
			return -1
		}
		if at += from; at == 0 || bytes.IndexByte([]byte(fastTextSpace), line[at-1]) >= 0 {
			return at
		}
		from = at + len(fastTextMark)
	}
}

// looksLikeFastText reports whether a prefix begins with a label of fastText.
func looksLikeFastText(prefix []byte, _ bool) bool {
	return bytes.HasPrefix(bytes.TrimLeft(prefix, " \t\r\n"), fastTextMark)
}
