package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/usage"
)

// This file takes phrases for one word each.

// Phrases are words in a row that are one term each. They are lists of phrases, one for each pass: those of
// the first are looked for among the words of a text, those of the second in what the first pass has left,
// where a phrase is one word, and so on. A phrase is its words, joined by single spaces; those of a phrase
// that is one of its words are joined by [PhraseJoin].
//
// A pass takes phrases from the left, and of several that begin at a word the longest.
type Phrases [][]string

// PhraseJoin stands between the words of a phrase in its term, as in new_york. It is no space, which stands
// between the terms of an n-gram.
const PhraseJoin = "_"

// Term returns the term that a phrase becomes.
func (p Phrases) Term(phrase string) string { return strings.ReplaceAll(phrase, " ", PhraseJoin) }

// Len is the number of phrases.
func (p Phrases) Len() (n int) {
	for _, pass := range p {
		n += len(pass)
	}
	return n
}

// String says how many phrases there are, with a hash that tells them from others.
func (p Phrases) String() string {
	if len(p) == 0 {
		return "none"
	}
	var h xxh3.Hasher
	for _, pass := range p {
		fmt.Fprintf(&h, "%q", pass)
	}
	return fmt.Sprintf("%d phrases (hash %08x)", p.Len(), uint32(h.Sum64()))
}

// checked returns the phrases in the order of their bytes, each once, without passes at the end that have none,
// or an error for what is no phrase.
func (p Phrases) checked() (Phrases, error) {
	var sorted Phrases
	for _, pass := range p {
		for _, phrase := range pass {
			if words := strings.Split(phrase, " "); len(words) < 2 || slices.Contains(words, "") {
				return nil, usage.Errorf("a phrase is two words or more with single spaces between, not %q", usage.Cut(phrase))
			}
		}
		sorted = append(sorted, slices.Compact(slices.Sorted(slices.Values(pass))))
	}
	for len(sorted) > 0 && len(sorted[len(sorted)-1]) == 0 {
		sorted = sorted[:len(sorted)-1]
	}
	if len(sorted) == 0 {
		return nil, nil
	}
	return sorted, nil
}

// phraseBook finds phrases. It is immutable.
type phraseBook struct {
	symbols map[string]uint32 // the words that phrases have, from 1 on
	passes  []phraseTree
	terms   []string // by number of a phrase
}

// A phraseTree finds the phrases of one pass. Its node 0 is the root.
type phraseTree struct {
	roots []uint32 // by symbol: the node of phrases that begin with it, 0 for none
	next  map[phraseStep]uint32
	ends  []uint32 // by node: 1 + the number of the phrase that ends there; 0 for none
}

// A phraseStep leads from a node to another.
type phraseStep struct{ node, symbol uint32 }

// newPhraseBook returns a book of phrases, nil if there are none.
func newPhraseBook(p Phrases) *phraseBook {
	if len(p) == 0 {
		return nil
	}
	b := &phraseBook{symbols: map[string]uint32{}}
	for _, pass := range p {
		for _, phrase := range pass {
			for word := range strings.SplitSeq(phrase, " ") {
				if b.symbols[word] == 0 {
					b.symbols[word] = uint32(len(b.symbols) + 1)
				}
			}
		}
	}
	for _, pass := range p {
		t := phraseTree{roots: make([]uint32, len(b.symbols)+1), next: map[phraseStep]uint32{}, ends: []uint32{0}}
		for _, phrase := range pass {
			node := uint32(0)
			for word := range strings.SplitSeq(phrase, " ") {
				node = t.grow(phraseStep{node, b.symbols[word]})
			}
			b.terms = append(b.terms, p.Term(phrase))
			t.ends[node] = uint32(len(b.terms))
		}
		b.passes = append(b.passes, t)
	}
	return b
}

// grow returns the node that a step leads to, which is new if need be.
func (t *phraseTree) grow(s phraseStep) uint32 {
	node := t.follow(s)
	if node == 0 {
		node = uint32(len(t.ends))
		t.ends = append(t.ends, 0)
		if s.node == 0 {
			t.roots[s.symbol] = node
		} else {
			t.next[s] = node
		}
	}
	return node
}

