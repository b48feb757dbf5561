package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/termsift/termsift/engine/document"
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
	if err == nil {
		p.names[string(name)] = known
	}
	return known, err
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
	name := compression.TrimExtension(path.Base(filepath.ToSlash(pos.File[strings.LastIndexByte(pos.File, '!')+1:])))
	label, err := p.label([]byte(strings.TrimSuffix(name, path.Ext(name))), pos)
	p.labels = append(p.labels[:0], label)
	return p.labels, err
}

// filter drops labels and documents, in this order: documents without exactly one label as written; all labels but the
// first; labels of other classes; documents without any label left. Each step is optional. It returns the labels that stay,
// made a set, in the memory of the given ones, or the reason why the document is dropped.
func (s *Source) filter(labels []string) (kept []string, reason string) {
	if s.opt.SingleLabel && len(labels) != 1 {
		return nil, "document without exactly one label"
	}
	if s.opt.FirstLabel && len(labels) > 1 {
		labels = labels[:1]
	}
	if s.classes != nil {
		labels = slices.DeleteFunc(labels, func(label string) bool { return !s.classes[label] })
	}
	if (s.opt.Labelled || s.opt.SingleLabel) && len(labels) == 0 {
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
	missing := slices.DeleteFunc(slices.Clone(s.opt.Classes), func(class string) bool {
		_, ok := s.labels[class]
		return ok
	})
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the %d classes asked for are labels of no document; the first is %q", len(missing), len(s.opt.Classes), quotable(missing[0]))
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
func (o *Options) checkTargetOf(pos document.Position, what string) error {
	if o.Target == "" || o.Target == TargetLabel || o.OptionalFields {
		return nil
	}
	return &Error{
		Pos: pos, Problem: fmt.Sprintf("%s no field %.40q", what, o.Target), Remedy: "--target " + TargetLabel + " reads the label as the number", fatal: true,
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

// What follows compares labels: those that look like one, and those of the training and the test part.

// AlikeLabels returns the groups of labels that people take for one: they are one number, or equal in Unicode's form
// NFC, without white space around them and characters that nobody sees, and without regard to case and kinds of white
// space.
func AlikeLabels(classes map[string]int) [][]string {
	fold := func(r rune) rune { // the least of the characters that differ from r in case only
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}
	return alikeLabels(classes, func(label string) string {
		if !utf8.ValidString(label) {
			return label
		}
		return norm.NFC.String(strings.Map(fold, printedKey(label)))
	})
}

// alikeLabels returns the groups of two labels and more with the same key, in the order of their first labels.
func alikeLabels[T any](classes map[string]T, key func(label string) string) (groups [][]string) {
	byKey := map[string][]string{}
	for label := range classes {
		k := key(label)
		byKey[k] = append(byKey[k], label)
	}
	for _, labels := range byKey {
		if slices.Sort(labels); len(labels) > 1 {
			groups = append(groups, labels)
		}
	}
	slices.SortFunc(groups, slices.Compare)
	return groups
}

// printedKey returns the same text for labels that are one number, or print alike: they differ in white space
// around them or its kind, in characters that nobody sees, or in how letters with accents are composed.
func printedKey(label string) string {
	if !utf8.ValidString(label) {
		return label
	}
	label = strings.TrimSpace(strings.Map(visible, label))
	if number, err := document.AppendNumber(nil, []byte(label)); err == nil {
		return string(number)
	}
	return norm.NFC.String(label)
}

// visible returns -1 for a character that is not seen, as a soft hyphen, a mark of UTF-8 or a joiner, and a space for
// one that is seen as such.
func visible(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	if unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) || unicode.Is(unicode.Variation_Selector, r) || r == '\u034f' {
		return -1
	}
	return r
}

// ErrOnce is returned for an input that must be read twice and cannot be.
var ErrOnce = errors.New("the input can be read only once")

// CommonClasses gives the labels that occur in the training part and in the test
// part, in the order of their bytes, after SingleLabel or FirstLabel; Classes and
// Labelled do not matter. It is never nil, so that Options.Classes keeps nothing
// where there are none. The inputs are read twice.
func CommonClasses(ctx context.Context, inputs []string, opt Options) ([]string, error) {
	for _, input := range inputs {
		if !ReadableTwice(input) {
			return nil, fmt.Errorf("%w: the classes of both parts are asked for, and %s is a pipe; name a file", ErrOnce, input)
		}
	}
	opt.Classes, opt.Labelled = nil, false
	parts := map[string]int{} // that have a label: 1, 2 or both
	for part, split := range []string{"train", "test"} {
		opt.Split = split
		s, err := Read(ctx, inputs, opt)
		if err != nil {
			return nil, err
		}
		for d, err := range s.Documents() {
			if err != nil {
				return nil, err
			}
			for _, label := range d.Labels {
				parts[label] |= 1 << part
			}
		}
	}
	common := []string{}
	for label, in := range parts {
		if in == 3 {
			common = append(common, label)
		}
	}
	slices.Sort(common)
	return common, nil
}

// ReadableTwice reports whether an input can be read again: a file or a directory can, a
// pipe or a terminal cannot. It reports true for an input that is missing, which Read
// finds.
func ReadableTwice(input string) bool {
	info, err := os.Stat(input)
	return input != "-" && (err != nil || info.IsDir() || info.Mode().IsRegular())
}
