package reader

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// A lineCutter divides an input whose lines are documents.
type lineCutter struct{ s *Source }

func openLines(s *Source, _ string) cutter { return lineCutter{s} }

func (l lineCutter) cut(f *frame, end bool) (int, error) {
	if end {
		return len(f.data), nil
	}
	n := bytes.LastIndexByte(f.data, '\n') + 1
	if n == 0 && int64(len(f.data)) > l.s.opt.MaxLine {
		return 0, l.s.opt.longLine(f.pos)
	}
	return n, nil
}

// A lineParser emits the document of a line, without its line end, or of several.
type lineParser func(line []byte, pos document.Position) error

// ofLines makes a parser of frames of one of lines. Its errors go through bad.
func ofLines(of func(p *parser) lineParser) func(p *parser) frameParser {
	return func(p *parser) frameParser {
		parse := of(p)
		return func(_ any, f *frame) error {
			pos := f.pos
			for rest := f.data; len(rest) > 0; pos.Line++ {
				var line []byte
				line, rest = cutLine(rest)
				if int64(len(line)) > p.s.opt.MaxLine {
					return p.s.opt.longLine(pos)
				}
				if err := p.bad(parse(p.unmarked(line, pos), pos)); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

// unmarked returns what begins a later line without the mark of UTF-8, which files leave that are put one behind
// another.
func (p *parser) unmarked(data []byte, pos document.Position) []byte {
	if !bytes.HasPrefix(data, charset.Mark) || p.decoder.Decided != charset.UTF8 {
		return data
	}
	p.tally.remark(p.frame, wrong(pos, "a mark of UTF-8 begins the line, as where files are put one behind another, and is left out", "",
		"a header line of the second file, if it has one, is read as a document").of("a mark of UTF-8 within a file"))
	return data[len(charset.Mark):]
}

func (o *Options) longLine(pos document.Position) error {
	return beyond(pos, "", "--max-line", "the line has more than %d bytes", o.MaxLine)
}

var carriageReturn = []byte{'\r'}

// cutLine splits data after its first line, which is returned without its line end: LF, CR LF,
// or CR CR LF where a program that ends lines by CR LF wrote to a file that did so again.
func cutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return bytes.TrimSuffix(bytes.TrimSuffix(line, carriageReturn), carriageReturn), rest
}

// emitLine emits the document of a line, with an id made of its position if it has none.
func (p *parser) emitLine(d document.Document, line []byte, pos document.Position) error {
	if int64(len(d.Text)) > p.s.opt.MaxDocument {
		return p.s.opt.tooLarge(pos, "text has")
	}
	p.tally.bytes += int64(len(line))
	d.Source = pos
	if d.ID == "" {
		d.ID = p.lineID(pos)
	}
	return p.emit(d)
}

// lineID makes an id of the place of a line.
func (p *parser) lineID(pos document.Position) string {
	id := append(p.id[:0], shortName(pos.File)...)
	id = append(id, ':')
	id = strconv.AppendInt(id, int64(pos.Line), 10)
	p.id = id
	return string(id)
}

// linesLayout is that of a plain text in which every line is a document without a label. An
// empty line is none.
var linesLayout = layout{format: Lines, open: openLines, parser: ofLines(func(p *parser) lineParser {
	return p.withoutSplits("plain lines have", func(line []byte, pos document.Position) error {
		return p.emitLine(document.Document{Text: p.decode(line, pos)}, line, pos)
	})
})}

// withoutSplits returns the parser of a format that has no splits, of lines that have something. what says which has none.
func (p *parser) withoutSplits(what string, parse lineParser) lineParser {
	return func(line []byte, pos document.Position) error {
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			return nil
		case p.s.opt.Split != "":
			return wrong(pos, what+" no splits", "", "omit --split and name the file that you want")
		}
		return parse(line, pos)
	}
}

// What follows reads the lines of fastText: words separated by white space, of which those that
// begin with "__label__" are labels, wherever they stand, and the others are the text.

var fastTextMark = []byte("__label__")

var fastTextLayout = layout{
	format: FastText, open: openLines, parser: ofLines(func(p *parser) lineParser {
		return p.withoutSplits("lines of fastText have", p.fastTextDocument)
	}),
	detect: func(prefix []byte, _ bool) bool {
		return bytes.HasPrefix(bytes.TrimLeft(prefix, " \t\r\n"), fastTextMark)
	},
}

// fastTextDocument emits the document of a line.
func (p *parser) fastTextDocument(line []byte, pos document.Position) error {
	p.labels, p.joined = p.labels[:0], p.joined[:0]
	begin := 0 // of what is no label, and not yet in p.joined
	for at := 0; at < len(line); {
		n := len(line) - at
		if i := bytes.IndexAny(line[at:], fastTextSpace); i >= 0 {
			n = i
		}
		if label, is := bytes.CutPrefix(line[at:at+n], fastTextMark); is {
			if err := p.addLabel(label, pos); err != nil {
				return err
			}
			p.joined = append(p.joined, line[begin:at]...)
			begin = at + n
		}
		at += n + 1
	}
	p.joined = append(p.joined, line[begin:]...)
	text := bytes.Trim(p.joined, fastTextSpace)
	return p.emitLine(document.Document{Labels: p.labels, Text: p.decode(text, pos)}, line, pos)
}

// fastTextSpace is the white space of fastText that may stand in a line.
const fastTextSpace = " \t\v\f\r\x00"

// What follows reads the token files of LYRL2004, the distribution of RCV1-v2 without its
// texts: a line ".I" with the document's number, a line ".W", and lines of stemmed tokens
// up to the next document. The labels are in another file, see labels.go.

var lyrlLayout = layout{
	format: LYRL, extensions: []string{".dat"},
	detect: func(prefix []byte, _ bool) bool {
		line, _ := cutLine(bytes.TrimLeft(prefix, " \t\r\n"))
		return startsLYRL(append(line[:len(line):len(line)], '\n')) && isNumber(lyrlNumber(line))
	},
	open: func(s *Source, name string) cutter {
		if s.qrels == nil {
			s.note("%s is of LYRL2004, whose documents have their labels elsewhere: name that file with --qrels", name)
		}
		return startCutter{start: &lyrlStart}
	},
	parser: func(p *parser) frameParser {
		parse := p.withoutSplits("the token files of LYRL2004 have", p.lyrlDocument)
		return func(_ any, f *frame) error { return p.each(&lyrlStart, f.data, f.pos, parse) }
	},
}

// lyrlStart begins every document but the first of a file.
var lyrlStart = start{[]byte("\n.I"), 1, startsLYRL}

// startsLYRL reports whether a line begins a document.
func startsLYRL(line []byte) bool {
	return len(line) > 2 && line[0] == '.' && line[1] == 'I' && isSpace(line[2])
}

// lyrlNumber returns what follows ".I".
func lyrlNumber(line []byte) []byte { return bytes.TrimSpace(line[len(".I"):]) }

func isNumber(text []byte) bool {
	_, err := strconv.ParseUint(string(text), 10, 64)
	return err == nil
}

// lyrlDocument emits a document. Its text aliases data unless it has to be decoded.
func (p *parser) lyrlDocument(data []byte, pos document.Position) error {
	bad := func(at document.Position, problem string, line []byte) error {
		return wrong(at, problem, line, `write ".I 2286", ".W", then lines of tokens`)
	}
	if int64(len(data)) > p.s.opt.MaxDocument {
		return p.s.opt.tooLarge(pos, "document has")
	}
	first, rest := cutLine(data)
	if !startsLYRL(data) {
		return bad(pos, "text before the first document", first)
	}
	number := lyrlNumber(first)
	if !isNumber(number) {
		return bad(pos, "the document's number is not a whole number", first)
	}
	second, text := cutLine(rest)
	if string(bytes.TrimSpace(second)) != ".W" {
		pos.Line++
		return bad(pos, "no line .W behind the document's number", second)
	}
	p.tally.bytes += int64(len(data))
	p.labels = p.labels[:0]
	if err := p.qrelsLabels(number, pos); err != nil {
		return err
	}
	text = p.decode(bytes.TrimRight(text, " \t\r\n"), pos)
	return p.emit(document.Document{ID: string(number), Labels: p.labels, Text: text, Source: pos})
}

// qrels maps the number of a document, as written, to its labels. They are read from a file
// of lines "label document 1", which RCV1-v2 has for its topics, industries and regions.
type qrels map[string][]string

// readQrels reads the file of opt.Qrels, which may be compressed; nil if there is none.
func readQrels(ctx context.Context, opt Options) (qrels, error) {
	if opt.Qrels == "" {
		return nil, nil
	}
	file, err := os.Open(opt.Qrels)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	opt.Charset = charset.Auto // whatever the texts are in
	s, name := &Source{ctx: ctx, opt: opt}, opt.Qrels
	pos := document.Position{File: name, Line: 1}
	m := &meter{limit: opt.MaxExpansion}
	in, closing, err := s.decompressed(pos, m, bufio.NewReaderSize(inputReader{ctx, name, file, m}, bufferBytes))
	if err != nil {
		return nil, err
	}
	defer closing()
	in, _ = s.utf8Input(name, in)
	data, err := io.ReadAll(&boundedReader{r: in, name: name, flag: "--max-list", limit: opt.MaxList})
	if err != nil {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	known, names := qrels{}, internTable{} // of labels
	for line := range bytes.Lines(data) {
		if err := known.add(line, names, pos); err != nil {
			return nil, err
		}
		pos.Line++
	}
	if err != nil {
		return nil, s.failure(pos, "the file breaks off", err)
	}
	if len(known) == 0 {
		return nil, wrong(document.Position{File: name}, "the file gives no document a label", "", qrelsRemedy)
	}
	return known, nil
}

const qrelsRemedy = `write a label, a document's number and 1 in each line: "E11 2286 1"`

// add adds the label of a line. It ignores lines that are empty or whose third field is 0,
// by which the document does not have the label.
func (q qrels) add(line []byte, names internTable, pos document.Position) error {
	if len(line) > bufferBytes {
		return wrong(pos, "the line is longer than any label", line, qrelsRemedy)
	}
	fields := bytes.FieldsFunc(line, func(r rune) bool { return r < utf8.RuneSelf && isSpace(byte(r)) })
	switch n := len(fields); {
	case n == 0:
		return nil
	case n < 3:
		return wrong(pos, "fewer than three fields", bytes.TrimSpace(line), qrelsRemedy)
	case n > 3:
		pos.Column = bytes.LastIndex(line, fields[3]) + 1
		return wrong(pos, "a fourth field", fields[3], qrelsRemedy)
	}
	switch number := string(fields[1]); string(fields[2]) {
	case "1":
		q[number] = append(q[number], names.intern(fields[0]))
	case "0":
	default:
		pos.Column = bytes.LastIndex(line, fields[2]) + 1
		return wrong(pos, "the third field is neither 1 nor 0", fields[2], qrelsRemedy)
	}
	return nil
}

// qrelsLabels appends the labels of a document to p.labels.
func (p *parser) qrelsLabels(number []byte, pos document.Position) error {
	for _, name := range p.s.qrels[string(number)] {
		if err := p.addLabel([]byte(name), pos); err != nil {
			return err
		}
	}
	return nil
}

// What follows reads an mbox: messages, each behind a line "From ", which ends in a date.

var mboxLayout = layout{
	format: Mbox, extensions: []string{".mbox"},
	detect: func(prefix []byte, _ bool) bool {
		_, rest := cutLine(prefix)
		name, _, isField := bytes.Cut(rest, []byte{':'})
		return startsMbox(prefix) && isField && len(name) > 0 && !bytes.ContainsAny(name, " \t\n")
	},
	open: func(*Source, string) cutter { return startCutter{start: &mboxStart} },
	parser: func(p *parser) frameParser {
		parse := p.withoutSplits("an mbox has", p.mboxDocument)
		return func(_ any, f *frame) error {
			p.decoder.Decided = "" // each message decides for itself
			return p.each(&mboxStart, f.data, f.pos, parse)
		}
	},
}

// mboxStart begins every message but the first of a file.
var mboxStart = start{[]byte("\nFrom "), 1, startsMbox}

// mboxDate ends the line before a message: the time, the year, and perhaps a zone before or behind it.
var mboxDate = regexp.MustCompile(`\d:\d\d(:\d\d)?( [A-Z+-]\S*)? \d{4}( [A-Z+-]\S*)?$`)

// startsMbox reports whether data begins with the line before a message.
func startsMbox(data []byte) bool {
	line, _ := cutLine(data[:min(len(data), 512)])
	return bytes.HasPrefix(line, []byte("From ")) && mboxDate.Match(line)
}

// mboxDocument emits the document of a message.
func (p *parser) mboxDocument(data []byte, pos document.Position) error {
	if !startsMbox(data) {
		return wrong(pos, "text before the first message", data, `begin a message with a line as "From ada@x.org Thu Aug 22 12:36:23 2002"`)
	}
	_, message := cutLine(data)
	p.labels = p.labels[:0]
	return p.emitLine(document.Document{Text: p.message(message, pos)}, data, pos)
}
