package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/score/pvalue"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/kernels"
)

// A distribution describes the values of a measure under the null hypothesis that terms
// and classes are independent.
type distribution struct {
	measure string
	counted counted
	// overall is set if the values are those of the measure over all classes, rather than
	// values for one class.
	overall bool
	target  bool                                   // the measure is one of a target
	tail    func(v float64, p *population) float64 // ln P(at least v)
	title   func(p *population) string
}

// counted says what the tables behind a distribution count.
type counted int

const (
	countsDocuments counted = iota // 2x2 tables of documents, for which there is an exact test
	countsTokens                   // 2x2 tables of tokens
	countsClasses                  // documents with and without the term, by class
	countsNothing                  // term frequencies
)

// A population holds the numbers of a corpus that the distributions depend on.
type population struct {
	documents float64
	pairs     float64 // (document, label) pairs
	classes   float64 // classes with a document
	smallest  float64 // documents of the smallest such class
	single    bool    // every document has exactly one label
	nat       float64 // the factor that turns values of emi and ig into nats
}

func newPopulation(s *table.Table, base float64) *population {
	p := &population{documents: s.Cells.Documents, smallest: s.Cells.Documents, nat: 1}
	for _, n := range s.Cells.ClassDocs {
		p.pairs += n
		if n > 0 {
			p.classes++
			p.smallest = min(p.smallest, n)
		}
	}
	p.single = s.Cells.Labelled == s.Cells.Documents && p.pairs == p.documents
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
	coefficient := func(r float64, p *population) float64 { // of correlation, by Student's t
		free := p.documents - 2
		return pvalue.Student(r*math.Sqrt(free/float64((1-r)*(1+r))), free)
	}
	ofCoefficient := func(p *population) string { return "Student's t, " + degrees(p.documents-2) + ", two-sided" }
	return []distribution{
		{"emi", countsDocuments, false, false, func(v float64, p *population) float64 { return pvalue.ChiSquare(p.deviance(v), 1) }, oneDegree},
		{
			"ig", countsClasses, true, false,
			func(v float64, p *population) float64 { return pvalue.ChiSquare(p.deviance(v), p.classes-1) },
			func(p *population) string { return "chi-square, " + degrees(p.classes-1) },
		},
		{"chi", countsDocuments, false, false, chiSquare, oneDegree},
		{"ngl", countsDocuments, false, false, normal, z},
		{
			"ttest", countsNothing, false, false,
			func(v float64, p *population) float64 { return pvalue.Student(v, p.pairs-p.classes) },
			func(p *population) string { return "Student's t, " + degrees(p.pairs-p.classes) + ", two-sided" },
		},
		{"chitf", countsTokens, false, false, chiSquare, oneDegree},
		{"g2", countsDocuments, false, false, chiSquare, oneDegree},
		{"g2tf", countsTokens, false, false, chiSquare, oneDegree},
		{
			"anova", countsNothing, true, false,
			func(v float64, p *population) float64 { return pvalue.F(v, p.classes-1, p.pairs-p.classes) },
			func(p *population) string {
				return fmt.Sprintf("F, %v and %s", p.classes-1, degrees(p.pairs-p.classes))
			},
		},
		{"logoddsz", countsTokens, false, false, normal, z},
		{"pearson", countsNothing, true, true, coefficient, ofCoefficient},
		{"trend", countsNothing, true, true, normal, z},
		{"spearman", countsNothing, true, true, coefficient, ofCoefficient},
	}
}

func degrees(n float64) string {
	if n == 1 {
		return "1 degree of freedom"
	}
	return fmt.Sprintf("%v degrees of freedom", n)
}

// deviance returns G², which is 2N times the mutual information v, in nats.
func (p *population) deviance(v float64) float64 { return float64(2*p.documents) * float64(v*p.nat) }

// WithPValues returns the names of the measures that have p-values, in order, without those of a target.
func WithPValues() []string { return measuresOf(func(d distribution) bool { return !d.target }) }

// HasPValues reports whether there are p-values of a measure.
func HasPValues(m Measure) bool {
	return slices.ContainsFunc(distributions(), func(d distribution) bool { return d.measure == string(m) })
}

// WithExactTest returns the names of the measures to whose tables Fisher's exact test
// applies.
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

// distribution returns the distribution of the values of a plan, or a usage error if it is
// not known.
func (p Plan) distribution() (*distribution, error) {
	all := distributions()
	i := slices.IndexFunc(all, func(d distribution) bool { return d.measure == p.info.Name })
	switch {
	case p.isFormula():
		return nil, usage.Errorf("there are no p-values of the formula %s, whose distribution is not known; permutations of the labels give them", p.info.Name)
	case i < 0 || p.own:
		return nil, usage.Errorf("there are no p-values of %s, whose distribution is not known; those with p-values: %s", p.info.Name, strings.Join(measuresOf(func(d distribution) bool { return d.target == p.info.Target }), " "))
	case all[i].overall && p.combine != "":
		return nil, usage.Errorf("there are p-values of %s's own value over all classes alone; leave the combination %q away", p.info.Name, p.combine)
	case !all[i].overall && p.label != Max && p.label != ByClass:
		return nil, usage.Errorf("there are no p-values of the combination %q of class values; those with p-values: %s, %s", p.label, Max, ByClass)
	case p.exact && all[i].counted != countsDocuments:
		return nil, usage.Errorf("there is no exact test of %s; those with one: %s", p.info.Name, strings.Join(WithExactTest(), " "))
	}
	return &all[i], nil
}
