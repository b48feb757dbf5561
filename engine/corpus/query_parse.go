package corpus

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// Parse parses an expression that is true of some documents:
//
//	expression = term { "or" term }
//	term       = factor { "and" factor }
//	factor     = "not" factor | "(" expression ")" | property
//	property   = "class=" name | "id=" name | "file=" name | "labelled"
//	name       = characters other than white space, parentheses and quotes,
//	             or any in quotes, " and \ as \" and \\
//
// class=NAME is true of documents with that label, id=NAME of the documents with that
// name, file=NAME of those whose name is in a list, and labelled of those with a label. A
// class or id with a * at its end matches every name that begins so; within quotes a * is
// a character like others. The words and, or and not may be in capitals.
//
// list returns the names of documents in the list of file=NAME; if it is nil, file= is an
// error. Parse returns an [QueryError] for a mistake in the expression, and the error of list.
func ParseQuery(expr string, list func(name string) ([]string, error)) (*Query, error) {
	p := parser{text: expr, list: list, query: &Query{text: expr}}
	root, err := p.parseExpression()
	if err == nil && p.skipSpace() < len(expr) {
		err = p.expectedError(`"and", "or" or the end`)
	}
	if err != nil {
		return nil, err
	}
	p.query.root = root
	return p.query, nil
}

// maxDepth bounds the recursion of the parser.
const maxDepth = 1000

// A parser is a recursive-descent parser with a method for each rule of the grammar.
type parser struct {
	text  string
	pos   int // of the next byte
	depth int // of nested factors
	list  func(name string) ([]string, error)
	query *Query
}

// errorAt returns the error for a problem at a byte of the expression.
func (p *parser) errorAt(at int, cause error, format string, args ...any) error {
	return &QueryError{Expr: p.text, Column: utf8.RuneCountInString(p.text[:at]) + 1, Problem: fmt.Sprintf(format, args...), Err: cause}
}

// expectedError returns the error that what should be at the parser's position.
func (p *parser) expectedError(what string) error {
	at := p.skipSpace()
	if at == len(p.text) {
		return p.errorAt(at, nil, "expected %s, but it ends here", what)
	}
	found := p.peekWord()
	if found == "" {
		found = p.text[at : at+1]
	}
	return p.errorAt(at, nil, "expected %s, not %q", what, usage.Cut(found))
}

// skipSpace skips white space and returns the position behind it.
func (p *parser) skipSpace() int {
	rest := strings.TrimLeftFunc(p.text[p.pos:], unicode.IsSpace)
	p.pos = len(p.text) - len(rest)
	return p.pos
}

// peekWord returns the characters up to white space, a parenthesis or a quote, and does not
// move on.
func (p *parser) peekWord() string {
	rest := p.text[p.skipSpace():]
	end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`()"`, r) })
	if end < 0 {
		return rest
	}
	return rest[:end]
}

// acceptWord moves behind the next word and returns true if it is the given one, in
// capitals or not.
func (p *parser) acceptWord(word string) bool {
	if w := p.peekWord(); strings.EqualFold(w, word) {
		p.pos += len(w)
		return true
	}
	return false
}

// parseExpression parses the rule expression of the grammar.
func (p *parser) parseExpression() (condition, error) {
	left, err := p.parseTerm()
	for err == nil && p.acceptWord("or") {
		var right condition
		right, err = p.parseTerm()
		left = orCondition{left, right}
	}
	return left, err
}

// parseTerm parses the rule term of the grammar.
func (p *parser) parseTerm() (condition, error) {
	left, err := p.parseFactor()
	for err == nil && p.acceptWord("and") {
		var right condition
		right, err = p.parseFactor()
		left = andCondition{left, right}
	}
	return left, err
}

// parseFactor parses the rule factor of the grammar.
func (p *parser) parseFactor() (condition, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorAt(p.pos, nil, "more than %d conditions within one another", maxDepth)
	}
	defer func() { p.depth-- }()
	if p.acceptWord("not") {
		of, err := p.parseFactor()
		return notCondition{of}, err
	}
	if !strings.HasPrefix(p.text[p.skipSpace():], "(") {
		return p.parseProperty()
	}
	p.pos++
	inner, err := p.parseExpression()
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(p.text[p.skipSpace():], ")") {
		return nil, p.expectedError(`"and", "or" or ")"`)
	}
	p.pos++
	return inner, nil
}

