package score

import (
	"fmt"
	"sync"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/kernels"
)

// A Measure scores one (term, class) pair.
//
// A measure of your own needs just these two methods; [NewRegistry] takes it.
// What makes a class value depend on more than (A, df, n_c, N) or on tokens is
// the business of the evaluator, not of the measure.
type Measure interface {
	// Name is how users ask for the measure: short, lower case.
	Name() string
	// Class gives the value of the pair; never NaN.
	Class(t *Table) float64
}

// Info describes a measure of the registry for people.
type Info struct {
	Description

	// Source names where the definition comes from.
	Source string
	// Default is the combination used when none is asked for: "total",
	// "global" (the measure's own value over all classes) or "max".
	Default string
	// Combinable is false where there are no class values to combine.
	Combinable bool
	// UsesTokens says that the value depends on term frequencies.
	UsesTokens bool
	// New says that the measure is not one of those that "all" stands for.
	New bool
	// Target says that the classes must be numbers, see [Scale], and every document in one of them.
	Target bool
	// Undefined says which terms have no value, which is NaN then; "" if all have one.
	Undefined string
}

// Options are the parameters of the standard measures. The zero value gives
// natural logarithms, d = 1/6, k = 1, c = 1.1 and absolute t values.
type Options struct {
	// Base of the logarithm of mi, emi, ig, ece, rs and rsw; 0 means e.
	Base float64
	// RSD is the damping constant d of rs and rsw; 0 means 1/6.
	RSD float64
	// Signed keeps the sign of ttest, positive where the class has more, and of the measures of a
	// target, positive where the numbers of the documents with the term are larger.
	Signed bool
	// Presence makes pearson read whether a document has the term, rather than how often.
	Presence bool
	// Yates takes half a document off each deviation of chi, as Yates's correction
	// for continuity does.
	Yates bool
	// TwoCells makes g2tf sum the two cells of the term, as Rayson and Garside do, rather than four.
	TwoCells bool
	// Smooth is k of simplemaths, occurrences in a million; 0 means 1.
	Smooth float64
	// ZetaC is c of zetalog; 0 means 1.1.
	ZetaC float64
	// BM25 weights the terms of ctfidf as BM25 does: those that occur more often than a class
	// has tokens on average have a negative weight.
	BM25 bool
	// ReduceFrequent takes the roots of the shares of ctfidf.
	ReduceFrequent bool
}

// Validate reports parameters outside their range.
func (o Options) Validate() error {
	if o.Base != 0 && (o.Base <= 1 || !finite(o.Base)) {
		return fmt.Errorf("the base of a logarithm must be greater than 1, not %v", o.Base)
	}
	if o.RSD != 0 && (o.RSD < 0 || !finite(o.RSD)) {
		return fmt.Errorf("d of the relevancy score must be positive, not %v", o.RSD)
	}
	if o.Smooth != 0 && (o.Smooth < 0 || !finite(o.Smooth)) {
		return fmt.Errorf("k of simplemaths must be positive, not %v", o.Smooth)
	}
	if o.ZetaC != 0 && (o.ZetaC < 0 || !finite(o.ZetaC)) {
		return fmt.Errorf("c of zetalog must be positive, not %v", o.ZetaC)
	}
	return nil
}

func finite(x float64) bool { return x-x == 0 }

func (o Options) perLog() float64 {
	if o.Base == 0 {
		return 1
	}
	return 1 / kernels.Log(o.Base)
}

// A Registry is an ordered set of measures: a value, built once, never changed.
type Registry struct {
	infos    []Info
	measures []Measure
	byName   map[string]int
}

// NewRegistry returns the standard measures with the given parameters, in the
// order of the documents, then the new ones and those of a target, followed by the caller's own. A later measure of the
// same name replaces an earlier one.
func NewRegistry(opt Options, own ...Measure) *Registry {
	r := &Registry{byName: map[string]int{}}
	for _, d := range standard(opt) {
		r.set(d.Info, d)
	}
	for _, m := range own {
		if f, ok := m.(*Formula); ok {
			r.set(f.info, f)
			continue
		}
		r.set(Info{Description: Description{Name: m.Name(), Title: m.Name()}, Default: "max", Combinable: true, UsesTokens: true}, m)
	}
	return r
}

