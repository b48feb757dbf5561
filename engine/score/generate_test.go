package score

import (
	"flag"
	"go/format"
	"os"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/score/formula"
)

// The functions of the registered measures, by the options that users choose most, are those of their formulas.
func TestCompiledFormulas(t *testing.T) {
	const file = "formula/measures_gen.go"
	var texts []string
	for _, o := range []Options{{}, {TwoCells: true}, {Yates: true}} {
		for _, d := range standard(o) {
			if d.value == nil {
				texts = append(texts, d.class, d.sum)
			}
		}
	}
	texts = append(texts, gainFormula)
	slices.Sort(texts)
	texts = slices.DeleteFunc(slices.Compact(texts), func(text string) bool { return text == "" })
	source, err := formula.Source(texts)
	testkit.Is(testkit.Stop(t), err, nil)
	want := testkit.Must(format.Source([]byte(source)))
	if flag.Lookup("update").Value.String() == "true" { // see readme_test.go
		testkit.Is(testkit.Stop(t), os.WriteFile(file, want, 0o644), nil)
		return
	}
	if got := testkit.Must(os.ReadFile(file)); string(got) != string(want) {
		t.Error(file, "is not current: go generate ./engine/score")
	}
}
