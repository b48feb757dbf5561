package main

import (
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

// figures makes the table of adjacent {{figure}} lines: what a reader may expect, and
// what limits it.
func (r *report) figures(lines []string, directives []directive) (string, error) {
	t := &markdown.Table{Head: []string{"job", "measured", "what limits it"}, Text: 3}
	var runs runCount
	for i, d := range directives {
		text, err := r.figure(d, &runs)
		if err != nil {
			return "", &lineError{i, lines[i], err}
		}
		t.Rows = append(t.Rows, []string{d.args["name"], text, d.args["limit"]})
	}
	t.Caption = "Measured: " + runs.String() + ", ± half the range."
	return t.String(), nil
}

// figure reads one directive and measures it.
func (r *report) figure(d directive, runs *runCount) (string, error) {
	b, err := r.chooseOne(d, "match")
	if err != nil {
		return "", err
	}
	s, err := r.measure(b, d.args["unit"])
	if err != nil {
		return "", err
	}
	if d.args["over"] != "" {
		g := &target{}
		if err := r.relate(d, g, s, runs); err != nil {
			return "", err
		}
		return g.text + " times", nil
	}
	runs.add(len(s))
	unit := d.args["unit"]
	if d.args["as"] != "" {
		unit = d.args["as"]
	}
	median, spread, _ := strings.Cut(s.cell(), " ")
	return strings.TrimSpace(median + " " + unit + " " + spread), nil
}
