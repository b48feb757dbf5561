package analysis

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// The published stop lists, one word a line, in the order published. smart has 571 entries, in which
// would stands twice, as in the original, and glasgow has fify for fifty. The lists of languages
// are Snowball's as PostgreSQL 15 has them, without comments; turkish is PostgreSQL's.
//
//go:embed stop/*.txt
var stopFiles embed.FS

// sklearn is the list of scikit-learn, which is made of Glasgow's; stopEnglish is another
// name of snowball.
const sklearn, stopEnglish = "sklearn", "english"

// StopLists lists the values of Options.Stop, the default first, which names no list.
func StopLists() []string { return slices.Clone(stopLists()) }

var stopLists = sync.OnceValue(func() []string {
	names := []string{sklearn, stopEnglish}
	published, _ := fs.Glob(stopFiles, "stop/*.txt") // the pattern is sound
	for _, file := range published {
		names = append(names, strings.TrimSuffix(path.Base(file), ".txt"))
	}
	slices.Sort(names)
	return append([]string{"none"}, names...)
})

// StopListWords returns the words of one of [StopLists], by their bytes.
func StopListWords(name string) []string { return slices.Sorted(maps.Keys(stopWords(name, nil))) }

// stopWords returns the words of a list, none if there is no list of that name, and more.
func stopWords(name string, more []string) map[string]bool {
	file := name
	switch name {
	case sklearn:
		file = "glasgow"
	case stopEnglish:
		file = "snowball"
	}
	list, _ := stopFiles.ReadFile("stop/" + file + ".txt") // "none" has no file
	words := map[string]bool{}
	for w := range strings.FieldsSeq(string(list)) {
		words[w] = true
	}
	if name == sklearn { // Glasgow's list but for two words
		delete(words, "computer")
		delete(words, "fify")
		words["fifty"] = true
	}
	for _, w := range more {
		words[w] = true
	}
	return words
}

// stopSet returns the stop words of both lists, as [Analyzer.stops] looks them up. Where accents go,
// the words are there without theirs, too.
func (o *Options) stopSet() map[string]bool {
	stops := stopWords(o.Stop, o.stopKeys())
	if o.StopVerbatim || o.StripAccents == "" {
		return stops
	}
	accents := folder{accents: o.StripAccents, python: o.FullCase}
	for _, word := range slices.Collect(maps.Keys(stops)) {
		stops[string(accents.text([]byte(word)))] = true
	}
	return stops
}

// stopKeys returns StopWords as they are looked up.
func (o *Options) stopKeys() (keys []string) {
	if o.StopVerbatim {
		return o.StopWords
	}
	p := newPreparer(&Options{Normalize: o.Normalize, FullCase: o.FullCase}, headerFilter{})
	lower := folder{words: true}
	for _, word := range o.StopWords {
		keys = append(keys, strings.ToLower(strings.TrimSpace(stopKey(string(lower.lower(p.text([]byte(word))))))))
	}
	return keys
}

// stopKey returns a lower-cased word as stop words are looked up: with ' for every apostrophe.
func stopKey(word string) string { return apostrophes.Replace(word) }

var apostrophes = strings.NewReplacer("\u2019", "'", "\u02bc", "'", "\uff07", "'")

// stops reports whether a token is a stop word.
func (a *Analyzer) stops(token []byte) bool {
	switch {
	case a.stop[string(token)]:
		return true
	case a.opt.StopVerbatim:
		return false
	case a.opt.KeepCase:
		return a.stop[stopKey(strings.ToLower(string(token)))]
	}
	return !isASCII(token) && a.stop[stopKey(string(token))]
}

// StopTerms are the terms that stop words become where no stop word is left out, each as its stem.
type StopTerms struct {
	a     *Analyzer
	stems map[string]bool // nil without a stemmer
}

// NewStopTerms returns the stop terms of texts that are analysed by the options: the words of one of
// [StopLists], "" for none, and further words. The stop words of the options play no part.
func NewStopTerms(o Options, list string, words []string) (*StopTerms, error) {
	o.Stop, o.StopWords, o.StopVerbatim = list, words, false
	a, err := New(o)
	if err != nil {
		return nil, err
	}
	s := &StopTerms{a: a}
	if a.stem != nil {
		s.stems = map[string]bool{}
		for word := range a.stop {
			s.stems[string(a.stem([]byte(word)))] = true
		}
	}
	return s, nil
}

// Has reports whether a term of one word is a stop term. No term is one of nil.
func (s *StopTerms) Has(term []byte) bool {
	switch {
	case s == nil:
		return false
	case s.stems != nil:
		return s.stems[string(term)]
	}
	return s.a.stops(term)
}

// SplitStops returns in their order the stop words that the tokenizer splits, such as don't of
// "words", and those of their pieces that are not stop words themselves and remain as terms. Of a
// list of [StopLists] single letters do not count as pieces, nor do pairs of Han, which every longer
// word of Chinese is split into.
func (a *Analyzer) SplitStops() (split, pieces []string) {
	counter, left := a.unstopped().NewCounter(), map[string]bool{}
	published, own := stopWords(a.opt.Stop, nil), stopWords("", a.opt.stopKeys())
	for _, word := range slices.Sorted(maps.Keys(a.stop)) {
		remains := false
		for _, f := range counter.Count([]byte(word), nil) {
			piece := string(counter.Term(f.Term))
			first, size := utf8.DecodeRuneInString(piece)
			looksLikeWord := size < len(piece) && !unicode.Is(unicode.Han, first)
			if !a.stops([]byte(piece)) && (looksLikeWord || !published[word] || own[word]) {
				left[piece], remains = true, true
			}
		}
		if remains {
			split = append(split, word)
		}
	}
	return split, slices.Sorted(maps.Keys(left))
}

// unstopped returns an analyzer with the same tokens, all of which are terms.
func (a *Analyzer) unstopped() *Analyzer {
	bare := *a
	bare.stop, bare.stem, bare.grams, bare.opt.Markup = nil, nil, gramRange{1, 1}, ""
	bare.phrases = nil
	bare.headers, _ = parseHeaders("keep")
	return &bare
}
