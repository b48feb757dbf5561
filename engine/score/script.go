package score

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/termsift/termsift/engine/score/formula"
)

// This file writes measures in JavaScript, for pages that compute their values: from the formulas that they are declared
// by, or that their users wrote.

//go:embed script.js
var script string

// Script returns JavaScript for the measures that a page can compute, which are those with values of one class or over all
// classes, formulas included, and not those of a target. It defines three constants:
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
