package collocation

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// This file learns which pairs of words are phrases.

// A Scorer says by what a pair is a phrase. Both are gensim's, with the difference that nothing rare
// is left out of the counts.
type Scorer string

// The scorers, of a pair of words with frequencies f(x) and f(y) that occurs f(xy) times.
const (
	// ByDiscount is (f(xy) - δ)·V / (f(x)·f(y)), where δ is the least count and V the number of different
	// words and pairs: Mikolov and others 2013.
	ByDiscount Scorer = "default"
	// ByNPMI is ln(p(xy) / (p(x)·p(y))) / -ln p(xy), where p is the share of all words: Bouma 2009. Pairs
	// with less than the least count are none.
	ByNPMI Scorer = "npmi"
)

// Scorers lists the scorers, the default first.
func Scorers() []Scorer { return []Scorer{ByDiscount, ByNPMI} }

// PhraseOptions say which pairs are phrases. The zero value takes gensim's defaults.
type PhraseOptions struct {
	Scorer Scorer
	// Threshold is the score above which a pair is a phrase; NaN is gensim's 10 of [ByDiscount] and .5 of [ByNPMI].
	Threshold float64
	// MinCount is δ of [ByDiscount] and the least count of [ByNPMI]; 0 is [DefaultMinCount].
	MinCount int
	// Connectors are words that stand inside phrases, not at their ends: of, in bank of america. They are
	// analysed as texts are.
	Connectors []string
	// Passes is how often phrases are learnt, each time with those found before as single words: two passes
	// give phrases of up to four words, beside connectors. 0 is 1.
	Passes int
}

// DefaultMinCount is gensim's.
const DefaultMinCount = 5

// defaultThreshold returns the threshold of a scorer unless options say otherwise: gensim's for [ByDiscount]; for
// [ByNPMI], whose values go from -1 to 1 and where gensim has none of its own, the middle between
// independence and a pair whose words never stand apart.
func defaultThreshold(s Scorer) float64 {
	if s == ByNPMI {
		return .5
	}
	return 10
}

// MostPasses bounds the passes: phrases of five have up to 32 words.
const MostPasses = 5

// Validate returns a [usage.ErrUsage] for options that are wrong whatever the texts.
func (o PhraseOptions) Validate() error {
	_, err := o.withDefaults()
	return err
}

func (o PhraseOptions) withDefaults() (PhraseOptions, error) {
	o.Scorer, o.MinCount, o.Passes = cmp.Or(o.Scorer, ByDiscount), cmp.Or(o.MinCount, DefaultMinCount), cmp.Or(o.Passes, 1)
	if math.IsNaN(o.Threshold) {
		o.Threshold = defaultThreshold(o.Scorer)
	}
	switch {
	case !slices.Contains(Scorers(), o.Scorer):
		return o, usage.Unknown("scorer of phrases", string(o.Scorer), []string{string(ByDiscount), string(ByNPMI)})
	case math.IsInf(o.Threshold, 0):
		return o, usage.Errorf("the threshold of phrases must be a finite number, not %v", o.Threshold)
	case o.Scorer == ByDiscount && o.Threshold < 0:
		return o, usage.Errorf("the threshold of phrases must not be negative, not %v: scores below 0 are those of pairs with fewer than the least count", o.Threshold)
	case o.Scorer == ByNPMI && !(o.Threshold >= -1 && o.Threshold < 1):
		return o, usage.Errorf("npmi goes from -1 to 1: the threshold of phrases must be at least -1 and below 1, not %v", o.Threshold)
	case o.MinCount < 0:
		return o, usage.Errorf("the least count of phrases must be positive, not %d", o.MinCount)
	case o.Passes < 0 || o.Passes > MostPasses:
		return o, usage.Errorf("phrases are learnt in 1 to %d passes, not %d", MostPasses, o.Passes)
	}
	return o, nil
}

// A Phrase is a pair of words, or of phrases, that belong together.
type Phrase struct {
	Text      string // its words, with one space between; a phrase among them is one word
	Pass      int    // from 1 on
	Frequency int
	Score     float64
}

