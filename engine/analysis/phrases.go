package analysis

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/usage"
)

// This file takes phrases for one word each.

// Phrases are words in a row that are one term each: a phrase is its words, joined by single spaces. They are taken from
// the left, and of several that begin at a word the longest.
type Phrases []string

// UnmarshalJSON refuses the lists of passes that phrases were when they were learnt.
func (p *Phrases) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, (*[]string)(p)); err != nil {
		return fmt.Errorf("phrases in passes went in 0.2.0: count again from the text, with a list of phrases: %w", err)
	}
	return nil
}

// PhraseJoin stands between the words of a phrase in its term, as in new_york. It is no space, which stands
// between the terms of an n-gram.
const PhraseJoin = "_"

// String says how many phrases there are, with a hash that tells them from others.
func (p Phrases) String() string {
	if len(p) == 0 {
		return "none"
	}
	return fmt.Sprintf("%d phrases (hash %08x)", len(p), uint32(xxh3.HashString(fmt.Sprintf("%q", []string(p)))))
}

// checked returns the phrases in the order of their bytes, each once, or an error for what is no phrase.
func (p Phrases) checked() (Phrases, error) {
	for _, phrase := range p {
		if words := strings.Split(phrase, " "); len(words) < 2 || slices.Contains(words, "") {
			return nil, usage.Errorf("a phrase is two words or more with single spaces between, not %q", usage.Cut(phrase))
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(p))), nil
}

// A phraseBook finds phrases. Its node 0 is the root. It is immutable.
type phraseBook struct {
	symbols map[string]uint32 // the words that phrases have, from 1 on
	roots   []uint32          // by symbol: the node of phrases that begin with it, 0 for none
	next    map[phraseStep]uint32
	ends    []uint32 // by node: 1 + the number of the phrase that ends there; 0 for none
	terms   []string // by number of a phrase
}

// A phraseStep leads from a node to another.
type phraseStep struct{ node, symbol uint32 }

// newPhraseBook returns a book of phrases, nil if there are none.
func newPhraseBook(p Phrases) *phraseBook {
	if len(p) == 0 {
		return nil
	}
	b := &phraseBook{symbols: map[string]uint32{}, next: map[phraseStep]uint32{}, roots: []uint32{0}, ends: []uint32{0}}
	for _, phrase := range p {
		node := uint32(0)
		for word := range strings.SplitSeq(phrase, " ") {
			if b.symbols[word] == 0 {
				b.symbols[word] = uint32(len(b.symbols) + 1)
				b.roots = append(b.roots, 0)
			}
			node = b.grow(phraseStep{node, b.symbols[word]})
		}
		b.terms = append(b.terms, strings.ReplaceAll(phrase, " ", PhraseJoin))
		b.ends[node] = uint32(len(b.terms))
	}
	return b
}

// grow returns the node that a step leads to, which is new if need be.
func (b *phraseBook) grow(s phraseStep) uint32 {
	node := b.follow(s)
	if node == 0 {
		node = uint32(len(b.ends))
		b.ends = append(b.ends, 0)
		if s.node == 0 {
			b.roots[s.symbol] = node
		} else {
			b.next[s] = node
		}
	}
	return node
}

// follow returns the node that a step leads to, 0 for none.
func (b *phraseBook) follow(s phraseStep) uint32 {
	if s.node == 0 {
		return b.roots[s.symbol]
	}
	return b.next[s]
}

// longest returns the number of words of the longest phrase that begins at place from of n words, and the
// number of the phrase; 0 words for none.
func (b *phraseBook) longest(from, n int, symbol func(at int) uint32) (words, phrase int) {
	node := uint32(0)
	for at := from; at < n; at++ {
		s := symbol(at)
		if s == 0 {
			break
		}
		if node = b.follow(phraseStep{node, s}); node == 0 {
			break
		}
		if end := b.ends[node]; end > 0 {
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
	row := ids[from:]
	symbol := func(at int) uint32 { return p.symbol(row[at], c) }
	left := row[:0]
	for at := 0; at < len(row); {
		words, phrase := p.book.longest(at, len(row), symbol)
		if words == 0 {
			left = append(left, row[at])
			at++
			continue
		}
		left = append(left, p.word(phrase, c)) // no further than at
		at += words
	}
	return ids[:from+len(left)]
}

// symbol returns what a word is in phrases, 0 if none has it.
func (p *phraseWords) symbol(word uint32, c *Counter) uint32 {
	for id := uint32(len(p.symbols)); id <= word; id++ {
		p.symbols = append(p.symbols, p.book.symbols[string(c.wordText(id))])
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
	symbol := func(at int) uint32 { return b.symbols[tokens[at].Word] }
	left := []Token{}
	for at := 0; at < len(tokens); {
		words, phrase := b.longest(at, len(tokens), symbol)
		if words == 0 {
			left = append(left, tokens[at])
			at++
			continue
		}
		left = append(left, Token{tokens[at].From, tokens[at+words-1].To, b.terms[phrase]})
		at += words
	}
	return left
}
