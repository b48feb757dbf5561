// Package analysis turns text into terms: header lines, tokens, lower case, stop words,
// stems, n-grams.
//
// It takes the text of a document and gives numbers of terms with their counts. Begin
// reading at [Counter.Count] in counter.go; scan.go and segments.go find tokens.
// A [Counter] counts at hundreds of megabytes a second: what depends on a token alone, its
// stem and whether it is a stop word, is decided once for each distinct token.
//
// The package never keeps a text, and its results never depend on the seeds of its hash
// tables. Import package engine instead, unless you want the scanner by itself.
package analysis

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/usage"
)

// Options say how text becomes terms. The zero value takes words, keeps
// headers, and neither stops nor stems.
type Options struct {
	// Tokens is "words" (also ""), "letters", "unicode", "zh-bigrams", "char", "char_wb", or
	// "pattern:" and a regular expression; the options of a corpus may leave it to the texts
	// by [Auto].
	//
	// words are maximal runs of Unicode letters (L), numbers (N) and the
	// underscore, of two characters or more: scikit-learn's default. letters are
	// maximal runs of Unicode letters, of one character or more. unicode are the
	// segments of Unicode's word segmentation (UAX 29) that have a letter or a
	// number in them, of any length: don't, 3.14 and 中 are one token each.
	//
	// zh-bigrams are all pairs of neighbouring characters of the script Han; one
	// between two others of another kind gives no token. What else is a letter, a
	// number or the underscore makes words, which a Han character ends. Full-width
	// forms (U+FF01 to U+FF5E) are taken as the ASCII they stand for.
	//
	// char are the n-grams of characters of a text in which each run of two or more
	// characters of white space is one space, and char_wb those of each of its words with
	// a space before and behind it, where a word that is too short for the shortest is one
	// n-gram: scikit-learn's analyzers of these names. NGrams is their length. They have
	// neither stop words nor stems, and no limit to their length.
	//
	// pattern:REGEX are what the expression finds as Python's re.findall would: the group of
	// its parentheses, if it has one, else the match. \w, \d, \s and \b are those of Unicode. Beyond
	// Python there are \p{L}, \p{Han} and \P{L} for categories and scripts of Unicode.
	// The error for an expression that cannot be taken just so is a [PatternError]: there are
	// no look-around, no references, no flags but (?i), (?s) and (?u), no $, no match of the
	// empty text, and at most 1000 pieces, repeats written out.
	//
	// All are lower-cased character by character, but a capital sigma by its
	// neighbours, as in Unicode and in Python's str.lower: ΟΔΟΣ is οδος. A soft hyphen
	// (U+00AD) is nothing: the word around it is whole. Malformed
	// UTF-8 separates tokens, and is U+FFFD to char, char_wb and patterns. Python lower-cases
	// U+0130 to an i with a combining dot, which separates; here it is i, see FullCase.
	Tokens string `json:"tokens"`
	// Stop names an embedded list of words to leave out, see [StopLists]; "" is
	// "none". A list's word with an apostrophe matches tokens of unicode only, since
	// no other has one; ' and ’ are the same there. Of zh-bigrams the words of two
	// characters match.
	Stop string `json:"stop"`
	// StopWords are further words to leave out, in any case and, with StripAccents, with
	// any accents. Both lists are compared with the token before stemming.
	StopWords []string `json:"stop_words,omitempty"`
	// Stem is "none" (also ""), "porter" (Porter's algorithm of 1980 as Snowball has it),
	// "porter-c" (his program in C, with its three departures from the paper: bli -> ble,
	// logi -> log, words of one or two letters left alone), "porter2", or a language of Snowball
	// such as "german": see [Options.Settings].
	Stem string `json:"stem"`
	// NGrams says how many words in a row make a term: "" or "1" for words alone,
	// "2" for pairs, "1-3" for both and triples too; up to 5. Words are what is
	// left when stop words and too long ones are gone, each as its stem, joined by
	// a space, as in scikit-learn. An n-gram lies within one document, and within
	// one line of a header that is kept. zh-bigrams have none. Of char and char_wb it
	// is the number of characters, up to 30.
	NGrams string `json:"ngrams,omitempty"`
	// Phrases are taken for one word each, which is one term or a word of n-grams. Their words are those
	// that n-grams have: what is left when stop words are gone, each as its stem. A phrase lies
	// where an n-gram may. Terms of characters and zh-bigrams have none.
	Phrases Phrases `json:"phrases,omitempty"`
	// Sentences keeps n-grams, phrases and parts ([Counter.EachPart]) within sentences. They are those of Unicode's
	// segmentation (UAX 29), but that a single line break ends none: texts are often cut into lines.
	Sentences bool `json:"sentences,omitempty"`
	// HashBits hashes terms into 2^HashBits columns, up to [MostHashBits], without a dictionary: a term is
	// a column, and its name the column's number, from 0. The column of some bytes is that of
	// scikit-learn's HashingVectorizer(n_features=2**HashBits, alternate_sign=False), see [Hash]. 0 does not hash.
	HashBits int `json:"hash_bits,omitempty"`
	// Normalize is "none" (also ""), or the normal form of Unicode in which texts are
	// taken: "nfc" composes characters, so that an e followed by a combining accent is
	// é, and "nfkc" takes compatible characters for one, so that ﬁ is fi.
	Normalize string `json:"normalize,omitempty"`
	// Markup is "keep" (also ""), or "strip": texts are HTML or XML, whose tags,
	// comments, scripts and styles are left out and whose entities are decoded.
	Markup string `json:"markup,omitempty"`
	// Headers says what to do with the header block at the top of a news or mail
	// message: "keep" (also ""), "none", or the names of the headers whose values
	// are kept, separated by commas.
	Headers string `json:"headers"`
	// MaxToken is the length in bytes of the lower-cased token above which it is
	// dropped and counted, see [Counter.Dropped]; 0 is 256, and [math.MaxInt] no limit.
	MaxToken int `json:"max_token"`
	// StopVerbatim takes StopWords as they are, as scikit-learn does: a stop word with a
	// capital or an accent that tokens have lost stops nothing.
	StopVerbatim bool `json:"stop_verbatim,omitempty"`
	// StripAccents is "" (also "none"), "unicode" or "ascii", which take accents off the
	// lower-cased text as scikit-learn's options of that name do. unicode decomposes
	// characters (NFKD), leaves out those with a combining class, and composes nothing
	// again. ascii leaves out everything beyond ASCII.
	StripAccents string `json:"strip_accents,omitempty"`
	// KeepCase leaves letters in their case. Stemmers do not go with it. Stop words still
	// match in any case, unless they are verbatim.
	KeepCase bool `json:"keep_case,omitempty"`
	// FullCase takes text as scikit-learn does: lower case is exactly Python's str.lower, so that U+0130 becomes an i
	// and a combining dot, which ends a token of words; a soft hyphen is a character; capitals may be left after
	// StripAccents. The lower case of char, char_wb and patterns always is Python's.
	FullCase bool `json:"full_case,omitempty"`
	// Unicode is the version of Unicode whose characters are known, as 14.0, from 13.0 on;
	// "" is that of package unicode. Characters that are newer are neither letters nor
	// numbers, and have no case and no accents. See [Analyzer.Knows] for the other way
	// round. It includes FullCase.
	Unicode string `json:"unicode,omitempty"`
}

