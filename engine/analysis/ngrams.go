package analysis

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// mostWords is the length of the longest n-grams of words, mostCharacters that of the longest ones of
// characters.
const mostWords, mostCharacters = 5, 30

// A gramRange says how many words a term has, or how many characters.
type gramRange struct{ least, most int }

// newGramRange reads "2", "1-2"; "" is "1".
func newGramRange(option string, tokens tokenizer) (gramRange, error) {
	if option == "" {
		return gramRange{1, 1}, nil
	}
	longest, unit := mostWords, "words"
	if tokens.ofCharacters() {
		longest, unit = mostCharacters, "characters"
	}
	first, last, isRange := strings.Cut(option, "-")
	if !isRange {
		last = first
	}
	r := gramRange{gramLength(first), gramLength(last)}
	switch {
	case r.least < 1 || r.least > r.most || r.most > longest:
		return r, usage.Unknown("n-grams", option, []string{fmt.Sprintf("a number of %s up to %d, or two with a hyphen, as 1-2", unit, longest)})
	case tokens == bigrams && r.most > 1:
		return r, &usage.UnknownError{Kind: "n-grams of zh-bigrams", Name: option, Known: []string{"1"}}
	}
	return r, nil
}

// gramLength reads a number of one or two digits, 0 if it is none.
func gramLength(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || strconv.Itoa(n) != text {
		return 0
	}
	return n
}

// String gives the option that makes this range, "" for words or characters alone.
func (r gramRange) String() string {
	switch {
	case r.most == 1:
		return ""
	case r.least == r.most:
		return fmt.Sprint(r.least)
	}
	return fmt.Sprintf("%d-%d", r.least, r.most)
}

// Lengths returns the least and the largest number of words of a term, or of its characters. It is that
// of options that [New] accepts.
func (o Options) Lengths() (least, most int) {
	first, last, isRange := strings.Cut(o.NGrams, "-")
	least = max(1, gramLength(first))
	if !isRange {
		return least, least
	}
	return least, max(least, gramLength(last))
}
