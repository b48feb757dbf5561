package bestterms

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/tsv"
	"github.com/termsift/termsift/engine/usage"
)

// Read reads what [Choice.WriteTSV] wrote. Its errors wrap [ErrBadClassTerms] and begin
// with name and the number of the line. Kept is nil in the result; a [Filter] tells which
// documents a class keeps.
func Read(r io.Reader, name string) (*Choice, error) {
	p := parser{name: name, records: map[string]string{}, seen: map[string]bool{}}
	if err := tsv.Lines(r, name, p.parseLine); err != nil {
		return nil, err
	}
	return p.choice()
}

// A parser reads a file line by line. It expects the rows of the classes in the order of
// the "#class" lines, and as many as these say.
type parser struct {
	name    string
	line    int
	records map[string]string
	sizes   []classRecord
	inRows  bool // the header line has been read
	result  Choice
	current int             // place in sizes of the class whose rows are being read
	seen    map[string]bool // names of classes; then, in rows, the terms of the current list
}

// errorf returns an ErrBadClassTerms for the current line.
func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w: %s; write it with termsift select --by best-terms --class-terms",
		p.name, p.line, ErrBadClassTerms, fmt.Sprintf(format, args...))
}

// parseLine parses the next line.
func (p *parser) parseLine(line string) error {
	p.line++
	switch {
	case p.line == 1:
		if line != classTermsMark {
			return p.errorf("the first line is not %q", classTermsMark)
		}
	case p.inRows:
		return p.parseRow(strings.Split(line, "\t"))
	case strings.HasPrefix(line, "#"):
		name, value, _ := strings.Cut(line[1:], " ")
		if name == "class" {
			return p.parseClass(value)
		}
		p.records[name] = value
	case line != classTermsHeader:
		return p.errorf("the header line is %q", usage.Cut(line))
	default:
		p.inRows = true
	}
	return nil
}

// parseClass parses the content of a "#class" line.
func (p *parser) parseClass(value string) error {
	var c classRecord
	if err := json.Unmarshal([]byte(value), &c); err != nil {
		return p.errorf("the line #class: %v", err)
	}
	if c.Documents < 0 || c.Kept < 0 || c.Positive < 0 || c.Negative < 0 || c.Entries < 0 {
		return p.errorf("a size of class %q is negative", usage.Cut(c.Class))
	}
	if p.seen[c.Class] {
		return p.errorf("class %q stands there twice", usage.Cut(c.Class))
	}
	p.seen[c.Class] = true
	p.sizes = append(p.sizes, c)
	p.result.Classes = append(p.result.Classes, ClassTerms{Class: c.Class, Documents: c.Documents, KeptDocuments: c.Kept, Entries: c.Entries})
	p.result.Entries += c.Entries
	return nil
}

// nextList returns the list that the next row belongs to, and its sign; nil if all lists
// are complete.
func (p *parser) nextList() (list *[]Term, sign string) {
	for ; p.current < len(p.sizes); p.current++ {
		c, want := &p.result.Classes[p.current], p.sizes[p.current]
		switch {
		case len(c.Positive) < want.Positive:
			return &c.Positive, "+"
		case len(c.Negative) < want.Negative:
			return &c.Negative, "-"
		}
	}
	return nil, ""
}

// parseRow parses the line of a term and appends it to its list.
func (p *parser) parseRow(fields []string) error {
	if want := strings.Count(classTermsHeader, "\t") + 1; len(fields) != want {
		return p.errorf("%d columns instead of %d", len(fields), want)
	}
	list, sign := p.nextList()
	if list == nil {
		return p.errorf("it goes on behind the last term of the last class")
	}
	class := p.result.Classes[p.current].Class
	if got := tsv.Unescape(fields[0]); got != class || fields[1] != sign {
		return p.errorf("a term of %q with the sign %q instead of %q with %q", usage.Cut(got), usage.Cut(fields[1]), usage.Cut(class), sign)
	}
	if fields[2] != strconv.Itoa(len(*list)+1) {
		return p.errorf("rank %q instead of %d", usage.Cut(fields[2]), len(*list)+1)
	}
	t, err := p.parseTerm(fields)
	if err != nil {
		return err
	}
	if len(*list) == 0 {
		clear(p.seen)
	}
	if p.seen[t.Term] {
		return p.errorf("term %q stands there twice", usage.Cut(t.Term))
	}
	p.seen[t.Term] = true
	*list = append(*list, t)
	return nil
}

// parseTerm parses the columns of a row from the term on.
func (p *parser) parseTerm(fields []string) (Term, error) {
	t := Term{Term: tsv.Unescape(fields[3])}
	var err error
	if t.Score, err = tsv.ParseValue(fields[4]); err != nil {
		return t, p.errorf("score %q", usage.Cut(fields[4]))
	}
	for i, to := range []*int{&t.DF, &t.A, &t.B} {
		if *to, err = strconv.Atoi(fields[5+i]); err != nil || *to < 0 {
			return t, p.errorf("number of documents %q", usage.Cut(fields[5+i]))
		}
	}
	if t.DF == 0 || t.A+t.B != t.DF {
		return t, p.errorf("%d documents in the class and %d outside are not %d", t.A, t.B, t.DF)
	}
	return t, nil
}

// choice returns the Choice, or an error for a file that is not complete.
func (p *parser) choice() (*Choice, error) {
	if !p.inRows {
		return nil, p.errorf("it ends before the header line")
	}
	for _, r := range p.result.records() {
		value, ok := p.records[r.name]
		if !ok {
			return nil, p.errorf("the line #%s is missing", r.name)
		}
		if err := json.Unmarshal([]byte(value), r.of); err != nil {
			return nil, p.errorf("the line #%s: %v", r.name, err)
		}
	}
	if list, sign := p.nextList(); list != nil {
		return nil, p.errorf("it ends before the last term of class %q with the sign %s", usage.Cut(p.result.Classes[p.current].Class), sign)
	}
	for _, c := range p.result.Classes {
		if !slices.Contains(p.result.CorpusClasses, c.Class) {
			return nil, p.errorf("class %q is none of the corpus", usage.Cut(c.Class))
		}
	}
	return &p.result, nil
}
