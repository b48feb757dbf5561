package reader

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/reader/compression"
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
	p.forgetNames()
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

// forgetNames forgets what bytes mean if the input has another encoding than the one before.
func (p *parser) forgetNames() {
	if p.namesIn != p.decoder.Decided {
		clear(p.names)
		clear(p.strata)
		p.namesIn = p.decoder.Decided
	}
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

// fewLabels is the number up to which distinct compares each label with all others. The
// 10,000 labels that a hostile document may have would take 50 million comparisons.
const fewLabels = 32

// distinct removes repeated labels, in their memory and keeping their order.
func distinct(labels []string) []string {
	if len(labels) > fewLabels {
		seen := make(map[string]bool, len(labels))
		return slices.DeleteFunc(labels, func(label string) bool {
			again := seen[label]
			seen[label] = true
			return again
		})
	}
	kept := labels[:0]
	for _, label := range labels {
		if !slices.Contains(kept, label) {
			kept = append(kept, label)
		}
	}
	return kept
}
