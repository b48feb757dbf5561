package selection_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/score"
	"github.com/termsift/termsift/engine/selection"
	"github.com/termsift/termsift/engine/usage"
)

func TestCriteriaOutOfRange(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:three", "b:one")
	several := enginetest.Build(t, "a,b:one two", "b:three")
	nan := math.NaN()
	for name, try := range map[string]struct {
		o    selection.Options
		text string
	}{
		"none":              {selection.Options{}, "exactly one of k, percentile, min-score, energy, fpr, fdr, fwe and per-document"},
		"no term":           {selection.Options{Keep: selection.Best(0)}, "k must be positive, not 0"},
		"no term a text":    {selection.Options{Keep: selection.PerDocument(0)}, "per-document must be positive"},
		"nothing":           {selection.Options{Keep: selection.Percent(0)}, "percentile must be"},
		"more than all":     {selection.Options{Keep: selection.Percent(101)}, "percentile must be"},
		"no energy":         {selection.Options{Keep: selection.Energy(0)}, "energy must be"},
		"fdr of 0":          {selection.Options{Keep: selection.FDR(0)}, "fdr must be"},
		"energy of 0":       {selection.Options{Keep: selection.Energy(-.1)}, "energy must be above 0 and at most 1, not -0.1"},
		"energy above 1":    {selection.Options{Keep: selection.Energy(1.01)}, "energy must be"},
		"energy NaN":        {selection.Options{Keep: selection.Energy(nan)}, "energy must be"},
		"percentile NaN":    {selection.Options{Keep: selection.Percent(nan)}, "percentile must be"},
		"score NaN":         {selection.Options{Keep: selection.AtLeast(nan)}, "min-score must be a number"},
		"fpr of 1":          {selection.Options{Keep: selection.FPR(1)}, "fpr must be above 0 and below 1, not 1"},
		"fdr negative":      {selection.Options{Keep: selection.FDR(-1)}, "fdr must be"},
		"fwe NaN":           {selection.Options{Keep: selection.FWE(nan)}, "fwe must be"},
		"fwe infinite":      {selection.Options{Keep: selection.FWE(math.Inf(1))}, "fwe must be"},
		"per document":      {selection.Options{Keep: selection.PerDocument(-1)}, "per-document must be positive"},
		"quota of document": {selection.Options{Keep: selection.PerDocument(1), PerClass: true}, "not per class"},
		"turns without k":   {selection.Options{Keep: selection.FDR(.1), RoundRobin: true}, "round-robin needs k"},
		"two quotas":        {selection.Options{Keep: selection.Best(1), PerClass: true, RoundRobin: true}, "exclude"},
		"gini":              {selection.Options{By: rank.Options{Measure: "gini"}, Keep: selection.FDR(.1)}, "no p-values of gini.*those with p-values: emi ig chi ngl ttest chitf g2 g2tf anova logoddsz"},
		"average":           {selection.Options{By: rank.Options{Combine: "avg"}, Keep: selection.FPR(.1)}, `combination "avg".*max, class`},
		"ig by class":       {selection.Options{By: rank.Options{Measure: "ig"}, Keep: selection.FPR(.1), PerClass: true}, "own value"},
		"ig max":            {selection.Options{By: rank.Options{Measure: "ig", Combine: "max"}, Keep: selection.FPR(.1)}, "own value"},
		"exact ttest":       {selection.Options{By: rank.Options{Measure: "ttest", Exact: true}, Keep: selection.FPR(.1)}, "no exact test of ttest; those with one: emi chi ngl g2"},
		"exact of nothing":  {selection.Options{By: rank.Options{Exact: true}, Keep: selection.Best(1)}, "exact tests give p-values"},
		"one's own chi":     {selection.Options{By: rank.Options{Measure: "fixed", Own: []score.Measure{fixed{}}}, Keep: selection.FPR(.1)}, "no p-values of fixed"},
		"p-values of df":    {selection.Options{By: rank.Options{Measure: "df", PValues: true}, Keep: selection.Best(1)}, "no p-values of df"},
	} {
		_, err := selection.Select(t.Context(), c, try.o)
		if !errors.Is(err, usage.ErrUsage) || !matches(err.Error(), try.text) {
			t.Errorf("%s: %v", name, err)
		}
		testkit.Is(t, try.o.Validate(), usage.ErrUsage, name, "is valid")
	}
	if _, err := selection.Select(t.Context(), several, selection.Options{By: rank.Options{Measure: "ig"}, Keep: selection.FDR(.1)}); !errors.Is(err, usage.ErrUsage) || !strings.Contains(err.Error(), "exactly one label") {
		t.Errorf("ig of several labels: %v", err)
	}
	testkit.Is(t, testkit.Err(rank.Several(t.Context(), c, rank.Options{Exact: true})), usage.ErrUsage,
		"exact without p-values")
}

