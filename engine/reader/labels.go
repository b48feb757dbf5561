package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
	"github.com/termsift/termsift/engine/reader/compression"
	"github.com/termsift/termsift/engine/usage"
)

// addLabels appends to p.labels those of a field that the document at pos has for them: one, or
// those that LabelSeparator joins, without the spaces around them.
func (p *parser) addLabels(field []byte, pos document.Position) error {
	separator := p.s.opt.LabelSeparator
	if separator == "" {
		return p.addLabel(field, pos)
	}
	for name := range bytes.SplitSeq(field, []byte(separator)) {
		if err := p.addLabel(bytes.TrimSpace(name), pos); err != nil {
			return err
		}
	}
	return nil
}

// addLabel appends a label of the document at pos to p.labels. A name without a byte is none, nor
// is white space a target. Once there are more than MaxLabels it appends no more; emit reports the error.
func (p *parser) addLabel(name []byte, pos document.Position) error {
	if p.s.opt.Target != "" {
		name = bytes.TrimSpace(name)
	}
	if len(name) == 0 || len(p.labels) > p.s.opt.MaxLabels {
		return nil
	}
	label, err := p.label(name, pos)
	if err == nil {
		p.labels = append(p.labels, label)
	}
	return err
}

// label returns the string of a label, the same for every occurrence. It is an error if
// there are too many distinct labels, if the label is too long, or if decoding makes it
// equal to a different one.
func (p *parser) label(name []byte, pos document.Position) (string, error) {
	if p.namesIn != p.decoder.Decided { // the input has another encoding than the one before: bytes mean something else
		clear(p.names)
		p.namesIn = p.decoder.Decided
	}
	if known, ok := p.names[string(name)]; ok {
		return known, nil
	}
	if len(name) > p.s.opt.MaxName {
		return "", longName(pos, "label", string(name), p.s.opt.MaxName)
	}
	utf := ""
	if p.s.opt.Target == "" {
		utf = p.decoder.Name(name)
	} else {
		number, err := p.number(name, pos)
		if err != nil {
			return "", err
		}
		utf = string(number)
	}
	known, err := p.s.label(utf, name, pos)
	switch {
	case err != nil:
		return "", err
	case known == string(name):
		p.names[known] = known
	default:
		p.names[string(name)] = known
	}
	return known, nil
}

// label returns the string of a label that a parser sees for the first time. name is what
// the label was decoded from: two names that are not in the charset must not become one
// label.
func (s *Source) label(label string, name []byte, pos document.Position) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.labels[label]
	if !ok {
		if len(s.labels) >= s.opt.MaxClasses {
			what, remedy := "labels", "is another field the label? --max-classes raises the limit"
			if s.opt.Target != "" {
				what, remedy = "numbers", "--max-classes raises the limit"
			}
			return "", wrong(document.Position{File: strings.Join(s.inputs, ", ")}, fmt.Sprintf("there are more than %d distinct %s", s.opt.MaxClasses, what), label, remedy)
		}
		known = labelOrigin{label: label}
		if strings.ContainsRune(label, utf8.RuneError) {
			known.name = string(name)
		}
		s.labels[label] = known
	}
	if known.name != "" && known.name != string(name) {
		return "", wrong(pos, fmt.Sprintf("the label is not in the charset, and would become one with %q", quotable(known.name)), name,
			"name the right one with --charset, or write UTF-8").of("labels that would become one")
	}
	return known.label, nil
}

// A labelOrigin is a label and, if it has U+FFFD, the name that it was decoded from, since
// several names may decode to it.
type labelOrigin struct{ label, name string }

// fileLabel returns the name of the file that a document is in, without folders and extensions,
// as its label.
func (p *parser) fileLabel(pos document.Position) ([]string, error) {
	if p.labelFile != pos.File || len(p.fromFile) == 0 {
		name := compression.TrimExtension(path.Base(filepath.ToSlash(pos.File[strings.LastIndexByte(pos.File, '!')+1:])))
		label, err := p.label([]byte(strings.TrimSuffix(name, path.Ext(name))), pos)
		if err != nil {
			return nil, err
		}
		p.labelFile, p.fromFile = pos.File, []string{label}
	}
	p.labels = append(p.labels[:0], p.fromFile...)
	return p.labels, nil
}

// A filter drops labels and documents, in this order: documents without exactly one label
// as written; all labels but the first; labels of other classes; documents without any
// label left. Each step is optional. The labels that stay are made a set.
type filter struct {
	single, first, labelled bool
	classes                 map[string]bool // nil = all
}

func newFilter(opt *Options) filter {
	f := filter{single: opt.SingleLabel, first: opt.FirstLabel, labelled: opt.Labelled || opt.SingleLabel}
	if opt.Classes != nil {
		f.classes = make(map[string]bool, len(opt.Classes))
		for _, c := range opt.Classes {
			f.classes[c] = true
		}
	}
	return f
}

