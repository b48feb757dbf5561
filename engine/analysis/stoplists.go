package analysis

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
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
		words[strings.ToLower(strings.TrimSpace(w))] = true
	}
	return words
}