// Learn returns the phrases of texts, by pass, score, frequency, then bytes, and the same as part of an analysis.
// count counts the texts by an analysis; it is called once for each pass, and what it returns is closed. The pass that finds nothing is the
// last.
func Learn(ctx context.Context, a analysis.Options, o PhraseOptions, count func(analysis.Options) (Source, error)) (learnt []Phrase, set analysis.Phrases, err error) {
	if o, err = o.withDefaults(); err != nil {
		return nil, nil, err
	}
	if a.NGrams, a.Phrases, a.HashBits = "1-2", nil, 0; o.Connectors != nil {
		if a.Connectors, err = connectorsOf(a, o.Connectors); err != nil {
			return nil, nil, err
		}
	}
	for pass := 1; pass <= o.Passes; pass++ {
		a.Phrases = set
		from, err := count(a)
		if err != nil {
			return nil, nil, err
		}
		found, err := phrasesIn(ctx, from, a.Connectors, o)
		if err = errors.Join(err, Close(from)); err != nil {
			return nil, nil, err
		}
		if len(found) == 0 {
			break
		}
		texts := make([]string, len(found))
		for i := range found {
			found[i].Pass, texts[i] = pass, found[i].Text
		}
		slices.Sort(texts)
		learnt, set = append(learnt, found...), append(set, texts)
	}
	return learnt, set, nil
}

// connectorsOf returns words as they are in terms. Stop words among them are in no term, and connect
// without being said to.
func connectorsOf(a analysis.Options, words []string) (connectors []string, err error) {
	a.NGrams, a.Headers, a.Markup = "", "", ""
	if a.Tokens == analysis.Auto {
		a.Tokens = ""
	}
	analyzer, err := analysis.New(a)
	if err != nil {
		return nil, err
	}
	for _, word := range words {
		connectors = append(connectors, analyzer.Terms([]byte(word))...)
	}
	slices.Sort(connectors)
	return slices.Compact(connectors), nil
}

// phrasesIn returns the phrases among counted words and pairs.
func phrasesIn(ctx context.Context, from Source, connectors []string, o PhraseOptions) (found []Phrase, err error) {
	if err := from.Complete(); err != nil {
		return nil, err
	}
	err = pool.Stage(ctx, "phrases", func(ctx context.Context) error {
		s := pairScorer{PhraseOptions: o, words: map[string]float64{}, connects: map[string]bool{}}
		for _, word := range connectors {
			s.connects[word] = true
		}
		if err := from.Each(ctx, s.addWord); err != nil {
			return err
		}
		return from.Each(ctx, func(t *Term) error {
			if p, ok := s.phrase(t); ok {
				found = append(found, p)
			}
			return nil
		})
	})
	slices.SortFunc(found, func(a, b Phrase) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Frequency, a.Frequency), strings.Compare(a.Text, b.Text))
	})
	return found, err
}

// A pairScorer scores pairs by the frequencies of their words.
type pairScorer struct {
	PhraseOptions
	words    map[string]float64 // frequencies
	connects map[string]bool
	types    float64 // different words and pairs, without connectors
	tokens   float64
}

// addWord adds what a term has to the frequencies.
func (s *pairScorer) addWord(t *Term) error {
	if bytes.IndexByte(t.Name, ' ') >= 0 {
		s.types++
		return nil
	}
	s.tokens += t.Total
	if !s.connects[string(t.Name)] {
		s.types++
		s.words[string(t.Name)] = t.Total
	}
	return nil
}

// phrase returns the phrase that a term is, if it is one.
func (s *pairScorer) phrase(t *Term) (p Phrase, ok bool) {
	first, last := bytes.IndexByte(t.Name, ' '), bytes.LastIndexByte(t.Name, ' ')
	if first < 0 {
		return p, false
	}
	score := s.score(t.Total, s.words[string(t.Name[:first])], s.words[string(t.Name[last+1:])])
	if !(score > s.Threshold) {
		return p, false
	}
	return Phrase{Text: string(t.Name), Frequency: int(t.Total), Score: score}, true
}

// score returns the score of a pair that occurs xy times, of words that occur x and y times.
func (s *pairScorer) score(xy, x, y float64) float64 {
	if s.Scorer == ByDiscount {
		return (xy - float64(s.MinCount)) / float64(x*y) * s.types
	}
	switch p := xy / s.tokens; {
	case xy < float64(s.MinCount):
		return math.Inf(-1)
	case p == 1:
		return 1
	default:
		return kernels.Log(p/float64(x/s.tokens*(y/s.tokens))) / -kernels.Log(p)
	}
}
