package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

// ratios is the table of {{ratio}}: one column for each value of key=, the base
// first, and how many times better the others are.
func (r *report) ratios(d directive) (*markdown.Table, error) {
	found, err := r.choose(d, "match")
	if err != nil {
		return nil, err
	}
	key, base, unit := d.args["key"], d.args["base"], d.args["unit"]
	col, err := by([]string{key}, found)
	if err != nil {
		return nil, err
	}
	row, head, err := ratioRows(d, found)
	if err != nil {
		return nil, err
	}
	g, err := newGrid(found, row, col)
	if err != nil {
		return nil, err
	}
	if err := g.moveFirst(base); err != nil {
		return nil, fmt.Errorf("%s: match=`%s`: %w", d.args["file"], d.args["match"], err)
	}
	t, err := r.gridTable(d, g, head, func(row, col string, s sample) string {
		return s.cell() + timesBase(g.at[[2]string{row, base}], col == base, s, unit)
	})
	if err != nil {
		return nil, err
	}
	t.Caption += fmt.Sprintf(" × is how many times better than %s=%s.", key, base)
	return t, nil
}

// moveFirst makes the base the first column.
func (g *grid) moveFirst(base string) error {
	i := slices.Index(g.cols, base)
	if i < 0 {
		return fmt.Errorf("no benchmark has the base %q; there are %s", base, strings.Join(g.cols, ", "))
	}
	g.cols = slices.Insert(slices.Delete(g.cols, i, i+1), 0, base)
	return nil
}

// timesBase is how many times better than the base a sample is, if it is
// another one and the base was measured.
func timesBase(base *benchmark, isBase bool, s sample, unit string) string {
	if base == nil || isBase {
		return ""
	}
	b, err := base.in(unit)
	if err != nil || b.median() == 0 || s.median() == 0 {
		return ""
	}
	return ", " + markdown.Number(timesBetter(b.median(), s.median(), unit)) + "×"
}

// ratioRows are by rows=, or else by the name without the part of key=.
func ratioRows(d directive, found []*benchmark) (row func(*benchmark) string, head string, err error) {
	if keys := d.list("rows"); keys != nil {
		row, err = by(keys, found)
		return row, strings.Join(keys, ", "), err
	}
	return func(b *benchmark) string { return code(without(b.name, d.args["key"])) }, "benchmark", nil
}

// without takes the part of a key out of a name.
func without(name, key string) string {
	parts := slices.DeleteFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.HasPrefix(part, key+"=")
	})
	return strings.Join(parts, "/")
}
