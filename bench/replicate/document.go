package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/termsift/termsift/bench/markdown"
	"github.com/termsift/termsift/bench/replicate/papers"
)

// document fills the tables of REPLICATION.md, or tells that they are others: the findings by paper,
// the claims, and what each experiment was measured with.
func document(opt *options) error {
	tables := map[string]*markdown.Table{
		"findings": {Head: []string{"experiment", "paper", "finding", "claims", "hold", "in part", "do not", "cannot be checked"}, Text: 3},
		"claims":   {Head: []string{"the paper", "measured", "verdict"}, Text: 3},
		"machines": {Head: []string{"experiments", "CPU", "machine", "commit", "date"}, Text: 5},
	}
	for _, p := range opt.parts {
		r, err := p.read(opt)
		if err != nil {
			return err
		}
		sum, _, err := p.judge(r.Results)
		if err != nil {
			return fmt.Errorf("part %s: %w", p.name, err)
		}
		tables["findings"].Add(finding(p.name, sum)...)
		tables["claims"].Add("**"+p.name+"**", "", "")
		for _, o := range sum.Outcomes {
			tables["claims"].Add(o.Claim, o.InWords(), o.Short)
		}
		addMachine(tables["machines"], p.name, r)
	}
	return markdown.Update(opt.out, opt.check, func(name string) (*markdown.Table, error) {
		if t := tables[name]; t != nil {
			return t, nil
		}
		return nil, fmt.Errorf("there is no table of that name")
	})
}

// finding is the row of an experiment.
func finding(name string, sum papers.Summary) []string {
	row := []string{name, sum.Paper, sum.Finding}
	for _, n := range []int{sum.Claims(), sum.Holds, sum.InPart, sum.Fails, sum.Unchecked} {
		row = append(row, strconv.Itoa(n))
	}
	return row
}

// addMachine says where an experiment was measured, in the row of others if that was the same.
func addMachine(t *markdown.Table, name string, r *raw) {
	o := r.Origin
	row := []string{name, o.CPU, o.Machine, o.Commit, o.Date}
	for _, others := range t.Rows {
		if slices.Equal(others[1:], row[1:]) {
			others[0] += ", " + name
			return
		}
	}
	t.Add(row...)
}
