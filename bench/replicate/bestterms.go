package main

import (
	"context"
	"time"

	"github.com/termsift/termsift/bench/host"
	"github.com/termsift/termsift/bench/replicate/papers"
	"github.com/termsift/termsift/engine/bestterms"
	"github.com/termsift/termsift/engine/corpus"
)

// This file measures Best Terms: every function of the paper, p and rule on both
// collections, all classes.

var (
	bestFunctions = []string{"df", "rs", "mi", "or", "chi", "ig", "dia", "ngl", "gss"}
	bestShares    = []float64{0, .25, .5, .75, 1}
	bestRules     = []string{bestterms.RuleInterpolated, bestterms.RuleMax}
	bestSets      = []string{reuters, newsgroups}
	// bestDampings are the d with which rs is compared with df; 0 is 1/6.
	bestDampings = []float64{1. / 20, 0, 1, 10}
)

// bestTimes is how often something is repeated whose least time counts.
const bestTimes = 3

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// bestResults are the raw results.
type bestResults struct {
	Sets  []bestSet  `json:"sets"`
	Runs  []bestRun  `json:"runs"`
	Pairs []bestPair `json:"pairs"`
}

// A bestSet describes a collection.
type bestSet struct {
	Name      string  `json:"name"`
	Documents int     `json:"documents"`
	Terms     int     `json:"terms"`
	Classes   int     `json:"classes"`
	Members   int     `json:"members"` // sum of |D_C| over the classes
	Postings  int64   `json:"postings"`
	ForwardMS float64 `json:"forward_cpu_ms"`
}

// A setting is one choice of terms.
type setting struct {
	Set      string  `json:"set"`
	Rule     string  `json:"rule"`
	Function string  `json:"function"`
	P        float64 `json:"p"`
}

// A bestRun is what came of a setting, over all classes.
type bestRun struct {
	setting
	Members     int     `json:"members"`    // sum of |D_C|
	Kept        int     `json:"kept"`       // sum of |D_F|
	Own         int     `json:"own"`        // sum of |D_F| within D_C
	MeanRatio   float64 `json:"mean_ratio"` // mean of |D_F|/|D_C|
	Positive    int     `json:"positive"`   // sum of |F+|
	Negative    int     `json:"negative"`   // sum of |F-|
	Without     int     `json:"without"`    // classes without a positive term
	SizeRanks   float64 `json:"size_ranks"` // Spearman's correlation of |D_C| with |F+|+|F-|
	Entries     int64   `json:"entries"`    // (document, term) pairs visited
	Millisecond float64 `json:"cpu_ms"`     // the forward view being there
}

// A bestPair compares two functions in one setting, class by class.
type bestPair struct {
	Set       string  `json:"set"`
	Rule      string  `json:"rule"`
	P         float64 `json:"p"`
	A         string  `json:"a"`
	B         string  `json:"b"`
	D         float64 `json:"d,omitempty"` // of rs, where it is not 1/6
	Classes   int     `json:"classes"`
	Identical int     `json:"identical"` // classes of equal F+, F- and D_F
	Jaccard   float64 `json:"jaccard"`   // mean over the classes, of the sets F+ with F-
}

func measureBestTerms(ctx context.Context, data string, progress func(step string)) (any, error) {
	results := &bestResults{}
	for _, name := range bestSets {
		progress(name)
		c, err := bestTermsCorpus(ctx, data, name)
		if err != nil {
			return nil, err
		}
		m := &bestMeasuring{results: results, set: name, corpus: c}
		if err := m.all(ctx); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// bestMeasuring measures one collection.
type bestMeasuring struct {
	results *bestResults
	set     string
	corpus  *corpus.Corpus
	forward *bestterms.Forward
}

func (m *bestMeasuring) all(ctx context.Context) (err error) {
	info, err := m.corpus.Info(ctx)
	if err != nil {
		return err
	}
	set := bestSet{
		Name: m.set, Documents: info.Documents, Terms: info.Terms, Classes: info.Classes, Postings: info.Postings,
	}
	took, err := host.LeastCPU(bestTimes, func() (err error) {
		m.forward, err = bestterms.NewForward(ctx, m.corpus, 1)
		return err
	})
	if err != nil {
		return err
	}
	set.ForwardMS = milliseconds(took)
	for _, n := range info.ClassSizes {
		set.Members += n
	}
	m.results.Sets = append(m.results.Sets, set)
	for _, rule := range bestRules {
		for _, p := range bestShares {
			if err := m.functions(ctx, rule, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// functions measures every function by a rule and p, and compares some.
func (m *bestMeasuring) functions(ctx context.Context, rule string, p float64) error {
	chosen := map[string]*bestterms.Choice{}
	for _, function := range bestFunctions {
		run := bestRun{setting: setting{m.set, rule, function, p}}
		took, err := host.LeastCPU(bestTimes, func() (err error) {
			chosen[function], err = m.choose(ctx, run.setting, 0)
			return err
		})
		if err != nil {
			return err
		}
		run.Millisecond = milliseconds(took)
		m.sumUp(&run, chosen[function])
		m.results.Runs = append(m.results.Runs, run)
	}
	m.pair(bestPair{Set: m.set, Rule: rule, P: p, A: "dia", B: "mi"}, chosen["dia"], chosen["mi"])
	for _, d := range bestDampings {
		b, err := m.choose(ctx, setting{m.set, rule, "rs", p}, d)
		if err != nil {
			return err
		}
		m.pair(bestPair{Set: m.set, Rule: rule, P: p, A: "df", B: "rs", D: d}, chosen["df"], b)
	}
	return nil
}

func (m *bestMeasuring) choose(ctx context.Context, s setting, d float64) (*bestterms.Choice, error) {
	return m.forward.Choose(ctx, bestterms.Options{Function: s.Function, P: s.P, Rule: s.Rule, RSD: d, Threads: 1})
}

// sumUp adds up over the classes.
func (m *bestMeasuring) sumUp(run *bestRun, b *bestterms.Choice) {
	var sizes, terms []float64
	for i, c := range b.Classes {
		run.Members += c.Documents
		run.Kept += c.KeptDocuments
		run.Own += m.own(i, c)
		run.MeanRatio += float64(c.KeptDocuments) / float64(c.Documents) / float64(len(b.Classes))
		run.Positive += len(c.Positive)
		run.Negative += len(c.Negative)
		if len(c.Positive) == 0 {
			run.Without++
		}
		sizes, terms = append(sizes, float64(c.Documents)), append(terms, float64(len(c.Positive)+len(c.Negative)))
	}
	run.SizeRanks = papers.Spearman(sizes, terms)
	run.Entries = b.Entries
}

// own counts the documents kept that are of the class.
func (m *bestMeasuring) own(class int, c bestterms.ClassTerms) (n int) {
	for _, d := range c.Kept.ToArray() {
		for _, l := range m.corpus.Labels(int(d)) {
			if int(l) == class {
				n++
			}
		}
	}
	return n
}

// pair compares two choices.
func (m *bestMeasuring) pair(p bestPair, a, b *bestterms.Choice) {
	for i, x := range a.Classes {
		y := b.Classes[i]
		plus, minus := overlapOf(x.Positive, y.Positive), overlapOf(x.Negative, y.Negative)
		if plus.equal() && minus.equal() && x.Kept.Equals(y.Kept) {
			p.Identical++
		}
		p.Jaccard += overlap{plus.both + minus.both, plus.either + minus.either}.jaccard() / float64(len(a.Classes))
	}
	p.Classes = len(a.Classes)
	m.results.Pairs = append(m.results.Pairs, p)
}
