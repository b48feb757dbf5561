package selection_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// signedSums are the combinations under which signed t values may be inf - inf.
var signedSums = []rank.Combination{rank.Sum, rank.Avg, rank.Mean}

// halfDefined has two terms that are alike within their classes, so that their signed t values are inf
// and -inf, and one of which every value is finite.
func halfDefined(t *testing.T) *corpus.Corpus {
	t.Helper()
	return enginetest.Build(t, "a:two two some", "a:two two", "b:two one some some", "b:two one some")
}

// A term whose value is inf - inf ranks last, with a warning, and no criterion keeps it.
func TestUndefinedValuesAreNotSelected(t *testing.T) {
	c := halfDefined(t)
	for _, combine := range signedSums {
		by := rank.Options{Measure: rank.TTest, Signed: true, Combine: combine}
		r := enginetest.RankAll(t, c, by)
		if top := r.Top(3); top[0].Term != "some" || math.IsNaN(top[0].Value) || !math.IsNaN(top[1].Value) || r.Undefined() != 2 ||
			!strings.Contains(strings.Join(r.Warnings, " "), "2 terms have an undefined value") {
			t.Errorf("%s: %+v, %q", combine, top, r.Warnings)
		}
		for _, keep := range []selection.Criterion{
			selection.Best(1), selection.Best(2), selection.Best(9), selection.Percent(100), selection.AtLeast(math.Inf(-1)), selection.PerDocument(3),
		} {
			s := testkit.Must(selection.Select(t.Context(), c, selection.Options{By: by, Keep: keep}))
			if len(s.Features) != 1 || s.Features[0].Term != "some" || !sameFile(t, s) {
				t.Errorf("%s, %s: %+v", combine, keep, s.Features)
			}
			few := strings.Contains(strings.Join(s.Warnings, " "), "more than the 1 terms whose value is defined")
			testkit.Equal(t, few, keep.String() == "k 2" || keep.String() == "k 9", combine, keep, "warnings",
				s.Warnings)
		}
	}
}

// Where no value is defined, nothing is selected, and the error says why.
func TestAllValuesAreUndefined(t *testing.T) {
	c := enginetest.Build(t, "a:two two one", "b:two two two two two")
	by := rank.Options{Measure: rank.TTest, Signed: true, Combine: rank.Sum}
	_, err := selection.Select(t.Context(), c, selection.Options{By: by, Keep: selection.Best(3)})
	testkit.Refused(t, err, selection.ErrNothingSelected,
		"none of the 2 terms passes k 3; the value of each is undefined")
	s, err := selection.Select(t.Context(), c, selection.Options{By: by, Keep: selection.Best(3), AlwaysKeep: []string{"one"}})
	if err != nil || len(s.Features) != 1 || !math.IsInf(s.Features[0].Score, -1) || !sameFile(t, s) {
		t.Errorf("always kept: %+v, %v", s, err)
	}
}

// A features file holds no undefined score: none is written, and none is read.
func TestUndefinedScoresAreNoFeatures(t *testing.T) {
	s := testkit.Must(selection.Select(t.Context(), halfDefined(t), selection.Options{Keep: selection.Best(1)}))
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	seal := file.String()
	line := seal[strings.Index(seal, "\n1\t"):]
	score := strings.Split(line, "\t")[2]
	for _, undefined := range []string{"null", "NaN"} {
		changed := strings.Replace(seal, line, strings.Replace(line, "\t"+score+"\t", "\t"+undefined+"\t", 1), 1)
		testkit.Refused(t, testkit.Err(selection.Read(strings.NewReader(unsealed(changed)), "f.tsv")), selection.ErrBadFeatures,
			"is undefined", undefined)
	}
	s.Features[0].Score = math.NaN()
	testkit.Says(t, s.WriteTSV(&bytes.Buffer{}), "is undefined")
}

// sameFile reports whether a selection is read from its file as it was written.
func sameFile(t *testing.T, s *selection.Selection) bool {
	t.Helper()
	var file, again bytes.Buffer
	if err := s.WriteTSV(&file); err != nil {
		t.Error(err)
		return false
	}
	read, err := selection.Read(bytes.NewReader(file.Bytes()), "f.tsv")
	if err != nil {
		t.Error(err)
		return false
	}
	return read.WriteTSV(&again) == nil && bytes.Equal(file.Bytes(), again.Bytes())
}

// Where no class has more of any term than all documents have, the error of a positive selection says so.
func TestNoClassHasMore(t *testing.T) {
	c := enginetest.Build(t, "a:one two", "b:one two")
	_, err := selection.Select(t.Context(), c, selection.Options{By: rank.Options{Measure: rank.Chi, Positive: true}, Keep: selection.Best(1)})
	testkit.Refused(t, err, selection.ErrNothingSelected,
		"none of the 2 terms passes k 1; no class has more of any of them than all documents have: take values of both signs")
}
