package selection_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
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

// A selectionCase is a corpus as an index file has it, and its statistics as their file
// has them.
type selectionCase struct {
	index *corpus.Corpus
	stats *table.Table
}

func newSelectionCase(t *testing.T, c *corpus.Corpus) selectionCase {
	t.Helper()
	var file bytes.Buffer
	testkit.Must(corpus.WriteStatistics(&file, testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))))
	return selectionCase{
		testkit.Must(corpus.Decode(enginetest.BytesOf(t, c))), testkit.Must(corpus.DecodeStatistics(file.Bytes())),
	}
}

// features returns the features file of a selection, which survives being read, or its error.
func features(t *testing.T, c rank.Counted, o selection.Options) string {
	s, err := selection.Select(t.Context(), c, o)
	if err == nil && o.By.Measure == rank.Chi {
		s, err = s.WithFactors(t.Context(), c, 1, "tf-rf", "tf-ig-unit", "delta-idf")
	}
	if err != nil {
		return "error: " + err.Error()
	}
	var file, again bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	testkit.OK(testkit.Must(selection.Read(bytes.NewReader(file.Bytes()), "features.tsv")).WriteTSV(&again))
	testkit.EqualSlices(t, again.Bytes(), file.Bytes(), o, "the file is read and written")
	return file.String()
}

// agree demands the same features file of the index and of the statistics.
func (s selectionCase) agree(t *testing.T, o selection.Options) {
	t.Helper()
	got, want := features(t, s.stats, o), features(t, s.index, o)
	testkit.Equal(testkit.Stop(t), got, want, o.By, "keep", o.Keep, "the statistics", "and the index")
}

// needsCorpus reports whether a scoring reads sums that statistics have not.
func needsCorpus(o rank.Options) bool {
	return o.Measure == rank.OCFS && o.Weight != "" && o.Weight != "tf" && o.Weight != "binary"
}

// A selection from the file of statistics is, byte for byte, that from the index: by every
// measure and combination, on random corpora.
func TestEverySelectionIsThatOfStatistics(t *testing.T) {
	enginetest.Rounds{All: 4, Large: 1}.Each(t, func(t *testing.T, r *rand.Rand, c naive.Corpus) {
		s := newSelectionCase(t, enginetest.CorpusOf(t, c))
		for _, o := range enginetest.EveryScoring(1) {
			if !needsCorpus(o) {
				s.agree(t, selection.Options{By: o, Keep: selection.Best(1 + r.IntN(20))})
			}
		}
		for _, keep := range []selection.Criterion{
			selection.Percent(100 * r.Float64()), selection.AtLeast(r.Float64()), selection.Energy(.01 + .99*r.Float64()), selection.FPR(.1), selection.FDR(.2), selection.FWE(.3),
		} {
			s.agree(t, selection.Options{Keep: keep})
		}
		few := selection.Best(1 + r.IntN(5))
		s.agree(t, selection.Options{By: rank.Options{Measure: rank.TTest}, Keep: few, PerClass: true})
		s.agree(t, selection.Options{By: rank.Options{Measure: rank.G2}, Keep: few, RoundRobin: true})
		if s.index.Terms() > 0 {
			s.agree(t, selection.Options{Keep: few, AlwaysKeep: []string{s.index.Term(r.IntN(s.index.Terms()))}, AlwaysDrop: []string{s.index.Term(0)}})
		}
		if among, err := selection.Select(t.Context(), s.stats, selection.Options{Keep: selection.Best(10)}); err == nil {
			s.agree(t, selection.Options{By: rank.Options{Measure: rank.IG}, Keep: few, Among: among})
		}
	})
}

// The same of every way to analyse text, and of real values.
func TestEverySelectionOfAnalysesIsThatOfStatistics(t *testing.T) {
	for name, v := range enginetest.Variants() {
		s := newSelectionCase(t, testkit.Must(corpus.Build(t.Context(), enginetest.Stream(v.Docs), v.Opt)))
		testkit.Equal(t, s.stats.Real(), name == "real", name, "real")
		for _, m := range rank.KnownMeasures() {
			s.agree(t, selection.Options{By: rank.Options{Measure: rank.Measure(m.Name)}, Keep: selection.Best(30)})
		}
	}
}

// What needs documents, or more than the counts, is a usage error that says so.
func TestStatisticsAreNotEnough(t *testing.T) {
	s := newSelectionCase(t, enginetest.Build(t, "a:one two", "b:three one", "b:two four"))
	for name, o := range map[string]selection.Options{
		"statistics know no documents": {Keep: selection.PerDocument(1)},
		"no sums of weighting ltc":     {By: rank.Options{Measure: rank.OCFS, Weight: "ltc"}, Keep: selection.Best(1)},
	} {
		_, err := selection.Select(t.Context(), s.stats, o)
		if !errors.Is(err, usage.ErrUsage) || !bytes.Contains([]byte(err.Error()), []byte(name)) {
			t.Errorf("%s: %v", name, err)
		}
		testkit.Is(t, testkit.Err(selection.Select(t.Context(), s.index, o)), nil, name, "on the index")
	}
	for _, missing := range []rank.Counted{nil, (*corpus.Corpus)(nil), (*table.Table)(nil)} {
		testkit.Is(t, testkit.Err(selection.Select(t.Context(), missing, selection.Options{Keep: selection.Best(1)})),
			usage.ErrUsage, missing)
	}
}
