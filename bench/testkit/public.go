package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Public reports an error where lines, which say what users may rely on, are not those of a list in testdata/public. A
// test with the flag -update writes the list.
func Public(t testing.TB, list string, lines []string) {
	t.Helper()
	slices.Sort(lines)
	lines = slices.Compact(lines)
	path := filepath.Join("..", "..", "testdata", "public", list+".txt")
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		Write(path, strings.Join(lines, "\n")+"\n")
	}
	listed := strings.Split(strings.TrimSuffix(string(Must(os.ReadFile(path))), "\n"), "\n")
	without := func(all, some []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(all), func(l string) bool { return slices.Contains(some, l) }), "\n\t")
	}
	if went, added := without(listed, lines), without(lines, listed); went+added != "" {
		t.Errorf("%s: went:\n\t%s\nnew:\n\t%s\nCHANGELOG.md announces what goes, see COMPATIBILITY.md; then run this test with -update", path, went, added)
	}
}
