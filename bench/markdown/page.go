package markdown

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

// Update fills the tables of a page, each between <!-- table NAME --> and <!-- end -->. With check it
// writes nothing, and returns [ErrDiffers] where a table is another.
func Update(path string, check bool, table func(name string) (*Table, error)) error {
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page, err := fill(string(have), table)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case page == string(have):
		return nil
	case check:
		line, is, want := FirstDifference(string(have), page)
		return fmt.Errorf("%s:%d: %w; write it again without -check\n  is:   %s\n  want: %s", path, line, ErrDiffers, is, want)
	}
	return os.WriteFile(path, []byte(page), 0o666)
}

// fill puts the tables into their places.
func fill(page string, table func(name string) (*Table, error)) (string, error) {
	if begun, ended := strings.Count(page, "<!-- table "), strings.Count(page, "<!-- end -->"); begun != ended {
		return "", fmt.Errorf("%d places of tables begin, and %d end", begun, ended)
	}
	var failures []error
	filled := place.ReplaceAllStringFunc(page, func(found string) string {
		name := place.FindStringSubmatch(found)[1]
		t, err := table(name)
		if err != nil {
			failures = append(failures, fmt.Errorf("table %s: %w", name, err))
			return found
		}
		return "<!-- table " + name + " -->\n\n" + t.String() + "\n\n<!-- end -->"
	})
	return filled, errors.Join(failures...)
}
