package words

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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
	globs    map[string]int32 // the words with some
	starts   map[rune][]int32 // these by their first character, or by anyStart where it is a wildcard
	nodes    []node           // the patterns as a tree, from its root
}

// A pattern is the words of one, as numbers of words of the query, or anyWord.
type pattern struct {
	search int32
	words  []int32
}

const anyWord = -1

// anyStart stands for the first character of words that begin with a wildcard.
const anyStart rune = -1

// A node is the words with which some patterns begin.
type node struct {
	next map[int32]int32 // the node of these words and one more, by its number
	any  int32           // that of these words and any other; 0 is none
	ends []int32         // the searches of which they are a pattern
}

// The most characters of a pattern, and of all patterns with wildcards: each of these is compared with every distinct
// word.
const (
	mostPattern = 1_000
	mostWild    = 100_000
)

// newQuery makes searches ready.
func newQuery(a analysis.Options, searches []Search) (*query, error) {
	wild := 0
	for _, s := range searches {
		for _, text := range s.Patterns {
			if err := checkLength(text, &wild); err != nil {
				return nil, err
			}
		}
		if a.HashBits > 0 && len(s.Patterns) == 0 {
			return nil, usage.Errorf("the term %s is a column of %d hash bits, which no line has: look for the words that select finds for the column", usage.Cut(s.Term), a.HashBits)
		}
	}
	a.HashBits = 0 // patterns are of words
	whole, err := analysis.New(a)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	p, err := newParser(a)
	if err != nil {
		return nil, err
	}
	q := &query{
		analyzer: p.texts, searches: len(searches),
		texts: map[string]int32{}, globs: map[string]int32{}, starts: map[rune][]int32{}, nodes: make([]node, 1),
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

// checkLength returns an error for a pattern that is too long, or with which those with wildcards are, whose characters
// wild counts.
func checkLength(pattern string, wild *int) error {
	n := utf8.RuneCountInString(pattern)
	if isWild(pattern) {
		*wild += n
	}
	switch {
	case n > mostPattern:
		return usage.Errorf("the pattern %q has %d characters, and the longest that is looked for has %d: take a part of it", usage.Cut(pattern), n, mostPattern)
	case *wild > mostWild:
		return usage.Errorf("up to the pattern %q those with * or ? have more than %d characters together: look for the rest in another call", usage.Cut(pattern), mostWild)
	}
	return nil
}

// add adds a pattern of a search.
func (q *query) add(search int, words []word) {
	p, at := pattern{search: int32(search)}, int32(0)
	for i := range words {
		n := q.number(&words[i])
		p.words = append(p.words, n)
		at = q.grown(at, n)
	}
	if of := &q.nodes[at]; !slices.Contains(of.ends[max(0, len(of.ends)-1):], p.search) {
		of.ends = append(of.ends, p.search)
	}
	q.patterns = append(q.patterns, p)
}

// grown returns the node behind a node by a word, which is new if need be.
func (q *query) grown(at, word int32) int32 {
	of := &q.nodes[at]
	next := of.next[word]
	if word == anyWord {
		next = of.any
	}
	if next > 0 {
		return next
	}
	next = int32(len(q.nodes))
	switch {
	case word == anyWord:
		of.any = next
	case of.next == nil:
		of.next = map[int32]int32{word: next}
	default:
		of.next[word] = next
	}
	q.nodes = append(q.nodes, node{})
	return next
}

// number returns the number of a word.
func (q *query) number(w *word) int32 {
	if w.text == "*" && w.glob != nil {
		return anyWord
	}
	numbers := q.texts
	if w.glob != nil {
		numbers = q.globs
	}
	n, ok := numbers[w.text]
	if ok {
		return n
	}
	n = int32(len(q.words))
	q.words, numbers[w.text] = append(q.words, *w), n
	if w.glob != nil {
		start, _ := utf8.DecodeRuneInString(w.text)
		if isWild(string(start)) {
			start = anyStart
		}
		q.starts[start] = append(q.starts[start], n)
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
	seen    []bool    // by word of the query: a text had it
	found   []occurrence
}

func newMatcher(q *query) *matcher {
	m := &matcher{q: q, seen: make([]bool, len(q.words))}
	m.forget()
	return m
}

// forget gives up the words seen so far.
func (m *matcher) forget() { m.counter, m.spells = m.q.analyzer.NewCounter(), nil }

// mostCounted bounds the memory of a matcher's words.
const mostCounted = 64 << 20

// nearest returns the words of the texts of matchers that are most similar to one, best first.
func nearest(word string, matchers []*matcher) []string {
	var words []string
	for _, m := range matchers {
		words = append(words, m.counter.Names()...)
	}
	slices.Sort(words)
	return usage.Nearest(word, slices.Values(slices.Compact(words)))
}

// find returns the occurrences in a text in their order. They are valid until the next call.
func (m *matcher) find(text []byte) []occurrence {
	if m.counter.Bytes() > mostCounted {
		m.forget()
	}
	m.found = m.found[:0]
	part := int32(0)
	m.counter.EachPart(text, func(terms []uint32) {
		m.search(terms, part)
		part++
	})
	if m.q.several { // the order, and the longest of a search at each token
		slices.SortFunc(m.found, func(a, b occurrence) int {
			return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.at, b.at), cmp.Compare(a.search, b.search), cmp.Compare(b.to, a.to))
		})
		m.found = slices.CompactFunc(m.found, func(a, b occurrence) bool { return a.search == b.search && a.part == b.part && a.at == b.at })
	}
	return m.found
}

// search adds the occurrences in a part of a text.
func (m *matcher) search(terms []uint32, part int32) {
	for id := len(m.spells); id < m.counter.Len(); id++ { // words that are new
		m.spells = append(m.spells, m.spelled(m.counter.Term(uint32(id))))
	}
	anyBegins := m.q.nodes[0].any > 0
	for at, term := range terms {
		if m.spells[term] == nil && !anyBegins {
			continue
		}
		m.follow(&m.q.nodes[0], terms, occurrence{part: part, at: int32(at), to: int32(at)})
	}
}

// spelled returns the words of the query that a word of the texts is.
func (m *matcher) spelled(text []byte) (words []int32) {
	if n, ok := m.q.texts[string(text)]; ok {
		words = append(words, n)
	}
	first, _ := utf8.DecodeRune(text)
	for _, globs := range [][]int32{m.q.starts[first], m.q.starts[anyStart]} {
		for _, n := range globs {
			if m.q.words[n].glob.Match(text) {
				words = append(words, n)
			}
		}
	}
	for _, n := range words {
		m.seen[n] = true
	}
	return words
}

// follow adds the occurrences of the patterns that begin with the words of a node, which stand from x.at to x.to.
func (m *matcher) follow(n *node, terms []uint32, x occurrence) {
	for _, search := range n.ends {
		m.found = append(m.found, occurrence{search, x.part, x.at, x.to})
	}
	if int(x.to) == len(terms) || n.next == nil && n.any == 0 {
		return
	}
	words := m.spells[terms[x.to]]
	x.to++
	for _, word := range words {
		if next := n.next[word]; next > 0 {
			m.follow(&m.q.nodes[next], terms, x)
		}
	}
	if n.any > 0 {
		m.follow(&m.q.nodes[n.any], terms, x)
	}
}

// A Search says what to find: a term, or the occurrences of any of some patterns.
//
// A pattern is one word or several in a row. It is analysed like text, so that it is in the case and has the stems that
// texts do. A piece that the analysis leaves out, such as a stop word, is an error: the pattern would find what lacks
// it. In a word of it, * stands for any characters, none too, and ? for one. Such a word is folded and split at the
// same characters as text is, but it is neither a stop word nor stemmed: it matches words as the analysis gives them,
// stems included. A word that is * alone is any word. Where terms are n-grams of characters, a pattern is one n-gram.
//
// Where several patterns match at one word, the longest counts.
type Search struct {
	// Term is a term as the analysis made it, which is not analysed again. It is for a search without
	// patterns.
	Term     string
	Patterns []string
}

// OfTerms returns a search for each term.
func OfTerms(terms ...string) []Search {
	all := make([]Search, len(terms))
	for i, term := range terms {
		all[i].Term = term
	}
	return all
}

// typed returns the words of the first pattern, as the analysis gives them or with wildcards.
func (q *query) typed() (words []string) {
	for _, n := range q.patterns[0].words {
		if n == anyWord {
			words = append(words, "*")
		} else {
			words = append(words, q.words[n].text)
		}
	}
	return words
}

// A word is one of a pattern: its text, or with wildcards what matches it.
type word struct {
	text string
	glob *regexp.Regexp // nil for a text
}

// A parser makes words of patterns.
type parser struct {
	of    analysis.Options
	texts *analysis.Analyzer // gives the words of texts, of which terms consist
	full  *analysis.Analyzer // likewise of patterns, in which nothing is a header or markup
	plain *analysis.Analyzer // folds and splits like full, but neither stops nor stems
	whole *analysis.Analyzer // folds, and takes a text for one word
}

// newParser returns a parser of patterns for an analysis, which is valid.
func newParser(a analysis.Options) (p *parser, err error) {
	p = &parser{}
	if !ofCharacters(a) {
		a.NGrams = ""
	}
	if p.texts, err = analysis.New(a); err != nil {
		return nil, err
	}
	p.of, p.full = p.texts.Options(), p.texts
	plain := p.of
	plain.Headers, plain.Markup = "keep", ""
	if !ofCharacters(plain) {
		if p.full, err = analysis.New(plain); err != nil {
			return nil, err
		}
	}
	plain.Stop, plain.StopWords, plain.Stem, plain.Phrases, plain.MaxToken = "", nil, "", nil, math.MaxInt
	if p.plain, err = analysis.New(plain); err != nil {
		return nil, err
	}
	plain.Tokens, plain.NGrams = "pattern:(?s).+", ""
	p.whole, err = analysis.New(plain)
	return p, err
}

// ofCharacters reports whether terms are n-grams of characters.
func ofCharacters(a analysis.Options) bool { return a.Tokens == "char" || a.Tokens == "char_wb" }

// words returns the words of a pattern.
func (p *parser) words(pattern string) (words []word, err error) {
	if ofCharacters(p.of) {
		words = p.wholeWord(pattern)
	} else if words, err = p.wordsOfText(pattern); err != nil {
		hint := ""
		if p.of.Tokens == "zh-bigrams" {
			hint = "; a character with * before or behind it stands for all pairs that have it"
		}
		return nil, usage.Errorf("the pattern %q: %w%s", usage.Cut(pattern), err, hint)
	}
	switch {
	case len(words) == 0:
		return nil, usage.Errorf("the pattern %q has no token as %s are", pattern, p.of.Tokens)
	case !slices.ContainsFunc(words, func(w word) bool { // has a character of its own, or no run of any
		return w.glob == nil || !strings.Contains(w.text, "*") || strings.Trim(w.text, "*?") != ""
	}):
		return nil, usage.Errorf(`the pattern %q matches every word: give it a character beside *, as in "moon*" or "* moon"`, pattern)
	}
	return words, nil
}

// wordsOfText returns the words of a pattern of words.
func (p *parser) wordsOfText(pattern string) (words []word, err error) {
	splits := p.of.Tokens == "words" || p.of.Tokens == "letters" || p.of.Tokens == "unicode"
	pieces := strings.Fields(pattern)
	for at := 0; at < len(pieces); at++ {
		piece := pieces[at]
		switch {
		case !isWild(piece):
			for len(p.of.Phrases) > 0 && at+1 < len(pieces) && !isWild(pieces[at+1]) { // they may be one word
				at++
				piece += " " + pieces[at]
			}
			if err := p.full.CheckTyped(piece); err != nil {
				return nil, err
			}
			for _, text := range p.full.Terms([]byte(piece)) {
				words = append(words, word{text: text})
			}
		case splits:
			of, err := p.splitPiece(piece)
			if err != nil {
				return nil, err
			}
			words = append(words, of...)
		default:
			words = append(words, p.wholeWord(piece)...)
		}
	}
	return words, nil
}

// isWild reports whether a piece of a pattern has wildcards.
func isWild(piece string) bool { return strings.ContainsAny(piece, "*?") }

// wholeWord returns a piece of a pattern as one word.
func (p *parser) wholeWord(piece string) (words []word) {
	for _, text := range p.whole.Terms([]byte(piece)) {
		words = append(words, newWord(text, "*", "?"))
	}
	return words
}

// splitPiece returns the words of a piece with wildcards, which is split where a text would be. Letters stand for the
// wildcards meanwhile.
func (p *parser) splitPiece(piece string) (words []word, err error) {
	run, one := p.standIns(piece)
	text := strings.NewReplacer("*", run, "?", one).Replace(piece)
	if err := p.plain.CheckTyped(text); err != nil {
		return nil, err
	}
	for _, found := range p.plain.Terms([]byte(text)) {
		if w := newWord(found, run, one); w.glob != nil {
			words = append(words, w)
			continue
		}
		if err := p.full.CheckTyped(found); err != nil {
			return nil, err
		}
		for _, text := range p.full.Terms([]byte(found)) {
			words = append(words, word{text: text})
		}
	}
	return words, nil
}

// standIns returns letters that stand for the wildcards of a piece and that it does not have itself.
func (p *parser) standIns(piece string) (run, one string) {
	has := strings.ToLower(piece) + " " + strings.Join(p.plain.Terms([]byte(strings.NewReplacer("*", " ", "?", " ").Replace(piece))), " ")
	mark := "qx"
	for strings.Contains(has, mark) {
		mark += "x"
	}
	return mark + "a", mark + "b"
}

// newWord returns the word of a text in which run and one stand for wildcards.
func newWord(text, run, one string) word {
	text = strings.NewReplacer(run, "*", one, "?").Replace(text)
	for strings.Contains(text, "**") {
		text = strings.ReplaceAll(text, "**", "*")
	}
	if !isWild(text) {
		return word{text: text}
	}
	expression := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(string([]rune(text)))) // which is valid
	return word{text, regexp.MustCompile("^(?s:" + expression + ")$")}
}
