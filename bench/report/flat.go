package main

import (
	"fmt"
	"strconv"

	"github.com/termsift/termsift/bench/markdown"
)

// flat is the table of {{list}}: a line for each benchmark.
func (r *report) flat(d directive) (*markdown.Table, error) {
	found, err := r.choose(d, "match")
	if err != nil {
		return nil, err
	}
	if err := distinct(found, func(b *benchmark) string { return b.name }); err != nil {
		return nil, err
	}
	unit := d.args["unit"]
	t := &markdown.Table{Head: []string{"benchmark", unit + ", median", "least", "largest", "runs"}, Text: 1}
	for _, b := range found {
		s, err := r.measure(b, unit)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, []string{
			code(b.name), markdown.Number(s.median()) + fewRuns(len(s)),
			markdown.Number(s.least()), markdown.Number(s.largest()), strconv.Itoa(len(s)),
		})
	}
	t.Caption = fmt.Sprintf("From `%s`.", d.args["file"])
	return t, nil
}
