package reader

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/usage"
)

// A parser turns frames into documents on one goroutine at a time. A Source lends it for a
// frame and takes it back with its counts.
type parser struct {
	s       *Source
	decoder charset.Decoder
	names   map[string]string       // labels, each once in memory
	namesIn string                  // the encoding of the input that they are of
	formats map[*layout]frameParser // made for the first frame of each format
	labels  []string                // of a document
	joined  []byte                  // the text of several fields
	split   string                  // of the last row
	id      []byte                  // of a document that is named by its line
	// of a document that comes counted: its terms, never nil, which would say that there is a text, and
	// its tokens
	features []document.Feature
	words    []string
	terms    internTable
	target   []byte // a number
	folder   string // of the file at hand, if that is one object

	// of the frame at hand:
	deliver func(document.Document) error
	tally   tally
	frame   int
	meter   meter  // of the frame and those before it
	buffer  []byte // of a file that is read whole
}

func (s *Source) newParser() *parser {
	return &parser{s: s, decoder: charset.Decoder{Charset: s.opt.Charset}, names: map[string]string{}, terms: internTable{}, formats: map[*layout]frameParser{}, joined: []byte{}, features: []document.Feature{}, tally: newTally()}
}

// parse calls deliver with the documents of a frame, whose buffer it releases.
func (s *Source) parse(f frame, deliver func(document.Document) error) error {
	p, lent := s.parsers.Get().(*parser)
	if !lent {
		p = s.newParser()
	}
	p.deliver, p.frame = deliver, f.number
	s.mu.Lock()
	before := f.unpacked + s.ledger.sum
	s.mu.Unlock()
	p.meter = meter{limit: s.opt.MaxExpansion, packed: f.packed, unpacked: before, settled: true, frame: f.number, read: &s.taken}
	err := f.parse(p, &f)
	if f.data != nil {
		s.memory.put(f.data)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	became := spent{pos: f.pos, own: p.meter.unpacked - before, packed: f.packed, unpacked: f.unpacked}
	err = cmp.Or(err, s.ledger.add(f.number, became, s.opt.MaxExpansion))
	if err != nil && !errors.Is(err, errStop) {
		s.broken = min(s.broken, f.number)
	}
	s.total.add(&p.tally)
	p.deliver, p.tally = nil, newTally()
	s.parsers.Put(p)
	return err
}

// decided emits the documents of a frame of a layout, whose texts are in the frame's encoding.
func (p *parser) decided(l *layout, from any, f *frame) error {
	parse := p.formats[l]
	if parse == nil {
		parse = l.parser(p)
		p.formats[l] = parse
	}
	p.decoder.Decided = f.encoding
	defer func() { p.decoder.Decided = "" }()
	return parse(from, f)
}

// emit delivers a document unless its labels exclude it.
func (p *parser) emit(d document.Document) error {
	reason, err := "", error(nil)
	switch most := p.s.opt.MaxName; {
	case len(d.Labels) > p.s.opt.MaxLabels:
		err = beyond(d.Source, "too many labels", "--max-labels", "the document has more than %d labels", p.s.opt.MaxLabels)
	case len(d.ID) > most:
		err = longName(d.Source, "id", d.ID, most)
	case len(d.Split) > most:
		err = longName(d.Source, "split", d.Split, most)
	case p.s.opt.LabelFrom == fromFile:
		d.Labels, err = p.fileLabel(d.Source)
	case p.s.opt.LabelFrom == fromNothing:
		d.Labels = nil
	}
	if err == nil {
		reason, err = p.oneNumber(&d)
	}
	if err != nil {
		return p.bad(err)
	}
	if reason == "" {
		d.Labels, reason = p.s.filter(d.Labels)
	}
	if reason != "" {
		p.tally.skipped[reason]++
		return nil
	}
	p.tally.documents++
	if len(d.Labels) == 0 {
		p.tally.bare++
	}
	if err := p.deliver(d); err != nil {
		return err
	}
	if p.s.ctx.Err() != nil {
		return usage.Cause(p.s.ctx)
	}
	return nil
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

// message decodes a text as decode does, and mail as its header says.
func (p *parser) message(text []byte, pos document.Position) []byte {
	utf, leftOut, broken, ok := p.decoder.Mail(text)
	if !ok {
		return p.decode(text, pos)
	}
	p.tally.encodings[charset.UTF8]++
	if leftOut > 0 {
		p.tally.remark(p.frame, wrong(pos, "parts of the mail that are no text, or say what a text before them says, are left out", "", "save what they hold as files of their own"))
	}
	if broken > 0 {
		p.tally.remark(p.frame, wrong(pos, "a part of the mail is not in the encoding that its header names, and is read as it stands", "", "save it again"))
	}
	return utf
}

// doubt remarks a text that is most likely not in the encoding that was guessed.
func (p *parser) doubt(doubt *charset.Doubt, pos document.Position) {
	if doubt == nil {
		return
	}
	if known := p.tally.remarks[doubt.Kind()]; known != nil {
		known.Count++
		return
	}
	p.tally.remark(p.frame, doubtful(doubt, pos))
}

// doubtful says what is doubted of a text, and how it reads in other encodings.
func doubtful(doubt *charset.Doubt, pos document.Position) *Error {
	return wrong(pos, doubt.Kind()+", in which it has such words", doubt.Words,
		"name the charset with --charset"+doubt.Others()).of(doubt.Kind())
}

// each calls parse with every document of data, which begin with start, and its position.
func (p *parser) each(start *start, data []byte, pos document.Position, parse lineParser) error {
	for len(data) > 0 {
		n := start.next(data, 1-start.behind)
		if err := p.bad(parse(data[:n], pos)); err != nil {
			return err
		}
		pos.Line += bytes.Count(data[:n], []byte{'\n'})
		data = data[n:]
	}
	return nil
}

// A start is how the documents of a format begin: at bytes of mark, behind so many of them, where
// is says so.
type start struct {
	mark   []byte
	behind int
	is     func(data []byte) bool
}

// last returns the place of the last document in data, 0 for none behind the first byte.
func (s *start) last(data []byte) int {
	for at := bytes.LastIndex(data, s.mark); at >= 0; at = bytes.LastIndex(data[:at], s.mark) {
		if s.is(data[at+s.behind:]) {
			return at + s.behind
		}
	}
	return 0
}

// next returns the place of the first document whose mark is in data[from:], or len(data).
func (s *start) next(data []byte, from int) int {
	for ; from < len(data); from++ {
		n := bytes.Index(data[from:], s.mark)
		if n < 0 {
			break
		}
		if from += n; s.is(data[from+s.behind:]) {
			return from + s.behind
		}
	}
	return len(data)
}

// A startCutter ends a frame before the last document, more of which may follow.
type startCutter struct {
	start *start
	atEnd func(data []byte) // looks at the rest of the input; nil = nothing does
}

func (c startCutter) cut(f *frame, end bool) (int, error) {
	switch {
	case !end:
		return c.start.last(f.data), nil
	case c.atEnd != nil:
		c.atEnd(f.data)
	}
	return len(f.data), nil
}

// bad returns err, or nil if SkipBad skips it; then the error is counted.
func (p *parser) bad(err error) error { return p.tally.bad(&p.s.opt, p.frame, err) }

// bad does what parser.bad does, for who opens or cuts the frame with a number.
func (s *Source) bad(frame int, err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total.bad(&s.opt, frame, err)
}

// tooLarge returns the error for a document that is larger than the limit. what is what has so many
// bytes.
func (o *Options) tooLarge(pos document.Position, what string) error {
	return beyond(pos, "document too large", "--max-document", "the %s more than %d bytes", what, o.MaxDocument)
}

// ragged counts a row that does not fit: as a bad document if SkipBad is set, and otherwise as
// one that is skipped, until Check.
func (p *parser) ragged(err *Error) error {
	if p.s.opt.SkipBad {
		return err // it goes through bad
	}
	p.tally.skipped[err.kind()]++
	p.tally.remark(p.frame, err)
	return nil
}

// badName returns an error for the name of a file or member that is too long or too deep.
func (o *Options) badName(pos document.Position, name string) error {
	switch depth := strings.Count(name, "/"); {
	case len(name) > o.MaxName:
		return wrong(pos, fmt.Sprintf("the file's name has %d bytes, more than %d", len(name), o.MaxName), name,
			"--max-name raises the limit").of("the name of a file is too long")
	case depth > o.MaxDepth:
		return wrong(pos, fmt.Sprintf("the file is in %d folders, one in the other, more than %d", depth, o.MaxDepth), name,
			"--max-depth raises the limit").of("a file in too many folders")
	}
	return nil
}

// longName returns the error for a name that is longer than most bytes.
func longName(pos document.Position, what, name string, most int) error {
	return wrong(pos, fmt.Sprintf("the %s has %d bytes, more than %d", what, len(name), most), name,
		"is another field meant? --max-name raises the limit").of("the " + what + " is too long")
}

// An internTable has terms of counted documents, so that equal bytes need not be allocated each time. It forgets them where
// they become too many. It belongs to one parser.
type internTable map[string]string

const mostInterned = 1 << 16

func (t internTable) intern(term []byte) string {
	known, ok := t[string(term)]
	if !ok {
		if len(t) == mostInterned {
			clear(t)
		}
		known = string(term)
		t[known] = known
	}
	return known
}
