package reader

import (
	"bufio"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// This file says what is told of the charsets of texts and inputs.

// utf8Input is [charset.Open] with a note for UTF-16 without a mark.
func (s *Source) utf8Input(name string, in *bufio.Reader) (utf *bufio.Reader, encoding string) {
	utf, encoding, bare := charset.Open(in, s.opt.Charset)
	if bare != "" {
		s.note("%s: it has no mark, and was read as %s; --charset says otherwise", name, bare)
	}
	return utf, encoding
}

// decide decides what an input is in by the data at hand. It returns false if more data is needed.
// frame is the number of the one that is cut.
func (s *Source) decide(found *charset.Input, data []byte, end bool, pos document.Position, frame int) bool {
	doubt, ok := found.Look(data, end)
	if doubt != nil {
		remark := doubtful(doubt, document.Position{File: pos.File})
		s.mu.Lock()
		defer s.mu.Unlock()
		s.total.remarks.add(remark.kind(), once(frame, remark))
	}
	return ok
}

// decode decodes a text with the parser's decoder and counts its encoding.
func (p *parser) decode(text []byte, pos document.Position) []byte {
	utf, encoding := p.decoder.Decode(text)
	p.tally.encodings[encoding]++
	if p.decoder.Charset == charset.Auto && p.decoder.Decided == "" {
		p.doubt(charset.DoubtOf(encoding, text), pos)
	}
	return utf
}

// doubt remarks a text that is most likely not in the encoding that was guessed.
func (p *parser) doubt(doubt *charset.Doubt, pos document.Position) {
	if doubt == nil {
		return
	}
	if known := p.tally.remarks[doubt.Kind()]; known != nil {
		known.count++
		return
	}
	p.tally.remark(p.frame, doubtful(doubt, pos))
}

// doubtful says what is doubted of a text, and how it reads in other encodings.
func doubtful(doubt *charset.Doubt, pos document.Position) *Error {
	return wrong(pos, doubt.Kind()+", in which it has such words", doubt.Words(),
		"name the charset with --charset"+doubt.Others()).of(doubt.Kind())
}