func (r *Registry) set(info Info, m Measure) {
	if i, ok := r.byName[info.Name]; ok {
		r.infos[i], r.measures[i] = info, m
		return
	}
	r.byName[info.Name] = len(r.infos)
	r.infos = append(r.infos, info)
	r.measures = append(r.measures, m)
}

// Infos returns the descriptions of the measures in order. The slice must not be
// modified.
func (r *Registry) Infos() []Info { return r.infos }

// Names returns the names of the measures in order.
func (r *Registry) Names() []string {
	names := make([]string, len(r.infos))
	for i, info := range r.infos {
		names[i] = info.Name
	}
	return names
}

// Lookup returns the measure with the given name, its description, and whether it is
// known.
func (r *Registry) Lookup(name string) (Measure, Info, bool) {
	i, ok := r.byName[name]
	if !ok {
		return nil, Info{}, false
	}
	return r.measures[i], r.infos[i], true
}

// Registered measures are compiled: package formula has a function in Go for each.
//
//go:generate go test -run ^TestCompiledFormulas$ -update .

// A definition declares a standard measure, see families.go.
type definition struct {
	Info

	// class is the formula of a class, "" if there are no class values, and own that over all classes, see
	// [formula.ParseOverClasses]. Of the measure whose own value is a sum over the classes, sum is what is added up.
	class, own, sum string
	program         func() *formula.Program // of class, compiled when it is first asked for
	// positive leaves classes the value -Inf that do not have more of the term, see [Positive].
	positive bool
	// negative says that the value of a class without the term is not above 0.
	negative bool
	// presentOnly says that sums leave out the classes without the term, whose value is infinite or 0.
	presentOnly bool

	// Measures that formulas compute too slowly, or not exactly, have functions of the same values:
	value     func(t *Table) float64 // of a class
	whole     tileFunc               // over all classes
	largest   tileFunc               // the largest of a class
	deviation *deviation             // likewise, from deviations of counts whose products are exact

	// What the functions read beside the counts.
	pooled  bool // the variance of the term within classes
	tables  bool // the table of n ln n
	squares bool // sums of squares of the values of a term
	across  bool // the occurrences of the term in all classes
}

// define declares a measure of documents by the formula of a class.
func define(name, title, text, source, class string) *definition {
	return &definition{
		Info: Info{
			Description: Description{Name: name, Title: title, Formula: text, Kind: OfClasses}, Source: source, Default: Max, Combinable: true,
		},
		class: class, program: sync.OnceValue(func() *formula.Program { return compiled(class) }),
	}
}

// tells declares what people are told of a measure: the question that it answers, its range, when it misleads, and the
// keys of its sources in the bibliography.
func (d *definition) tells(question, values, misleads string, sources ...string) *definition {
	d.Question, d.Range, d.Misleads, d.Sources = question, values, misleads, sources
	return d
}

// ofTokens declares that the value depends on occurrences.
func (d *definition) ofTokens() *definition {
	d.UsesTokens = true
	return d
}

// sparse declares that the value of a class without the term is not above 0: the best terms of a class are among its
// cells.
func (d *definition) sparse() *definition {
	d.negative = true
	return d
}

// summed declares that the value of a measure over all classes is the sum of a formula over those with the term; the
// others add 0.
func (d *definition) summed(class string) *definition {
	d.Default, d.own, d.sum = "global", "sum("+class+")", class
	return d
}

// Name returns the name of the measure.
func (d *definition) Name() string { return d.Info.Name }

// Class returns the value of a table.
func (d *definition) Class(t *Table) float64 {
	if d.value != nil {
		return d.value(t)
	}
	return valueOf(d.program(), d, d.positive, t)
}

// compiled returns the formula of a measure, compiled.
func compiled(text string) *formula.Program {
	p, err := formula.Parse(text)
	if err != nil {
		panic("score: " + err.Error()) // of a measure of this package
	}
	return p
}

// A tileFunc sets dst to the values of the terms of a tile.
type tileFunc func(p *Panel, t *table.Tile, dst []float64)
