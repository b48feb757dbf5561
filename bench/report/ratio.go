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
	for i, col := range t.Head[1:] {
		t.Head[i+1] = r.versioned(d, col)
	}
	t.Caption += fmt.Sprintf(" × is how many times better than %s=%s.", key, base)
	return t, nil
}

// versioned adds to the name of a column what the files say of it in a line "NAME: VERSION".
func (r *report) versioned(d directive, name string) string {
	for _, file := range d.list("file") {
		for _, s := range r.files[file].settings {
			if s.key == name {
				return name + " " + settingText(s)
			}
		}
	}
	return name
}

// times is the table of {{times}}: a column for each file, with how many times better the
// benchmarks of one value of a key are than those of another.
func (r *report) times(d directive) (*markdown.Table, error) {
	files, heads := d.list("file"), strings.Split(d.args["heads"], "|")
	if len(files) != len(heads) {
		return nil, fmt.Errorf("heads= has %d parts for %d files", len(heads), len(files))
	}
	t := &markdown.Table{Head: append([]string{strings.Join(d.list("rows"), ", ")}, heads...), Text: 1}
	var runs runCount
	for i, file := range files {
		if err := r.timesOf(d.with("file", file), t, i+1, &runs); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	t.Caption = fmt.Sprintf("Times better than %s=%s, by %s; from `%s`.", d.args["key"], d.args["base"], runs.String(), strings.Join(files, ", "))
	return t, nil
}

// timesOf fills a column. All files have the same rows.
func (r *report) timesOf(d directive, t *markdown.Table, column int, runs *runCount) error {
	found, err := r.choose(d, "match")
	if err != nil {
		return err
	}
	row, err := by(d.list("rows"), found)
	if err != nil {
		return err
	}
	col, err := by([]string{d.args["key"]}, found)
	if err != nil {
		return err
	}
	g, err := newGrid(found, row, col)
	if err != nil {
		return err
	}
	if column == 1 {
		for _, name := range g.rows {
			t.Rows = append(t.Rows, append([]string{name}, make([]string, len(t.Head)-1)...))
		}
	}
	if len(g.rows) != len(t.Rows) {
		return fmt.Errorf("%d rows, where the first file has %d", len(g.rows), len(t.Rows))
	}
	for _, line := range t.Rows {
		ours, theirs := g.at[[2]string{line[0], d.args["of"]}], g.at[[2]string{line[0], d.args["base"]}]
		if ours == nil || theirs == nil {
			return fmt.Errorf("%s was not measured for %s=%s and %s", line[0], d.args["key"], d.args["of"], d.args["base"])
		}
		a, err := r.measure(ours, d.args["unit"])
		if err != nil {
			return err
		}
		b, err := r.measure(theirs, d.args["unit"])
		if err != nil {
			return err
		}
		runs.add(len(a))
		runs.add(len(b))
		line[column] = markdown.Number(timesBetter(b.median(), a.median(), d.args["unit"]))
	}
	return nil
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
