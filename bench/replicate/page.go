package main

import (
	"slices"
	"strconv"

	"github.com/termsift/termsift/bench/lab"
)

// updatePage fills the tables of REPLICATION.md, or tells that they are others: the findings by paper,
// the claims, and what each experiment was measured with.
func updatePage(opt *options) {
	tables := map[string]*lab.Table{
		"findings": {Head: []string{"experiment", "paper", "finding", "claims", "hold", "in part", "do not", "cannot be checked"}, Text: 3},
		"claims":   {Head: []string{"the paper", "measured", "verdict"}, Text: 3},
		"machines": {Head: []string{"experiments", "CPU", "machine", "commit", "date"}, Text: 5},
	}
	for _, p := range opt.protocols {
		r := p.recorded(opt.results)
		var sum Summary
		lab.In("experiment "+p.Name, func() { sum = p.Summary(r.Results) })
		row := []string{p.Name, sum.Paper, sum.Finding, strconv.Itoa(len(sum.Outcomes))}
		for _, k := range []kind{holds, inPart, fails, unchecked} {
			row = append(row, strconv.Itoa(sum.Claims[k]))
		}
		tables["findings"].Add(row...)
		tables["claims"].Add("**"+p.Name+"**", "", "")
		for _, o := range sum.Outcomes {
			tables["claims"].Add(o.Claim, o.InWords(), o.Short)
		}
		addMachine(tables["machines"], p.Name, r)
	}
	lab.UpdatePage(opt.out, opt.check, func(name string) *lab.Table { return tables[name] })
}

// addMachine says where an experiment was measured, in the row of others if that was the same.
func addMachine(t *lab.Table, name string, r *record) {
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