// matches says that a text has the parts between the ".*" of a pattern, in order.
func matches(text, pattern string) bool {
	for part := range strings.SplitSeq(pattern, ".*") {
		_, after, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = after
	}
	return true
}

func TestNothingPasses(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:three", "b:one")
	least := 1e9
	for text, o := range map[string]selection.Options{
		`none of the 3 terms passes fdr 0.01; the least p-value is that of "two", 0.667`:     {Keep: selection.FDR(.01), By: rank.Options{Exact: true}},
		`none of the 3 terms passes min-score 1e+09; the largest value is that of "two", 3`:  {Keep: selection.AtLeast(least)},
		`none of the 3 terms passes min-score 1e+09; the largest value is that of "two", 3.`: {Keep: selection.AtLeast(least), PerClass: true},
		`none of the 2 terms passes fwe 0.001; the least p-value is that of "one", 0.773`:    {Keep: selection.FWE(.001), AlwaysDrop: []string{"two"}},
		`none of the 0 terms passes k 1`: {Keep: selection.Best(1), Among: &selection.Selection{Features: []selection.Feature{{Term: "four"}}}},
	} {
		_, err := selection.Select(t.Context(), c, o)
		testkit.Refused(t, err, selection.ErrNothingSelected, strings.TrimSuffix(text, "."), "want", text)
	}
}

func TestNoEnergy(t *testing.T) {
	_, err := selection.Select(t.Context(), enginetest.Build(t, "a:one two", "a:three"), selection.Options{Keep: selection.Energy(.5), AlwaysDrop: []string{"one"}})
	if want := `none of the 2 terms passes energy 0.5; the largest value is that of "three", 0`; !errors.Is(err, selection.ErrNothingSelected) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// With one class nothing can be associated: p is 1, and the message tells it.
func TestPValuesOfOneClass(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "a:three", "a:one")
	for _, by := range rank.WithPValues() {
		o := rank.Options{Measure: rank.Measure(by), PValues: true}
		for e := range enginetest.RankAll(t, c, o).All() {
			testkit.Equal(t, e.Log10P, 0, by, e)
		}
		if _, err := selection.Select(t.Context(), c, selection.Options{By: o, Keep: selection.FDR(.5)}); !errors.Is(err, selection.ErrNothingSelected) || !strings.Contains(err.Error(), ", 1") {
			t.Errorf("%s: %v", by, err)
		}
	}
}

func TestDropped(t *testing.T) {
	c := enginetest.Build(t, "a:xx xx pp qq", "a:xx pp", "a:xx qq rr", "b:yy rr", "b:yy ss", "b:ss tt")
	best := chosen(t, c, selection.Options{Keep: selection.Best(50)}).Features[0].Term
	for name, o := range map[string]selection.Options{
		"k": {Keep: selection.Best(3)}, "percentile": {Keep: selection.Percent(50)}, "energy": {Keep: selection.Energy(.6)}, "per document": {Keep: selection.PerDocument(1)}, "fpr": {Keep: selection.FPR(.9)},
		"round robin": {Keep: selection.Best(3), RoundRobin: true}, "per class": {Keep: selection.Best(2), PerClass: true},
	} {
		o.AlwaysDrop, o.AlwaysKeep = []string{best, "gone"}, []string{"gone", best}
		s := chosen(t, c, o)
		if got := terms(s); len(got) < 2 || o.Keep.String() == "k 3" && len(got) != 3 || slices.Contains(got, best) {
			t.Errorf("%s: %q", name, got)
		}
		testkit.Equal(t, s.Stages[0].Candidates, 6, name, s.Stages)
	}
}

