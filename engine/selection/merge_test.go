package selection_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// written returns the features file of a selection.
func written(t *testing.T, s *selection.Selection) string {
	t.Helper()
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	return file.String()
}

// selectParts selects from each part, through features files. without counts those in which
// no term passes.
func selectParts(t *testing.T, parts []*table.Table, o selection.Options) (selected []*selection.Selection, without int) {
	t.Helper()
	o.AllowNone = true
	for i, part := range parts {
		s, err := selection.Select(t.Context(), part, o)
		if err == nil && len(s.Features) == 0 {
			without++
		}
		if err == nil && o.By.Measure == rank.IG {
			s, err = s.WithFactors(t.Context(), part, 1, "tf-rf", "tf-ig")
		}
		if err != nil {
			t.Fatal(err)
		}
		selected = append(selected, testkit.Must(selection.Read(strings.NewReader(written(t, s)), fmt.Sprint("part ", i))))
	}
	return selected, without
}

// mergeInGroups merges selections in any order and grouping.
func mergeInGroups(t *testing.T, r *rand.Rand, parts []*selection.Selection) *selection.Selection {
	t.Helper()
	for len(parts) > 1 {
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		n := 1 + r.IntN(len(parts))
		parts = append([]*selection.Selection{testkit.Must(selection.MergeFeatures(parts[:n]...))}, parts[n:]...)
	}
	return parts[0]
}

// Features of the parts merge to the file of the whole, by every measure and combination
// that records nothing of all terms.
func TestEveryMergedSelectionIsThatOfTheWhole(t *testing.T) {
	whole, empty := 0, 0
	enginetest.Rounds{All: 8, Large: 1, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		stats := newSelectionCase(t, enginetest.CorpusOf(t, c)).stats
		parts := testkit.Must(stats.Split(1 + r.IntN(6)))
		for i, by := range enginetest.EveryScoring(1) {
			if by.Measure == rank.OCFS || i%4 != r.IntN(4) {
				continue
			}
			o := selection.Options{By: by, Keep: selection.Best(1 + r.IntN(12))}
			switch {
			case by.PValues:
				o.Keep = selection.FPR(.3)
			case i%3 == 0:
				o.Keep = selection.AtLeast(r.Float64())
			}
			if !o.Mergeable() {
				t.Fatalf("%+v, keep %s: not mergeable", by, o.Keep)
			}
			selected, without := selectParts(t, parts, o)
			empty += without
			o.AllowNone = true
			want := testkit.Must(selection.Select(t.Context(), stats, o))
			if by.Measure == rank.IG {
				want = testkit.Must(want.WithFactors(t.Context(), stats, 1, "tf-rf", "tf-ig"))
			}
			if got := written(t, mergeInGroups(t, r, selected)); got != written(t, want) {
				t.Fatalf("%+v, keep %s: %d parts give\n%s\nthe whole\n%s", by, o.Keep, len(parts), got, written(t, want))
			}
			whole++
		}
	})
	if whole < 100 || empty < 10 {
		t.Errorf("only %d selections were compared, %d parts had no term that passes", whole, empty)
	}
}

// Options say themselves that their selections do not merge.
func TestOptionsThatDoNotMerge(t *testing.T) {
	for name, o := range map[string]selection.Options{
		"percentile": {Keep: selection.Percent(50)}, "energy": {Keep: selection.Energy(.5)}, "fdr": {Keep: selection.FDR(.9)}, "fwe": {Keep: selection.FWE(.9)},
		"ocfs": {By: rank.Options{Measure: rank.OCFS}, Keep: selection.Best(3)}, "per class": {Keep: selection.Best(1), PerClass: true},
		"in turn": {Keep: selection.Best(1), RoundRobin: true}, "a second stage": {Keep: selection.Best(2), Among: &selection.Selection{}},
		"always": {Keep: selection.Best(1), AlwaysKeep: []string{"ten"}}, "each document": {Keep: selection.PerDocument(1)},
	} {
		if o.Mergeable() {
			t.Errorf("%s: mergeable", name)
		}
	}
}

// Parts whose values are the least that is kept merge.
func TestMergeAtTheLeastValue(t *testing.T) {
	stats := enginetest.StatisticsOf(t, enginetest.Build(t, "a:one two", "b:one three"), "")
	o := selection.Options{By: rank.Options{Measure: rank.DF}, Keep: selection.AtLeast(1)}
	var parts []*selection.Selection
	for _, part := range testkit.Must(stats.Split(2)) {
		parts = append(parts, testkit.Must(selection.Select(t.Context(), part, o)))
	}
	merged, err := selection.MergeFeatures(parts...)
	if err != nil || written(t, merged) != written(t, testkit.Must(selection.Select(t.Context(), stats, o))) {
		t.Errorf("%+v, %v", merged, err)
	}
}

// What a part cannot know is refused, and so is what does not belong together.
func TestSelectionsThatDoNotMerge(t *testing.T) {
	count := func(lines ...string) *table.Table {
		return testkit.Must(enginetest.Build(t, lines...).Statistics(t.Context(), corpus.CountOptions{}))
	}
	lines := []string{"a:one two three four", "b:one five six seven", "a,b:eight nine ten one"}
	parts := testkit.Must(count(lines...).Split(2))
	first := func(s *table.Table, o selection.Options) *selection.Selection {
		return testkit.Must(selection.Select(t.Context(), s, o))
	}
	best := selection.Options{Keep: selection.Best(3)}
	plain := first(parts[0], best)
	of := func(o selection.Options) []*selection.Selection {
		return []*selection.Selection{first(parts[0], o), first(parts[1], o)}
	}
	ocfs := rank.Options{Measure: rank.OCFS}
	others := testkit.Must(count("a:one two three four", "b:one five six seven", "a,b:eight nine ten eleven").Split(2))
	for name, try := range map[string][]*selection.Selection{
		"no selections":             {},
		"or nil":                    {plain, nil},
		"percentile 50 keeps":       of(selection.Options{Keep: selection.Percent(50)}),
		"energy 0.5 keeps":          of(selection.Options{Keep: selection.Energy(.5)}),
		"fdr 0.9 keeps":             of(selection.Options{Keep: selection.FDR(.9)}),
		"energy of all terms":       of(selection.Options{By: ocfs, Keep: selection.Best(3)}),
		"each class":                of(selection.Options{Keep: selection.Best(1), PerClass: true}),
		"2 stages":                  {first(parts[0], selection.Options{Keep: selection.Best(2), Among: plain})},
		"kept whatever their value": {first(parts[0], selection.Options{Keep: selection.Best(1), AlwaysKeep: []string{"ten", "seven", "nine", "two"}})},
		"selected in the same way":  {plain, first(parts[1], selection.Options{Keep: selection.Best(2)})},
		"3 and 2 documents":         {plain, first(testkit.Must(count("a:one two", "b:three four five").Split(2))[1], best)},
		"given twice":               {plain, plain},
		"one is the whole":          {plain, first(count(lines...), best)},
		"of other documents":        {plain, first(others[1], best)},
	} {
		got, err := selection.MergeFeatures(try...)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, got, err)
			continue
		}
		if !errors.Is(err, selection.ErrNotMergeable) && !errors.Is(err, table.ErrParts) && !errors.Is(err, usage.ErrUsage) {
			t.Errorf("%s: %v is of another kind", name, err)
		}
	}
}
