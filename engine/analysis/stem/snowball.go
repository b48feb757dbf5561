package stem

import (
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
