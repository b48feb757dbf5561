// Package stem cuts words back to their stems.
//
// It takes a lower-cased word and gives its stem, by the algorithm of a name: see [New].
// The stemmers are those of github.com/blevesearch/snowballstem, in snowball.go, but for
// Porter's program in C, which it does not have: porter_c.go. It never gives an empty stem,
// and never keeps a word.
package stem

import (
	"slices"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/porter"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// Names lists the stemmers.
//
//	porter    Porter's algorithm of 1980 as Snowball has it
//	porter-c  Porter's program in C, with its departures from the paper
//	porter2   Snowball's "english", which is another name of it
//
// and those of Snowball's other languages: arabic, danish, dutch, finnish, french, german,
// hungarian, irish, italian, norwegian, portuguese, romanian, russian, spanish, swedish,
// tamil, turkish.
func Names() []string {
	names := []string{snowballs[0].name, porterC}
	for _, s := range snowballs[1:] {
		names = append(names, s.name)
	}
	return names
}

// New returns the stemmer of a name, nil if there is none. A stemmer may overwrite the
// array of the word and grow it. It is safe for concurrent use.
func New(name string) func(word []byte) []byte {
	if name == porterC {
		return stemPorterC
	}
	if i := slices.IndexFunc(snowballs, func(s snowball) bool { return s.name == name }); i >= 0 {
		return snowballs[i].stemWord
	}
	return nil
}

// A snowball is a stemmer that Snowball's compiler wrote in Go.
type snowball struct {
	name string
	stem func(*snowballstem.Env) bool
}

// snowballs lists the stemmers of Snowball in the order of [Names].
var snowballs = []snowball{
	{"porter", porter.Stem},
	{"porter2", english.Stem},
	{"arabic", arabic.Stem},
	{"danish", danish.Stem},
	{"dutch", dutch.Stem},
	{"english", english.Stem},
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

// stemWord returns the stem of a word. A word of which nothing would be left is its own
// stem, and so is one on which the generated code fails.
func (s snowball) stemWord(word []byte) (stem []byte) {
	defer func() {
		if recover() != nil {
			stem = word
		}
	}()
	env := snowballstem.NewEnv(string(word))
	s.stem(env)
	if env.Current() == "" {
		return word
	}
	return append(word[:0], env.Current()...)
}
