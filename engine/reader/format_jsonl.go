package reader

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

// This file reads JSON lines: {"id":..,"labels":[..],"text":".."}, or documents whose terms
// are known already: {"id":..,"labels":[..],"counts":{"term":3}}, or "text":["term","term"].
// A field "split" is what --split compares; other fields are ignored. Of a field that occurs
// twice the last value counts. A label that is a number, true or false is the text of its bytes, so that 1 and
// "1" are one label, and 1 and 1.0 are two. What encoding/json refuses is refused, and
// nothing else.

// A jsonParser parses JSON lines. A document refers to its memory, which the next
// document overwrites.
type jsonParser struct {
	*parser
	fields  [jsonFields]string // their names
	paths   [jsonFields]bool   // which of the names may be paths
	parts   []string           // of a text that is joined of several fields
	element int                // number of an object in an array, 0 in JSON lines
	short   []byte             // a decoded string
}

func newJSONParser(p *parser) *jsonParser {
	opt := &p.s.opt
	label, _ := opt.label()
	j := &jsonParser{parser: p, parts: textParts(opt.TextField), fields: [jsonFields]string{
		jsonText: cmp.Or(opt.TextField, "text"), jsonLabels: cmp.Or(label, "labels"), jsonLabel: cmp.Or(label, "label"),
		jsonID: cmp.Or(opt.IDField, "id"), jsonCounts: "counts", jsonSplit: "split",
	}}
	for f, name := range j.fields {
		j.paths[f] = strings.Contains(name, ".")
	}
	return j
}

var jsonlLayout = layout{
	format: JSONL, extensions: []string{".jsonl", ".ndjson"}, detect: looksLikeJSON, fields: true,
	open: openLines, parser: ofLines(func(p *parser) lineParser { return newJSONParser(p).document }),
}

// document emits the document of a line.
func (p *jsonParser) document(line []byte, pos document.Position) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	line, valid := p.utf8Line(line, pos)
	j := jsonObject{p: p, pos: pos, line: line, valid: valid}
	if err := j.find(line); err != nil {
		return err
	}
	d, ok := j.document()
	switch {
	case j.err != nil:
		return j.err
	case !ok:
		return nil
	}
	return p.emitLine(d, line, pos)
}

// utf8Line decodes a line, which is UTF-8 unless the options name another charset, and
// reports whether it is valid UTF-8. In a line that is not, malformed bytes become U+FFFD,
// which separates words.
func (p *jsonParser) utf8Line(line []byte, pos document.Position) (decoded []byte, valid bool) {
	if p.decoder.DecodesAll() {
		return p.decode(line, pos), true
	}
	valid = p.decoder.Decided == charset.ASCII || utf8.Valid(line)
	if !valid {
		p.tally.malformed++
	}
	return line, valid
}

// The fields that are read. Labels have two names unless the options give one.
const (
	jsonText = iota
	jsonLabels
	jsonLabel
	jsonID
	jsonCounts
	jsonSplit
	jsonFields
)

// A jsonObject is the object of a line. It keeps the first problem in err.
type jsonObject struct {
	p      *jsonParser
	pos    document.Position
	line   []byte
	valid  bool               // as UTF-8
	fields [jsonFields][]byte // as they stand in the line; nil = not there
	joined []byte             // the text of several fields; nil = none of them is there
	err    error
}

// find scans the line once and stores the fields that are read. Malformed JSON is reported
// here; the methods that follow rely on well-formed values.
func (j *jsonObject) find(line []byte) error {
	s := jsonScan{data: line}
	s.object(func(key, value []byte) {
		key = j.short(key)
		for field, name := range j.p.fields {
			if string(key) == name {
				j.fields[field] = value
			}
		}
	})
	s.end()
	if s.problem != "" {
		return s.error(j.pos)
	}
	j.follow()
	return nil
}

// field returns the bytes of a field in the line, nil if it is missing or null.
func (j *jsonObject) field(f int) []byte {
	if value := j.fields[f]; string(value) != "null" {
		return value
	}
	return nil
}

// document returns the document of the line, or false if the split excludes it.
func (j *jsonObject) document() (d document.Document, ok bool) {
	d.Split = j.split()
	if want := j.p.s.opt.Split; want != "" && want != d.Split || j.err != nil {
		return d, false
	}
	d.ID = j.id()
	j.refuseFrame()
	j.labels()
	d.Labels = j.p.labels
	text, counts, name := j.field(jsonText), j.field(jsonCounts), j.p.fields[jsonText]
	switch hasText := text != nil || j.joined != nil; {
	case hasText && counts != nil:
		j.fail(`it has both "`+name+`" and "counts"`, nil, "omit one of them")
	case text != nil && text[0] == '[':
		d.Features = j.tokens(text)
		j.refuseLists(d)
	case text != nil:
		d.Text = j.textOf(text)
	case hasText:
		d.Text = j.bounded(j.joined)
	case counts != nil:
		d.Features = j.counts(counts)
	default:
		j.missing(name)
	}
	return d, true
}

