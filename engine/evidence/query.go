package evidence

import (
	"cmp"
	"slices"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// A query is searches, made ready to be found all at once. It is immutable.
type query struct {
	analyzer *analysis.Analyzer // of words, or of n-grams of characters
	searches int
	several  bool // a search has several patterns
	patterns []pattern
	words    []word           // of all patterns, each once; their numbers are their places
	texts    map[string]int32 // the words without wildcards
	globs    []int32          // the words with some
	anchors  [][]int32        // by word: the patterns that it is the anchor of
}

// A pattern is the words of one, as numbers of words of the query, or anyWord.
type pattern struct {
	search int32
	words  []int32
	anchor int // the place of the word by which it is looked for
}

const anyWord = -1

// newQuery makes searches ready.
func newQuery(a analysis.Options, searches []Search) (*query, error) {
	for _, s := range searches {
		if a.HashBits > 0 && len(s.Patterns) == 0 {
			return nil, usage.Errorf("the term %s is a column of %d hash bits, which no line has: look for the words that select finds for the column", usage.Cut(s.Term), a.HashBits)
		}
	}
	a.HashBits = 0 // patterns are of words
	p, err := newParser(a)
	if err != nil {
		return nil, err
	}
	q := &query{searches: len(searches), texts: map[string]int32{}}
	if q.analyzer, err = wordsOnly(a); err != nil {
		return nil, usage.Errorf("%w", err)
	}
	whole, err := analysis.New(a)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	for i, s := range searches {
		if len(s.Patterns) == 0 {
			var words []word
			for _, text := range whole.Words(s.Term) {
				words = append(words, word{text: text})
			}
			q.add(i, words)
			continue
		}
		q.several = q.several || len(s.Patterns) > 1
		for _, text := range s.Patterns {
			words, err := p.words(text)
			if err != nil {
				return nil, err
			}
			q.add(i, words)
		}
	}
	return q, nil
}

// add adds a pattern of a search.
func (q *query) add(search int, words []word) {
	p := pattern{search: int32(search), anchor: slices.IndexFunc(words, func(w word) bool { return w.tells() })}
	for i := range words {
		p.words = append(p.words, q.number(&words[i]))
	}
	anchor := p.words[p.anchor]
	q.anchors[anchor] = append(q.anchors[anchor], int32(len(q.patterns)))
	q.patterns = append(q.patterns, p)
}

// number returns the number of a word.
func (q *query) number(w *word) int32 {
	if w.isAny() {
		return anyWord
	}
	if w.glob == nil {
		if n, ok := q.texts[w.text]; ok {
			return n
		}
	}
	for _, n := range q.globs {
		if w.glob != nil && slices.Equal(q.words[n].glob, w.glob) {
			return n
		}
	}
	n := int32(len(q.words))
	q.words, q.anchors = append(q.words, *w), append(q.anchors, nil)
	if w.glob == nil {
		q.texts[w.text] = n
	} else {
		q.globs = append(q.globs, n)
	}
	return n
}

// An occurrence is one of a search in a document.
type occurrence struct {
	search       int32
	part, at, to int32 // the part of the text, and the tokens of it
}

// A matcher finds the occurrences of a query. It belongs to one goroutine.
//
// It looks each distinct word of the texts up once, and then knows the tokens by the numbers of their words. So
// many searches cost little more than one.
type matcher struct {
	q       *query
	counter *analysis.Counter
	spells  [][]int32 // by word of the texts: the words of the query that it is; nil for most
	own     []int32   // the numbers of the query's words
	seen    []bool    // by word of the query: a text had it
	found   []occurrence
}

func newMatcher(q *query) *matcher {
	m := &matcher{q: q, seen: make([]bool, len(q.words)), own: make([]int32, len(q.words))}
	for i := range m.own {
		m.own[i] = int32(i)
	}
	m.forget()
	return m
}

// forget gives up the words seen so far.
func (m *matcher) forget() { m.counter, m.spells = m.q.analyzer.NewCounter(), nil }

// mostCounted bounds the memory of a matcher's words.
const mostCounted = 64 << 20

// find returns the occurrences in a text in their order. They are valid until the next call.
func (m *matcher) find(text []byte) []occurrence {
	if m.counter.Bytes() > mostCounted {
		m.forget()
	}
	m.found = m.found[:0]
	part := int32(0)
	m.counter.EachPart(text, func(terms []uint32) {
		m.learn()
		for at, term := range terms {
			for _, n := range m.spells[term] {
				for _, p := range m.q.anchors[n] {
					m.try(&m.q.patterns[p], terms, at, part)
				}
			}
		}
		part++
	})
	if m.q.several {
		m.keepLongest()
	}
	return m.found
}

// learn looks up the words that are new.
func (m *matcher) learn() {
	for id := len(m.spells); id < m.counter.Len(); id++ {
		m.spells = append(m.spells, m.spelled(m.counter.Term(uint32(id))))
	}
}

// spelled returns the words of the query that a word of the texts is.
func (m *matcher) spelled(text []byte) (words []int32) {
	if n, ok := m.q.texts[string(text)]; ok {
		words = m.own[n : n+1 : n+1]
	}
	for _, n := range m.q.globs {
		if m.q.words[n].glob.matches(text) {
			words = append(words, n)
		}
	}
	for _, n := range words {
		m.seen[n] = true
	}
	return words
}

// try adds the occurrence of a pattern whose anchor is at a place of a part.
func (m *matcher) try(p *pattern, terms []uint32, at int, part int32) {
	from := at - p.anchor
	to := from + len(p.words)
	if from < 0 || to > len(terms) {
		return
	}
	for i, n := range p.words {
		if i != p.anchor && n != anyWord && !slices.Contains(m.spells[terms[from+i]], n) {
			return
		}
	}
	m.found = append(m.found, occurrence{p.search, part, int32(from), int32(to)})
}

// keepLongest puts the occurrences into their order, and keeps the longest of a search at each token.
func (m *matcher) keepLongest() {
	slices.SortFunc(m.found, func(a, b occurrence) int {
		return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.at, b.at), cmp.Compare(a.search, b.search), cmp.Compare(b.to, a.to))
	})
	m.found = slices.CompactFunc(m.found, func(a, b occurrence) bool { return a.search == b.search && a.part == b.part && a.at == b.at })
}
