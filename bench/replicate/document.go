package main

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/bench/replicate/papers"
)

const notice = "<!-- Written by \"go run ./bench/replicate\" from the raw files bench/results/replicate-*.json\nand the texts beside the program. Change those. -->\n\n"

// preface is what stands before the sections.
//
//go:embed preface.md
var preface string

// claimsPlace is the line of the preface in whose place the table of all claims stands.
const claimsPlace = "{{claims}}"

// document writes REPLICATION.md, or compares it with what it would write.
func document(opt *options) error {
	text, err := render(opt)
	if err != nil {
		return err
	}
	if !opt.check {
		return os.WriteFile(opt.out, []byte(text), 0o666)
	}
	have, err := os.ReadFile(opt.out)
	if err != nil || string(have) == text {
		return err
	}
	line, is, want := markdown.FirstDifference(string(have), text)
	return fmt.Errorf("%s:%d: %w from what the raw results give; write it again with go run ./bench/replicate\n  is:   %s\n  want: %s",
		opt.out, line, errDiffers, is, want)
}

// render gives the whole text: the preface with the findings by paper, the claims of every part, and what
// each was measured with.
func render(opt *options) (string, error) {
	findings := &markdown.Table{Head: []string{"experiment", "paper", "finding", "claims", "hold", "in part", "do not", "cannot be checked"}, Text: 3}
	machines := &markdown.Table{Head: []string{"experiments", "CPU", "machine", "commit", "date"}, Text: 5}
	var claims []string
	for _, p := range opt.parts {
		r, err := p.read(opt)
		if err != nil {
			return "", err
		}
		sum, err := p.summary(r.Results)
		if err != nil {
			return "", fmt.Errorf("part %s: %w", p.name, err)
		}
		row := []string{p.name, sum.Paper, sum.Finding}
		for _, n := range []int{sum.Claims(), sum.Holds, sum.InPart, sum.Fails, sum.Unchecked} {
			row = append(row, strconv.Itoa(n))
		}
		findings.Rows = append(findings.Rows, row)
		claims = append(claims, "### "+p.name+"\n\n"+claimsTable(sum.Outcomes).String())
		o := r.Origin
		row = []string{p.name, o.CPU, o.Machine, o.Commit, o.Date}
		if n := len(machines.Rows); n > 0 && slices.Equal(machines.Rows[n-1][1:], row[1:]) {
			machines.Rows[n-1][0] += ", " + p.name
			continue
		}
		machines.Rows = append(machines.Rows, row)
	}
	before, after, ok := strings.Cut(strings.TrimSpace(preface), claimsPlace)
	if !ok {
		return "", fmt.Errorf("preface.md has no line %q", claimsPlace)
	}
	return notice + before + findings.String() + after + "\n\n## The claims\n\n" + strings.Join(claims, "\n\n") + "\n\n## Measured with\n\n" + machines.String() + "\n", nil
}

// claimsTable has what the paper says, what was measured, and whether the claim holds.
func claimsTable(outcomes []papers.Outcome) *markdown.Table {
	t := &markdown.Table{Head: []string{"the paper", "measured", "verdict"}, Text: 3}
	for _, o := range outcomes {
		t.Rows = append(t.Rows, []string{o.Claim, o.InWords(), o.Short})
	}
	return t
}
