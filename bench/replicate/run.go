package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/evaluate"
	"github.com/termsift/termsift/engine/methods"
	"github.com/termsift/termsift/engine/projection"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/table"
)

// Results are what running a protocol gave.
type Results struct {
	Figures Figures `json:"figures"`
	// Lists are terms by the name of what they are.
	Lists   map[string]string `json:"lists,omitempty"`
	Seconds float64           `json:"seconds,omitempty"`     // of the whole run, on the clock
	CPU     float64           `json:"cpu_seconds,omitempty"` // the same, of CPU
}

// A Step is one experiment of a protocol. Which fields it takes, its kind says.
type Step struct {
	Kind string `json:"kind"`
	// Name is the first word of the names of its figures.
	Name   string `json:"name"`
	Corpus string `json:"corpus"`
	// Change changes keys of the corpus's recipe.
	Change json.RawMessage `json:"change,omitempty"`

	// Methods are measures with their combinations, "ttest:avg"; one of "ocfs@tfidf" looks
	// at that weighting.
	Methods []string `json:"methods,omitempty"`
	// Features are the numbers of terms; 0 is all.
	Features []int `json:"features,omitempty"`
	// Classifiers are what classify.ParseLearner takes, with the names that figures have:
	// "svm = svm:loss=l1".
	Classifiers []string `json:"classifiers,omitempty"`
	Weight      string   `json:"weight,omitempty"` // of the rows

	Class string   `json:"class,omitempty"` // of terms
	Terms []string `json:"terms,omitempty"`

	Functions []string  `json:"functions,omitempty"` // of Best Terms; "rs;d=10" has a constant
	Pairs     []string  `json:"pairs,omitempty"`     // "dia mi" are compared
	P         []float64 `json:"p,omitempty"`
	Rule      string    `json:"rule,omitempty"`
	// C of the SVM of binary problems; 0 is SVMlight's, one over the mean square length of
	// a problem's rows.
	C float64 `json:"c,omitempty"`

	Projecting projection.Options `json:"projecting,omitzero"` // of term projection

	Dimensions int `json:"dimensions,omitempty"` // of latent semantic analysis
}

// kinds are the steps that there are. Some need documents to test on.
var kinds = map[string]struct {
	run   func(r *runner, ctx context.Context, s *Step, d division)
	tests bool
}{
	"ranks":      {(*runner).ranks, false},
	"overlap":    {(*runner).overlap, false},
	"times":      {(*runner).times, false},
	"terms":      {(*runner).terms, false},
	"grid":       {(*runner).grid, true},
	"bestterms":  {(*runner).bestTerms, true},
	"projection": {(*runner).projection, true},
	"latent":     {(*runner).latent, true},
	"filtered":   {(*runner).filtered, true},
	"local":      {(*runner).local, true},
	"global":     {(*runner).global, true},
}

// A runner runs the steps of a protocol.
type runner struct {
	data    string // folder of the collections
	out     Results
	figures Figures // of the division at hand
	scope   string  // of the step at hand, see [Basis]
	cached  map[string][]division
}

// Run runs a protocol on the collections in a folder. progress is told each step before it begins.
func (p *Protocol) Run(ctx context.Context, data string, progress func(step string)) *Results {
	start, cpu := time.Now(), lab.CPU()
	r := &runner{data: data, cached: map[string][]division{}, out: Results{Figures: Figures{}, Lists: map[string]string{}}}
	for i := range p.Steps {
		s := &p.Steps[i]
		progress(s.Name)
		lab.In(p.Name+": step "+s.Name, func() { r.step(ctx, p, s) })
	}
	lab.In(p.Name+": sensitivity", func() { r.sensitivity(ctx, p) })
	r.out.Seconds, r.out.CPU = time.Since(start).Seconds(), (lab.CPU() - cpu).Seconds()
	return &r.out
}

