package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ReadBestTerms reads what [BestTerms.WriteTSV] wrote; name is what errors call the
// file. They wrap [ErrBadClassTerms] and say the line. Kept is nil: which documents a
// class keeps, a [ClassFilter] says.
func ReadBestTerms(r io.Reader, name string) (*BestTerms, error) {
	p := classTermsParser{name: name, records: map[string]string{}, seen: map[string]bool{}}
	if err := eachLine(r, name, p.parse); err != nil {
		return nil, err
	}
	return p.bestTerms()
}

// eachLine calls f for every line, up to 64 MiB long.
func eachLine(r io.Reader, name string, f func(line string) error) error {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 64<<20)
	for scanner.Scan() {
		if err := f(scanner.Text()); err != nil {
			return err
		}
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// A classTermsParser expects the rows of the classes in the order of the "#class"
// lines, as many as these say.
type classTermsParser struct {
	name    string
	line    int
	records map[string]string
	sizes   []recordedClass
	body    bool // the header line is behind it
	b       BestTerms
	at      int             // the class of the rows at hand
	seen    map[string]bool // names of classes; then the terms of the list at hand
}

func (p *classTermsParser) bad(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w: %s; write it with termsift select --by best-terms --class-terms",
		p.name, p.line, ErrBadClassTerms, fmt.Sprintf(format, args...))
}

func (p *classTermsParser) parse(line string) error {
	p.line++
	switch {
	case p.line == 1:
		if line != classTermsMark {
			return p.bad("the first line is not %q", classTermsMark)
		}
	case p.body:
		return p.row(strings.Split(line, "\t"))
	case strings.HasPrefix(line, "#"):
		name, value, _ := strings.Cut(line[1:], " ")
		if name == "class" {
			return p.class(value)
		}
		p.records[name] = value
	case line != classTermsHeader:
		return p.bad("the header line is %q", cut(line))
	default:
		p.body = true
	}
	return nil
}

func (p *classTermsParser) class(value string) error {
	var c recordedClass
	if err := json.Unmarshal([]byte(value), &c); err != nil {
		return p.bad("the line #class: %v", err)
	}
	if c.Documents < 0 || c.Kept < 0 || c.Positive < 0 || c.Negative < 0 || c.Entries < 0 {
		return p.bad("a size of class %q is negative", cut(c.Class))
	}
	if p.seen[c.Class] {
		return p.bad("class %q stands there twice", cut(c.Class))
	}
	p.seen[c.Class] = true
	p.sizes = append(p.sizes, c)
	p.b.Classes = append(p.b.Classes, ClassTerms{Class: c.Class, Documents: c.Documents, KeptDocuments: c.Kept, Entries: c.Entries})
	p.b.Entries += c.Entries
	return nil
}

// list is where the next row goes, and its sign. It is nil behind the last one.
func (p *classTermsParser) list() (list *[]BestTerm, sign string) {
	for ; p.at < len(p.sizes); p.at++ {
		c, want := &p.b.Classes[p.at], p.sizes[p.at]
		switch {
		case len(c.Positive) < want.Positive:
			return &c.Positive, "+"
		case len(c.Negative) < want.Negative:
			return &c.Negative, "-"
		}
	}
	return nil, ""
}

func (p *classTermsParser) row(fields []string) error {
	if want := strings.Count(classTermsHeader, "\t") + 1; len(fields) != want {
		return p.bad("%d columns instead of %d", len(fields), want)
	}
	list, sign := p.list()
	if list == nil {
		return p.bad("it goes on behind the last term of the last class")
	}
	class := p.b.Classes[p.at].Class
	if got := tsvUnescaper.Replace(fields[0]); got != class || fields[1] != sign {
		return p.bad("a term of %q with the sign %q instead of %q with %q", cut(got), cut(fields[1]), cut(class), sign)
	}
	if fields[2] != strconv.Itoa(len(*list)+1) {
		return p.bad("rank %q instead of %d", cut(fields[2]), len(*list)+1)
	}
	t, err := p.term(fields)
	if err != nil {
		return err
	}
	if len(*list) == 0 {
		clear(p.seen)
	}
	if p.seen[t.Term] {
		return p.bad("term %q stands there twice", cut(t.Term))
	}
	p.seen[t.Term] = true
	*list = append(*list, t)
	return nil
}

func (p *classTermsParser) term(fields []string) (BestTerm, error) {
	t := BestTerm{Term: tsvUnescaper.Replace(fields[3])}
	var err error
	if t.Score, err = parseValue(fields[4]); err != nil {
		return t, p.bad("score %q", cut(fields[4]))
	}
	for i, to := range []*int{&t.DF, &t.A, &t.B} {
		if *to, err = strconv.Atoi(fields[5+i]); err != nil || *to < 0 {
			return t, p.bad("number of documents %q", cut(fields[5+i]))
		}
	}
	if t.DF == 0 || t.A+t.B != t.DF {
		return t, p.bad("%d documents in the class and %d outside are not %d", t.A, t.B, t.DF)
	}
	return t, nil
}

func (p *classTermsParser) bestTerms() (*BestTerms, error) {
	if !p.body {
		return nil, p.bad("it ends before the header line")
	}
	for _, r := range p.b.records() {
		value, ok := p.records[r.name]
		if !ok {
			return nil, p.bad("the line #%s is missing", r.name)
		}
		if err := json.Unmarshal([]byte(value), r.of); err != nil {
			return nil, p.bad("the line #%s: %v", r.name, err)
		}
	}
	if list, sign := p.list(); list != nil {
		return nil, p.bad("it ends before the last term of class %q with the sign %s", cut(p.b.Classes[p.at].Class), sign)
	}
	known := set(p.b.CorpusClasses)
	for _, c := range p.b.Classes {
		if !known[c.Class] {
			return nil, p.bad("class %q is none of the corpus", cut(c.Class))
		}
	}
	return &p.b, nil
}
