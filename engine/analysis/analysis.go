// Package analysis turns text into terms: header lines, scanning, lower case,
// stop words, stems. A [Counter] counts the terms of documents at hundreds of
// megabytes a second; what depends on a token alone (stopped or not, its stem)
// is decided once for each distinct token.
//
// Import package engine instead, unless you want the scanner by itself.
package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/spelling"
)

// Options say how text becomes terms. The zero value takes words, keeps
// headers, and neither stops nor stems.
type Options struct {
	// Tokens is "words" (also "") or "letters".
	//
	// words are maximal runs of Unicode letters (L), numbers (N) and the
	// underscore, of two characters or more: scikit-learn's default. letters are
	// maximal runs of Unicode letters, of one character or more. Both are
	// lower-cased character by character; malformed UTF-8 separates tokens.
	//
	// Python lower-cases U+0130 to an i with a combining dot, which separates,
	// and a capital sigma at the end of a word to its final form. Here they are
	// i and the plain small sigma, as in Go.
	Tokens string `json:"tokens"`
	// Stop names an embedded list of words to leave out, see [StopLists]; "" is
	// "none". A list's word with an apostrophe never matches, because no token
	// has one.
	Stop string `json:"stop"`
	// StopWords are further words to leave out, in any case. Both lists are
	// compared with the lower-cased token before stemming.
	StopWords []string `json:"stop_words,omitempty"`
	// Stem is "none" (also ""), "porter", "porter-paper" or "porter2".
	Stem string `json:"stem"`
	// Headers says what to do with the header block at the top of a news or mail
	// message: "keep" (also ""), "none", or the names of the headers whose values
	// are kept, separated by commas.
	Headers string `json:"headers"`
	// MaxToken is the length in bytes of the lower-cased token above which it is
	// dropped and counted, see [Counter.Dropped]; 0 is 256.
	MaxToken int `json:"max_token"`
}

const defaultMaxToken = 256

// An OptionError is an option with a value that is not known.
type OptionError struct {
	Option, Value string
	Known         []string // what may stand there
	Near          []string // the most similar of them, best first
}

func (e *OptionError) Error() string {
	hint := ""
	if len(e.Near) > 0 {
		hint = fmt.Sprintf("; did you mean %s?", strings.Join(e.Near, " or "))
	}
	return fmt.Sprintf("unknown %s %q%s; known: %s", e.Option, e.Value, hint, strings.Join(e.Known, " "))
}

// Tokenizers lists the values of Options.Tokens, the default first.
func Tokenizers() []string { return []string{"words", "letters"} }

// Stemmers lists the values of Options.Stem, the default first.
func Stemmers() []string { return []string{"none", "porter", "porter-paper", "porter2"} }

// An Analyzer is checked options. It is immutable and safe for concurrent use.
type Analyzer struct {
	opt     Options
	words   bool // else letters
	stop    map[string]bool
	stem    func(word []byte) []byte // nil = none
	headers headerFilter
}

// New checks the options. The error is an [*OptionError].
func New(opt Options) (*Analyzer, error) {
	opt.StopWords = slices.Clone(opt.StopWords)
	for _, o := range []struct {
		name  string
		value *string
		known []string
	}{
		{"tokens", &opt.Tokens, Tokenizers()},
		{"stop list", &opt.Stop, StopLists()},
		{"stemmer", &opt.Stem, Stemmers()},
	} {
		if *o.value == "" {
			*o.value = o.known[0]
		}
		if !slices.Contains(o.known, *o.value) {
			return nil, &OptionError{o.name, *o.value, o.known, spelling.Nearest(strings.ToLower(*o.value), slices.Values(o.known))}
		}
	}
	if opt.MaxToken == 0 {
		opt.MaxToken = defaultMaxToken
	}
	if opt.MaxToken < 0 {
		return nil, &OptionError{Option: "token limit", Value: fmt.Sprint(opt.MaxToken), Known: []string{"a number of bytes above 0"}}
	}
	headers, err := newHeaderFilter(opt.Headers)
	if err != nil {
		return nil, err
	}
	opt.Headers = headers.String()
	return &Analyzer{
		opt: opt, words: opt.Tokens == "words", stop: stopSet(opt.Stop, opt.StopWords), stem: stemmer(opt.Stem), headers: headers,
	}, nil
}

// Options gives the options with the defaults filled in.
func (a *Analyzer) Options() Options {
	opt := a.opt
	opt.StopWords = slices.Clone(opt.StopWords)
	return opt
}

// Terms lists the terms of a text in order, repeated ones too. It is the slow
// way, for explanations and tests.
func (a *Analyzer) Terms(text []byte) []string {
	c := a.NewCounter()
	c.scan(text)
	var terms []string
	for _, id := range c.ids {
		terms = append(terms, string(c.Term(id)))
	}
	return terms
}
