package analysis

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis/prepare"
)

// The published stop lists, one word a line, in the order published. smart has 571 entries, in which
// would stands twice, as in the original, and glasgow has fify for fifty. The lists of languages
// are Snowball's as PostgreSQL 15 has them, without comments; turkish is PostgreSQL's.
//
//go:embed stop/*.txt
var stopFiles embed.FS

// sklearn is the list of scikit-learn, which is made of Glasgow's; english is another name of
// snowball.
const sklearn, english = "sklearn", "english"

// StopLists lists the values of Options.Stop, the default first.
func StopLists() []string {
	names := []string{sklearn, english}
	files, _ := fs.Glob(stopFiles, "stop/*") // the pattern is sound
	for _, file := range files {
		names = append(names, strings.TrimSuffix(path.Base(file), ".txt"))
	}
	slices.Sort(names)
	return append([]string{"none"}, names...)
}

// stopWords returns the words of a list, none if there is no list of that name, and more.
func stopWords(name string, more []string) map[string]bool {
	file := name
	switch name {
	case sklearn:
		file = "glasgow"
	case english:
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
