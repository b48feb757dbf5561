package main

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// A setting is the name of an option and a pointer to its value: a *string, *bool, *int,
// *float64, a *positive, a *hashBits, a *number, a *[]float64, a *[]string, which also takes a single string, or a *stopWords.
type setting struct {
	name string
	to   any
}

// A positive is the value of an option that must be above 0.
type positive float64

// hashBits are the value of the option hash-bits.
type hashBits int

// A number is the value of an option that says how many terms are kept.
type number struct {
	given, all bool
	value      float64
}

// stopWords are the value of the option stop: the name of a list as a text, or words as a
// list of texts.
type stopWords struct {
	list  string
	words []string
}

// readOptions reads a JSON object into the values of the settings. An empty text has no
// options, and null leaves a value as it is.
func readOptions(text string, settings []setting) {
	if strings.TrimSpace(text) == "" {
		return
	}
	d := json.NewDecoder(strings.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		panic(refused("options must be a JSON object such as {\"by\": \"chi\"}, not %q", usage.Cut(text)))
	}
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		wellFormed(text, err)
		key := name.(string) // the name of a member
		if seen[key] {
			panic(refused("option %q stands twice", usage.Cut(key)))
		}
		seen[key] = true
		setOption(key, value, settings)
	}
	_, err := d.Token()
	wellFormed(text, err)
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		panic(refused("something follows the object of options %q", usage.Cut(text)))
	}
}

func wellFormed(text string, err error) {
	if err != nil {
		panic(refused("options %q are no JSON: %v", usage.Cut(text), err))
	}
}

// setOption stores the value of one option.
func setOption(name string, value json.RawMessage, settings []setting) {
	known := make([]string, len(settings))
	for i, s := range settings {
		if known[i] = s.name; s.name == name {
			check(s.set(value))
			return
		}
	}
	if instead, gone := goneOptions[name]; gone {
		panic(refused("option %q went in 0.2.0: %s", name, instead))
	}
	check(usage.Unknown("option", usage.Cut(name), known))
}

// goneOptions are options that went, with what to do instead.
var goneOptions = map[string]string{
	"continuity": "it was of mh, which went too",
	"control":    "rank the documents of each value alone and compare the rankings",
	"strata":     "rank the documents of each value alone and compare the rankings",
}

// set parses a value and stores it.
func (s setting) set(value json.RawMessage) error {
	if string(value) == "null" {
		return nil
	}
	switch to := s.to.(type) {
	case *[]string:
		return s.setList(to, value)
	case *number:
		return s.setNumber(to, value)
	case *frequencyList:
		if err := to.UnmarshalJSON(value); err != nil {
			return usage.Errorf("option %q: %v", s.name, err)
		}
		return nil
	case *stopWords:
		*to = stopWords{}
		if value[0] == '"' {
			return json.Unmarshal(value, &to.list)
		}
		return s.setList(&to.words, value)
	case *positive:
		v, err := strconv.ParseFloat(string(value), 64)
		if *to = positive(v); err != nil || v <= 0 {
			return s.wrong("a number above 0", value)
		}
		return nil
	case *[]float64:
		if err := json.Unmarshal(value, to); err != nil {
			return s.wrong("a list of numbers", value)
		}
		return nil
	case *hashBits:
		n, err := strconv.Atoi(string(value))
		if *to = hashBits(n); err != nil || n < 1 || n > analysis.MostHashBits {
			return s.wrong("a whole number from 1 to "+strconv.Itoa(analysis.MostHashBits), value)
		}
		return nil
	case *int:
		n, err := strconv.ParseInt(string(value), 10, 32)
		if *to = int(n); err != nil {
			return s.wrong("a whole number", value)
		}
		return nil
	}
	if err := json.Unmarshal(value, s.to); err != nil {
		return s.wrong(s.domain(), value)
	}
	return nil
}

// domain describes the values of a setting of a basic type.
func (s setting) domain() string {
	switch s.to.(type) {
	case *bool:
		return "true or false"
	case *float64:
		return "a number"
	case *int64:
		return "a whole number"
	}
	return "a text"
}

func (s setting) setList(to *[]string, value json.RawMessage) error {
	if value[0] == '"' {
		*to = make([]string, 1)
		return json.Unmarshal(value, &(*to)[0])
	}
	*to = []string{}
	if err := json.Unmarshal(value, to); err != nil {
		return s.wrong("a text or a list of texts", value)
	}
	return nil
}

func (s setting) setNumber(to *number, value json.RawMessage) error {
	if string(value) == `"all"` {
		*to = number{given: true, all: true}
		return nil
	}
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil || math.IsInf(v, 0) {
		return s.wrong("a number", value)
	}
	*to = number{given: true, value: v}
	return nil
}

func (s setting) wrong(want string, value json.RawMessage) error {
	return usage.Errorf("option %q must be %s, not %s", s.name, want, usage.Cut(string(value)))
}

// analysing says how text becomes terms.
type analysing struct {
	analysis.Options
	stop         stopWords
	minDF, maxDF float64
}

func newAnalysing() analysing {
	return analysing{Options: analysis.Options{Tokens: analysis.Auto, Stem: "none", Headers: "keep", NGrams: "1", MaxToken: 256}}
}

func (a *analysing) settings() []setting {
	return []setting{
		{"tokens", &a.Tokens},
		{"stop", &a.stop},
		{"stem", &a.Stem},
		{"headers", &a.Headers},
		{"ngrams", &a.NGrams},
		{"hash-bits", (*hashBits)(&a.HashBits)},
		{"normalize", &a.Normalize},
		{"markup", &a.Markup},
		{"strip-accents", &a.StripAccents},
		{"keep-case", &a.KeepCase},
		{"max-token", &a.MaxToken},
		{"min-df", &a.minDF},
		{"max-df", &a.maxDF},
	}
}

