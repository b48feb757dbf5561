package reader

import (
	"bytes"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
)

// This file reads JSON lines: {"id":..,"labels":[..],"text":".."}, or counted
// already: {"id":..,"labels":[..],"counts":{"term":3}}. Other fields are
// ignored; a field "split" serves --split. A field that stands there twice has
// its last value. The language is that of encoding/json, to the byte.

// jsonScratch is the memory of a parser for JSON: what a document refers to, and
// the next one overwrites.
type jsonScratch struct {
	names    *jsonNames
	text     []byte // unescaped
	short    []byte // an unescaped name, label, id or term
	labels   []string
	features []document.Feature
	terms    internTable
}

func openJSON(s *Source, _ string) records { return lineRecords{s, (*parser).jsonDocument} }

// jsonDocument parses a line.
func (p *parser) jsonDocument(line []byte, pos document.Position) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	line, valid, err := p.utf8Line(line, pos)
	if err != nil {
		return err
	}
	j := jsonObject{p: p, pos: pos, valid: valid}
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

// utf8Line decodes a line. JSON is UTF-8 unless the user says otherwise; what is
// malformed in it, which makes the line not valid, becomes U+FFFD and separates
// words.
func (p *parser) utf8Line(line []byte, pos document.Position) (decoded []byte, valid bool, err error) {
	if p.decoder.charset == inLatin1 || p.decoder.charset == inGB18030 {
		line, err = p.decode(line, pos)
		return line, true, err
	}
	valid = utf8.Valid(line)
	if !valid {
		p.tally.malformed++
	}
	return line, valid, nil
}

// The fields that matter. The labels have two names as long as the user gives
// none.
const (
	jsonText = iota
	jsonLabels
	jsonLabel
	jsonID
	jsonCounts
	jsonSplit
	jsonFields
)

type jsonNames [jsonFields]string

func newJSONNames(opt *Options) *jsonNames {
	names := &jsonNames{"text", "labels", "label", "id", "counts", "split"}
	if opt.TextField != "" {
		names[jsonText] = opt.TextField
	}
	if opt.LabelField != "" {
		names[jsonLabels], names[jsonLabel] = opt.LabelField, opt.LabelField
	}
	if opt.IDField != "" {
		names[jsonID] = opt.IDField
	}
	return names
}

// A jsonObject is the object of a line. It remembers the first problem.
type jsonObject struct {
	p      *parser
	pos    document.Position
	valid  bool               // as UTF-8
	fields [jsonFields][]byte // as they stand in the line; nil = not there
	err    error
}

// find walks over the line once and keeps the fields. It alone meets malformed
// JSON.
func (j *jsonObject) find(line []byte) error {
	scratch := &j.p.json
	if scratch.names == nil {
		scratch.names = newJSONNames(&j.p.s.opt)
	}
	s := jsonScan{data: line}
	s.object(func(key, value []byte) {
		key = j.short(key)
		for field, name := range scratch.names {
			if string(key) == name {
				j.fields[field] = value
			}
		}
	})
	s.end()
	if s.problem != "" {
		return s.error(j.pos)
	}
	return nil
}

// field gives a field as it stands in the line. One that is null is not there.
func (j *jsonObject) field(f int) []byte {
	if value := j.fields[f]; string(value) != "null" {
		return value
	}
	return nil
}

// document puts a document together, unless the split excludes it.
func (j *jsonObject) document() (d document.Document, ok bool) {
	d.Split = j.split()
	if want := j.p.s.opt.Split; want != "" && want != d.Split || j.err != nil {
		return d, false
	}
	d.ID = j.id()
	d.Labels = j.labels()
	text, counts, name := j.field(jsonText), j.field(jsonCounts), j.p.json.names[jsonText]
	switch {
	case text != nil && counts != nil:
		j.fail(`it has both "`+name+`" and "counts"`, nil, "leave one of them away")
	case text != nil:
		d.Text = j.text(text)
	case counts != nil:
		d.Features = j.counts(counts)
	default:
		j.fail(`it has neither "`+name+`" nor "counts"`, nil, "name the field of the text with --text-field")
	}
	return d, true
}

// fail takes what the problem is, the same for all of its kind, and the value
// that has it.
func (j *jsonObject) fail(problem string, value []byte, remedy string) {
	if j.err == nil {
		j.err = &Error{Pos: j.pos, Problem: "the document is not understood: " + problem, Bytes: string(value), Remedy: remedy}
	}
}

// split gives "" where there is none, which is a problem if one was asked for.
func (j *jsonObject) split() (split string) {
	raw, want := j.fields[jsonSplit], j.p.s.opt.Split // null is a text without characters
	if raw != nil && raw[0] == '"' {
		split = j.p.json.terms.intern(j.short(raw))
	} else if want != "" && string(raw) != "null" {
		j.fail("--split "+want+` was asked for, and it has no text field "split"`, nil, "leave --split away, or add the field")
		return ""
	}
	if want != "" && len(j.p.tally.splits) < 10 {
		j.p.tally.splits[split] = true
	}
	return split
}

// id gives "" where there is none: the place stands for it then.
func (j *jsonObject) id() string {
	raw := j.field(jsonID)
	switch {
	case raw == nil:
	case raw[0] == '"':
		if id := j.short(raw); len(id) > 0 {
			return string(id)
		}
	case raw[0] == '-' || isDigit(raw[0]):
		return string(raw)
	default:
		j.fail("the id is neither text nor a number", raw, "name another field with --id-field")
	}
	return j.p.lineID(j.pos)
}

// lineID is pos.String() of a line, made once.
func (p *parser) lineID(pos document.Position) string {
	id := append(p.json.short[:0], pos.File...)
	id = append(id, ':')
	id = strconv.AppendInt(id, int64(pos.Line), 10)
	p.json.short = id
	return string(id)
}

func (j *jsonObject) labels() []string {
	raw := j.field(jsonLabels)
	if raw == nil {
		raw = j.field(jsonLabel)
	}
	labels := j.p.json.labels[:0]
	add := func(value []byte) {
		if value[0] != '"' {
			j.fail("the labels are neither text nor a list of texts", raw, "name another field with --label-field")
			return
		}
		known, err := j.p.label(j.short(value))
		if err != nil && j.err == nil {
			j.err = err
		}
		labels = append(labels, known)
	}
	switch {
	case raw == nil:
		return nil
	case raw[0] == '[':
		s := jsonScan{data: raw}
		s.array(add)
	default:
		add(raw)
	}
	j.p.json.labels = labels
	return labels
}

func (j *jsonObject) text(raw []byte) []byte {
	if raw[0] != '"' {
		j.fail(`"`+j.p.json.names[jsonText]+`" is not text`, raw, "name another field with --text-field")
		return nil
	}
	text := raw[1 : len(raw)-1]
	if !j.verbatim(text) {
		text = unescape(j.p.json.text[:0], text, j.valid)
		j.p.json.text = text
	}
	if int64(len(text)) > j.p.s.opt.MaxDocument {
		j.fail(fmt.Sprintf("its text has more than %d bytes", j.p.s.opt.MaxDocument), nil, "raise the limit with --max-document")
	}
	return text
}
