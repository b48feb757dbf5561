package reader

import (
	"errors"
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads a number that a field has as the one label of a document, in the form of
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
	if errors.Is(err, document.ErrRange) {
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
