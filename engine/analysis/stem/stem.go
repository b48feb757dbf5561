// Package stem cuts words back to their stems.
//
// It takes a lower-cased word and gives its stem, by the algorithm of a name: see [New].
// The stemmers are those of github.com/blevesearch/snowballstem, in snowball.go, but for
// Porter's program in C, which it does not have: porter_c.go. It never gives an empty stem,
// and never keeps a word.
package stem

import "slices"

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
