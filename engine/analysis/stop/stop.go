// Package stop has published lists of stop words.
package stop

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
//go:embed *.txt
var files embed.FS

// sklearn is the list of scikit-learn, which is made of Glasgow's; english is another name of
// snowball.
const sklearn, english = "sklearn", "english"

// None is the name of no list.
const None = "none"

// Lists returns the names of the lists, None first.
func Lists() []string {
	names := []string{sklearn, english}
	published, _ := fs.Glob(files, "*") // the pattern is sound
	for _, file := range published {
		names = append(names, strings.TrimSuffix(path.Base(file), ".txt"))
	}
	slices.Sort(names)
	return append([]string{None}, names...)
}

// Words returns the words of a list, none if there is no list of that name.
func Words(name string) map[string]bool {
	file := name
	switch name {
	case sklearn:
		file = "glasgow"
	case english:
		file = "snowball"
	}
	list, _ := files.ReadFile(file + ".txt") // None has no file
	words := map[string]bool{}
	for w := range strings.FieldsSeq(string(list)) {
		words[w] = true
	}
	if name == sklearn { // Glasgow's list but for two words
		delete(words, "computer")
		delete(words, "fify")
		words["fifty"] = true
	}
	return words
}