const defaultMaxToken = 256

// Settings declares the options that users set: the command has a flag for each, the library an option. Their values
// are the fields of o.
func (o *Options) Settings() []usage.Setting {
	return []usage.Setting{
		{
			Name: "tokens", To: &o.Tokens, Default: Auto, Choices: Tokenizers(),
			Help: "words, letters, unicode, zh-bigrams, char, char_wb, pattern:REGEX; auto: zh-bigrams where most of the first letters are Han, else words",
		},
		{
			Name: "stop", To: &o.Stop, List: &o.StopWords, Default: "none", Choices: StopLists(),
			Help: "stop list: " + strings.Join(StopLists(), ", ") + "; or a list of words",
		},
		{Name: "stem", To: &o.Stem, Default: "none", Choices: stemmers(), Help: strings.Join(stemmers(), ", ")},
		{
			Name: "ngrams", To: &o.NGrams, Default: "1", Takes: "N-M",
			Help: "runs of words that are terms: 1, 1-2, 2 and so on, also across a stop word; of char and char_wb, runs of characters",
		},
		{
			Name: "hash-bits", To: &o.HashBits, Takes: "N", Positive: true, Most: MostHashBits,
			Help: fmt.Sprintf("hash terms into 2^N columns, N from 1 to %d, without a dictionary: a term is the number of a column", MostHashBits),
		},
		{Name: "sentences", To: &o.Sentences, More: true, Help: "no n-gram, window or side of a line crosses the end of a sentence (UAX 29; a single line break ends none)"},
		{
			Name: "strip-accents", To: &o.StripAccents, Default: "none", More: true, Choices: accents(),
			Help: "none, unicode (é is e), or ascii, which drops all beyond ASCII, ß and ø too",
		},
		{Name: "keep-case", To: &o.KeepCase, More: true, Help: "leave letters in their case"},
		{
			Name: "normalize", To: &o.Normalize, Default: "none", More: true, Choices: normalForms(),
			Help: "normal form of Unicode: none, nfc, or nfkc, which makes fi of ﬁ",
		},
		{
			Name: "markup", To: &o.Markup, Default: "keep", More: true, Choices: markups(),
			Help: "keep, or strip: leave out the tags of HTML and XML, scripts and styles, and decode entities",
		},
		{
			Name: "headers", To: &o.Headers, Default: "keep", More: true, Choices: []string{"keep", "none"}, Takes: "NAMES",
			Help: "header lines of news: keep, none, or names to keep",
		},
		{Name: "max-token", To: &o.MaxToken, Default: defaultMaxToken, More: true, Most: math.MaxInt, Help: "most bytes of a token"},
	}
}

