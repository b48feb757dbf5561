package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/engine/bestterms"
)

// bestText is the section with places for the tables.
//
//go:embed bestterms.md
var bestText string

// bestTermsSection writes the section.
func bestTermsSection(data json.RawMessage) (string, error) {
	r := &bestResults{}
	if err := json.Unmarshal(data, r); err != nil {
		return "", err
	}
	if err := r.complete(); err != nil {
		return "", err
	}
	text, err := template.New("bestterms.md").Parse(bestText)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = text.Execute(&out, map[string]string{
		"Sets": r.setsTable(), "Claims": r.claimsTable(), "Kept": r.byRule(r.keptTable), "Features": r.byRule(r.featuresTable),
		"Own": r.ownTable(), "Cost": r.eachSet(bestterms.RuleInterpolated, r.costTable),
	})
	return out.String(), err
}

// complete checks that there is a run for every setting, in the order in which the
// tables take them.
func (r *bestResults) complete() error {
	i := 0
	for _, set := range bestSets {
		if r.set(set).Members == 0 {
			return fmt.Errorf("no results on %s; measure again", set)
		}
		for _, rule := range bestRules {
			for _, p := range bestShares {
				for _, function := range bestFunctions {
					if i >= len(r.Runs) || r.Runs[i].setting != (setting{set, rule, function, p}) {
						return fmt.Errorf("no run %d of %s, %s, %s, p = %v; measure again", i, set, rule, function, p)
					}
					if own := r.Runs[i-i%len(bestFunctions)].Own; r.Runs[i].Own != own {
						return fmt.Errorf("%s keeps %d documents of the classes, another function %d; measure again", function, r.Runs[i].Own, own)
					}
					i++
				}
			}
		}
	}
	if want := len(bestSets) * len(bestRules) * len(bestShares) * (1 + len(bestDampings)); len(r.Pairs) != want {
		return fmt.Errorf("%d comparisons instead of %d; measure again", len(r.Pairs), want)
	}
	return nil
}

// paperBest are the paper's own figures, as far as they are known: documents, words,
// classes, documents a class.
var paperBest = map[string][]string{
	reuters:    {"", "8,067", "", "106"},
	newsgroups: {"14,482", "26,983", "", "743"},
}

func (r *bestResults) setsTable() string {
	t := &markdown.Table{Head: []string{"collection", "", "documents", "words", "classes", "documents a class", "postings", "forward view"}, Text: 2}
	for _, s := range r.Sets {
		t.Rows = append(t.Rows,
			[]string{
				s.Name, "here", whole(s.Documents), whole(s.Terms), whole(s.Classes),
				markdown.Number(float64(s.Members) / float64(s.Classes)), whole(int(s.Postings)), markdown.Number(s.ForwardMS) + " ms",
			},
			slices.Concat([]string{"", "paper"}, paperBest[s.Name], []string{"", ""}))
	}
	return t.String()
}

func whole(n int) string { return markdown.Thousands(strconv.Itoa(n)) }

func (r *bestResults) claimsTable() string {
	t := &markdown.Table{Head: []string{"the paper", "checked by", "set", "rule", "measured", "verdict"}, Text: 6}
	for _, c := range bestClaims {
		claim, by := c.claim, c.rule
		for _, set := range bestSets {
			for _, rule := range bestRules {
				v, measured := c.judge(r, set, rule)
				t.Rows = append(t.Rows, []string{claim, by, set, rule, measured, "**" + v.String() + "**"})
				claim, by = "", ""
			}
		}
	}
	claim, by := betweenSets, betweenSetsRule
	for _, rule := range bestRules {
		v, measured := judgeBetween(r, rule)
		t.Rows = append(t.Rows, []string{claim, by, "both", rule, measured, "**" + v.String() + "**"})
		claim, by = "", ""
	}
	return t.String()
}

// byRule makes the tables of both rules.
func (r *bestResults) byRule(table func(runs []bestRun) *markdown.Table) string {
	var blocks []string
	for _, rule := range bestRules {
		blocks = append(blocks, r.eachSet(rule, table))
	}
	return strings.Join(blocks, "\n\n")
}

// eachSet makes the tables of the sets.
func (r *bestResults) eachSet(rule string, table func(runs []bestRun) *markdown.Table) string {
	var blocks []string
	for _, set := range bestSets {
		t := table(r.of(set, rule))
		t.Head[0] = set + ", " + rule
		blocks = append(blocks, t.String())
	}
	return strings.Join(blocks, "\n\n")
}

// grid is a table of functions by p.
func grid(runs []bestRun, cell func(bestRun) string) *markdown.Table {
	t := &markdown.Table{Head: []string{""}, Text: 1}
	for _, p := range bestShares {
		t.Head = append(t.Head, atShare(p))
	}
	for _, function := range bestFunctions {
		line := []string{function}
		for _, run := range runs { // p ascends in them
			if run.Function == function {
				line = append(line, cell(run))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func (r *bestResults) keptTable(runs []bestRun) *markdown.Table {
	return grid(runs, func(x bestRun) string {
		return markdown.Number(x.ratio()) + " (" + markdown.Number(x.MeanRatio) + ")"
	})
}

func (r *bestResults) featuresTable(runs []bestRun) *markdown.Table {
	return grid(runs, func(x bestRun) string {
		n := float64(r.set(x.Set).Classes)
		text := markdown.Number(float64(x.Positive)/n) + " + " + markdown.Number(float64(x.Negative)/n)
		if x.Without > 0 {
			text += fmt.Sprintf(" [%d]", x.Without)
		}
		return text
	})
}

// ownTable has one line for all functions, which [bestResults.complete] has checked.
func (r *bestResults) ownTable() string {
	t := &markdown.Table{Head: []string{"set", "rule"}, Text: 2}
	for _, p := range bestShares {
		t.Head = append(t.Head, atShare(p))
	}
	for _, set := range bestSets {
		for _, rule := range bestRules {
			line := []string{set, rule}
			for _, run := range r.of(set, rule) {
				if run.Function == bestFunctions[0] {
					line = append(line, fmt.Sprintf("%.1f %%", 100*float64(run.Own)/float64(run.Members)))
				}
			}
			t.Rows = append(t.Rows, line)
		}
	}
	return t.String()
}

func (r *bestResults) costTable(runs []bestRun) *markdown.Table {
	return grid(runs, func(x bestRun) string {
		return markdown.Number(float64(x.Entries)/float64(r.set(x.Set).Postings)) + ", " + markdown.Number(x.Millisecond) + " ms"
	})
}
