package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// This file multiplies the values of seed words, as models of topics do with words that people expect.

// DefaultSeedMultiplier is the factor of seed words, unless the options say another one.
const DefaultSeedMultiplier = 2.

// seeding are the seed words of c-TF-IDF.
type seeding struct {
	words []string
	times float64
}

// seedingOf returns the seed words of the options, nil if there are none or the measure takes none.
func seedingOf(o Options) (*seeding, error) {
	times := cmp.Or(o.SeedMultiplier, DefaultSeedMultiplier)
	switch {
	case !(times > 0) || times-times != 0:
		return nil, usage.Errorf("the multiplier of seed words must be positive and finite, not %v", times)
	case o.Measure != CTFIDF || len(o.SeedWords) == 0:
		return nil, nil
	case slices.Contains(o.SeedWords, ""):
		return nil, usage.Errorf("a seed word is empty")
	}
	return &seeding{o.SeedWords, times}, nil
}

// seedTerms are the seed words of a plan in a corpus; nil has none.
type seedTerms struct {
	terms   map[int]bool // by number
	unknown []string     // words that are no terms
	times   float64
}

// seedsOf returns the seed words of a corpus, whose analysis and terms are given: nil if the plan has none.
func (p Plan) seedsOf(o analysis.Options, lookup func(term string) (int, bool)) *seedTerms {
	if p.seeding == nil {
		return nil
	}
	s := &seedTerms{terms: map[int]bool{}, times: p.seeding.times}
	has := func(term string) bool {
		_, ok := lookup(term)
		return ok
	}
	for _, word := range table.Spelled(o, p.seeding.words, has) {
		if t, ok := lookup(word); ok {
			s.terms[t] = true
		} else {
			s.unknown = append(s.unknown, word)
		}
	}
	return s
}

func (p Plan) seeds(s *table.Table) *seedTerms {
	return p.seedsOf(s.Provenance().Analysis, s.Names.Lookup)
}

// ofTerm multiplies the values of a term if it is a seed word.
func (x *seedTerms) ofTerm(t int, values []float64) {
	if x == nil || !x.terms[t] {
		return
	}
	for i := range values {
		values[i] *= x.times
	}
}

// multiply multiplies the values of the seed words among those of all terms.
func (x *seedTerms) multiply(values []float64) {
	if x == nil {
		return
	}
	for t := range x.terms {
		x.ofTerm(t, values[t:t+1])
	}
}

// mostNamed is the number of unknown seed words that a warning names.
const mostNamed = 10

// warnings returns a warning if some seed words are no terms.
func (x *seedTerms) warnings() []string {
	if x == nil || len(x.unknown) == 0 {
		return nil
	}
	var named []string
	for _, word := range x.unknown[:min(len(x.unknown), mostNamed)] {
		named = append(named, fmt.Sprintf("%q", usage.Cut(word)))
	}
	text := fmt.Sprintf("%d of the seed words are no terms: %s", len(x.unknown), strings.Join(named, ", "))
	if more := len(x.unknown) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return []string{text}
}

// Warnings returns what a reader of any values of the plan from statistics should know.
func (p Plan) Warnings(s *table.Table) []string {
	if warnings := constantTarget(s); p.info.Target && warnings != nil {
		return warnings
	}
	var warnings []string
	if classes := s.Classes(); len(classes) == 1 {
		warnings = append(warnings, fmt.Sprintf("there is one class only (%s): nothing can tell classes apart, the values are those of independence", classes[0]))
	}
	return append(warnings, p.seeds(s).warnings()...)
}
