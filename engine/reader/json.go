package reader

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
)

// This file reads JSON lines: {"id":..,"labels":[..],"text":".."}, or counted
// already: {"id":..,"labels":[..],"counts":{"term":3}}. Other fields are
// ignored; a field "split" serves --split.

// jsonScratch is the memory of a parser for JSON.
type jsonScratch struct{}

func openJSON(s *Source, _ string) records { return lineRecords{s, (*parser).jsonDocument} }

// jsonDocument parses a line.
func (p *parser) jsonDocument(line []byte, pos document.Position) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	line, err := p.jsonText(line, pos)
	if err != nil {
		return err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return jsonError(line, pos, err)
	}
	var d document.Document
	j := jsonParser{s: p.s, p: p, pos: pos, fields: fields}
	if !j.inSplit() {
		return j.err
	}
	d.ID = j.id()
	d.Labels = j.labels()
	text, counts := j.field(p.s.opt.TextField, "text"), j.field("counts")
	switch {
	case text != nil && counts != nil:
		j.fail("leave one of them away", "it has both %q and \"counts\"", p.s.textName())
	case text != nil:
		d.Text = j.text(text)
	case counts != nil:
		d.Features = j.counts(counts)
	default:
		j.fail("name the field of the text with --text-field", "it has neither %q nor \"counts\"", p.s.textName())
	}
	if j.err != nil {
		return j.err
	}
	return p.emitLine(d, line, pos)
}

// jsonText decodes a line to UTF-8. JSON is UTF-8 unless the user says
// otherwise; what is malformed in it becomes U+FFFD, which separates words.
func (p *parser) jsonText(line []byte, pos document.Position) ([]byte, error) {
	if p.decoder.charset == "latin-1" || p.decoder.charset == "gb18030" {
		return p.decode(line, pos)
	}
	if !utf8.Valid(line) {
		p.tally.malformed++
	}
	return line, nil
}

func (s *Source) textName() string {
	if s.opt.TextField != "" {
		return s.opt.TextField
	}
	return "text"
}

func jsonError(line []byte, pos document.Position, err error) error {
	e := &Error{Pos: pos, Problem: "malformed JSON", Err: err, Remedy: "write one object a line"}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := -1
	if errors.As(err, &syntax) {
		at = int(syntax.Offset)
	} else if errors.As(err, &kind) {
		at = int(kind.Offset)
	}
	if at >= 0 {
		e.Pos.Column = max(at, 1)
		e.Bytes = string(line[min(max(at-20, 0), len(line)):min(at+20, len(line))])
	}
	return e
}

// A jsonParser takes the fields of one object and remembers the first problem.
type jsonParser struct {
	s      *Source
	p      *parser
	pos    document.Position
	fields map[string]json.RawMessage
	err    error
}

func (p *jsonParser) fail(remedy, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{Pos: p.pos, Problem: fmt.Sprintf("the document is not understood: "+format, args...), Remedy: remedy}
	}
}

// field gives the field of the user's name, or of the first default there is.
// A field that is null is not there.
func (p *jsonParser) field(name string, defaults ...string) json.RawMessage {
	if name != "" {
		defaults = []string{name}
	}
	for _, d := range defaults {
		if f := p.fields[d]; f != nil && string(f) != "null" {
			return f
		}
	}
	return nil
}

func (p *jsonParser) inSplit() bool {
	if p.s.opt.Split == "" {
		return true
	}
	var split string
	if raw, ok := p.fields["split"]; !ok || json.Unmarshal(raw, &split) != nil {
		p.fail("leave --split away, or add the field", "--split %s was asked for, and it has no text field \"split\"", p.s.opt.Split)
		return false
	}
	if len(p.p.tally.splits) < 10 {
		p.p.tally.splits[split] = true
	}
	return split == p.s.opt.Split
}

func (p *jsonParser) id() string {
	raw := p.field(p.s.opt.IDField, "id")
	if raw == nil {
		return ""
	}
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return id
	}
	var number json.Number
	if json.Unmarshal(raw, &number) != nil {
		p.fail("name another field with --id-field", "the id is neither text nor a number: %.80q", raw)
	}
	return number.String()
}

func (p *jsonParser) labels() []string {
	raw := p.field(p.s.opt.LabelField, "labels", "label")
	if raw == nil {
		return nil
	}
	var one *string
	many := []*string{nil}
	if json.Unmarshal(raw, &one) == nil {
		many[0] = one
	} else if json.Unmarshal(raw, &many) != nil {
		many = []*string{nil}
	}
	labels := make([]string, 0, len(many))
	for _, label := range many {
		if label == nil {
			p.fail("name another field with --label-field", "the labels are neither text nor a list of texts: %.80q", raw)
			return nil
		}
		known, err := p.p.label([]byte(*label))
		if err != nil {
			p.err = err
			return nil
		}
		labels = append(labels, known)
	}
	return labels
}

func (p *jsonParser) text(raw json.RawMessage) []byte {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		p.fail("name another field with --text-field", "%q is not text: %.80q", p.s.textName(), raw)
	}
	if int64(len(text)) > p.s.opt.MaxDocument {
		p.fail("raise the limit with --max-document", "its text has more than %d bytes", p.s.opt.MaxDocument)
	}
	return []byte(text)
}

const countsRemedy = `write "counts":{"term":3}`

// plain shows a JSON value in an error.
func plain(token json.Token) string {
	switch t := token.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%.80q", t)
	case json.Delim:
		return "an object or list"
	}
	return fmt.Sprintf("%.80v", token)
}

// counts reads an object of terms with whole numbers from 1 on. Terms come in
// the order of their bytes; a term that stands twice is an error, which is why
// the object is read token by token.
func (p *jsonParser) counts(raw json.RawMessage) []document.Feature {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		p.fail(countsRemedy, "\"counts\" is not an object: %.80q", raw)
		return nil
	}
	features := []document.Feature{}
	for d.More() {
		term, err := d.Token()
		if err != nil {
			p.fail(countsRemedy, "\"counts\": %v", err)
			return nil
		}
		value, err := d.Token()
		number, isNumber := value.(json.Number)
		n, parseErr := strconv.ParseUint(number.String(), 10, 64)
		if err != nil || !isNumber || parseErr != nil || n == 0 || n > math.MaxUint32 {
			p.fail(countsRemedy, "the count of %.80q is %s, not a whole number from 1 to %d", term, plain(value), uint32(math.MaxUint32))
			return nil
		}
		features = append(features, document.Feature{Term: term.(string), Value: float64(n)})
	}
	slices.SortFunc(features, func(a, b document.Feature) int { return strings.Compare(a.Term, b.Term) })
	for i := 1; i < len(features); i++ {
		if features[i].Term == features[i-1].Term {
			p.fail("add the counts of a term up", "\"counts\" has %.80q twice", features[i].Term)
		}
	}
	return features
}
