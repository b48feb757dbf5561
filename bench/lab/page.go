package lab

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// ErrDiffers says that a page does not have the tables that it should have.
var ErrDiffers = errors.New("it differs from what the raw results give")

var place = regexp.MustCompile(`(?s)<!-- table (\w+) -->\n.*?<!-- end -->`)

// UpdatePage fills the tables of a page, each between <!-- table NAME --> and <!-- end -->. With check it
// writes nothing, and fails by [ErrDiffers] where a table is another. table returns nil for an unknown name.
func UpdatePage(path string, check bool, table func(name string) *Table) {
	have, page := string(Need(os.ReadFile(path))), ""
	In(path, func() { page = fill(have, table) })
	switch {
	case page == have:
	case check:
		line, is, want := firstDifference(have, page)
		panic(Errorf("%s:%d: %w; write it again without -check\n  is:   %s\n  want: %s", path, line, ErrDiffers, is, want))
	default:
		Check(os.WriteFile(path, []byte(page), 0o666))
	}
}

// fill puts the tables into their places.
func fill(page string, table func(name string) *Table) string {
	if begun, ended := strings.Count(page, "<!-- table "), strings.Count(page, "<!-- end -->"); begun != ended {
		panic(Errorf("%d places of tables begin, and %d end", begun, ended))
	}
	var failures []error
	filled := place.ReplaceAllStringFunc(page, func(found string) string {
		name := place.FindStringSubmatch(found)[1]
		t, err := TryOf(func() *Table { return table(name) })
		if t == nil && err == nil {
			err = errors.New("there is no table of that name")
		}
		if err != nil {
			failures = append(failures, fmt.Errorf("table %s: %w", name, err))
			return found
		}
		return "<!-- table " + name + " -->\n\n" + t.String() + "\n\n<!-- end -->"
	})
	Check(errors.Join(failures...))
	return filled
}

// firstDifference finds the first line that differs, and both versions of it.
func firstDifference(a, b string) (line int, inA, inB string) {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for line < len(as) && line < len(bs) && as[line] == bs[line] {
		line++
	}
	end := []string{"(end of file)"}
	return line + 1, append(as, end...)[line], append(bs, end...)[line]
}
