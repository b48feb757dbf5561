package engine

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseDocs reads an expression that chooses documents:
//
//	expression = term { "or" term }
//	term       = factor { "and" factor }
//	factor     = "not" factor | "(" expression ")" | property
//	property   = "class=" name | "id=" name | "file=" name | "labelled"
//	name       = characters other than white space, parentheses and quotes,
//	             or any in quotes, " and \ as \" and \\
//
// class=NAME is true of documents with that label, id=NAME of those with that name,
// file=NAME of those whose name is in a list, and labelled of those with a label. A *
// behind a class or id makes it the beginning of names; in quotes it is no more than a
// character. The words and, or and not may be in capitals.
//
// list reads the list of file=NAME, one document's name an element; without it file= is
// an error. A mistake in the expression is a [DocsError].
func ParseDocs(expr string, list func(name string) ([]string, error)) (*DocFilter, error) {
	p := docsParser{text: expr, list: list, f: &DocFilter{text: expr}}
	root, err := p.expression()
	if err == nil && p.space() < len(expr) {
		err = p.expected(`"and", "or" or the end`)
	}
	if err != nil {
		return nil, err
	}
	p.f.root = root
	return p.f, nil
}

// mostNested keeps the recursion within bounds.
const mostNested = 1000

type docsParser struct {
	text   string
	at     int // in bytes
	nested int
	list   func(name string) ([]string, error)
	f      *DocFilter
}

// fails makes the error at a byte of the expression.
func (p *docsParser) fails(at int, cause error, format string, args ...any) error {
	return &DocsError{Expr: p.text, Column: utf8.RuneCountInString(p.text[:at]) + 1, Problem: fmt.Sprintf(format, args...), Err: cause}
}

// expected says what should be where the parser is.
func (p *docsParser) expected(what string) error {
	at := p.space()
	if at == len(p.text) {
		return p.fails(at, nil, "expected %s, but it ends here", what)
	}
	found := p.word()
	if found == "" {
		found = p.text[at : at+1]
	}
	return p.fails(at, nil, "expected %s, not %q", what, cut(found))
}

// space skips white space and gives the place behind it.
func (p *docsParser) space() int {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.at = len(p.text) - len(rest)
	return p.at
}

// word looks at the characters up to white space, a parenthesis or a quote.
func (p *docsParser) word() string {
	rest := p.text[p.space():]
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()"`, r) })
	if end < 0 {
		return rest
	}
	return rest[:end]
}

// accept takes a word, in capitals or not, if it is the next.
func (p *docsParser) accept(word string) bool {
	if w := p.word(); strings.EqualFold(w, word) {
		p.at += len(w)
		return true
	}
	return false
}

func (p *docsParser) expression() (docCondition, error) {
	left, err := p.term()
	for err == nil && p.accept("or") {
		var right docCondition
		right, err = p.term()
		left = docOr{left, right}
	}
	return left, err
}

func (p *docsParser) term() (docCondition, error) {
	left, err := p.factor()
	for err == nil && p.accept("and") {
		var right docCondition
		right, err = p.factor()
		left = docAnd{left, right}
	}
	return left, err
}

func (p *docsParser) factor() (docCondition, error) {
	if p.nested++; p.nested > mostNested {
		return nil, p.fails(p.at, nil, "more than %d conditions within one another", mostNested)
	}
	defer func() { p.nested-- }()
	if p.accept("not") {
		of, err := p.factor()
		return docNot{of}, err
	}
	if !strings.HasPrefix(p.text[p.space():], "(") {
		return p.property()
	}
	p.at++
	inner, err := p.expression()
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(p.text[p.space():], ")") {
		return nil, p.expected(`"and", "or" or ")"`)
	}
	p.at++
	return inner, nil
}

// property reads a property and what belongs to it.
func (p *docsParser) property() (docCondition, error) {
	at := p.space()
	property := docProperty{kind: docLabelled, column: utf8.RuneCountInString(p.text[:at]) + 1}
	if !p.accept(docLabelled) {
		kind, _, ok := strings.Cut(p.word(), "=")
		if !ok || kind != docClass && kind != docID && kind != docFile {
			return nil, p.expected(`class=NAME, id=NAME, file=NAME, labelled, "not" or "("`)
		}
		property.kind = kind
		p.at += len(kind) + 1
		if err := p.name(&property); err != nil {
			return nil, err
		}
	}
	if property.kind == docFile {
		if err := p.readList(at, &property); err != nil {
			return nil, err
		}
	}
	p.f.properties = append(p.f.properties, property)
	return docHas(len(p.f.properties) - 1), nil
}

// name reads the value of a property.
func (p *docsParser) name(property *docProperty) error {
	start := p.at
	rest := p.text[start:]
	if strings.HasPrefix(rest, `"`) {
		return p.quoted(property)
	}
	if first, _ := utf8.DecodeRuneInString(rest); rest == "" || unicode.IsSpace(first) {
		hint := ""
		if property.kind == docClass {
			hint = "; documents without a label are: not labelled"
		}
		return p.fails(start, nil, "expected a name behind %s=%s", property.kind, hint)
	}
	value := p.word()
	p.at += len(value)
	if property.kind != docFile {
		value, property.prefix = strings.CutSuffix(value, "*")
	}
	switch next := p.text[p.at:]; {
	case value == "" && !property.prefix, strings.HasPrefix(next, "("), strings.HasPrefix(next, `"`):
		return p.fails(p.at, nil, `a name with white space, parentheses or quotes must be in quotes: %s="..."`, property.kind)
	case strings.Contains(value, "*") && property.kind != docFile:
		return p.fails(start+strings.Index(value, "*"), nil, `a * stands at the end of a name only; put the name in quotes if it is a part of it: %s="..."`, property.kind)
	}
	property.value = value
	return nil
}

// quoted reads a name in quotes, and a * behind them.
func (p *docsParser) quoted(property *docProperty) error {
	start := p.at
	var value strings.Builder
	for p.at++; !strings.HasPrefix(p.text[p.at:], `"`); p.at++ {
		if p.at == len(p.text) {
			return p.fails(start, nil, "the quotes that begin here do not end")
		}
		if rest := p.text[p.at:]; strings.HasPrefix(rest, `\"`) || strings.HasPrefix(rest, `\\`) {
			p.at++
		}
		value.WriteByte(p.text[p.at])
	}
	p.at++
	property.value = value.String()
	if property.kind != docFile && strings.HasPrefix(p.text[p.at:], "*") {
		property.prefix = true
		p.at++
	}
	if next, _ := utf8.DecodeRuneInString(p.text[p.at:]); p.at < len(p.text) && next != ')' && !unicode.IsSpace(next) {
		return p.fails(p.at, nil, "expected white space behind the name in quotes")
	}
	return nil
}

// readList reads the names of file=.
func (p *docsParser) readList(at int, property *docProperty) error {
	if p.list == nil {
		return p.fails(at, nil, "no file can be read here")
	}
	ids, err := p.list(property.value)
	if err != nil {
		return fmt.Errorf("%s: %w", property.name(), err)
	}
	property.places = make(map[string]int, len(ids))
	for _, id := range ids {
		if _, ok := property.places[id]; !ok {
			property.places[id] = len(property.ids)
			property.ids = append(property.ids, id)
		}
	}
	return nil
}

// quoteDocs writes a name so that ParseDocs reads it back.
func quoteDocs(name string) string {
	plain := name != "" && !strings.ContainsAny(name, `*()"`) && strings.IndexFunc(name, unicode.IsSpace) < 0
	if plain {
		return name
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}
