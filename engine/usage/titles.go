package usage

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// WithTitles suggests known names by their titles, too: for "information_gain" the name whose
// title is "information gain". titles yields names with their titles; further ones of a name are what others call it.
// A title that is the same but for case and signs comes before all names that are spelled nearly alike; one that has
// all words of the unknown name, or nearly its letters, comes after them, if there is none that is the same.
func (e *UnknownError) WithTitles(titles iter.Seq2[string, string]) *UnknownError {
	wanted, first := wordsOf(e.Name), map[string]string{}
	var same, like []string
	for name, title := range titles {
		if first[name] == "" {
			first[name] = title
		}
		switch words := wordsOf(title); {
		case squeezed(words) == squeezed(wanted):
			same = append(same, name)
		case areLike(words, wanted):
			like = append(like, name)
		}
	}
	if len(same) > 0 {
		like = nil
	}
	byName := e.Near
	e.Near, e.Titles = nil, map[string]string{}
	for _, name := range slices.Concat(same, byName, like) {
		if len(e.Near) == mostNear || slices.Contains(e.Near, name) {
			continue
		}
		e.Near = append(e.Near, name)
		if slices.Contains(same, name) || slices.Contains(like, name) {
			e.Titles[name] = first[name]
		}
	}
	return e
}

// wordsOf returns the words of a name or a title, in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

func squeezed(words []string) string { return strings.Join(words, "") }

// areLike reports whether a title has all words that are wanted, or nearly the same letters.
func areLike(title, wanted []string) bool {
	letters := squeezed(wanted)
	const few = 4 // letters that too many titles have
	if len(letters) < few {
		return false
	}
	if !slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(title, word) }) {
		return true
	}
	limit := len(letters) / 5
	return editDistance(letters, squeezed(title), limit) <= limit
}
