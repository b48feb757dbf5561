package selection_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/naive"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/ingest/part"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

// written returns the features file of a selection.
func written(t *testing.T, s *selection.Selection) string {
	t.Helper()
	var file bytes.Buffer
	if err := s.WriteTSV(&file); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// selectParts selects from each part that has a term that passes, through features files.
// missing counts the others.
func selectParts(t *testing.T, parts []*corpus.Statistics, o selection.Options) (selected []*selection.Selection, missing int) {
	t.Helper()
	for i, part := range parts {
		s, err := selection.Select(t.Context(), part, o)
		if errors.Is(err, selection.ErrNothingSelected) {
			missing++
			continue
		}
		if err == nil && o.By.Measure == rank.IG {
			s, err = s.WithFactors(t.Context(), part, 1, "tf-rf", "tf-ig")
		}
		if err != nil {
			t.Fatal(err)
		}
		selected = append(selected, enginetest.Must(selection.Read(strings.NewReader(written(t, s)), fmt.Sprint("part ", i))))
	}
	return selected, missing
}

// mergeInGroups merges selections in any order and grouping.
func mergeInGroups(t *testing.T, r *rand.Rand, parts []*selection.Selection) *selection.Selection {
	t.Helper()
	for len(parts) > 1 {
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		n := 1 + r.IntN(len(parts))
		parts = append([]*selection.Selection{enginetest.Must(selection.MergeFeatures(parts[:n]...))}, parts[n:]...)
	}
	return parts[0]
}

// Features of the parts merge to the file of the whole, by every measure and combination
// that records nothing of all terms.
func TestEveryMergedSelectionIsThatOfTheWhole(t *testing.T) {
	whole := 0
	enginetest.Rounds{Seed: 64, All: 8, Short: 1, Large: 1, InTurn: true}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		stats := newSelectionCase(t, enginetest.CorpusOf(t, c)).stats
		parts := enginetest.Must(stats.Split(1 + r.IntN(6)))
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
			selected, missing := selectParts(t, parts, o)
			if missing > 0 {
				continue // there is no file of such a part
			}
			want := enginetest.Must(selection.Select(t.Context(), stats, o))
			if by.Measure == rank.IG {
				want = enginetest.Must(want.WithFactors(t.Context(), stats, 1, "tf-rf", "tf-ig"))
			}
			if got := written(t, mergeInGroups(t, r, selected)); got != written(t, want) {
				t.Fatalf("%+v, keep %s: %d parts give\n%s\nthe whole\n%s", by, o.Keep, len(parts), got, written(t, want))
			}
			whole++
		}
	})
	if whole < 100 {
		t.Errorf("only %d selections were compared", whole)
	}
}

// What a part cannot know is refused, and so is what does not belong together.
func TestSelectionsThatDoNotMerge(t *testing.T) {
	count := func(lines ...string) *corpus.Statistics {
		return enginetest.Must(enginetest.Build(t, lines...).Statistics(t.Context(), corpus.CountOptions{}))
	}
	lines := []string{"a:one two three four", "b:one five six seven", "a,b:eight nine ten one"}
	parts := enginetest.Must(count(lines...).Split(2))
	first := func(s *corpus.Statistics, o selection.Options) *selection.Selection {
		return enginetest.Must(selection.Select(t.Context(), s, o))
	}
	best := selection.Options{Keep: selection.Best(3)}
	plain := first(parts[0], best)
	of := func(o selection.Options) []*selection.Selection {
		return []*selection.Selection{first(parts[0], o), first(parts[1], o)}
	}
	ocfs := rank.Options{Measure: rank.OCFS}
	others := enginetest.Must(count("a:one two three four", "b:one five six seven", "a,b:eight nine ten eleven").Split(2))
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
		"3 and 2 documents":         {plain, first(enginetest.Must(count("a:one two", "b:three four five").Split(2))[1], best)},
		"given twice":               {plain, plain},
		"one is the whole":          {plain, first(count(lines...), best)},
		"of other documents":        {plain, first(others[1], best)},
	} {
		got, err := selection.MergeFeatures(try...)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, got, err)
			continue
		}
		if !errors.Is(err, selection.ErrNotMergeable) && !errors.Is(err, part.Err) && !errors.Is(err, usage.ErrUsage) {
			t.Errorf("%s: %v is of another kind", name, err)
		}
	}
}
