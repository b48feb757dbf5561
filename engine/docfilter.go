package engine

import (
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bitmap"
)

// A DocFilter is a condition on documents, made by [ParseDocs]. It is immutable and
// safe for concurrent use.
type DocFilter struct {
	text       string
	root       docCondition
	properties []docProperty
}

// String gives the expression as it was written.
func (f *DocFilter) String() string { return f.text }

// A docProperty is one thing asked of a document.
type docProperty struct {
	kind   string // "class", "id", "file" or "labelled"
	value  string
	prefix bool // the value is the beginning
	column int  // in the expression
	// The ids of a file, in its order, each once, with their places.
	ids    []string
	places map[string]int
}

// The kinds of properties.
const (
	docClass    = "class"
	docID       = "id"
	docFile     = "file"
	docLabelled = "labelled"
)

// name is the property as one would write it.
func (p *docProperty) name() string {
	switch {
	case p.kind == docLabelled:
		return p.kind
	case p.prefix:
		return p.kind + "=" + quoteDocs(p.value) + "*"
	}
	return p.kind + "=" + quoteDocs(p.value)
}

// is compares a name with the value.
func (p *docProperty) is(name string) bool {
	return name == p.value || p.prefix && strings.HasPrefix(name, p.value)
}

// A docCondition combines properties, given by their places in has.
type docCondition interface{ holds(has []bool) bool }

type (
	docHas int
	docNot struct{ of docCondition }
	docAnd struct{ left, right docCondition }
	docOr  struct{ left, right docCondition }
)

func (c docHas) holds(has []bool) bool { return has[c] }
func (c docNot) holds(has []bool) bool { return !c.of.holds(has) }
func (c docAnd) holds(has []bool) bool { return c.left.holds(has) && c.right.holds(has) }
func (c docOr) holds(has []bool) bool  { return c.left.holds(has) || c.right.holds(has) }

// A DocMatcher applies a filter to documents one at a time and remembers which parts
// of it were of no use. It belongs to one goroutine.
type DocMatcher struct {
	f     *DocFilter
	has   []bool   // by property, of the document at hand
	met   []bool   // by property: a document has it
	found [][]bool // by property and id of a file: there is one
}

// Matcher begins with no documents.
func (f *DocFilter) Matcher() *DocMatcher {
	n := len(f.properties)
	m := &DocMatcher{f: f, has: make([]bool, n), met: make([]bool, n), found: make([][]bool, n)}
	for i, p := range f.properties {
		m.found[i] = make([]bool, len(p.ids))
	}
	return m
}

// Match says whether a document with a name and labels meets the condition.
func (m *DocMatcher) Match(id string, labels []string) bool {
	for i := range m.f.properties {
		m.has[i] = m.property(i, id, labels)
		m.met[i] = m.met[i] || m.has[i]
	}
	return m.f.root.holds(m.has)
}

func (m *DocMatcher) property(i int, id string, labels []string) bool {
	switch p := &m.f.properties[i]; p.kind {
	case docLabelled:
		return len(labels) > 0
	case docID:
		return p.is(id)
	case docFile:
		place, ok := p.places[id]
		if ok {
			m.found[i][place] = true
		}
		return ok
	default:
		for _, l := range labels {
			if p.is(l) {
				return true
			}
		}
		return false
	}
}

// Warnings tell, once all documents have gone by, what no document has: a property, or
// names of a file.
func (m *DocMatcher) Warnings() []string {
	var warnings []string
	for i := range m.f.properties {
		if w := m.warning(i); w != "" {
			warnings = append(warnings, w)
		}
	}
	return warnings
}

// A DocMatch is what a filter finds in a corpus.
type DocMatch struct {
	Docs *roaring.Bitmap // may be empty
	// Warnings say which parts of the expression no document meets.
	Warnings []string
}

// Match finds the documents that meet a condition. A class that the corpus does not
// have is a [DocsError] that wraps an [UnknownError], unless it ends in *.
func (c *Corpus) Match(f *DocFilter) (*DocMatch, error) {
	if err := f.checkClasses(c.Classes()); err != nil {
		return nil, err
	}
	m := f.Matcher()
	var docs []uint32
	var labels []string
	for d := range c.Documents() {
		labels = labels[:0]
		for _, l := range c.Labels(d) {
			labels = append(labels, c.index.Classes[l])
		}
		if m.Match(c.DocumentID(d), labels) {
			docs = append(docs, uint32(d))
		}
	}
	return &DocMatch{Docs: bitmap.FromIDs(docs), Warnings: m.Warnings()}, nil
}