// apply returns the labels that stay, in the memory of the given ones, or the reason why
// the document is dropped.
func (f *filter) apply(labels []string) (kept []string, reason string) {
	if f.single && len(labels) != 1 {
		return nil, "document without exactly one label"
	}
	if f.first && len(labels) > 1 {
		labels = labels[:1]
	}
	if f.classes != nil {
		labels = slices.DeleteFunc(labels, func(label string) bool { return !f.classes[label] })
	}
	if f.labelled && len(labels) == 0 {
		return nil, "document without a label of these classes"
	}
	return distinct(labels), ""
}

// missingClasses says which of the classes asked for no document has had as a label, "" if all
// were there. The caller holds the lock.
func (s *Source) missingClasses() string {
	if s.opt.Classes != nil && len(s.opt.Classes) == 0 {
		return "the list of the classes asked for is empty"
	}
	n, first := 0, ""
	for _, class := range s.opt.Classes {
		if _, ok := s.labels[class]; !ok {
			if n++; n == 1 {
				first = class
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the %d classes asked for are labels of no document; the first is %q", n, len(s.opt.Classes), quotable(first))
}

// distinct removes repeated labels, in their memory and keeping their order.
func distinct(labels []string) []string {
	if len(labels) < 2 {
		return labels
	}
	seen := make(map[string]bool, len(labels)) // a hostile document may have 10,000
	return slices.DeleteFunc(labels, func(label string) bool {
		again := seen[label]
		seen[label] = true
		return again
	})
}

// What follows reads a number that a field has as the one label of a document, in the form of
// document.AppendNumber.

// TargetLabel is the Target of formats that have labels and no fields: the label is the number.
const TargetLabel = "label"

// checkTarget returns an error for options that do not go with Target.
func (o *Options) checkTarget() error {
	if o.Target == "" {
		return nil
	}
	for _, c := range []struct {
		set          bool
		flag, reason string
	}{
		{o.LabelField != "", "--label-field", "a document has one label, which is the number"},
		{o.LabelSeparator != "", "--label-separator", "a document has one number"},
		{o.Labels != "topics", "--labels", "names are no numbers"},
		{o.SingleLabel, "--single-label", "a document has one number, and one without is left out"},
		{o.FirstLabel, "--first-label", "a document has one number"},
		{o.Classes != nil, "--classes", "numbers are no classes: --docs keeps documents by their number"},
		{o.LabelFrom == fromFile && o.Target != TargetLabel, "--label-from file", "--target " + TargetLabel + " reads the names of the files as numbers"},
	} {
		if c.set {
			return usage.Errorf("--target and %s contradict each other: %s", c.flag, c.reason)
		}
	}
	return nil
}

// label returns the name of the field of the label, "" for the usual ones, and the flag that
// names it.
func (o *Options) label() (name, flag string) {
	if o.Target != "" {
		return o.Target, "--target"
	}
	return o.LabelField, "--label-field"
}

// checkTargetOf returns an error if a format without fields is asked for the number of one.
func (s *Source) checkTargetOf(pos document.Position, what string) error {
	if s.opt.Target == "" || s.opt.Target == TargetLabel || s.opt.OptionalFields {
		return nil
	}
	return &Error{
		Pos: pos, Problem: fmt.Sprintf("%s no field %.40q", what, s.opt.Target), Remedy: "--target " + TargetLabel + " reads the label as the number", fatal: true,
	}
}

// number returns the label of the target that is written as text.
func (p *parser) number(text []byte, pos document.Position) ([]byte, error) {
	number, err := document.AppendNumber(p.target[:0], text)
	if err == nil {
		p.target = number
		return number, nil
	}
	problem := "not a number"
	switch {
	case errors.Is(err, document.ErrSmall):
		problem = "not zero, and so small that a float64 holds it only as zero"
	case errors.Is(err, document.ErrRange):
		problem = "infinite, or beyond what a float64 holds"
	}
	return nil, wrong(pos, fmt.Sprintf("the target %.40q is %s", p.s.opt.Target, problem), text,
		document.NumberRemedy(string(text))+"; --skip-bad leaves such documents out").of("the target is " + problem)
}

// oneNumber returns an error for a document with several numbers, and the reason why a document
// without one is left out.
func (p *parser) oneNumber(d *document.Document) (reason string, err error) {
	switch {
	case p.s.opt.Target == "":
	case len(d.Labels) > 1:
		return "", wrong(d.Source, "the document has several numbers", strings.Join(d.Labels[:min(len(d.Labels), 10)], ","),
			"a target is one number a document; --skip-bad leaves such documents out").of("several numbers")
	case len(d.Labels) == 0 && !p.s.opt.OptionalFields:
		return withoutNumber(p.s.opt.Target), nil
	}
	return "", nil
}

// withoutNumber is what documents without the target are counted as.
func withoutNumber(target string) string {
	return fmt.Sprintf("document without a number in %.40q", target)
}

// constantTarget returns a warning if all documents have the same number, "" else. The caller
// holds the lock.
func (s *Source) constantTarget() string {
	if s.opt.Target == "" || s.opt.OptionalFields || len(s.labels) != 1 || s.total.documents < 2 {
		return ""
	}
	for number := range s.labels {
		return fmt.Sprintf("the target %.40q is %s in all %d documents: no term can go with it", s.opt.Target, quotable(number), s.total.documents)
	}
	return ""
}

// number sets p.labels to the number that a field has.
func (j *jsonObject) number(raw []byte) error {
	name := j.p.s.opt.Target
	switch raw[0] {
	case '"':
		return j.p.addLabel(j.name("target", raw), j.pos)
	case '[':
		j.fail(fmt.Sprintf("the target %.40q is a list", name), raw, "a target is one number a document: name another field with --target")
		return nil
	case '{':
		j.fail(fmt.Sprintf("the target %.40q is an object", name), raw, fmt.Sprintf("name a field in it: --target %.40s.FIELD", name))
		return nil
	}
	return j.p.addLabel(raw, j.pos)
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
	s := &Source{ctx: ctx, opt: opt}
	return s.readQrels(opt.Qrels, file)
}

func (s *Source) readQrels(name string, r io.Reader) (qrels, error) {
	pos := document.Position{File: name, Line: 1}
	m := &meter{limit: s.opt.MaxExpansion}
	in, closing, err := s.decompressed(pos, m, bufio.NewReaderSize(inputReader{s.ctx, name, r, m}, bufferBytes))
	if err != nil {
		return nil, err
	}
	defer closing()
	in, _ = s.utf8Input(name, in)
	data, err := io.ReadAll(&boundedReader{r: in, name: name, flag: "--max-list", limit: s.opt.MaxList})
	if err != nil {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	known, names := qrels{}, map[string]string{} // labels, each once in memory
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
func (q qrels) add(line []byte, names map[string]string, pos document.Position) error {
	if len(line) > bufferBytes {
		return wrong(pos, "the line is longer than any label", line, qrelsRemedy)
	}
	var fields [3][]byte
	n := 0
	for column, field := range fieldsOf(line) {
		pos.Column = column + 1
		if n == len(fields) {
			return wrong(pos, "a fourth field", field, qrelsRemedy)
		}
		fields[n] = field
		n++
	}
	label, number, judgement := fields[0], fields[1], fields[2]
	switch {
	case n == 0 || string(judgement) == "0":
		return nil
	case n < len(fields):
		pos.Column = 0
		return wrong(pos, "fewer than three fields", bytes.TrimSpace(line), qrelsRemedy)
	case string(judgement) != "1":
		return wrong(pos, "the third field is neither 1 nor 0", string(judgement), qrelsRemedy)
	}
	name, ok := names[string(label)]
	if !ok {
		name = string(label)
		names[name] = name
	}
	q[string(number)] = append(q[string(number)], name)
	return nil
}

// fieldsOf yields the fields of a line with their offsets.
func fieldsOf(line []byte) func(yield func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		for at := 0; at < len(line); {
			if isSpace(line[at]) {
				at++
				continue
			}
			end := at
			for end < len(line) && !isSpace(line[end]) {
				end++
			}
			if !yield(at, line[at:end]) {
				return
			}
			at = end
		}
	}
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

// A boundedReader returns an [Error] instead of bytes after a limit.
type boundedReader struct {
	r     io.Reader
	name  string
	flag  string // that raises the limit
	limit int64
	size  int64 // so far
}

func (b *boundedReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if b.size += int64(n); b.size > b.limit {
		return 0, wrong(document.Position{File: b.name}, fmt.Sprintf("the input has more than %d bytes", b.limit), "",
			"if it has an end, raise the limit with "+b.flag)
	}
	return n, err
}

// ReadList reads a file of names to its end, without the mark of UTF-8 at its beginning. More
// bytes than the limit are an error that names flag as what raises the limit, since a device or
// a pipe may have no end. The mark of UTF-16 or a zero byte is an error too: no list of names
// has one.
func ReadList(r io.Reader, name, flag string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(&boundedReader{r: r, name: name, flag: flag, limit: limit})
	if err != nil {
		return nil, err
	}
	problem := ""
	if at := indexOrEnd(data, 0); charset.IsUTF16(data) {
		problem = "it is UTF-16"
	} else if at < len(data) {
		problem = fmt.Sprintf("byte %d is zero", at+1)
	}
	if problem != "" {
		return nil, wrong(document.Position{File: name}, "the list is no text: "+problem, "", "write one name a line, in UTF-8")
	}
	return bytes.TrimPrefix(data, charset.Mark), nil
}
