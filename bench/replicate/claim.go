package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// A Claim is a statement of a paper with the rule that decides it. Texts may have
// expressions between double braces, whose values take their place.
type Claim struct {
	Claim string `json:"claim"`
	// Paper has the figure of the paper, where it is known.
	Paper string `json:"paper,omitempty"`
	// Measured says what came out; "" is how far apart the sides of the rules are.
	Measured string `json:"measured,omitempty"`
	Rules    []Rule `json:"rules,omitempty"`
	// Unchecked says why the claim cannot be checked; there are no rules then.
	Unchecked string `json:"unchecked,omitempty"`
}

// A Rule compares two expressions, once for every choice of values for its variables.
// Sides of unlike figures are an error, see [Basis], and so are figures of several ways
// to decide, or of several scopes, in one claim.
type Rule struct {
	// Each has the variables, "k: 2000 4000 all": a name in braces, {k}, is replaced by
	// each of the values. The first makes the groups of a [Verdict].
	Each  []string `json:"each,omitempty"`
	Left  string   `json:"left"`
	Op    string   `json:"op"` // >= > <= < =
	Right string   `json:"right"`
}

// An Outcome is a claim with what became of it.
type Outcome struct {
	Claim, Paper, Rule, Measured string
	Verdict, Short               string // Short names no cases
	kind                         kind
}

// leftLessRight begins what was measured where a claim has no words for it.
const leftLessRight = "left less right: "

// InWords is what was measured in the words of the claim, if it has any.
func (o Outcome) InWords() string {
	if strings.HasPrefix(o.Measured, leftLessRight) {
		return ""
	}
	return o.Measured
}

// operators compare the sides of a rule.
var operators = map[string]func(x, y float64) bool{
	">=": func(x, y float64) bool { return x >= y },
	">":  func(x, y float64) bool { return x > y },
	"<=": func(x, y float64) bool { return x <= y },
	"<":  func(x, y float64) bool { return x < y },
	"=":  func(x, y float64) bool { return x == y },
}

// Judge decides the claims by the figures.
func (p *Protocol) Judge(f Figures) []Outcome {
	tested := 0.0
	if p.Tested != "" {
		tested, _ = f.evaluate(p.Tested)
	}
	out := make([]Outcome, len(p.Claims))
	for i, c := range p.Claims {
		lab.In(fmt.Sprintf("claim %q", c.Claim), func() { out[i] = c.judge(f, tested) })
	}
	return out
}

// judge decides a claim. tested is the number of documents that shares of right ones are of, 0 if
// figures are none.
func (c *Claim) judge(f Figures, tested float64) Outcome {
	if c.Unchecked != "" {
		return Outcome{Claim: c.Claim, Paper: c.Paper, Verdict: "cannot be checked: " + c.Unchecked, Short: "cannot be checked"}
	}
	measured, all := f.fill(c.Measured)
	var v Verdict
	var rules []string
	var apart []float64
	for _, r := range c.Rules {
		differences, of := r.judge(f, tested, &v)
		rules, apart, all = append(rules, r.String()), append(apart, differences...), all.and(of)
	}
	all.alike()
	if measured == "" && len(apart) > 0 {
		measured = leftLessRight + number(slices.Min(apart)) + " to " + number(slices.Max(apart))
	}
	return Outcome{c.Claim, c.Paper, strings.Join(rules, "; "), measured, v.String(), v.Short(), v.kind()}
}

// String is the rule as it stands in the data.
func (r *Rule) String() string {
	text := r.Left + " " + r.Op + " " + r.Right
	if len(r.Each) > 0 {
		text += " for each " + strings.Join(r.Each, ", each ")
	}
	return text
}

// judge adds the cases of a rule to a verdict, and gives the differences of the sides
// with the bases of all figures.
func (r *Rule) judge(f Figures, tested float64, v *Verdict) (apart []float64, all bases) {
	holds, ok := operators[r.Op]
	if !ok {
		panic(lab.Errorf("unknown operator %q", r.Op))
	}
	each(r.Each, func(values []string, replace *strings.Replacer) {
		left, of := f.evaluate(replace.Replace(r.Left))
		right, with := f.evaluate(replace.Replace(r.Right))
		sides(of, with)
		all = all.and(of).and(with)
		group, name := r.String(), ""
		if len(values) > 0 {
			group, name = values[0], strings.Join(values[1:], " ")
		}
		v.add(holds(left, right), group, name)
		if e := r.standardError(left, of, tested); math.Abs(left-right) < e {
			v.addClose(e)
		}
		apart = append(apart, left-right)
	})
	return apart, all
}

// ofShares are expressions whose value is that of a figure, the largest or the least of several, and no
// difference.
var ofShares = regexp.MustCompile(`^(max|min)?\(?\[[^]]+\](, \[[^]]+\])*\)?$`)

// standardError is that of a share of right documents in percent, sqrt(p (100-p) / n), where the left
// side is such a share: micro-F1 where every document is given its most likely class. Else it is 0.
func (r *Rule) standardError(percent float64, of bases, tested float64) float64 {
	if tested == 0 || len(of) != 1 || of[0].Unit != unitMicro || of[0].Decisions != mostLikely || !ofShares.MatchString(r.Left) {
		return 0
	}
	return math.Sqrt(percent * (100 - percent) / tested)
}

// each calls a function with every choice of values for variables.
func each(variables []string, call func(values []string, replace *strings.Replacer)) {
	var choose func(i int, values, pairs []string)
	choose = func(i int, values, pairs []string) {
		if i == len(variables) {
			call(values, strings.NewReplacer(pairs...))
			return
		}
		name, choices := variable(variables[i])
		for _, c := range choices {
			choose(i+1, append(values[:i:i], c), append(pairs[:2*i:2*i], "{"+name+"}", c))
		}
	}
	choose(0, nil, nil)
}

// variable cuts "k: 2000 4000" into its name and values.
func variable(text string) (name string, values []string) {
	name, rest, _ := strings.Cut(text, ":")
	return name, strings.Fields(rest)
}

// fill puts the values of the expressions between double braces into a text, and gives
// the bases of their figures.
func (f Figures) fill(text string) (filled string, all bases) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		out.WriteString(before)
		if !found {
			return out.String(), all
		}
		inside, after, closed := strings.Cut(rest, "}}")
		if !closed {
			panic(lab.Errorf("text %q: {{ without }}", text))
		}
		v, of := f.evaluate(inside)
		all = all.and(of)
		out.WriteString(number(v))
		text = after
	}
}

// number writes whole numbers as they are, others with three digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return lab.Thousands(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return lab.Number(v)
}
