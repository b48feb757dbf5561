package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/termsift/termsift/bench/markdown"
)

// A report is a layout on its way to BENCHMARKS.md.
type report struct {
	dir      string // of the raw files
	files    map[string]*rawFile
	warned   map[*benchmark]bool
	warnings []string
}

// render gives the whole text for a layout, and warnings on stderr.
func render(layout string) (text []byte, warnings []string, err error) {
	source, err := os.ReadFile(layout)
	if err != nil {
		return nil, nil, fmt.Errorf("the layout cannot be read: %w", err)
	}
	r := &report{dir: filepath.Dir(layout), files: map[string]*rawFile{}, warned: map[*benchmark]bool{}}
	body, err := r.fill(filepath.Base(layout), string(source))
	return []byte(notice + body), r.warnings, err
}

// fill copies the layout with tables in place of the directives.
func (r *report) fill(name, source string) (string, error) {
	var out []string
	lines := strings.Split(source, "\n")
	fence := 0 // line on which a fenced block has begun, or 0
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			fence = (i + 1) * b2i(fence == 0)
			out = append(out, line)
		case fence > 0 || !strings.Contains(line, "{{"):
			out = append(out, line)
		default:
			group := groupOf(lines[i:])
			text, err := r.expand(group)
			if err != nil {
				return "", fmt.Errorf("%s:%w", name, at(i, err))
			}
			out = append(out, text)
			i += len(group) - 1
		}
	}
	if fence > 0 {
		return "", fmt.Errorf("%s:%d: the fenced block that begins here has no end", name, fence)
	}
	return strings.Join(out, "\n"), nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// groupOf gives the lines that make one table: adjacent targets, adjacent figures, or one
// line.
func groupOf(lines []string) []string {
	n := 0
	for _, kind := range []string{"{{target ", "{{figure "} {
		for n < len(lines) && strings.HasPrefix(lines[0], kind) && strings.HasPrefix(lines[n], kind) {
			n++
		}
	}
	return lines[:max(n, 1)]
}

// A lineError is an error of the line that many behind the first of its group.
type lineError struct {
	offset int
	line   string
	err    error
}

func (e *lineError) Error() string { return e.line + ": " + e.err.Error() }
func (e *lineError) Unwrap() error { return e.err }

// at gives an error of a group the number of its line.
func at(first int, err error) error {
	e := err.(*lineError)
	return fmt.Errorf("%d: %w", first+e.offset+1, err)
}

// expand writes the table of a group of directives. Its errors are lineErrors.
func (r *report) expand(group []string) (string, error) {
	directives := make([]directive, len(group))
	for i, line := range group {
		d, err := parseDirective(line)
		if err != nil {
			return "", &lineError{i, line, err}
		}
		directives[i] = d
	}
	switch directives[0].kind {
	case "target":
		return r.targets(group, directives)
	case "figure":
		return r.figures(group, directives)
	}
	t, err := r.single(directives[0])
	if err != nil {
		return "", &lineError{0, group[0], err}
	}
	return t.String(), nil
}

// single makes the table of a directive that stands alone.
func (r *report) single(d directive) (*markdown.Table, error) {
	switch d.kind {
	case "table":
		return r.pivot(d)
	case "list":
		return r.flat(d)
	case "ratio":
		return r.ratios(d)
	case "times":
		return r.times(d)
	case "roofline":
		return r.roofline(d)
	}
	return r.machine(d)
}
