package analysis

import (
	_ "embed" // for the lists
	"slices"
	"strings"
)

// This file holds the stop lists: one word a line, in the order published.
var (
	//go:embed stop/chinese.txt
	chineseWords string
	//go:embed stop/glasgow.txt
	glasgowWords string
	//go:embed stop/smart.txt
	smartWords string
	//go:embed stop/snowball.txt
	snowballWords string
)

// A stopList is an embedded file with its source and what its bytes must be.
type stopList struct {
	name, words    string
	source, sha256 string
	distinct       int
}

var stopLists = append([]stopList{
	{
		"chinese", chineseWords, "stopwords-iso, stopwords-zh 0.4.0, stopwords-zh.json (MIT, see stop/chinese.LICENSE)",
		"48f9c36bfc730ef966b2a4f43a23164bc3507c5c321f31a6b0657919cec205ef", 794,
	},
	{
		"glasgow", glasgowWords, "Glasgow Information Retrieval Group, linguistic utilities (with its fify for fifty)",
		"a72d82495d4a0733625aeff0a7b5be0badde29cffddb5f0b07d64c575dea42f9", 319,
	},
	{
		"english", snowballWords, "the same as snowball",
		"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174,
	},
	{
		"smart", smartWords, "SMART system, Cornell; 571 entries, in which would stands twice, as in the original",
		"0f21fbc8f4d86a06562bd61032209ae5cdc16aaad8cbfb09e064a7d5bb75e823", 570,
	},
	{
		"snowball", snowballWords, "Snowball, algorithms/english/stop.txt (BSD, see stop/snowball.LICENSE), without its comments",
		"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174,
	},
}, languageLists...)

// StopLists lists the values of Options.Stop, the default first. Those of languages are
// Snowball's.
func StopLists() []string {
	names := []string{"sklearn"} // made of glasgow
	for _, list := range stopLists {
		names = append(names, list.name)
	}
	slices.Sort(names)
	return append([]string{"none"}, names...)
}

// stopSet gives the words of a named list and more.
func stopSet(name string, more []string) map[string]bool {
	words := map[string]bool{}
	for _, list := range stopLists {
		if list.name == name || list.name == "glasgow" && name == "sklearn" {
			for w := range strings.FieldsSeq(list.words) {
				words[w] = true
			}
		}
	}
	if name == "sklearn" { // Glasgow's list but for two words
		delete(words, "computer")
		delete(words, "fify")
		words["fifty"] = true
	}
	for _, w := range more {
		words[strings.ToLower(strings.TrimSpace(w))] = true
	}
	return words
}
