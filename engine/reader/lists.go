package reader

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/charset"
)

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
