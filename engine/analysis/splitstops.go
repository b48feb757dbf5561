package analysis

import (
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/termsift/termsift/engine/analysis/prepare"
)

// This file finds stop words that stop nothing, because the tokenizer splits them.

// SplitStops returns in their order the stop words that the tokenizer splits, such as don't of
// "words", and those of their pieces that are not stop words themselves and remain as terms. Of a
// list of [StopLists] single letters do not count as pieces, nor do pairs of Han, which every longer
// word of Chinese is split into.
func (a *Analyzer) SplitStops() (split, pieces []string) {
	s := stopSplitter{a: a, counter: a.unstopped().NewCounter(), pieces: map[string]bool{}}
	published, own := stopWords(a.opt.Stop, nil), stopWords("", a.opt.stopKeys())
	for _, word := range slices.Sorted(maps.Keys(a.stop)) {
		if s.splits(word, published[word] && !own[word]) {
			split = append(split, word)
		}
	}
	return split, slices.Sorted(maps.Keys(s.pieces))
}

// unstopped returns an analyzer with the same tokens, all of which are terms.
func (a *Analyzer) unstopped() *Analyzer {
	bare := *a
	bare.stop, bare.stem, bare.grams, bare.opt.Markup = nil, nil, gramRange{1, 1}, ""
	bare.phrases, bare.connectors = nil, nil
	bare.headers, _ = prepare.ParseHeaders("keep")
	return &bare
}

// A stopSplitter splits stop words and collects the pieces that remain as terms.
type stopSplitter struct {
	a       *Analyzer
	counter *Counter
	found   []TermCount
	pieces  map[string]bool
}

// splits reports whether a piece of the word remains. Of a published list only pieces count that
// look like words.
func (s *stopSplitter) splits(word string, published bool) (remains bool) {
	s.found = s.counter.Count([]byte(word), s.found[:0])
	for _, f := range s.found {
		piece := string(s.counter.Term(f.Term))
		if s.a.stops([]byte(piece)) || published && !looksLikeWord(piece) {
			continue
		}
		s.pieces[piece] = true
		remains = true
	}
	return remains
}

func looksLikeWord(piece string) bool {
	first, size := utf8.DecodeRuneInString(piece)
	return size < len(piece) && !unicode.Is(unicode.Han, first)
}
