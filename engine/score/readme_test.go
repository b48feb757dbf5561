package score_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
)

var update = flag.Bool("update", false, "write the table of README.md")

// README.md has the measures of the registry, and what package measures tells of them; -update writes it.
func TestReadmeHasTheMeasures(t *testing.T) {
	page := testkit.Must(os.ReadFile("README.md"))
	want := string(page)
	for _, part := range parts() {
		want = testkit.Must(part.in(want))
	}
	if want == string(page) {
		return
	}
	if !*update {
		t.Fatal("README.md tells of other measures than there are: go test ./engine/score -run Readme -update")
	}
	testkit.Write("README.md", want)
}

// A part is a text of README.md that follows from the data: what stands under a heading from the line
// that begins it to an empty line and end.
type part struct{ heading, begins, end, text string }

// in returns the page with the part.
func (p part) in(page string) (string, error) {
	before, rest, found := strings.Cut(page, "\n"+p.heading+"\n")
	section, after := rest, ""
	if i := strings.Index(rest, "\n##"); i >= 0 {
		section, after = rest[:i+1], rest[i+1:]
	}
	prose, table, begins := strings.Cut("\n"+section, "\n"+p.begins)
	end := strings.Index(table, p.end)
	if !found || !begins || end < 0 {
		return "", fmt.Errorf("README.md has no %q with a line that begins with %q", p.heading, p.begins)
	}
	return before + "\n" + p.heading + strings.TrimSuffix(prose, "\n") + "\n" + p.text + table[end+len(p.end):] + after, nil
}

// parts returns the parts of the page.
func parts() (all []part) {
	registered := map[string]rank.MeasureInfo{}
	for _, m := range rank.EveryMeasure() {
		registered[m.Name] = m
	}
	for _, family := range families() {
		if slices.Contains([]score.Kind{score.OfWords, score.OfSpread, score.OfSets}, family[0].Kind) {
			continue // termsift measures tells of them: their values are no scores of terms
		}
		all = append(all, part{"### " + family[0].FamilyOf, "| | question |", "\n\n", "\n" + familyTable(family, registered) + "\n"})
	}
	return all
}

// inCell escapes what would end a cell of a table.
func inCell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

// families returns the measures, those of a family together.
func families() (all [][]score.Description) {
	for m := range score.Described() {
		if n := len(all); n > 0 && all[n-1][0].FamilyOf == m.FamilyOf {
			all[n-1] = append(all[n-1], m)
		} else {
			all = append(all, []score.Description{m})
		}
	}
	return all
}

// ofClasses are the measures of two corpora whose formulas stand in a table of classes: the target is the class.
var ofClasses = []string{"simplemaths", "zeta", "zetacraig", "zetaeder", "zetalog", "jlh", "gnd"}

// familyTable has the formulas of a family, what each measure answers, and when it misleads.
func familyTable(family []score.Description, registered map[string]rank.MeasureInfo) string {
	var b strings.Builder
	b.WriteString("| | question | formula | misleads |\n|---|---|---|---|\n")
	for _, m := range family {
		if m.Kind == score.OfCorpora && slices.Contains(ofClasses, m.Name) {
			continue
		}
		name := "`" + m.Name + "`"
		if m.Kind != score.OfCorpora {
			name += " " + registered[m.Name].Title
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, inCell(m.Question), inCell(m.Formula), inCell(m.Misleads))
	}
	return b.String()
}
