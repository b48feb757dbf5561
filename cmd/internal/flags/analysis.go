package flags

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/usage"
)

// Analysis are the flags that say how text becomes terms.
type Analysis struct {
	Tokens, Stop, Stem, Headers, NGrams string
	Normalize, Markup                   string
	MaxToken                            int
}

// OfAnalysis lists these flags.
var OfAnalysis = []string{"tokens", "stop", "stem", "headers", "ngrams", "normalize", "markup", "max-token"}

// Register adds the flags.
func (f *Analysis) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.Tokens, "tokens", analysis.Auto, "words, letters, unicode, zh-bigrams; auto: zh-bigrams where more than half of the first letters are Han, else words")
	flags.StringVar(&f.Stop, "stop", "none", "stop list: "+Words(analysis.StopLists())+"; or a file, with comments behind #")
	flags.StringVar(&f.Stem, "stem", "none", Words(analysis.Stemmers()))
	flags.StringVar(&f.Headers, "headers", "keep", "header lines of news: keep, none, or names to keep")
	flags.StringVar(&f.NGrams, "ngrams", "1", "runs of words that are terms: 1, 1-2, 2 and so on; words on both sides of a stop word are neighbours")
	flags.StringVar(&f.Normalize, "normalize", "none", "normal form of Unicode: none, nfc, or nfkc, for which ﬁ is fi")
	flags.StringVar(&f.Markup, "markup", "keep", "keep, or strip: leave out the tags of HTML and XML, scripts and styles, and decode entities")
	flags.IntVar(&f.MaxToken, "max-token", 256, "most bytes of a token")
}

// Options returns the options of the analysis that the flags give. A stop list that is a file
// is read.
func (f *Analysis) Options(files Lists) (o analysis.Options, err error) {
	o = analysis.Options{
		Tokens: f.Tokens, Stop: f.Stop, Stem: f.Stem, Headers: f.Headers, NGrams: f.NGrams, Normalize: f.Normalize, Markup: f.Markup, MaxToken: f.MaxToken,
	}
	if slices.Contains(analysis.StopLists(), f.Stop) {
		return o, nil
	}
	o.Stop = "none"
	o.StopWords, err = files.StopWords(f.Stop)
	if errors.Is(err, os.ErrNotExist) {
		err = usage.Errorf("unknown stop list %q; known: %s, or the name of a file", f.Stop, strings.Join(analysis.StopLists(), " "))
	}
	return o, err
}