func TestKeepComesLast(t *testing.T) {
	c := enginetest.Build(t, "a:xx xx pp qq", "a:xx pp", "a:xx qq rr", "b:yy rr", "b:yy ss", "b:ss tt")
	for name, o := range map[string]selection.Options{
		"k": {Keep: selection.Best(2)}, "round robin": {Keep: selection.Best(2), RoundRobin: true}, "per class": {Keep: selection.Best(1), PerClass: true}, "fdr": {Keep: selection.FDR(.9)},
	} {
		o.AlwaysKeep = []string{"tt", "nowhere", "pp"}
		s := chosen(t, c, o)
		got := terms(s)
		if n := len(got); n < 3 || got[n-2] != "tt" && got[n-1] != "tt" || slices.Contains(got, "nowhere") {
			t.Errorf("%s: %q", name, got)
		}
		if o.RoundRobin || o.PerClass {
			for _, f := range s.Features {
				if f.Term == "tt" && f.Class == "" {
					t.Errorf("%s: %+v", name, f)
				}
			}
		}
	}
}

func TestPercentileIsExact(t *testing.T) {
	var text strings.Builder
	for i := range 100 {
		text.WriteString(" w" + string(rune('a'+i/10)) + string(rune('a'+i%10)))
	}
	c := enginetest.Build(t, "a:"+text.String(), "b:waa")
	for p := 1; p <= 100; p++ {
		testkit.Equal(t, len(chosen(t, c, selection.Options{Keep: selection.Percent(float64(p))}).Features), p,
			"% of 100 terms")
	}
}

// What a file says comes back, also the p-values and the stages; files of before
// have neither.
func TestPValuesSurviveTheirFile(t *testing.T) {
	c := enginetest.Build(t, "a:xx xx pp qq", "a:xx pp", "a:xx qq rr", "b:yy rr", "b:yy ss", "b:ss tt")
	first := chosen(t, c, selection.Options{By: rank.Options{Measure: "ocfs", Weight: "ltc"}, Keep: selection.Energy(.99)})
	for _, o := range []selection.Options{
		{Keep: selection.FPR(.9), Among: first},
		{Keep: selection.FPR(.9), PerClass: true, By: rank.Options{Exact: true}},
		{Keep: selection.Best(3), By: rank.Options{Measure: "emi", Base: 2, PValues: true, Yates: true}, Among: first},
	} {
		s := chosen(t, c, o)
		var file bytes.Buffer
		testkit.OK(s.WriteTSV(&file))
		back, err := selection.Read(bytes.NewReader(file.Bytes()), "f.tsv")
		testkit.Is(testkit.Stop(t), err, nil, file.String())
		if !back.PValues || !slices.Equal(back.Features, s.Features) || len(back.Stages) != len(s.Stages) || back.Stages[len(back.Stages)-1].Test != s.Stages[len(s.Stages)-1].Test {
			t.Errorf("%+v\n%+v", back, s)
		}
		for from, to := range map[string]string{"\tlog10p\n": "\tlog2p\n", "\tdf\t": "\td.f.\t"} {
			if _, err := selection.Read(strings.NewReader(strings.Replace(unsealed(file.String()), from, to, 1)), "f.tsv"); !errors.Is(err, selection.ErrBadFeatures) {
				t.Errorf("%q: %v", to, err)
			}
		}
		text := unsealed(file.String())
		last := strings.LastIndexByte(text, '\t')
		for _, bad := range []string{"", "x", "NaN", "1", "0.5\t3"} {
			testkit.Is(t, testkit.Err(selection.Read(strings.NewReader(text[:last+1]+bad+"\n"), "f.tsv")),
				selection.ErrBadFeatures, "log10 p of", bad)
		}
	}
	var file bytes.Buffer
	testkit.OK(first.WriteTSV(&file))
	before, after, _ := strings.Cut(unsealed(file.String()), "#stages")
	_, after, _ = strings.Cut(after, "\n")
	old := testkit.Must(selection.Read(strings.NewReader(before+after), "old.tsv"))
	s := chosen(t, c, selection.Options{Keep: selection.Best(1), Among: old})
	if len(s.Stages) != 2 || s.Stages[0].Measure != "ocfs" || s.Stages[0].Terms != len(first.Features) {
		t.Errorf("%+v", s.Stages)
	}
	var again bytes.Buffer
	if err := old.WriteTSV(&again); err != nil || unsealed(again.String()) != before+after {
		t.Errorf("%v\n%s", err, again.String())
	}
}

