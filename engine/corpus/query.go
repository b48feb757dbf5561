package corpus

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/usage"
)

// A Query is a condition on documents, made by [ParseQuery]. It is immutable and
// safe for concurrent use.
type Query struct {
	text       string
	root       condition
	properties []docProperty
}

// String returns the expression as it was given to Parse.
func (f *Query) String() string { return f.text }

// A docProperty is a property of the grammar: what a document may have or not.
type docProperty struct {
	kind   string // byClass, byID, byFile or byLabel
	value  string // the name
	prefix bool   // names need only begin with value
	column int    // where the property begins in the expression, from 1
	// For byFile: the names in the file, in its order, each once, and their places in ids.
	ids    []string
	places map[string]int
}

// The kinds of properties, as they are written in an expression.
const (
	byClass = "class"
	byID    = "id"
	byFile  = "file"
	byLabel = "labelled"
)

// expression returns the property as it is written in an expression.
func (p *docProperty) expression() string {
	switch {
	case p.kind == byLabel:
		return p.kind
	case p.prefix:
		return p.kind + "=" + QuoteName(p.value) + "*"
	}
	return p.kind + "=" + QuoteName(p.value)
}

// matchesName reports whether a name is the value, or begins with it if prefix.
func (p *docProperty) matchesName(name string) bool {
	return name == p.value || p.prefix && strings.HasPrefix(name, p.value)
}

// A condition reports whether a part of the expression is true of a document; has tells by the place of a property
// whether the document has it.
type condition func(has []bool) bool

// A Matcher applies a query to one document at a time, and remembers the properties that
// none has had. It serves one goroutine.
type Matcher struct {
	query    *Query
	has      []bool   // by property: the current document has it
	occurred []bool   // by property: some document had it
	foundIDs [][]bool // by property and place in ids: some document has that name
}

// Matcher returns a Matcher that has seen no document.
func (f *Query) Matcher() *Matcher {
	n := len(f.properties)
	m := &Matcher{query: f, has: make([]bool, n), occurred: make([]bool, n), foundIDs: make([][]bool, n)}
	for i, p := range f.properties {
		m.foundIDs[i] = make([]bool, len(p.ids))
	}
	return m
}

// Match reports whether the query is true of a document with a name and labels.
func (m *Matcher) Match(id string, labels []string) bool {
	for i := range m.query.properties {
		m.has[i] = m.hasProperty(i, id, labels)
		m.occurred[i] = m.occurred[i] || m.has[i]
	}
	return m.query.root(m.has)
}

// hasProperty reports whether a document has property i.
func (m *Matcher) hasProperty(i int, id string, labels []string) bool {
	switch p := &m.query.properties[i]; p.kind {
	case byLabel:
		return len(labels) > 0
	case byID:
		return p.matchesName(id)
	case byFile:
		place, ok := p.places[id]
		if ok {
			m.foundIDs[i][place] = true
		}
		return ok
	default:
		for _, l := range labels {
			if p.matchesName(l) {
				return true
			}
		}
		return false
	}
}

// Warnings returns a warning for each property that no document had, and for each file
// with names of no document. Call it after Match of all documents.
func (m *Matcher) Warnings() []string {
	var warnings []string
	for i := range m.query.properties {
		if w := m.propertyWarning(i); w != "" {
			warnings = append(warnings, w)
		}
	}
	return warnings
}

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
	named int // where the name of the last property begins that has no quotes; 0 for none
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
	hint := ""
	if p.named > 0 && !strings.Contains(found, "=") { // the name may go on
		name, _, _ := strings.Cut(p.text[p.named:], ")")
		kind := p.text[strings.LastIndexAny(p.text[:p.named], " \t\n(")+1 : p.named]
		hint = fmt.Sprintf(`; put a name with white space into double quotes: %s"%s"`, kind, usage.Cut(strings.Join(strings.Fields(name), " ")))
	}
	return p.errorAt(at, nil, "expected %s, not %q%s", what, usage.Cut(found), hint)
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
		before := left
		var right condition
		right, err = p.parseTerm()
		left = func(has []bool) bool { return before(has) || right(has) }
	}
	return left, err
}

// parseTerm parses the rule term of the grammar.
func (p *parser) parseTerm() (condition, error) {
	left, err := p.parseFactor()
	for err == nil && p.acceptWord("and") {
		before := left
		var right condition
		right, err = p.parseFactor()
		left = func(has []bool) bool { return before(has) && right(has) }
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
		return func(has []bool) bool { return !of(has) }, err
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
	place := len(p.query.properties)
	p.query.properties = append(p.query.properties, property)
	return func(has []bool) bool { return has[place] }, nil
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
	p.named = p.pos
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

// An Error says what is wrong with an expression, and where. It is a [usage.ErrUsage].
type QueryError struct {
	Expr    string
	Column  int // of the first wrong character, from 1
	Problem string
	Err     error // the cause; may be nil
}

// errorWindow is the number of characters that an error shows on either side of the column.
const errorWindow = 30

// Error returns the problem and, in two more lines, the expression around the column with a
// mark below.
func (e *QueryError) Error() string {
	line := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, e.Expr))
	at := e.Column - 1
	from, to := max(at-errorWindow, 0), min(at+errorWindow, len(line))
	left, right := "", ""
	if from > 0 {
		left = "..."
	}
	if to < len(line) {
		right = "..."
	}
	return fmt.Sprintf("column %d of the expression: %s\n  %s%s%s\n  %s^",
		e.Column, e.Problem, left, string(line[from:to]), right, strings.Repeat(" ", len(left)+at-from))
}

// Unwrap returns the cause.
func (e *QueryError) Unwrap() error { return e.Err }

// Is reports whether target is [usage.ErrUsage].
func (e *QueryError) Is(target error) bool { return target == usage.ErrUsage }

// CheckClasses returns an [QueryError] for the first class=NAME of a class that is not known.
func (f *Query) checkClasses(known []string) error {
	for _, p := range f.properties {
		if p.kind != byClass || p.prefix || slices.Contains(known, p.value) {
			continue
		}
		err := usage.Unknown("class", p.value, known)
		return &QueryError{Expr: f.text, Column: p.column, Problem: err.Error(), Err: err}
	}
	return nil
}

// propertyWarning returns the warning for property i, "" if there is none.
func (m *Matcher) propertyWarning(i int) string {
	p := &m.query.properties[i]
	if p.kind != byFile {
		if m.occurred[i] {
			return ""
		}
		return fmt.Sprintf("no document has %s", p.expression())
	}
	missing, first := 0, ""
	for place, found := range m.foundIDs[i] {
		if !found {
			if missing == 0 {
				first = p.ids[place]
			}
			missing++
		}
	}
	if missing == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the %d names in %s are those of no document; the first is %q", missing, len(p.ids), p.value, usage.Cut(first))
}
