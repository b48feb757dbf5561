package analysis

import (
	"maps"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis/prepare"
	"github.com/termsift/termsift/engine/analysis/stop"
)

// StopLists lists the values of Options.Stop, the default first.
func StopLists() []string { return stop.Lists() }

// stopWords returns the words of a list, none if there is no list of that name, and more.
func stopWords(name string, more []string) map[string]bool {
	words := stop.Words(name)
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
	accents := prepare.Folder{Accents: o.StripAccents}
	for _, word := range slices.Collect(maps.Keys(stops)) {
		stops[string(accents.Text([]byte(word)))] = true
	}
	return stops
}

// stopKeys returns StopWords as they are looked up.
func (o *Options) stopKeys() (keys []string) {
	if o.StopVerbatim {
		return o.StopWords
	}
	p := prepare.New(o.Normalize, "", prepare.Headers{})
	for _, word := range o.StopWords {
		keys = append(keys, strings.ToLower(strings.TrimSpace(stopKey(strings.ToLower(string(p.Sigmas(p.Text([]byte(word)))))))))
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
	return !prepare.IsASCII(token) && a.stop[stopKey(string(token))]
}
