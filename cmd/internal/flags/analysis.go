package flags

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// Analysis are the flags that say how text becomes terms.
type Analysis struct {
	Tokens, Stop, Stem, Headers, NGrams string
	Normalize, Markup, StripAccents     string
	Phrases                             string
	KeepCase, Sentences                 bool
	MaxToken, HashBits                  int
}

// Flags returns the flags.
func (f *Analysis) Flags() []Flag {
	return Like(Flag{Group: GroupText, Applies: OfRaw | OfAnalysis}, []Flag{
		{
			Name: "tokens", To: &f.Tokens, Default: analysis.Auto, Choices: From(analysis.Tokenizers),
			Help: "words, letters, unicode, zh-bigrams, char, char_wb, pattern:REGEX; auto: zh-bigrams where most of the first letters are Han, else words",
		},
		{
			Name: "stop", To: &f.Stop, Default: "none", Choices: From(analysis.StopLists), Reads: AFile,
			Help: "stop list: " + Words(analysis.StopLists()) + "; or a file, with comments behind #",
		},
		{Name: "stem", To: &f.Stem, Default: "none", Choices: From(analysis.Stemmers), Help: Words(analysis.Stemmers())},
		{
			Name: "ngrams", To: &f.NGrams, Default: "1", Takes: "N-M",
			Help: "runs of words that are terms: 1, 1-2, 2 and so on, also across a stop word; of char and char_wb, runs of characters",
		},
		{
			Name: "hash-bits", To: &f.HashBits, Takes: "N", Positive: true, Most: analysis.MostHashBits,
			Help: fmt.Sprintf("hash terms into 2^N columns, N from 1 to %d, without a dictionary: a term is the number of a column", analysis.MostHashBits),
		},
		{
			Name: "phrases", To: &f.Phrases, Default: noPhrases, Choices: Among(noPhrases), Reads: AFile,
			Help: "file of words in a row that are one term, as new_york: a phrase a line, or a table with a column term, as collocations writes",
		},
		{Name: "sentences", To: &f.Sentences, More: true, Help: "n-grams do not cross the end of a sentence (UAX 29; a single line break ends none)"},
		{
			Name: "strip-accents", To: &f.StripAccents, Default: "none", More: true, Choices: From(analysis.Accents),
			Help: "none, unicode (é is e), or ascii, which drops all beyond ASCII, ß and ø too",
		},
		{Name: "keep-case", To: &f.KeepCase, More: true, Help: "leave letters in their case"},
		{
			Name: "normalize", To: &f.Normalize, Default: "none", More: true, Choices: From(analysis.NormalForms),
			Help: "normal form of Unicode: none, nfc, or nfkc, which makes fi of ﬁ",
		},
		{
			Name: "markup", To: &f.Markup, Default: "keep", More: true, Choices: From(analysis.Markups),
			Help: "keep, or strip: leave out the tags of HTML and XML, scripts and styles, and decode entities",
		},
		{
			Name: "headers", To: &f.Headers, Default: "keep", More: true, Choices: Among("keep", "none"), Takes: "NAMES",
			Help: "header lines of news: keep, none, or names to keep",
		},
		{Name: "max-token", To: &f.MaxToken, Default: 256, More: true, Most: Unlimited, Help: "most bytes of a token"},
	})
}

// Options returns the options of the analysis that the flags give. A stop list that is a file
// is read, and so is a list of phrases.
func (f *Analysis) Options(files Lists) (o analysis.Options, err error) {
	o = analysis.Options{
		Tokens: f.Tokens, Stop: f.Stop, Stem: f.Stem, Headers: f.Headers, NGrams: f.NGrams, Normalize: f.Normalize, Markup: f.Markup, MaxToken: f.MaxToken,
		HashBits: f.HashBits, StripAccents: f.StripAccents, KeepCase: f.KeepCase, Sentences: f.Sentences,
	}
	if !slices.Contains(analysis.StopLists(), f.Stop) {
		o.Stop = "none"
		o.StopWords, err = files.StopWords(f.Stop)
		if errors.Is(err, os.ErrNotExist) {
			err = usage.Errorf("unknown stop list %q; known: %s, or the name of a file", f.Stop, strings.Join(analysis.StopLists(), " "))
		}
		if err != nil {
			return o, err
		}
	}
	o.Phrases, err = f.phrases(files, o)
	return o, err
}

// Rare is the flag that leaves out the rare terms of a shard.
type Rare struct{ Least int }

// Flag returns the flag.
func (f *Rare) Flag() Flag {
	return Flag{
		Name: "local-min-df", To: &f.Least, Group: GroupText, More: true, Most: Unlimited,
		Help: "leave out the terms in fewer documents of a shard; the sum of shards says how many documents of a term that can miss",
	}
}

// LeftOut returns the statistics of a shard without its rare terms, if the flag asks for it.
func (f Rare) LeftOut(s *table.Table) (*table.Table, error) {
	if f.Least == 0 {
		return s, nil
	}
	return s.WithoutRare(f.Least)
}