func TestDoubts(t *testing.T) {
	c := enginetest.CorpusFrom(t, func(d int) (doc document.Document) {
		doc.Labels = []string{"many"}
		if d < 30 {
			doc.Labels[0] = "few"
		}
		doc.Features = append(doc.Features, document.Feature{Term: "half" + string(rune('0'+d%2)), Value: 2})
		if d < 3 {
			doc.Features = append(doc.Features, document.Feature{Term: "rare", Value: 1})
		}
		return doc
	}, 3000)
	for by, want := range map[string]string{
		"chi":      `1 of 3 terms have a cell with less than 5 documents expected.*log10 p is off by up to 59.8: "rare" has -65.9, by Fisher's exact test -6.0`,
		"g2":       `1 of 3 terms.*log10 p is off by`,
		"ig":       `1 of 3 terms have a cell with less than 5 documents expected`,
		"chitf":    `take the words of a text for independent draws`,
		"logoddsz": `take the words of a text for independent draws`,
		"ttest":    "", "anova": "",
	} {
		s := chosen(t, c, selection.Options{Keep: selection.Best(9), By: rank.Options{Measure: rank.Measure(by), PValues: true}})
		text := strings.Join(s.Warnings, "\n")
		_, text, _ = strings.Cut(text, "kept")
		if !matches(text, want) || want == "" && strings.TrimSpace(text) != "" {
			t.Errorf("%s: %q", by, text)
		}
		doubts, err := enginetest.RankAll(t, c, rank.Options{Measure: rank.Measure(by), PValues: true}).Reliability(t.Context(), 9)
		if err != nil || strings.Join(doubts, "\n") != strings.TrimSpace(text) {
			t.Errorf("%s: %q, %v", by, doubts, err)
		}
	}
	exact := chosen(t, c, selection.Options{Keep: selection.Best(2), By: rank.Options{PValues: true, Exact: true}})
	plain := chosen(t, c, selection.Options{Keep: selection.Best(2)})
	if len(exact.Warnings) > 0 || len(plain.Warnings) > 0 || plain.PValues || plain.Features[0].Log10P != 0 {
		t.Errorf("%q, %q", exact.Warnings, plain.Warnings)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(enginetest.RankAll(t, c, rank.Options{PValues: true}).Reliability(ctx, 3)),
		context.Canceled, "cancelled")
}

// A selection has the warnings of its ranking, once.
func TestWarningsOfTheRanking(t *testing.T) {
	for _, perClass := range []bool{false, true} {
		s := chosen(t, enginetest.Build(t, "a:one two", "a:three"), selection.Options{Keep: selection.Best(1), PerClass: perClass})
		testkit.Equal(t, strings.Count(strings.Join(s.Warnings, "\n"), "there is one class only (a)"), 1, "per class",
			perClass)
	}
}

func TestPrunedSharesAreTold(t *testing.T) {
	c := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one two", "b:one three", "b:three"), corpus.Options{MinDF: 2}))
	s := chosen(t, c, selection.Options{Keep: selection.FDR(.99)})
	testkit.Contains(t, strings.Join(s.Warnings, "\n"), "fdr is of the others", s.Warnings)
	testkit.Equal(t, len(chosen(t, c, selection.Options{Keep: selection.Best(1)}).Warnings), 0)
	whole := enginetest.Build(t, "a:one two", "b:one three", "b:three")
	for _, keep := range []selection.Criterion{selection.Percent(50), selection.Energy(.5)} {
		testkit.Equal(t, len(chosen(t, whole, selection.Options{Keep: keep}).Warnings), 0, keep, "of all terms")
	}
}
