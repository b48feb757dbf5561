package score_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/score"
)

var update = flag.Bool("update", false, "write the table of README.md")

const (
	tableBegins = "go test ./engine/score -run Readme -update -->\n\n"
	tableEnds   = "\n<!-- end of the table -->\n"
)

// README.md has the measures of the registry; -update writes them.
func TestReadmeHasTheRegistry(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begins := strings.Cut(string(page), tableBegins)
	_, after, ends := strings.Cut(rest, strings.TrimPrefix(tableEnds, "\n"))
	if !begins || !ends {
		t.Fatal("README.md has no marks around its table")
	}
	const heading = "| name | measure | formula | default | source |\n|---|---|---|---|---|\n"
	var table strings.Builder
	table.WriteString(heading)
	added, target := false, false
	for _, m := range score.NewRegistry(score.Options{}).Infos() {
		if !strings.Contains(after, "| `"+m.Name+"` |") {
			t.Errorf("README.md says nothing of when %s misleads", m.Name)
		}
		if m.New && !added {
			added = true
			table.WriteString("\nNot in `--by all`, but in `--by all,new`, and by name:\n\n" + heading)
		}
		if m.Target && !target {
			target = true
			table.WriteString("\nOf a target, the number of each document, and by name alone:\n\n" + heading)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s | %s |\n", m.Name, m.Title, strings.ReplaceAll(m.Formula, "|", "\\|"), m.Default, m.Source)
	}
	want := before + tableBegins + table.String() + tableEnds + after
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatal("README.md has other measures than the registry: go test ./engine/score -run Readme -update")
	}
	if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
