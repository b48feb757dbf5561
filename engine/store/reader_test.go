package store

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// FORMAT.md names the sections, their numbers and the bytes of their elements as this package does.
func TestFormatIsDescribed(t *testing.T) {
	text := string(testkit.Must(os.ReadFile(filepath.Join("..", "..", "FORMAT.md"))))
	var rows, want []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \| ([a-z-]+) \| (\d+) \|`).FindAllStringSubmatch(text, -1) {
		rows = append(rows, strings.Join(m[1:], " "))
	}
	for kind := range numSections {
		want = append(want, fmt.Sprintf("%d %v %d", kind, kind, sectionElements[kind]))
	}
	testkit.EqualSlices(t, rows, want, "FORMAT.md has the sections", rows)
	for _, fact := range []string{fmt.Sprintf("version %d", FormatVersion), "`" + indexMagic + "`", "`" + tableMagic + "`", "`" + footerMagic + "`"} {
		testkit.Contains(t, text, fact, "FORMAT.md does not say")
	}
}
