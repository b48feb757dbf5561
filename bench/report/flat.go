package main

import (
	"fmt"
	"strconv"
)

// flat is the table of {{list}}: a line for each benchmark.
func (r *report) flat(d directive) (*table, error) {
	found, err := r.choose(d, "match")
	if err != nil {
		return nil, err
	}
	if err := distinct(found, func(b *benchmark) string { return b.name }); err != nil {
		return nil, err
	}
	unit := d.args["unit"]
	t := &table{head: []string{"benchmark", unit + ", median", "least", "largest", "runs"}, text: 1}
	for _, b := range found {
		s, err := r.measure(b, unit)
		if err != nil {
			return nil, err
		}
		t.rows = append(t.rows, []string{
			code(b.name), formatNumber(s.median()) + fewRuns(len(s)),
			formatNumber(s.least()), formatNumber(s.largest()), strconv.Itoa(len(s)),
		})
	}
	t.caption = fmt.Sprintf("From `%s`.", d.args["file"])
	return t, nil
}