// step runs a step on every division of its documents. Figures are the means, and with
// several divisions "sd ..." their standard deviations.
func (r *runner) step(ctx context.Context, p *Protocol, s *Step) {
	if s.Kind == "iris" {
		r.iris(ctx, s)
		return
	}
	kind, ok := kinds[s.Kind]
	if !ok {
		panic(lab.Errorf("unknown kind %q", s.Kind))
	}
	recipe, ok := p.Corpora[s.Corpus]
	if !ok {
		panic(lab.Errorf("unknown corpus %q", s.Corpus))
	}
	divisions := r.divisions(ctx, recipe.with(s.Change))
	r.scope = scopeOf(divisions)
	all := make([]Figures, len(divisions))
	for i, d := range divisions {
		r.figures = Figures{}
		r.describe(s, d)
		if kind.tests && d.test == nil {
			panic(lab.Errorf("the recipe names no documents to test on"))
		}
		kind.run(r, ctx, s, d)
		all[i] = r.figures
	}
	r.out.Figures.average(all)
}

// describe counts the documents and terms.
func (r *runner) describe(s *Step, d division) {
	r.figures.set(Basis{Unit: "documents"}, float64(d.train.Documents()), s.Name, "documents train")
	r.figures.set(Basis{Unit: "terms"}, float64(d.train.Terms()), s.Name, "terms train")
	r.figures.set(Basis{Unit: "classes"}, float64(len(d.train.Classes())), s.Name, "classes train")
	if d.test != nil {
		r.figures.set(Basis{Unit: "documents"}, float64(d.test.Documents()), s.Name, "documents test")
	}
}

// scopeOf names the documents and the classes that are decided about.
func scopeOf(divisions []division) string {
	what, n := "", 0
	for _, d := range divisions {
		of := d.train
		if d.test != nil {
			what, of = "test ", d.test
		}
		n += of.Documents()
	}
	text := fmt.Sprintf("%s %sdocuments and %d classes", lab.Thousands(strconv.Itoa(n)), what, len(divisions[0].train.Classes()))
	if len(divisions) > 1 {
		text += fmt.Sprintf(" in %d divisions", len(divisions))
	}
	return text
}

// classified keeps the figures of a classification.
func (r *runner) classified(name, decisions string, result *evaluate.Result) {
	r.figures.set(Basis{Unit: unitMicro, Decisions: decisions, Scope: r.scope}, 100*result.Micro.F1(), name, "micro")
	r.figures.set(Basis{Unit: "macro-F1 in percent", Decisions: decisions, Scope: r.scope}, 100*result.MacroF1, name, "macro")
}

// took keeps the CPU time of some work.
func (r *runner) took(name, what, work string, spent time.Duration) {
	r.figures.set(Basis{Unit: "seconds of CPU", Scope: r.scope, Work: work}, spent.Seconds(), name, what)
}

// average keeps the means of figures.
func (f Figures) average(all []Figures) {
	for _, name := range slices.Sorted(maps.Keys(all[0])) {
		var values []float64
		for _, one := range all {
			if v, ok := one[name]; ok {
				values = append(values, v.Value)
			}
		}
		b := all[0][name].Basis
		f.set(b, sum(values)/float64(len(values)), name)
		if len(values) > 1 {
			b.Unit = "standard deviation of " + b.Unit
			f.set(b, deviation(values), "sd", name)
		}
	}
}

// scoring reads a method: a measure with its combination and weighting.
func scoring(method string) rank.Options {
	name, weight, _ := strings.Cut(method, "@")
	o := lab.Need(methods.ParseMeasure(name, rank.Options{Weight: table.Weighting(weight)}))
	lab.Check(o.Validate())
	return o
}

// rank ranks the terms by methods.
func (r *runner) rank(ctx context.Context, c *corpus.Corpus, methods []string) []*rank.Ranking {
	scorings := make([]rank.Options, len(methods))
	for i, m := range methods {
		scorings[i] = scoring(m)
	}
	return lab.Need(rank.Several(ctx, c, scorings...))
}

// sizeName names a number of features.
func sizeName(k int) string {
	if k == 0 {
		return "all"
	}
	return strconv.Itoa(k)
}
