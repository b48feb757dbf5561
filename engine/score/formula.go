package score

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/termsift/termsift/engine/score/formula"
	"github.com/termsift/termsift/engine/usage"
)

// A Formula is a measure that its user wrote, as mine=A*D/(B*C); package formula has the language and
// says what zero and infinity give. A value that is undefined is NaN: the largest value over the classes
// leaves it out, and a sum with it is undefined.
type Formula struct {
	info     Info
	program  *formula.Program
	positive bool // see [Positive]
}

// IsFormula reports whether the text is that of a formula rather than the name of a measure.
func IsFormula(text string) bool { return strings.Contains(text, "=") }

// NewFormula compiles a formula with its name before it, as mine=A*D/(B*C). It must not have the name of
// a registered measure.
func NewFormula(text string) (*Formula, error) {
	name, body, _ := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if err := checkFormulaName(name); err != nil {
		return nil, err
	}
	program, err := formula.Parse(body)
	if e, ok := errors.AsType[*formula.Error](err); ok {
		// The error shows the place in the whole text.
		e.At += len(text) - len(body)
		e.Text = text
	}
	if err != nil {
		return nil, err
	}
	return &Formula{
		info: Info{
			Description: Description{Name: name, Title: "a formula of one's own", Formula: strings.Join(strings.Fields(body), " ")},
			Default:     Max, Combinable: true, UsesTokens: program.ReadsTokens(), Undefined: "inf - inf, inf/inf, or a logarithm, root or power that there is none of",
		},
		program: program,
	}, nil
}

// mostNameBytes is the length of the longest name of a formula.
const mostNameBytes = 60

// registered returns the names of the registered measures.
var registered = sync.OnceValue(func() []string { return NewRegistry(Options{}).Names() })

// checkFormulaName returns an error for a name that would be taken for something else.
func checkFormulaName(name string) error {
	foreign := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-' || r == '.')
	}
	switch {
	case name == "":
		return usage.Errorf("a formula has a name before its =, as in mine=A*D/(B*C)")
	case strings.ContainsFunc(name, foreign) || name[0] == '-' || len(name) > mostNameBytes:
		return usage.Errorf("the name of a formula is at most %d letters, digits, _ - and ., not %q", mostNameBytes, usage.Cut(name))
	case slices.Contains(registered(), name):
		return usage.Errorf("%s is a measure already: give the formula another name", name)
	}
	return nil
}

// Name returns the name of the formula.
func (f *Formula) Name() string { return f.info.Name }

// Info describes the formula.
func (f *Formula) Info() Info { return f.info }

// Class returns the value of a table, NaN if it is undefined.
func (f *Formula) Class(t *Table) float64 { return valueOf(f.program, f, f.positive, t) }

// valueOf returns the value of a formula of a table; of a positive measure -Inf for a class without more of the term.
func valueOf(p *formula.Program, m Measure, positive bool, t *Table) float64 {
	if positive && Sign(m, t) <= 0 {
		return math.Inf(-1)
	}
	var x struct { // which a machine may keep: one allocation
		numbers [formula.Variables]float64
		columns [formula.Variables][]float64
		value   [1]float64
	}
	x.numbers = [...]float64{
		t.A, t.DF - t.A, t.NC - t.A, t.N - t.DF - t.NC + t.A, t.N, t.DF, t.NC, t.S, t.CF, t.TC, t.T, t.Q,
	}
	for v := range x.numbers {
		x.columns[v] = x.numbers[v:][:1]
	}
	p.NewMachine().Run(x.value[:], &x.columns)
	return x.value[0]
}

// Pages compute measures in JavaScript, from the formulas that they are declared by, or that their users wrote.

//go:embed script.js
var script string

// Script returns JavaScript for the measures that a page can compute, which are those with values of one class or over
// all classes, formulas included, and not those of a target. It defines three constants:
//
//	measures   a Map of the measures by name, in order: name, title, formula, combine (the default way to one value), own
//	           (its user wrote it), value(t, all), values(all) and whole(all), null where there are none, of tables of
//	           one class or all
//	tableOf    the table of a term and a class
//	combine    combine(measure, all, how): the value of a term
//
// The text may stand in a script element of HTML, whatever the names are.
func (r *Registry) Script() (string, error) {
	var b strings.Builder
	b.WriteString("const {measures, tableOf, combine} = (() => {\n\"use strict\";\n" + formula.Runtime + "\n" + script + "\nconst measures = new Map();\n")
	for i, m := range r.measures {
		text, err := scriptOf(r.infos[i], m)
		if err != nil {
			return "", err
		}
		b.WriteString(text)
	}
	b.WriteString("return {measures, tableOf, combine};\n})();\n")
	return b.String(), nil
}

// A scriptInfo is what a page knows of a measure.
type scriptInfo struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Formula     string `json:"formula"`
	Combine     string `json:"combine"`
	Tokens      bool   `json:"tokens"`      // it reads S, cf, T_c, T or Q
	Squares     bool   `json:"squares"`     // it reads Q
	Across      bool   `json:"across"`      // values of a class depend on the tables of the others
	PresentOnly bool   `json:"presentOnly"` // sums leave out the classes without the term
	Own         bool   `json:"own"`         // its user wrote it
}

// scriptOf returns the statement that adds a measure to a page; "" for one that no page computes.
func scriptOf(info Info, m Measure) (string, error) {
	var declared [2]string // for a class, and over all classes
	of := scriptInfo{Name: info.Name, Title: info.Title, Combine: info.Default}
	switch m := m.(type) {
	case *definition:
		declared, of.PresentOnly = [...]string{m.class, m.own}, m.presentOnly
	case *Formula:
		declared[0], of.Own = info.Formula, true
	}
	if declared == [2]string{} {
		return "", nil
	}
	scripts := []string{"null", "null"}
	for i, text := range declared {
		if text == "" {
			continue
		}
		p, err := formula.ParseOverClasses(text)
		if err != nil {
			return "", fmt.Errorf("the formula of %s: %w", info.Name, err)
		}
		scripts[i] = p.JavaScript()
		of.Formula = text
		of.Tokens, of.Squares = of.Tokens || p.ReadsTokens(), of.Squares || p.Reads(formula.Q)
		of.Across = of.Across || i == 0 && p.ReadsOtherClasses()
	}
	known, err := json.Marshal(of) // which escapes < and > and what else ends lines or elements
	if err != nil {
		return "", err
	}
	name, err := json.Marshal(of.Name)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("measures.set(%s, measureOf(%s,\n  %s,\n  %s));\n", name, known, scripts[0], scripts[1]), nil
}
