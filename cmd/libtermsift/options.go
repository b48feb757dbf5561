package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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

// A setting declares an option: its name, where its value goes, which has the default, what a number must be, and what it
// is. What takes options reads it, and so do termsift.h, and the packages for Python and R by the operation options.
// A value is a *string, *bool, *int, *float64, a *number, a *[]float64, a *[]string, which also takes a single string, a
// *stopWords or a *frequencyList.
type setting struct {
	name   string
	to     any
	within bounds
	help   string
}

// bounds are what a number must be.
type bounds struct {
	text string
	hold func(v float64) bool
}

var (
	anything   = bounds{}
	atLeast0   = bounds{"0 or more", func(v float64) bool { return v >= 0 }}
	atLeast1   = bounds{"1 or more", func(v float64) bool { return v >= 1 }}
	above0     = bounds{"a number above 0", func(v float64) bool { return v > 0 }}
	upTo1      = bounds{"above 0 and at most 1", func(v float64) bool { return v > 0 && v <= 1 }}
	below1     = bounds{"above 0 and below 1", func(v float64) bool { return v > 0 && v < 1 }}
	rowsOrAll  = bounds{"a whole number above 0, or \"all\"", func(v float64) bool { return v >= 1 && v == float64(int32(v)) }}
	ofThreads  = bounds{fmt.Sprintf("in [0, %d]", pool.MostThreads), func(v float64) bool { return v >= 0 && v <= pool.MostThreads }}
	ofHashBits = bounds{fmt.Sprintf("a whole number from 1 to %d", analysis.MostHashBits), func(v float64) bool { return v >= 1 && v <= analysis.MostHashBits }}
)

// threadsSetting is the option of all that takes time.
func threadsSetting(to *int) setting {
	return setting{"threads", to, ofThreads, "the most workers; 0 is the number of CPUs. Results do not depend on it"}
}

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
func (s setting) set(value json.RawMessage) (err error) {
	if string(value) == "null" {
		return nil
	}
	n := 0.0
	switch to := s.to.(type) {
	case *[]string:
		err = readList(to, value)
	case *stopWords:
		*to = stopWords{}
		if value[0] == '"' {
			return json.Unmarshal(value, &to.list)
		}
		err = readList(&to.words, value)
	case *frequencyList:
		if err := to.UnmarshalJSON(value); err != nil {
			return usage.Errorf("option %q: %v", s.name, err)
		}
	case *number:
		if *to = (number{given: true, all: string(value) == `"all"`}); to.all {
			return nil
		}
		err = json.Unmarshal(value, &to.value)
		n = to.value
	case *float64:
		err = json.Unmarshal(value, to)
		n = *to
	case *int:
		if err = json.Unmarshal(value, to); *to != int(int32(*to)) {
			err = strconv.ErrRange
		}
		n = float64(*to)
	default:
		err = json.Unmarshal(value, s.to)
	}
	want := s.domain()
	if s.within.hold != nil && (err == nil || strings.HasPrefix(s.within.text, want)) {
		want = s.within.text
	}
	if err != nil || s.within.hold != nil && !s.within.hold(n) {
		return usage.Errorf("option %q must be %s, not %s", s.name, want, usage.Cut(string(value)))
	}
	return nil
}

// readList reads a list of texts, or a single one.
func readList(to *[]string, value json.RawMessage) error {
	*to = []string{}
	if value[0] == '"' {
		*to = make([]string, 1)
		return json.Unmarshal(value, &(*to)[0])
	}
	return json.Unmarshal(value, to)
}

// domain describes the values of a setting.
func (s setting) domain() string {
	switch s.to.(type) {
	case *bool:
		return "true or false"
	case *int, *int64:
		return "a whole number"
	case *float64, *number:
		return "a number"
	case *[]float64:
		return "a list of numbers"
	case *[]string, *stopWords:
		return "a text or a list of texts"
	case *frequencyList:
		return frequencyListDomain
	}
	return "a text"
}

// initial is the default of a setting as JSON, null for none.
func (s setting) initial() string {
	switch to := s.to.(type) {
	case *number:
		if to.all {
			return `"all"`
		}
		if to.value != 0 {
			return fmt.Sprint(to.value)
		}
		return "null"
	case *stopWords, *frequencyList:
		return "null"
	}
	return string(need(json.Marshal(s.to)))
}

// optionColumns are the columns of the operation options: of each option that an operation takes the operation, the name, what its
// value is, what a number must be, the default as JSON, and the help.
func optionColumns() (all []column) {
	rows := [6][]string{}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		if operations[name].takes == nil {
			continue
		}
		for _, s := range operations[name].takes() {
			for i, text := range []string{name, s.name, s.domain(), s.within.text, s.initial(), s.help} {
				rows[i] = append(rows[i], text)
			}
		}
	}
	for _, texts := range rows {
		all = append(all, nameColumns(len(texts), func(i int) string { return texts[i] })...)
	}
	return all
}

