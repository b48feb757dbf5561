// Package analysis turns text into terms: header lines, scanning, lower case,
// stop words, stems. A [Counter] counts the terms of documents at hundreds of
// megabytes a second; what depends on a word alone is done once for each
// distinct word.
//
// Import package engine instead, unless you want the scanner by itself.
package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// Options say how text becomes terms. The zero value takes words, keeps
// headers, and neither stops nor stems.
type Options struct {
	// Tokens is "words" (the default) or "letters".
	//
	// words are maximal runs of Unicode letters, numbers and the underscore, of
	// two or more characters: the default of scikit-learn. letters are maximal
	// runs of Unicode letters. Both are lower-cased, character by character.
	Tokens string `json:"tokens"`
	// Stop names an embedded list of words to leave out, see [StopLists];
	// "none" is the default.
	Stop string `json:"stop"`
	// StopWords are further words to leave out. Both are compared with the
	// lower-cased token before stemming.
	StopWords []string `json:"stop_words,omitempty"`
	// Stem is "none" (the default), "porter", "porter-paper" or "porter2".
	Stem string `json:"stem"`
	// Headers says what to do with the header lines at the top of a news or
	// mail message: "keep" (the default), "none", or the names of those whose
	// values are kept, separated by commas.
	Headers string `json:"headers"`
	// MaxToken is the length in bytes above which a token is dropped; 0 is 256.
	MaxToken int `json:"max_token"`
}

// An OptionError is an option with a value that is not known.
type OptionError struct {
	Option, Value string
	Known         []string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("unknown %s %q; known: %s", e.Option, e.Value, strings.Join(e.Known, " "))
}

// Tokenizers lists the values of Options.Tokens.
func Tokenizers() []string { return []string{"words", "letters"} }

// Stemmers lists the values of Options.Stem.
func Stemmers() []string { return []string{"none", "porter", "porter-paper", "porter2"} }

const defaultMaxToken = 256

// An Analyzer is checked options. It is immutable and safe for concurrent use.
type Analyzer struct {
	opt     Options
	stop    map[string]bool
	stem    func(word []byte) []byte
	headers headerFilter
}

// New checks the options. The error is an [OptionError].
func New(opt Options) (*Analyzer, error) {
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
			return nil, &OptionError{o.name, *o.value, o.known}
		}
	}
	if opt.MaxToken <= 0 {
		opt.MaxToken = defaultMaxToken
	}
	if opt.Headers == "" {
		opt.Headers = "keep"
	}
	a := &Analyzer{opt: opt, stop: stopSet(opt.Stop, opt.StopWords), stem: stemmer(opt.Stem)}
	a.headers = newHeaderFilter(opt.Headers)
	return a, nil
}

// Options gives the options with the defaults filled in.
func (a *Analyzer) Options() Options { return a.opt }

// Terms lists the terms of a text in order: the slow, plain way to see them.
func (a *Analyzer) Terms(text []byte) []string {
	var terms []string
	c := a.NewCounter()
	c.each(text, func(term uint32) { terms = append(terms, c.Term(term)) })
	return terms
}
