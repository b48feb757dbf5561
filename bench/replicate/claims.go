package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/testkit"
)

// claims are the statements of a paper, decided by the figures.
type claims struct {
	figures
	tested  float64 // the number of documents that shares of right ones are of; 0 if no figure is such a share
	finding string  // what came out, in a sentence
	list    []*claim
}

// A claim is a statement of a paper with what was measured and how it was decided.
type claim struct {
	Claim    string `json:"claim"`
	Paper    string `json:"paper,omitempty"` // the figure of the paper, where it is known
	Measured string `json:"measured,omitempty"`
	Verdict  string `json:"verdict"`

	of        *claims
	unchecked string // why it cannot be checked
	groups    []caseGroup
	close     int     // cases whose sides are closer than a standard error
	error     float64 // the largest one of these
}

// A caseGroup has the cases for one value of the first variable.
type caseGroup struct {
	name   string
	cases  int
	failed []string // their names
}

// find says in a sentence what came out; the text has figures as in [figures.say].
func (c *claims) find(text string, values ...float64) { c.finding = c.say(text, values...) }

// claim begins a claim. measured says in words what came out, if not the verdict alone, with figures as in
// [figures.say].
func (c *claims) claim(text, paper, measured string, values ...float64) *claim {
	c.list = append(c.list, &claim{Claim: text, Paper: paper, Measured: c.say(measured, values...), of: c})
	return c.list[len(c.list)-1]
}

// unchecked notes a claim that cannot be checked.
func (c *claims) unchecked(text, why string) {
	c.claim(text, "", "").unchecked = why
}

// judged returns the claims with their verdicts.
func (c *claims) judged() []*claim {
	for _, x := range c.list {
		x.Verdict = x.verdict()
	}
	return c.list
}

// A lookup finds figures by names in which {k} stands for the value of the variable k.
type lookup struct {
	figures
	*strings.Replacer
}

func (f *lookup) at(name string) float64       { return f.figures.at(f.Replace(name)) }
func (f *lookup) all(pattern string) []float64 { return f.figures.all(f.Replace(pattern)) }
func (f *lookup) best(pattern string) float64  { return f.figures.best(f.Replace(pattern)) }
func (f *lookup) trend(pattern string) float64 { return trend(f.all(pattern)) }
func (f *lookup) number(variable string) float64 {
	return testkit.Must(strconv.ParseFloat(f.Replace(variable), 64))
}

// holds compares the sides of a case.
func holds(left float64, op string, right float64) bool {
	return map[string]bool{">=": left >= right, ">": left > right, "<=": left <= right, "<": left < right, "=": left == right}[op]
}

// compare decides by a figure and another one, or a number.
func (c *claim) compare(left, op, right string, variables ...string) *claim {
	return c.than(left, op, 1, right, 0, variables...)
}

// than decides by a figure and so many times another one, or a number, and some more. A pattern stands for the best of
// its figures. Of micro-F1 it tells the cases that are close.
func (c *claim) than(left, op string, times float64, right string, more float64, variables ...string) *claim {
	return c.cases(variables, func(f *lookup, group, name string) {
		value, err := strconv.ParseFloat(right, 64)
		if err != nil {
			value = f.best(right)
		}
		value = times*value + more
		c.add(holds(f.best(left), op, value), group, name)
		if strings.HasSuffix(f.Replace(left), " micro") {
			c.tellClose(f.best(left), value)
		}
	})
}

// each decides by what holds of other values.
func (c *claim) each(is func(f *lookup) bool, variables ...string) *claim {
	return c.cases(variables, func(f *lookup, group, name string) { c.add(is(f), group, name) })
}

// near decides by whether two figures differ by so much at the most.
func (c *claim) near(left, right string, most float64, variables ...string) *claim {
	return c.each(func(f *lookup) bool { return math.Abs(f.at(left)-f.at(right)) <= most }, variables...)
}

// cases calls decide with every choice of values for the variables, "k: 2000 4000". The first makes the groups.
func (c *claim) cases(variables []string, decide func(f *lookup, group, name string)) *claim {
	var choose func(values, pairs []string)
	choose = func(values, pairs []string) {
		if i := len(values); i < len(variables) {
			name, list, _ := strings.Cut(variables[i], ":")
			for _, v := range strings.Fields(list) {
				choose(append(values[:i:i], v), append(pairs[:2*i:2*i], "{"+name+"}", v))
			}
			return
		}
		group, name := "all", ""
		if len(values) > 0 {
			group, name = values[0], strings.Join(values[1:], " ")
		}
		decide(&lookup{c.of.figures, strings.NewReplacer(pairs...)}, group, name)
	}
	choose(nil, nil)
	return c
}

// tellClose counts a case whose sides, shares of right documents, are closer than a standard error.
func (c *claim) tellClose(left, right float64) {
	if c.of.tested > 0 {
		if e := math.Sqrt(left * (100 - left) / c.of.tested); math.Abs(left-right) < e {
			c.close, c.error = c.close+1, max(c.error, e)
		}
	}
}

// add counts a case of a group; groups are those that are named alike one after another.
func (c *claim) add(holds bool, group, name string) {
	if n := len(c.groups); n == 0 || c.groups[n-1].name != group {
		c.groups = append(c.groups, caseGroup{name: group})
	}
	g := &c.groups[len(c.groups)-1]
	g.cases++
	if !holds {
		g.failed = append(g.failed, name)
	}
}

// The kinds of verdicts, in the order of the page.
var kinds = []string{"holds", "in part", "does not hold", "cannot be checked"}

// verdict says that a claim holds (in all cases), does not (in none), or in which groups it does, and how many cases
// are closer than a standard error of a share of right documents.
func (c *claim) verdict() string {
	if c.unchecked != "" {
		return kinds[3] + ": " + c.unchecked
	}
	cases, failed := 0, 0
	var all, none, some []string
	for _, g := range c.groups {
		cases, failed = cases+g.cases, failed+len(g.failed)
		switch len(g.failed) {
		case 0:
			all = append(all, g.name)
		case g.cases:
			none = append(none, g.name)
		default:
			some = append(some, fmt.Sprintf("at %s not for %s", g.name, strings.Join(g.failed, ", ")))
		}
	}
	var texts []string
	switch failed {
	case 0:
		texts = kinds[:1:1]
	case cases:
		texts = kinds[2:3:3]
	default:
		texts = append(texts, fmt.Sprintf("in part, %d of %d", cases-failed, cases))
		if len(all) > 0 {
			texts = append(texts, "holds at "+strings.Join(all, ", "))
		}
		if len(none) > 0 {
			texts = append(texts, "not at "+strings.Join(none, ", "))
		}
		texts = append(texts, some...)
	}
	if c.close > 0 {
		texts = append(texts, fmt.Sprintf("%d of %d within a standard error (%.2g points)", c.close, cases, c.error))
	}
	return strings.Join(texts, "; ")
}

// count counts claims by the kinds of their verdicts.
func count(list []*claim) []int {
	n := make([]int, len(kinds))
	for _, c := range list {
		n[slices.IndexFunc(kinds, func(kind string) bool { return strings.HasPrefix(c.Verdict, kind) })]++
	}
	return n
}