// analysing says how text becomes terms.
type analysing struct {
	analysis.Options
	stop         stopWords
	minDF, maxDF float64
}

func newAnalysing() *analysing {
	return &analysing{Options: analysis.Options{Tokens: analysis.Auto, Stem: "none", Headers: "keep", NGrams: "1", MaxToken: 256}}
}

// settings are the options of what counts texts.
func (a *analysing) settings() []setting {
	return append(a.textSettings(), []setting{
		{"min-df", &a.minDF, atLeast0, "terms of fewer documents are left out: a share below 1, else a number of them"},
		{"max-df", &a.maxDF, atLeast0, "terms of more documents are left out; 0 for no bound"},
	}...)
}

// textSettings say how a text becomes terms.
func (a *analysing) textSettings() []setting {
	return []setting{
		{"tokens", &a.Tokens, anything, `"words", "letters", "unicode", "zh-bigrams", "char", "char_wb", "pattern:REGEX", or "auto": the texts decide, and a warning tells of what is not "words"`},
		{"stop", &a.stop, anything, "the name of a list of words that are left out, or a list of them"},
		{"stem", &a.Stem, anything, "the name of a stemmer"},
		{"headers", &a.Headers, anything, "what is done with the headers of mail"},
		{"ngrams", &a.NGrams, anything, `how many words, or characters of "char" and "char_wb", make a term, as "1-2"`},
		{"hash-bits", &a.HashBits, ofHashBits, "hashes terms into 2^N columns, whose names are their numbers"},
		{"normalize", &a.Normalize, anything, "a form of Unicode"},
		{"markup", &a.Markup, anything, "what is done with tags"},
		{"strip-accents", &a.StripAccents, anything, `"none", "unicode", "ascii"`},
		{"keep-case", &a.KeepCase, anything, "whether capitals stay"},
		{"max-token", &a.MaxToken, anything, "longer tokens are left out"},
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
		{"combine", &s.Combine, anything, `how a term gets one value of those of the classes: "max", "avg", "sum", "mean", or "class" for a value for each`},
		{"weight", &s.Weight, anything, `how rows are weighted that methods read: "tf", "binary", "tfidf", ...`},
		{"base", &s.Base, anything, "of the logarithms of mi, emi, ig, ece, rs and rsw; 0 is e"},
		{"rs-d", &s.RSD, anything, "the constant of rs and rsw; 0 is 1/6"},
		{"signed", &s.Signed, anything, "whether ttest and the measures of a target have signs"},
		{"yates", &s.Yates, anything, "whether chi has the correction of Yates"},
		{"smooth", &s.Smooth, above0, "the constant of simplemaths"},
		{"zeta-c", &s.ZetaC, above0, "the constant of zetalog"},
		{"bm25", &s.BM25, anything, "of ctfidf: the idf of BM25"},
		{"reduce-frequent", &s.ReduceFrequent, anything, "of ctfidf: the root of the share"},
		{"seed-words", &s.SeedWords, anything, "of ctfidf: terms that are multiplied"},
		{"seed-multiplier", &s.SeedMultiplier, above0, "of ctfidf: by how much"},
		threadsSetting(&s.Threads),
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

func newSelecting() *selecting { return &selecting{scoring: newScoring(), by: "chi"} }

func (s *selecting) settings() []setting {
	return slices.Concat(s.scoring.settings(), []setting{
		{"by", &s.by, anything, `a measure, also as "ttest:avg" or a formula as "mine=A*D/(B*C)", or "mrmr", "jmi", "cmim", "best-terms:p=0.25", "project"; of statistics a measure`},
		{"p-values", &s.PValues, anything, "whether the features have p-values"},
		{"exact", &s.Exact, anything, "whether these are of exact tests"},
		{"k", &s.k, anything, `how many terms are kept, or "all"; or one of the next seven`},
		{"percentile", &s.percentile, anything, "so many percent of the terms are kept"},
		{"min-score", &s.minScore, anything, "terms of this value or more are kept"},
		{"energy", &s.energy, anything, "terms of this share of the sum of all values are kept"},
		{"fpr", &s.fpr, anything, "terms with a p-value of this or less are kept"},
		{"fdr", &s.fdr, anything, "the same, corrected for false discoveries"},
		{"fwe", &s.fwe, anything, "the same, corrected for any false one"},
		{"per-document", &s.perDocument, anything, "so many of the best terms of each document are kept"},
		{"per-class", &s.perClass, anything, "whether k terms of each class are kept"},
		{"round-robin", &s.roundRobin, anything, "whether the best of each class are taken in turn"},
		{"keep", &s.keep, anything, "terms that are kept in any case"},
		{"drop", &s.drop, anything, "terms that are not kept in any case"},
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
	name, _, _ := strings.Cut(strings.TrimSpace(s.by), ":")
	scoring := s.scoring
	scoring.PValues = s.PValues || s.fpr.given || s.fdr.given || s.fwe.given
	m := need(methods.Parse(s.by, methods.Options{Scoring: scoring.options(name)}))
	check(m.Validate())
	return m
}
