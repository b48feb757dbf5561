// Package stop has the published stop lists.
package stop

import (
	_ "embed" // for the lists
	"slices"
	"strings"
)

// The lists have one word a line, in the order published.
var (
	//go:embed chinese.txt
	chineseWords string
	//go:embed glasgow.txt
	glasgowWords string
	//go:embed smart.txt
	smartWords string
	//go:embed snowball.txt
	snowballWords string
)

// A list is an embedded file with its source and what its bytes must be.
type list struct {
	name, words    string
	source, sha256 string
	distinct       int
}

var lists = append([]list{
	{
		"chinese", chineseWords, "stopwords-iso, stopwords-zh 0.4.0, stopwords-zh.json (MIT, see chinese.LICENSE)",
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
		"snowball", snowballWords, "Snowball, algorithms/english/stop.txt (BSD, see snowball.LICENSE), without its comments",
		"79702275efb200187cd3e03be19c35c564ae9713b16fdbc5006dd7ecb363e822", 174,
	},
}, languageLists...)

// Lists returns the names of the lists, in the order of their bytes. Those of languages are
// Snowball's, but for Turkish, which is PostgreSQL's.
func Lists() []string {
	names := []string{sklearn}
	for _, l := range lists {
		names = append(names, l.name)
	}
	slices.Sort(names)
	return names
}

// sklearn is the list of scikit-learn, which is made of Glasgow's.
const sklearn = "sklearn"

// Words returns the words of a list, none if there is no list of that name, and more. Case
// and white space around words of more are ignored.
func Words(name string, more []string) map[string]bool {
	words := map[string]bool{}
	for _, l := range lists {
		if l.name == name || l.name == "glasgow" && name == sklearn {
			for w := range strings.FieldsSeq(l.words) {
				words[w] = true
			}
		}
	}
	if name == sklearn { // Glasgow's list but for two words
		delete(words, "computer")
		delete(words, "fify")
		words["fifty"] = true
	}
	for _, w := range more {
		words[strings.ToLower(strings.TrimSpace(w))] = true
	}
	return words
}
