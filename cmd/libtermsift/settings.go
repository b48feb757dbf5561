package main

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// This file has the options of the functions, under the names of the command's flags.

// analysing says how text becomes terms.
type analysing struct {
	tokens, stem, headers, ngrams string
	normalize, markup             string
	stop                          stopWords
	maxToken                      int
	minDF, maxDF                  float64
}

func newAnalysing() analysing {
	return analysing{tokens: analysis.Auto, stem: "none", headers: "keep", ngrams: "1", maxToken: 256}
}

func (a *analysing) settings() []setting {
	return []setting{
		{"tokens", &a.tokens},
		{"stop", &a.stop},
		{"stem", &a.stem},
		{"headers", &a.headers},
		{"ngrams", &a.ngrams},
		{"normalize", &a.normalize},
		{"markup", &a.markup},
		{"max-token", &a.maxToken},
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
	o := corpus.Options{MinDF: a.minDF, MaxDF: a.maxDF, Threads: threads}
	o.Analysis = analysis.Options{
		Tokens: a.tokens, Stop: a.stop.list, StopWords: a.stop.words, Stem: a.stem, Headers: a.headers, NGrams: a.ngrams, Normalize: a.normalize, Markup: a.markup, MaxToken: a.maxToken,
	}
	return o
}

// scoring is a measure's parameters.
type scoring struct {
	combine, weight string
	base, rsd       float64
	g2cells         int
	signed, yates   bool
	pvalues, exact  bool
	threads         int
}

func newScoring() scoring { return scoring{weight: "tf", g2cells: 4} }

func (s *scoring) settings() []setting {
	return []setting{
		{"combine", &s.combine},
		{"weight", &s.weight},
		{"base", &s.base},
		{"rs-d", &s.rsd},
		{"g2-cells", &s.g2cells},
		{"signed", &s.signed},
		{"yates", &s.yates},
		{"threads", &s.threads},
	}
}

// options returns the options of a measure. Of the measures only ocfs uses a column; a
// supervised weighting is one of rows.
func (s *scoring) options(measure string) rank.Options {
	column := s.weight
	if factor, err := selection.FactorOf(corpus.Weighting(column)); err == nil && factor != "" && measure != string(rank.OCFS) {
		column = ""
	}
	return rank.Options{
		Measure: rank.Measure(measure), Combine: rank.Combination(s.combine), Weight: corpus.Weighting(column),
		Base: s.base, RSD: s.rsd, Signed: s.signed, Yates: s.yates, G2Cells: s.g2cells,
		PValues: s.pvalues, Exact: s.exact, Threads: s.threads,
	}
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
		{"p-values", &s.pvalues},
		{"exact", &s.exact},
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
	checkThreads(s.threads)
	name, _, _ := strings.Cut(strings.TrimSpace(s.by), ":")
	scoring := s.scoring
	scoring.pvalues = s.pvalues || s.fpr.given || s.fdr.given || s.fwe.given
	m := need(methods.Parse(s.by, methods.Options{Scoring: scoring.options(name)}))
	check(m.Validate())
	return m
}
