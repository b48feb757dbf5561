package reader

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"github.com/termsift/termsift/engine/document"
)

// This file reads the labels of documents from a file of their own, in lines
// "label document 1". RCV1-v2 has such files for its topics, industries and regions.

// qrels are the labels of each document by its number as written.
type qrels map[string][]string

// readQrels reads a file, perhaps compressed; "" is none.
func readQrels(path string) (qrels, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	s := &Source{ctx: context.Background()}
	s.opt.setDefaults()
	return s.readQrels(path, file)
}

func (s *Source) readQrels(name string, r io.Reader) (qrels, error) {
	pos := document.Position{File: name, Line: 1}
	in, closing, err := s.decompressed(pos, bufio.NewReaderSize(inputReader{s.ctx, name, r}, bufferBytes))
	if err != nil {
		return nil, err
	}
	defer closing()
	in = unmarked(in)
	known := qrels{}
	names := map[string]string{} // labels, each once in memory
	for ; ; pos.Line++ {
		line, err := in.ReadSlice('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, s.qrelsFailure(pos, line, err)
		}
		if bad := known.add(line, names, pos); bad != nil {
			return nil, bad
		}
		if err != nil {
			break
		}
	}
	if len(known) == 0 {
		return nil, &Error{Pos: document.Position{File: name}, Problem: "the file gives no document a label", Remedy: qrelsRemedy}
	}
	return known, nil
}

const qrelsRemedy = `write a label, a document's number and 1 in each line: "E11 2286 1"`

func (s *Source) qrelsFailure(pos document.Position, line []byte, err error) error {
	if errors.Is(err, bufio.ErrBufferFull) {
		return &Error{Pos: pos, Problem: "the line is longer than any label", Bytes: string(line[:80]), Remedy: qrelsRemedy}
	}
	return s.failure(pos, "the file breaks off", err)
}

// add takes a line. It is of no use if it is empty or says that the label is not
// the document's.
func (q qrels) add(line []byte, names map[string]string, pos document.Position) error {
	var fields [3][]byte
	n := 0
	for column, field := range fieldsOf(line) {
		pos.Column = column + 1
		if n == len(fields) {
			return &Error{Pos: pos, Problem: "a fourth field", Bytes: string(field[:min(len(field), 80)]), Remedy: qrelsRemedy}
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
		return &Error{Pos: pos, Problem: "fewer than three fields", Bytes: string(bytes.TrimSpace(line)), Remedy: qrelsRemedy}
	case string(judgement) != "1":
		return &Error{Pos: pos, Problem: "the third field is neither 1 nor 0", Bytes: string(judgement), Remedy: qrelsRemedy}
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

// qrelsLabels gives the labels of a document in memory that the next call
// overwrites.
func (p *parser) qrelsLabels(number []byte) ([]string, error) {
	p.known = p.known[:0]
	for _, name := range p.s.qrels[string(number)] {
		label, err := p.label([]byte(name))
		if err != nil {
			return nil, err
		}
		p.known = append(p.known, label)
	}
	return p.known, nil
}
