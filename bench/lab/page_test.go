package lab

import "testing"

func TestFill(t *testing.T) {
	table := func(name string) *Table {
		if name != "a" {
			return nil
		}
		return &Table{Head: []string{"x"}, Rows: [][]string{{"1"}}}
	}
	const filled = "prose\n<!-- table a -->\n\n| x |\n|--:|\n| 1 |\n\n<!-- end -->\nmore\n"
	for _, page := range []string{filled, "prose\n<!-- table a -->\n<!-- end -->\nmore\n", "prose\n<!-- table a -->\nold\n<!-- end -->\nmore\n"} {
		if got, err := TryOf(func() string { return fill(page, table) }); err != nil || got != filled {
			t.Errorf("%q: %q, %v", page, got, err)
		}
	}
	for page, want := range map[string]string{
		"a\n<!-- table a -->\nb\n":                           "1 places of tables begin, and 0 end",
		"<!-- table a -->\n<!-- table b -->\n<!-- end -->\n": "2 places of tables begin, and 1 end",
		"<!-- table b -->\n<!-- end -->\n":                   "table b: there is no table of that name",
	} {
		if got, err := TryOf(func() string { return fill(page, table) }); err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v, want %s", page, got, err, want)
		}
	}
}
