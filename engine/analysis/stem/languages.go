package stem

import (
	"slices"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// A language is a stemmer that Snowball's compiler wrote in Go.
type language struct {
	name string
	stem func(*snowballstem.Env) bool
}

// languages lists the stemmers of Snowball but for those of English, in the order of their
// names.
var languages = []language{
	{"arabic", arabic.Stem},
	{"danish", danish.Stem},
	{"dutch", dutch.Stem},
	{"finnish", finnish.Stem},
	{"french", french.Stem},
	{"german", german.Stem},
	{"hungarian", hungarian.Stem},
	{"irish", irish.Stem},
	{"italian", italian.Stem},
	{"norwegian", norwegian.Stem},
	{"portuguese", portuguese.Stem},
	{"romanian", romanian.Stem},
	{"russian", russian.Stem},
	{"spanish", spanish.Stem},
	{"swedish", swedish.Stem},
	{"tamil", tamil.Stem},
	{"turkish", turkish.Stem},
}

// languageNames lists the names of all languages, English with them.
func languageNames() []string {
	names := []string{"english"}
	for _, l := range languages {
		names = append(names, l.name)
	}
	slices.Sort(names)
	return names
}

// byLanguage returns the stemmer of a language other than English, nil if there is none.
func byLanguage(name string) func(word []byte) []byte {
	for _, l := range languages {
		if l.name == name {
			return l.stemWord
		}
	}
	return nil
}

// stemWord returns the stem of a word. A word of which nothing would be left is its own
// stem, and so is one on which the generated code fails.
func (l language) stemWord(word []byte) (stem []byte) {
	defer func() {
		if recover() != nil {
			stem = word
		}
	}()
	env := snowballstem.NewEnv(string(word))
	l.stem(env)
	if env.Current() == "" {
		return word
	}
	return append(word[:0], env.Current()...)
}
