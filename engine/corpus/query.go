package corpus

import "strings"

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

// A condition is a node of the parsed expression. holds reports whether it is true of a
// document; has tells by the place of a property whether the document has it.
type condition interface{ holds(has []bool) bool }

type (
	propertyCondition int
	notCondition      struct{ operand condition }
	andCondition      struct{ left, right condition }
	orCondition       struct{ left, right condition }
)

func (c propertyCondition) holds(has []bool) bool { return has[c] }
func (c notCondition) holds(has []bool) bool      { return !c.operand.holds(has) }
func (c andCondition) holds(has []bool) bool      { return c.left.holds(has) && c.right.holds(has) }
func (c orCondition) holds(has []bool) bool       { return c.left.holds(has) || c.right.holds(has) }

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
	return m.query.root.holds(m.has)
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
