package papers

import (
	"fmt"
	"regexp"
	"strings"
)

// A kind is what becomes of a claim, in one word.
type kind int

const (
	unchecked kind = iota
	holds
	inPart
	fails
)

func (v *Verdict) kind() kind {
	cases, failed := v.Count()
	switch {
	case cases == 0:
		return unchecked
	case failed == 0:
		return holds
	case failed == cases:
		return fails
	}
	return inPart
}

// A Tally counts claims by what became of them.
type Tally struct{ Holds, InPart, Fails, Unchecked int }

// Claims is how many there are.
func (t Tally) Claims() int { return t.Holds + t.InPart + t.Fails + t.Unchecked }

func (t *Tally) add(k kind) {
	switch k {
	case holds:
		t.Holds++
	case inPart:
		t.InPart++
	case fails:
		t.Fails++
	case unchecked:
		t.Unchecked++
	}
}

// A Summary says of a paper's experiment how many of its claims hold, and what was found.
type Summary struct {
	Paper string // short: "Yan et al. 2005"
	Tally
	Finding  string
	Outcomes []Outcome
}

// Summarise counts the claims by what became of them.
func Summarise(paper, finding string, outcomes []Outcome) Summary {
	s := Summary{Paper: Cite(paper), Finding: finding, Outcomes: outcomes}
	for _, o := range outcomes {
		s.add(o.kind)
	}
	return s
}

// Summary judges the claims and fills the sentence with the figures.
func (p *Protocol) Summary(r *Results) (Summary, error) {
	outcomes, err := p.Judge(r.Figures)
	if err != nil {
		return Summary{}, err
	}
	finding, _, err := r.Figures.fill(p.Finding)
	if err == nil && finding == "" {
		err = fmt.Errorf("%s.json has no finding", p.Name)
	}
	return Summarise(p.Paper, finding, outcomes), err
}

var lastYear = regexp.MustCompile(`\d{4}`)

// Cite shortens a reference to the first author and the year.
func Cite(paper string) string {
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
