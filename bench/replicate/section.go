package main

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// A Block is a table of a report, under a title.
type Block struct {
	Title string
	Text  []string // paragraphs before the table
	Table *lab.Table
}

// claimsTitle is the title of the block with the claims and their verdicts.
const claimsTitle = "Claims"

// Report gives what became of the claims, and all that there is to tell of a protocol: the choices, the
// claims, what they are sensitive to, the figures and the lists.
func (p *Protocol) Report(r *Results) (Summary, []Block) {
	sum := p.Summary(r)
	items := &lab.Table{Head: []string{"", "the paper", "here"}, Text: 3}
	for _, i := range p.Items {
		items.Rows = append(items.Rows, []string{i.What, i.Paper, i.Here})
	}
	blocks := []Block{{Title: "Protocol", Text: p.About, Table: items}}
	blocks = append(blocks, Block{Title: claimsTitle, Table: claimsTable(sum.Outcomes)})
	if p.Sensitivity != nil {
		t := p.Sensitivity.Table(r.Figures)
		blocks = append(blocks, Block{Title: "Which choices matter", Text: []string{bases{r.Figures["sensitivity base"].Basis}.caption()}, Table: t})
	}
	for i := range p.Tables {
		t, caption := p.Tables[i].Grid(r.Figures)
		b := Block{Title: p.Tables[i].Title, Table: t}
		if caption != "" {
			b.Text = []string{caption}
		}
		blocks = append(blocks, b)
	}
	if len(r.Lists) > 0 {
		t := &lab.Table{Head: []string{"list", "terms"}, Text: 2}
		for _, name := range slices.Sorted(maps.Keys(r.Lists)) {
			t.Rows = append(t.Rows, []string{name, r.Lists[name]})
		}
		blocks = append(blocks, Block{Title: "Terms", Table: t})
	}
	return sum, blocks
}

// claimsTable has the claims with the rules that decide them.
func claimsTable(outcomes []Outcome) *lab.Table {
	t := &lab.Table{Head: []string{"the paper", "its figure", "measured", "verdict", "rule"}, Text: 5}
	for _, o := range outcomes {
		rule := ""
		if o.Rule != "" {
			rule = "`" + o.Rule + "`"
		}
		t.Rows = append(t.Rows, []string{o.Claim, o.Paper, o.Measured, "**" + o.Verdict + "**", rule})
	}
	return t
}

// A Summary says of a paper's experiment how many of its claims hold, and what was found.
type Summary struct {
	Paper    string         // short: "Yan et al. 2005"
	Claims   [fails + 1]int // by what became of them
	Finding  string
	Outcomes []Outcome
}

// Summary judges the claims and fills the sentence with the figures.
func (p *Protocol) Summary(r *Results) (s Summary) {
	s.Paper = cite(p.Paper)
	s.Outcomes = p.Judge(r.Figures)
	for _, o := range s.Outcomes {
		s.Claims[o.kind]++
	}
	if s.Finding, _ = r.Figures.fill(p.Finding); s.Finding == "" {
		panic(lab.Errorf("%s.json has no finding", p.Name))
	}
	return s
}

var lastYear = regexp.MustCompile(`\d{4}`)

// cite shortens a reference to the first author and the year.
func cite(paper string) string {
	first, rest, several := strings.Cut(paper, ",")
	if several && rest != "" {
		first += " et al."
	}
	years := lastYear.FindAllString(paper, -1)
	if len(years) == 0 {
		return first
	}
	return first + " " + years[len(years)-1]
}
