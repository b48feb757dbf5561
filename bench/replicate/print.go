package main

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report"
	"github.com/termsift/termsift/engine/table"
)

var (
	pipe = strings.NewReplacer("|", "\\|")
	year = regexp.MustCompile(`\d{4}$`)
)

// row is the row of an experiment in REPLICATION.md.
func (e *experiment) row(r *record) string {
	author, _, _ := strings.Cut(e.paper, ",")
	cells := []string{e.name, author + " et al. " + year.FindString(e.paper), r.Finding, strconv.Itoa(len(r.Claims))}
	for _, n := range count(r.Claims) {
		cells = append(cells, strconv.Itoa(n))
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// text has the claims with their verdicts, which choices matter, and the lists of terms.
func (e *experiment) text(r *record) string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s: %s\n\n%s.\n\n%s\n\n| the paper | its figure | measured | verdict |\n|---|---|---|---|\n", e.name, e.title, e.paper, r.Finding)
	for _, c := range r.Claims {
		fmt.Fprintf(&out, "| %s | %s | %s | **%s** |\n", pipe.Replace(c.Claim), c.Paper, c.Measured, c.Verdict)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Figures)) {
		if choice, ok := strings.CutPrefix(name, choiceOf); ok {
			fmt.Fprintf(&out, "\nOne choice changed: %s: %.1f instead of %.1f", choice, r.Figures[name], r.Figures.at("sensitivity base"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Lists)) {
		fmt.Fprintf(&out, "\n%s: %s", name, r.Lists[name])
	}
	out.WriteString("\nThe figures are in the raw results.\n")
	return out.String()
}

// ofF1 is the name of a figure of F1: the step, the classifier, the method, the number of terms, the mean.
var ofF1 = regexp.MustCompile(`^(\S+ \S+) (\S+) (\d+) (micro|macro)$`)

// page has the claims and the curves of F1 over the number of terms.
func (e *experiment) page(r *record) *report.Report {
	n := count(r.Claims)
	page := &report.Report{
		Title: e.title, Command: "go run ./bench/replicate " + e.name,
		Headline: fmt.Sprintf("%d of %d claims hold, %d in part, %d do not, %d cannot be checked. %s", n[0], len(r.Claims), n[1], n[2], n[3], r.Finding),
		Facts:    []report.Fact{{Name: "experiment", Value: e.name}, {Name: "paper", Value: e.paper}, {Name: "termsift", Value: table.Version}},
	}
	claims := report.Table{Title: "Claims", Head: []string{"the paper", "its figure", "measured", "verdict"}, Words: []int{0, 1, 2, 3}}
	for _, c := range r.Claims {
		claims.Rows = append(claims.Rows, []string{c.Claim, c.Paper, c.Measured, c.Verdict})
	}
	page.Tables = []report.Table{claims}
	for _, name := range slices.SortedFunc(maps.Keys(r.Figures), compareNames) {
		m := ofF1.FindStringSubmatch(name)
		if m == nil || m[4] != "micro" {
			continue
		}
		k := testkit.Must(strconv.Atoi(m[3]))
		macro, ok := r.Figures[strings.TrimSuffix(name, "micro")+"macro"]
		if !ok {
			macro = math.NaN()
		}
		page.Points = append(page.Points, report.Point{Classifier: m[1], Method: m[2], K: k, MicroF1: r.Figures[name] / 100, MacroF1: macro / 100})
	}
	return page
}