// Tokenizers lists the values of Options.Tokens, the default first.
func Tokenizers() []string {
	return []string{"words", "letters", "unicode", "zh-bigrams", "char", "char_wb"}
}

// A tokenizer is a value of Options.Tokens as its place among Tokenizers.
type tokenizer int

const (
	words tokenizer = iota
	letters
	segments
	bigrams
	chars
	wordChars
	patterns // behind Tokenizers: patternPrefix and an expression
)

// patternPrefix begins Options.Tokens of a pattern.
const patternPrefix = "pattern:"

// ofCharacters reports whether terms are n-grams of characters.
func (t tokenizer) ofCharacters() bool { return t == chars || t == wordChars }

// takesAnything reports whether any character may be part of a token.
func (t tokenizer) takesAnything() bool { return t.ofCharacters() || t == patterns }

// An Analyzer is checked options. It is immutable and safe for concurrent use.
type Analyzer struct {
	opt     Options
	tokens  tokenizer
	grams   gramRange
	longest int // Options.MaxToken, but no n-gram of characters is too long
	stop    map[string]bool
	stem    func(word []byte) []byte // nil = none
	headers headerFilter
	version unicodeVersion
	pattern *tokenPattern // nil unless tokens are those of a pattern
	phrases *phraseBook   // nil = none
	low     *lowClasses
	seed    key // of all its tables: random, so that nobody can prepare words that all hash to one slot
}

// New checks the options. The error is a [usage.ErrUsage].
func New(opt Options) (*Analyzer, error) {
	opt.StopWords = slices.Clone(opt.StopWords)
	switch opt.Tokens {
	case "":
		opt.Tokens = Tokenizers()[0]
	case Auto:
		return nil, usage.Unknown("tokens of an analyzer, which has no texts to decide by,", Auto, Tokenizers())
	}
	for _, o := range []struct {
		name  string
		value *string
		known []string
		bare  bool // the default is recorded as "", as by versions without the option
	}{
		{"stop list", &opt.Stop, StopLists(), false},
		{"stemmer", &opt.Stem, stemmers(), false},
		{"normal form", &opt.Normalize, normalForms(), true},
		{"choice for markup", &opt.Markup, markups(), true},
		{"way to strip accents", &opt.StripAccents, accents(), true},
	} {
		*o.value = cmp.Or(*o.value, o.known[0])
		if !slices.Contains(o.known, *o.value) {
			return nil, usage.Unknown(o.name, *o.value, o.known)
		}
		if o.bare && *o.value == o.known[0] {
			*o.value = ""
		}
	}
	opt.MaxToken = cmp.Or(opt.MaxToken, defaultMaxToken)
	if opt.MaxToken < 0 {
		return nil, usage.Unknown("token limit", fmt.Sprint(opt.MaxToken), []string{"a number of bytes above 0"})
	}
	if opt.HashBits < 0 || opt.HashBits > MostHashBits {
		return nil, usage.Errorf("%d hash bits: give 1 to %d, for 2 to 2^%d columns, or none", opt.HashBits, MostHashBits, MostHashBits)
	}
	headers, ok := parseHeaders(opt.Headers)
	if !ok {
		return nil, usage.Unknown("headers", opt.Headers, []string{"keep", "none", "names separated by commas, as subject,keywords"})
	}
	opt.Headers = headers.String()
	tokens, err := newTokenizer(opt.Tokens)
	if err != nil {
		return nil, err
	}
	if err := opt.fit(tokens); err != nil {
		return nil, err
	}
	grams, err := newGramRange(opt.NGrams, tokens)
	if err != nil {
		return nil, err
	}
	opt.NGrams = grams.String()
	if len(opt.Phrases) > 0 && (tokens.ofCharacters() || tokens == bigrams) {
		return nil, usage.Errorf("tokens %s have no phrases, which are words in a row: take tokens that are words", opt.Tokens)
	}
	if opt.Phrases, err = opt.Phrases.checked(); err != nil {
		return nil, err
	}
	opt.FullCase = opt.FullCase || opt.Unicode != ""
	version, err := parseUnicodeVersion(opt.Unicode)
	if err != nil {
		return nil, err
	}
	expression, err := newPattern(opt.Tokens, grams.most > 1 || len(opt.Phrases) > 0, version)
	if err != nil {
		return nil, err
	}
	longest := opt.MaxToken
	if tokens.ofCharacters() {
		longest = math.MaxInt
	}
	return &Analyzer{
		opt: opt, longest: longest, tokens: tokens, grams: grams, stop: opt.stopSet(), stem: newStemmer(opt.Stem), headers: headers, version: version, pattern: expression,
		seed:    key{low: rand.Uint64(), high: rand.Uint64() | 1},
		phrases: newPhraseBook(opt.Phrases),
		low:     &lowClasses{},
	}, nil
}

