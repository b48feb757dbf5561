package main

import (
	"regexp"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

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
