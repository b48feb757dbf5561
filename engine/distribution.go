package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/kernels"
)

// A distribution is that of a measure's values where terms and classes are
// independent.
type distribution struct {
	measure string
	counted counted
	// overall says that it is that of the measure's own value over all classes, else
	// of a class value.
	overall bool
	tail    func(v float64, p *population) float64 // ln P(at least v)
	title   func(p *population) string
}

// counted is what a distribution's tables count.
type counted int

const (
	countsDocuments counted = iota // 2x2 tables of documents, which have an exact test
	countsTokens                   // the same of tokens
	countsClasses                  // documents with and without the term, by class
	countsNothing                  // term frequencies
)

// A population is what the distributions of a corpus depend on.
type population struct {
	documents float64
	pairs     float64 // (document, label) pairs
	classes   float64 // that have documents
	smallest  float64 // documents of the smallest of these
	single    bool    // every document has exactly one label
	nat       float64 // values of emi and ig times this are in nats
}

func newPopulation(u *universe, base float64) *population {
	p := &population{documents: u.documents, smallest: u.documents, nat: 1}
	for _, n := range u.classDocs {
		p.pairs += n
		if n > 0 {
			p.classes++
			p.smallest = min(p.smallest, n)
		}
	}
	p.single = u.labelled && p.pairs == p.documents
	if base != 0 {
		p.nat = kernels.Log(base)
	}
	return p
}

func distributions() []distribution {
	chiSquare := func(v float64, _ *population) float64 { return pvalue.ChiSquare(v, 1) }
	normal := func(v float64, _ *population) float64 { return pvalue.Normal(v) }
	oneDegree := func(*population) string { return "chi-square, " + degrees(1) }
	z := func(*population) string { return "normal, two-sided" }
	return []distribution{
		{"emi", countsDocuments, false, func(v float64, p *population) float64 { return pvalue.ChiSquare(p.deviance(v), 1) }, oneDegree},
		{
			"ig", countsClasses, true,
			func(v float64, p *population) float64 { return pvalue.ChiSquare(p.deviance(v), p.classes-1) },
			func(p *population) string { return "chi-square, " + degrees(p.classes-1) },
		},
		{"chi", countsDocuments, false, chiSquare, oneDegree},
		{"ngl", countsDocuments, false, normal, z},
		{
			"ttest", countsNothing, false,
			func(v float64, p *population) float64 { return pvalue.Student(v, p.pairs-p.classes) },
			func(p *population) string { return "Student's t, " + degrees(p.pairs-p.classes) + ", two-sided" },
		},
		{"chitf", countsTokens, false, chiSquare, oneDegree},
		{"g2", countsDocuments, false, chiSquare, oneDegree},
		{"g2tf", countsTokens, false, chiSquare, oneDegree},
		{
			"anova", countsNothing, true,
			func(v float64, p *population) float64 { return pvalue.F(v, p.classes-1, p.pairs-p.classes) },
			func(p *population) string {
				return fmt.Sprintf("F, %v and %s", p.classes-1, degrees(p.pairs-p.classes))
			},
		},
		{"logoddsz", countsTokens, false, normal, z},
	}
}

func degrees(n float64) string {
	if n == 1 {
		return "1 degree of freedom"
	}
	return fmt.Sprintf("%v degrees of freedom", n)
}

// deviance is G², 2N times a mutual information in nats.
func (p *population) deviance(v float64) float64 { return float64(2*p.documents) * float64(v*p.nat) }

// WithPValues lists the measures whose values have a distribution, in order.
func WithPValues() []string { return measuresOf(func(distribution) bool { return true }) }

// WithExactTest lists those of them whose tables have Fisher's exact test.
func WithExactTest() []string {
	return measuresOf(func(d distribution) bool { return d.counted == countsDocuments })
}

func measuresOf(wanted func(distribution) bool) (names []string) {
	for _, d := range distributions() {
		if wanted(d) {
			names = append(names, d.measure)
		}
	}
	return names
}

// distribution is that of the values of a plan; a usage error where they have none.
func (p plan) distribution() (*distribution, error) {
	all := distributions()
	i := slices.IndexFunc(all, func(d distribution) bool { return d.measure == p.info.Name })
	switch {
	case i < 0 || p.own:
		return nil, usage("there are no p-values of %s, whose distribution is not known; those with p-values: %s", p.info.Name, strings.Join(WithPValues(), " "))
	case all[i].overall && p.combine != "":
		return nil, usage("there are p-values of %s's own value over all classes alone; leave the combination %q away", p.info.Name, p.combine)
	case !all[i].overall && p.label != score.Max && p.label != score.ByClass:
		return nil, usage("there are no p-values of the combination %q of class values; those with p-values: %s, %s", p.label, score.Max, score.ByClass)
	case p.exact && all[i].counted != countsDocuments:
		return nil, usage("there is no exact test of %s; those with one: %s", p.info.Name, strings.Join(WithExactTest(), " "))
	}
	return &all[i], nil
}