func (a *Analyzer) newFolder() folder {
	return folder{
		keepCase: a.opt.KeepCase, python: a.opt.FullCase, accents: a.opt.StripAccents, version: a.version,
		words: !a.tokens.takesAnything(), narrow: a.tokens == bigrams,
	}
}

// newTokenizer reads Options.Tokens.
func newTokenizer(option string) (tokenizer, error) {
	if strings.HasPrefix(option, patternPrefix) {
		return patterns, nil
	}
	place := slices.Index(Tokenizers(), option)
	if place < 0 {
		return 0, usage.Unknown("tokens", option, slices.Concat([]string{Auto}, Tokenizers(), []string{patternPrefix + "REGEX"}))
	}
	return tokenizer(place), nil
}

// newPattern makes the pattern that Options.Tokens names, nil if it names none. several reports whether
// terms may have several tokens.
func newPattern(option string, several bool, version unicodeVersion) (*tokenPattern, error) {
	expression, ok := strings.CutPrefix(option, patternPrefix)
	if !ok {
		return nil, nil
	}
	p, err := compilePattern(expression, func(r rune) bool { return !version.has(r) })
	if err != nil {
		return nil, err
	}
	if several && p.classes.takesSpace {
		return nil, &PatternError{Pattern: expression, Why: "tokens may have spaces, which n-grams have between tokens"}
	}
	return p, nil
}

// fit returns an error if two of the checked options exclude each other.
func (o *Options) fit(tokens tokenizer) error {
	stops := o.Stop != "none" || len(o.StopWords) > 0
	switch {
	case tokens.ofCharacters() && (stops || o.Stem != "none"):
		return usage.Errorf("tokens %s have no stop words and no stemmer, since their terms are no words", o.Tokens)
	case tokens.ofCharacters() && o.Sentences:
		return usage.Errorf("tokens %s have no sentences: take tokens that are words", o.Tokens)
	case o.KeepCase && o.Stem != "none":
		return usage.Errorf("the stemmer %s knows words in lower case only: keep the case or stem", o.Stem)
	}
	return nil
}

// Options gives the options with the defaults filled in.
func (a *Analyzer) Options() Options {
	opt := a.opt
	opt.StopWords = slices.Clone(opt.StopWords)
	return opt
}

// Knows reports whether the terms of a text are those of the version of Unicode that the options
// name. They may not be where the text has characters that are newer than package unicode.
func (a *Analyzer) Knows(text []byte) bool {
	return a.version.unknown == nil || !a.version.unknown.meets(text)
}

// Terms lists the terms of a text in order, repeated ones too; of each part of
// it the words come first, then the pairs, and so on. It is the slow way, for
// explanations and tests.
func (a *Analyzer) Terms(text []byte) []string {
	c := a.NewCounter()
	c.scan(text)
	var terms []string
	for _, id := range c.ids {
		terms = append(terms, string(c.Term(id)))
	}
	return terms
}