// follow returns the node that a step leads to, 0 for none.
func (t *phraseTree) follow(s phraseStep) uint32 {
	if s.node == 0 {
		return t.roots[s.symbol]
	}
	return t.next[s]
}

// longest returns the number of words of the longest phrase that begins at place from of n words, and the
// number of the phrase; 0 words for none.
func (t *phraseTree) longest(from, n int, symbol func(at int) uint32) (words, phrase int) {
	node := uint32(0)
	for at := from; at < n; at++ {
		s := symbol(at)
		if s == 0 {
			break
		}
		if node = t.follow(phraseStep{node, s}); node == 0 {
			break
		}
		if end := t.ends[node]; end > 0 {
			words, phrase = at-from+1, int(end-1)
		}
	}
	return words, phrase
}

// phraseWords are what a counter knows of phrases.
type phraseWords struct {
	book    *phraseBook
	symbols []uint32 // by word
	words   []uint32 // by phrase; noTerm where no text had it
}

func newPhraseWords(b *phraseBook) *phraseWords {
	p := &phraseWords{book: b, words: make([]uint32, len(b.terms))}
	for i := range p.words {
		p.words[i] = noTerm
	}
	return p
}

// replace puts the words of phrases for the words of a counter that stand in ids from a place on.
func (p *phraseWords) replace(ids []uint32, from int, c *Counter) []uint32 {
	for i := range p.book.passes {
		t := &p.book.passes[i]
		row := ids[from:]
		symbol := func(at int) uint32 { return p.symbol(row[at], c) }
		left := row[:0]
		for at := 0; at < len(row); {
			words, phrase := t.longest(at, len(row), symbol)
			if words == 0 {
				left = append(left, row[at])
				at++
				continue
			}
			left = append(left, p.word(phrase, c)) // no further than at
			at += words
		}
		ids = ids[:from+len(left)]
	}
	return ids
}

// symbol returns what a word is in phrases, 0 if none has it.
func (p *phraseWords) symbol(word uint32, c *Counter) uint32 {
	for id := uint32(len(p.symbols)); id <= word; id++ {
		p.symbols = append(p.symbols, p.book.symbols[string(c.Word(id))])
	}
	return p.symbols[word]
}

// word returns the number of the word that a phrase becomes.
func (p *phraseWords) word(phrase int, c *Counter) uint32 {
	if p.words[phrase] == noTerm {
		p.words[phrase] = c.known([]byte(p.book.terms[phrase]))
	}
	return p.words[phrase]
}

// joined returns the tokens of a part in which each phrase is one.
func (b *phraseBook) joined(tokens []Token) []Token {
	for i := range b.passes {
		symbol := func(at int) uint32 { return b.symbols[tokens[at].Word] }
		left := []Token{}
		for at := 0; at < len(tokens); {
			words, phrase := b.passes[i].longest(at, len(tokens), symbol)
			if words == 0 {
				left = append(left, tokens[at])
				at++
				continue
			}
			left = append(left, Token{tokens[at].From, tokens[at+words-1].To, b.terms[phrase]})
			at += words
		}
		tokens = left
	}
	return tokens
}

// connect puts for the words that stand in ids from a place on their terms, if words alone are terms, and
// those of pairs, which have the connectors between their words inside.
func (g *grams) connect(ids []uint32, from int, isConnector func(word uint32) bool) []uint32 {
	g.row = append(g.row[:0], ids[from:]...)
	ids = ids[:from]
	if g.least == 1 {
		for _, word := range g.row {
			ids = append(ids, g.word(word))
		}
	}
	unit, open := uint32(0), false
	for _, word := range g.row {
		switch {
		case !isConnector(word):
			if open {
				ids = append(ids, g.termOf(g.slot(Gram{unit, word})))
			}
			unit, open = word, true
		case open:
			unit = g.slot(Gram{unit, word}).unit
		}
	}
	return ids
}

// connectorWords say of each word of a counter whether it is a connector.
type connectorWords []bool

func (k *connectorWords) has(word uint32, c *Counter) bool {
	for id := uint32(len(*k)); id <= word; id++ {
		*k = append(*k, c.a.connectors[string(c.Word(id))])
	}
	return (*k)[word]
}
