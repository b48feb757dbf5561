package reader

import (
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/usage"
)

// This file reads the field that Options.Control names. A format that has fields tells the value of
// a document by setStratum before it emits the document.

// A stratum is the value that the document at hand has of the control.
type stratum struct {
	told  bool   // by the format
	value []byte // as it stands; empty if there is none
}

// withoutControl says why a document without a value is left out.
const withoutControl = "document without a value of --control"

// setStratum tells the value of the control; nil is none.
func (p *parser) setStratum(value []byte) {
	p.stratum = stratum{true, append(p.stratum.value[:0], value...)}
}

// takeStratum returns the stratum of the document at pos, which is "" if it has none. A format
// without fields is an error.
func (p *parser) takeStratum(pos document.Position) (string, error) {
	if !p.stratum.told {
		return "", usage.Errorf("--control names a field of JSON, CSV or Parquet, and %v is in a format without fields: leave --control away, or write the documents as JSON lines", pos)
	}
	p.stratum.told = false
	p.forgetNames()
	value := p.stratum.value
	switch known, ok := p.strata[string(value)]; {
	case ok:
		return known, nil
	case len(value) == 0:
		return "", nil
	case len(value) > p.s.opt.MaxName:
		return "", longName(pos, "value of --control", string(value), p.s.opt.MaxName)
	}
	name := p.decoder.Name(value)
	if strings.Contains(name, document.Mark()) {
		return "", wrong(pos, fmt.Sprintf("the value of --control has the character %q, which stands between a class and a stratum", document.Mark()), value,
			"write the value without it").of("a value of --control with a control character")
	}
	known, err := p.s.stratum(name)
	if err == nil {
		p.strata[string(value)] = known
	}
	return known, err
}

// stratum returns the string of a stratum that a parser sees for the first time.
func (s *Source) stratum(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.strata[name]
	if !ok {
		if len(s.strata) >= s.opt.MaxClasses {
			return "", wrong(document.Position{File: strings.Join(s.inputs, ", ")}, fmt.Sprintf("there are more than %d strata", s.opt.MaxClasses), name,
				"is another field the control? --max-classes raises the limit")
		}
		known = name
		s.strata[name] = name
	}
	return known, nil
}

// noControl records a document without the field of the control, unless the frame at hand had
// one before; fields returns the names of its fields.
func (p *parser) noControl(pos document.Position, fields func() fieldNames) {
	if p.tally.uncontrolled == nil {
		p.tally.uncontrolled = &unlabelled{p.frame, pos, fields()}
	}
}

// controlHint returns the names of the fields of the first document without the control, if no
// document had it, else "". The caller holds the lock.
func (s *Source) controlHint() string {
	u := s.total.uncontrolled
	if u == nil || len(s.strata) > 0 {
		return ""
	}
	return fmt.Sprintf("%v has no field %.40q; there are %v; %s", u.pos, s.opt.Control, u.fields, u.fields.remedy(s.opt.Control, "name the field with --control"))
}

// strataWarning returns a warning of strata that are nearly as many as documents, else "". The
// caller holds the lock.
func (s *Source) strataWarning() string {
	if n := len(s.strata); n > 1 && 2*n > s.total.documents {
		return fmt.Sprintf("the control %q has %d values for %d documents, and only documents of one value are compared: is it a measured value, or a name? --control names another field", s.opt.Control, n, s.total.documents)
	}
	return ""
}