// validate refuses bounds that no number of documents is below.
func (a *analysing) validate() {
	switch {
	case a.minDF < 0:
		panic(refused("option \"min-df\" must be 0 or more, not %v", a.minDF))
	case a.maxDF < 0:
		panic(refused("option \"max-df\" must be 0 or more, not %v", a.maxDF))
	}
}

// options returns the options of a build.
func (a *analysing) options(threads int) corpus.Options {
	o := corpus.Options{Analysis: a.Options, MinDF: a.minDF, MaxDF: a.maxDF, Threads: threads}
	o.Analysis.Stop, o.Analysis.StopWords = a.stop.list, a.stop.words
	return o
}

// scoring is a measure's parameters.
type scoring struct{ rank.Options }

func newScoring() scoring {
	return scoring{rank.Options{Weight: "tf", Smooth: 1, ZetaC: 1.1, SeedMultiplier: rank.DefaultSeedMultiplier}}
}

func (s *scoring) settings() []setting {
	return []setting{
		{"combine", &s.Combine},
		{"weight", &s.Weight},
		{"base", &s.Base},
		{"rs-d", &s.RSD},
		{"signed", &s.Signed},
		{"yates", &s.Yates},
		{"smooth", (*positive)(&s.Smooth)},
		{"zeta-c", (*positive)(&s.ZetaC)},
		{"bm25", &s.BM25},
		{"reduce-frequent", &s.ReduceFrequent},
		{"seed-words", &s.SeedWords},
		{"seed-multiplier", (*positive)(&s.SeedMultiplier)},
		{"threads", &s.Threads},
	}
}

// options returns the options of a measure. Of the measures only ocfs uses a column; a
// supervised weighting is one of rows.
func (s *scoring) options(measure string) rank.Options {
	o := s.Options
	o.Measure = rank.Measure(measure)
	if o.SeedWords != nil && len(o.SeedWords) == 0 {
		panic(refused("option \"seed-words\" has no word"))
	}
	if factor, err := selection.FactorOf(o.Weight); err == nil && factor != "" && o.Measure != rank.OCFS {
		o.Weight = ""
	}
	return o
}

// checkThreads refuses a number of workers that no call may start.
func checkThreads(n int) {
	if n < 0 || n > pool.MostThreads {
		panic(refused("option \"threads\" must be in [0, %d], not %d", pool.MostThreads, n))
	}
}

// selecting says which terms are kept.
type selecting struct {
	scoring
	by                   string
	k, percentile        number
	minScore, energy     number
	fpr, fdr, fwe        number
	perDocument          number
	perClass, roundRobin bool
	keep, drop           []string
}

func newSelecting() selecting { return selecting{scoring: newScoring(), by: "chi"} }

func (s *selecting) settings() []setting {
	return slices.Concat(s.scoring.settings(), []setting{
		{"by", &s.by},
		{"p-values", &s.PValues},
		{"exact", &s.Exact},
		{"k", &s.k},
		{"percentile", &s.percentile},
		{"min-score", &s.minScore},
		{"energy", &s.energy},
		{"fpr", &s.fpr},
		{"fdr", &s.fdr},
		{"fwe", &s.fwe},
		{"per-document", &s.perDocument},
		{"per-class", &s.perClass},
		{"round-robin", &s.roundRobin},
		{"keep", &s.keep},
		{"drop", &s.drop},
	})
}

// A criterion is an option that says how many terms are kept.
type criterion struct {
	name  string
	value number
	whole bool
	make  func(v float64) selection.Criterion
}

func (s *selecting) criteria() []criterion {
	whole := func(of func(int) selection.Criterion) func(float64) selection.Criterion {
		return func(v float64) selection.Criterion { return of(int(v)) }
	}
	return []criterion{
		{"k", s.k, true, whole(selection.Best)},
		{"percentile", s.percentile, false, selection.Percent},
		{"min-score", s.minScore, false, selection.AtLeast},
		{"energy", s.energy, false, selection.Energy},
		{"fpr", s.fpr, false, selection.FPR},
		{"fdr", s.fdr, false, selection.FDR},
		{"fwe", s.fwe, false, selection.FWE},
		{"per-document", s.perDocument, true, whole(selection.PerDocument)},
	}
}

// criterion returns the single criterion that was given.
func (s *selecting) criterion() (c criterion) {
	for _, each := range s.criteria() {
		switch {
		case !each.value.given:
			continue
		case c.name != "":
			panic(refused("say how many terms to select by one option, not by %s and %s", c.name, each.name))
		case each.value.all && each.name != "k":
			panic(refused("option %q must be a number, not \"all\"", each.name))
		case each.whole && (each.value.value != float64(int32(each.value.value))):
			panic(refused("option %q must be a whole number, not %v", each.name, each.value.value))
		}
		c = each
	}
	return c
}

// method returns the method of the option by.
func (s *selecting) method() selection.Method {
	checkThreads(s.Threads)
	name, _, _ := strings.Cut(strings.TrimSpace(s.by), ":")
	scoring := s.scoring
	scoring.PValues = s.PValues || s.fpr.given || s.fdr.given || s.fwe.given
	m := need(methods.Parse(s.by, methods.Options{Scoring: scoring.options(name)}))
	check(m.Validate())
	return m
}
