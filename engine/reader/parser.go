package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
)

// A parser is what one goroutine needs to turn frames into documents. A Source
// lends it for a frame at a time.
type parser struct {
	s       *Source
	decoder decoder
	names   map[string]string // labels, each once in memory
	json    jsonScratch
	svm     svmScratch
	csv     csvScratch
	reuters reutersScratch
	known   []string // labels of a document from Options.Qrels
	labels  []string // of a document in a tree or archive

	// of the frame at hand:
	deliver func(document.Document) error
	tally   tally
	frame   int
	buffer  []byte // of a file that is read whole
}

// parse turns a frame into documents. Its data goes back to the Source.
func (s *Source) parse(f frame, deliver func(document.Document) error) error {
	p := s.borrow()
	p.deliver, p.frame = deliver, f.number
	err := f.parse(p, &f)
	if f.data != nil {
		s.release(f.data)
	}
	s.giveBack(p)
	return err
}

func (s *Source) borrow() *parser {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.parsers); n > 0 {
		p := s.parsers[n-1]
		s.parsers = s.parsers[:n-1]
		return p
	}
	return &parser{s: s, decoder: decoder{charset: superset(s.opt.Charset)}, names: map[string]string{}, tally: newTally()}
}

// giveBack adds up what the parser counted.
func (s *Source) giveBack(p *parser) {
	p.deliver = nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total.add(&p.tally)
	s.parsers = append(s.parsers, p)
}

// emit hands a document on, unless its labels exclude it.
func (p *parser) emit(d document.Document) error {
	if len(d.Labels) > p.s.opt.MaxLabels {
		return p.bad(&Error{
			Pos: d.Source, Kind: "too many labels", Problem: fmt.Sprintf("the document has %d labels, more than %d", len(d.Labels), p.s.opt.MaxLabels),
			Remedy: "raise the limit with --max-labels",
		})
	}
	labels, reason := p.s.filter.apply(d.Labels)
	if reason != "" {
		p.tally.skipped[reason]++
		return nil
	}
	d.Labels = labels
	p.tally.documents++
	if err := p.deliver(d); err != nil {
		return err
	}
	if p.s.ctx.Err() != nil {
		return context.Cause(p.s.ctx)
	}
	return nil
}

// each parses documents that stand behind each other; size gives the length of the
// first.
func (p *parser) each(data []byte, pos document.Position, size func([]byte) int, parse func([]byte, document.Position) error) error {
	for len(data) > 0 {
		n := size(data)
		if err := p.bad(parse(data[:n], pos)); err != nil {
			return err
		}
		pos.Line += bytes.Count(data[:n], []byte{'\n'})
		data = data[n:]
	}
	return nil
}

// bad is what to do about a document that is not understood: nothing but to
// remember it, if the user said so.
func (p *parser) bad(err error) error {
	if err == nil || !p.s.opt.SkipBad {
		return err
	}
	var e *Error // it goes to the heap
	if !errors.As(err, &e) {
		return err
	}
	p.tally.problem(p.frame, e)
	return nil
}

// label keeps one string for each distinct label. The error is that there are too
// many.
func (p *parser) label(name []byte) (string, error) {
	if known, ok := p.names[string(name)]; ok {
		return known, nil
	}
	known, err := p.s.label(p.utf8Label(name))
	if err == nil {
		p.names[string(name)] = known
	}
	return known, err
}

// utf8Label decodes a label that is not UTF-8, such as a folder's name: on its own,
// for the parser's decoder may hold the text of its document.
func (p *parser) utf8Label(name []byte) string {
	if utf8.Valid(name) {
		return string(name)
	}
	d := decoder{charset: p.decoder.charset}
	utf, _, err := d.decode(name)
	if err != nil {
		utf = name
	}
	return strings.ToValidUTF8(string(utf), "\ufffd")
}

// label is asked by the parsers for what they have not seen.
func (s *Source) label(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.labels[name]; ok {
		return known, nil
	}
	if len(s.labels) >= s.opt.MaxClasses {
		return "", &Error{
			Pos: document.Position{File: strings.Join(s.inputs, ", ")}, Problem: fmt.Sprintf("there are more than %d distinct labels", s.opt.MaxClasses),
			Bytes: name, Remedy: "is another field the label? --max-classes raises the limit",
		}
	}
	s.labels[name] = name
	return name, nil
}
