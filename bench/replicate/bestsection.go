package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/bench/replicate/papers"
)

// bestAbout says what is repeated.
var bestAbout = []string{
	"For every class the algorithm takes the best positive term of each document of the class (F+), keeps the documents of all classes that have one of these (D_F), and takes the best negative term of each document of D_F outside the class (F-). Checked here: which terms and how many documents that leaves.",
	"The paper's formula that says when a term is positive could not be had. Two readings of its p are measured: interpolated, P(c|w) ≥ p + (1-p)·P(c), and max, P(c|w) ≥ p; both with P(c|w) > P(c). They agree at p = 0 and p = 1.",
	"As in the paper: lower case, no punctuation, no numbers, a stop list, no stemming, words in at least 5 training documents; of 20 Newsgroups no header but Subject. Reuters-21578 is ModApte with all 9,603 training documents and the 90 topics that both parts have. Otherwise than in the paper: a word is a run of letters, the stop list is Glasgow's, and 20 Newsgroups is the version bydate with its own split.",
}

// blocks has the protocol, the claims and all figures.
func (r *bestResults) blocks(outcomes []papers.Outcome) []papers.Block {
	blocks := []papers.Block{
		{Title: "Protocol", Text: bestAbout, Table: r.setsTable()},
		{Title: papers.ClaimsTitle, Table: papers.ClaimsTable(outcomes)},
		{Title: "Documents of the class among those kept", Text: []string{"The share of D_C with a positive term, which bounds what a classifier behind the filter finds; the function does not matter."}, Table: r.ownTable()},
	}
	for _, kind := range []struct {
		title, text string
		table       func(runs []bestRun) *markdown.Table
	}{
		{"Documents kept", "Sum of |D_F| over the classes by that of |D_C|; in parentheses the mean of the classes' own ratios.", r.keptTable},
		{"Features", "Positive and negative terms of a class, means; in brackets the number of classes without a positive term.", r.featuresTable},
		{"Cost", "(Document, term) pairs visited for each posting of the collection, and CPU time for all classes on one thread, the least of three runs.", r.costTable},
	} {
		for _, rule := range bestRules {
			for _, set := range bestSets {
				blocks = append(blocks, papers.Block{Title: kind.title + ": " + set + ", " + rule, Text: []string{kind.text}, Table: kind.table(r.of(set, rule))})
			}
		}
	}
	return blocks
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

func (r *bestResults) setsTable() *markdown.Table {
	t := &markdown.Table{Head: []string{"collection", "", "documents", "words", "classes", "documents a class", "postings", "forward view"}, Text: 2}
	for _, s := range r.Sets {
		t.Rows = append(t.Rows,
			[]string{
				s.Name, "here", whole(s.Documents), whole(s.Terms), whole(s.Classes),
				markdown.Number(float64(s.Members) / float64(s.Classes)), whole(int(s.Postings)), markdown.Number(s.ForwardMS) + " ms",
			},
			slices.Concat([]string{"", "paper"}, paperBest[s.Name], []string{"", ""}))
	}
	return t
}

func whole(n int) string { return markdown.Thousands(strconv.Itoa(n)) }

// grid is a table of functions by p.
func grid(runs []bestRun, cell func(bestRun) string) *markdown.Table {
	t := &markdown.Table{Head: []string{"function"}, Text: 1}
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
func (r *bestResults) ownTable() *markdown.Table {
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
	return t
}

func (r *bestResults) costTable(runs []bestRun) *markdown.Table {
	return grid(runs, func(x bestRun) string {
		return markdown.Number(float64(x.Entries)/float64(r.set(x.Set).Postings)) + ", " + markdown.Number(x.Millisecond) + " ms"
	})
}