// fail keeps the first problem, and returns its error. The text of the problem must be the same for all problems
// of its kind, which are counted by it, unless the error is given a kind; value is quoted.
func (j *jsonObject) fail(problem string, value []byte, remedy string) *Error {
	e := wrong(j.pos, "the document is not understood: "+problem, value, remedy)
	if j.err == nil {
		j.err = e
	}
	return e
}

// split returns the split, "" without one, which is a problem if the options ask for one.
func (j *jsonObject) split() string {
	raw, want := j.fields[jsonSplit], j.p.s.opt.Split
	switch {
	case raw != nil && raw[0] == '"':
		return j.p.splitOf(j.short(raw))
	case raw == nil && j.p.folder != "":
		return splitOf(j.p.folder)
	case want != "" && string(raw) == "null": // a text without characters
		return j.p.splitOf(nil)
	case want != "":
		j.fail("--split "+want+` was asked for, and it has no text field "split"`, nil, "omit --split, or add the field")
	}
	return ""
}

// id returns the id, made of the position of the line if there is none.
func (j *jsonObject) id() string {
	raw := j.field(jsonID)
	switch {
	case raw == nil:
	case raw[0] == '"':
		if id := j.name("id", raw); len(id) > 0 {
			return string(id)
		}
	case raw[0] == '-' || isDigit(raw[0]):
		return string(raw)
	case j.p.s.opt.IDField != "": // otherwise nobody asked for it
		j.fail("the id is neither text nor a number", raw, "name another field with --id-field")
	}
	pos := j.pos
	if j.p.element > 0 { // the number of an object in an array
		pos.Line = j.p.element
	}
	return j.p.lineID(pos)
}

// labels sets p.labels.
func (j *jsonObject) labels() {
	j.p.labels = j.p.labels[:0]
	raw := j.field(jsonLabels)
	if raw == nil {
		raw = j.field(jsonLabel)
	}
	keep := func(err error) {
		if err != nil && j.err == nil {
			j.err = err
		}
	}
	add := func(value []byte) {
		var err error
		switch c := value[0]; {
		case c == '"':
			err = j.p.addLabels(j.name("label", value), j.pos)
		case c == '{' || c == '[' || c == 'n':
			j.fail("the labels are neither text, a number, true or false, nor a list of these", raw, "name another field with --label-field")
		default:
			err = j.p.addLabel(value, j.pos)
		}
		keep(err)
	}
	switch {
	case raw == nil && j.p.s.opt.Target != "" && j.fields[jsonLabels] != nil: // null
	case raw == nil && j.p.folder != "" && j.p.s.opt.Target == "":
		keep(j.p.addLabel([]byte(path.Base(j.p.folder)), j.pos))
	case raw == nil:
		j.p.noLabel(j.pos, j.names)
	case j.p.s.opt.Target != "":
		keep(j.number(raw))
	case raw[0] == '[':
		s := jsonScan{data: raw}
		s.array(add)
	default:
		add(raw)
	}
}

// number sets p.labels to the number that a field has.
func (j *jsonObject) number(raw []byte) error {
	name := j.p.s.opt.Target
	switch raw[0] {
	case '"':
		return j.p.addLabel(j.name("target", raw), j.pos)
	case '[':
		j.fail(fmt.Sprintf("the target %.40q is a list", name), raw, "a target is one number a document: name another field with --target")
	case '{':
		j.fail(fmt.Sprintf("the target %.40q is an object", name), raw, fmt.Sprintf("name a field in it: --target %.40s.FIELD", name))
	default:
		return j.p.addLabel(raw, j.pos)
	}
	return nil
}

// textOf returns the text of a field.
func (j *jsonObject) textOf(raw []byte) []byte {
	if raw[0] != '"' {
		j.fail(`"`+j.p.fields[jsonText]+`" is not text, nor a list of tokens`, raw, "name another field with --text-field")
		return nil
	}
	return j.bounded(j.short(raw))
}

// bounded returns a text, and fails if it is too long.
func (j *jsonObject) bounded(text []byte) []byte {
	if int64(len(text)) > j.p.s.opt.MaxDocument {
		j.fail(fmt.Sprintf("its text has more than %d bytes", j.p.s.opt.MaxDocument), nil, "raise the limit with --max-document")
	}
	return text
}

func looksLikeJSON(prefix []byte, _ bool) bool {
	return bytes.HasPrefix(bytes.TrimLeft(prefix, " \t\r\n"), []byte("{"))
}