// parseProperty parses a property with its name.
func (p *parser) parseProperty() (condition, error) {
	at := p.skipSpace()
	property := docProperty{kind: byLabel, column: utf8.RuneCountInString(p.text[:at]) + 1}
	if !p.acceptWord(byLabel) {
		kind, _, ok := strings.Cut(p.peekWord(), "=")
		if !ok || kind != byClass && kind != byID && kind != byFile {
			return nil, p.expectedError(`class=NAME, id=NAME, file=NAME, labelled, "not" or "("`)
		}
		property.kind = kind
		p.pos += len(kind) + 1
		if err := p.parseName(&property); err != nil {
			return nil, err
		}
	}
	if property.kind == byFile {
		if err := p.readList(at, &property); err != nil {
			return nil, err
		}
	}
	p.query.properties = append(p.query.properties, property)
	return propertyCondition(len(p.query.properties) - 1), nil
}

// parseName parses the name of a property.
func (p *parser) parseName(property *docProperty) error {
	start := p.pos
	rest := p.text[start:]
	if strings.HasPrefix(rest, `"`) {
		return p.parseQuoted(property)
	}
	if first, _ := utf8.DecodeRuneInString(rest); rest == "" || unicode.IsSpace(first) {
		hint := ""
		if property.kind == byClass {
			hint = "; documents without a label are: not labelled"
		}
		return p.errorAt(start, nil, "expected a name behind %s=%s", property.kind, hint)
	}
	value := p.peekWord()
	p.pos += len(value)
	if property.kind != byFile {
		value, property.prefix = strings.CutSuffix(value, "*")
	}
	switch next := p.text[p.pos:]; {
	case value == "" && !property.prefix, strings.HasPrefix(next, "("), strings.HasPrefix(next, `"`):
		return p.errorAt(p.pos, nil, `a name with white space, parentheses or quotes must be in quotes: %s="..."`, property.kind)
	case strings.Contains(value, "*") && property.kind != byFile:
		return p.errorAt(start+strings.Index(value, "*"), nil, `a * stands at the end of a name only; put the name in quotes if it is a part of it: %s="..."`, property.kind)
	}
	property.value = value
	return nil
}

// parseQuoted parses a name in quotes, and a * behind them.
func (p *parser) parseQuoted(property *docProperty) error {
	start := p.pos
	var value strings.Builder
	for p.pos++; !strings.HasPrefix(p.text[p.pos:], `"`); p.pos++ {
		if p.pos == len(p.text) {
			return p.errorAt(start, nil, "the quotes that begin here do not end")
		}
		if rest := p.text[p.pos:]; strings.HasPrefix(rest, `\"`) || strings.HasPrefix(rest, `\\`) {
			p.pos++
		}
		value.WriteByte(p.text[p.pos])
	}
	p.pos++
	property.value = value.String()
	if property.kind != byFile && strings.HasPrefix(p.text[p.pos:], "*") {
		property.prefix = true
		p.pos++
	}
	if next, _ := utf8.DecodeRuneInString(p.text[p.pos:]); p.pos < len(p.text) && next != ')' && !unicode.IsSpace(next) {
		return p.errorAt(p.pos, nil, "expected white space behind the name in quotes")
	}
	return nil
}

// readList sets the ids and places of a property file=. pos is where it begins.
func (p *parser) readList(at int, property *docProperty) error {
	if p.list == nil {
		return p.errorAt(at, nil, "no file can be read here")
	}
	ids, err := p.list(property.value)
	if err != nil {
		return fmt.Errorf("%s: %w", property.expression(), err)
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

// Quote returns a name as [ParseQuery] takes it in an expression: in quotes if necessary.
func QuoteName(name string) string {
	plain := name != "" && !strings.ContainsAny(name, `*()"`) && strings.IndexFunc(name, unicode.IsSpace) < 0
	if plain {
		return name
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
}
