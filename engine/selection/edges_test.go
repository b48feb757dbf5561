package selection_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/selection"
)

// A features file tells how its terms were selected: every option that affects it.
func TestStagesTellTheirOptions(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy yy", "a:xx ww", "b:zz xx", "b:zz ww", "c:vv")
	for want, o := range map[string]selection.Options{
		`"measure":"mi","combine":"max","criterion":"k 2","base":2,`:                 {By: rank.Options{Measure: rank.MI, Base: 2}},
		`"measure":"rs","combine":"avg","criterion":"k 2","rs-d":0.5,`:               {By: rank.Options{Measure: rank.RS, RSD: .5, Combine: rank.Avg}},
		`"measure":"ttest","combine":"max","criterion":"k 2","signed":true,`:         {By: rank.Options{Measure: rank.TTest, Signed: true}},
		`"measure":"chi","combine":"max","criterion":"k 2","yates":true,`:            {By: rank.Options{Measure: rank.Chi, Yates: true}},
		`"measure":"chi","combine":"max","criterion":"k 2","positive":true,`:         {By: rank.Options{Measure: rank.Chi, Positive: true}},
		`"measure":"g2tf","combine":"max","criterion":"k 2","candidates":5,`:         {By: rank.Options{Measure: rank.G2TF}},
		`"measure":"ocfs","combine":"global","criterion":"k 2","weight":"binary",`:   {By: rank.Options{Measure: rank.OCFS, Weight: "binary"}},
		`"measure":"chi","combine":"max","criterion":"k 2","candidates":5,`:          {By: rank.Options{Measure: rank.Chi, Weight: "binary"}},
		`"measure":"chi","combine":"class","criterion":"k 2","quota":"per-class",`:   {PerClass: true},
		`"measure":"chi","combine":"class","criterion":"k 2","quota":"round-robin",`: {RoundRobin: true},
	} {
		o.Keep = selection.Best(2)
		var file bytes.Buffer
		testkit.OK(testkit.Must(selection.Select(t.Context(), c, o)).WriteTSV(&file))
		testkit.Contains(t, file.String(), want, "is not in")
	}
}

// A term of AlwaysKeep is there once, however often it is given and whether its value keeps it, too. Its
// entry is that of its largest value.
func TestAlwaysKeptOnce(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy", "a:xx", "b:zz yy", "b:zz", "c:yy vv")
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(1), PerClass: true, AlwaysKeep: []string{"zz", "yy", "yy", "zz"}}))
	var got []string
	for i, f := range s.Features {
		if got = append(got, f.Term); f.Rank != i+1 {
			t.Errorf("%s has the rank %d", f.Term, f.Rank)
		}
	}
	testkit.Equal(t, fmt.Sprint(got), "[xx zz vv yy]", "selected")
	largest, yy := 0., s.Features[len(s.Features)-1]
	for e := range testkit.All(rank.Cells(t.Context(), c, rank.Options{})) {
		if e.Term == "yy" {
			largest = max(largest, e.Value)
		}
	}
	testkit.Equal(t, yy.Score, largest, "yy has the score")
	// Of classes with the same value it is that of the first, and a value below 0 counts, too.
	two := enginetest.Build(t, "a:xx yy", "a:xx", "b:zz", "b:zz yy yy")
	for _, by := range []rank.Options{{Measure: rank.Chi}, {Measure: rank.MI}, {Measure: rank.NGL}} {
		s := testkit.Must(selection.Select(t.Context(), two, selection.Options{By: by, Keep: selection.Best(1), PerClass: true, AlwaysKeep: []string{"yy"}}))
		if last := s.Features[len(s.Features)-1]; last.Term != "yy" || last.Class != "a" {
			t.Errorf("by %s: %+v", by.Measure, last)
		}
	}
}

// A number of terms that a trial found stands in a copy, with the last stage.
func TestTrialIsRecorded(t *testing.T) {
	c := enginetest.Build(t, "a:xx yy", "b:zz", "b:xx")
	first := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(3)}))
	s := testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(2), Among: first}))
	with := s.WithTrial(selection.Trial{Classifier: "svm", Folds: 3})
	if s.Stages[1].Trial != nil || len(with.Stages) != 2 || with.Stages[0].Trial != nil || with.Stages[1].Trial == nil || with.Stages[1].Trial.Folds != 3 {
		t.Errorf("%+v, from %+v", with.Stages, s.Stages)
	}
}

// Number replaces the features of a selection.
func TestNumber(t *testing.T) {
	var s selection.Selection
	for _, terms := range [][]string{{"xx", "yy"}, {"zz"}} {
		var entries []rank.Entry
		for _, term := range terms {
			entries = append(entries, rank.Entry{Term: term})
		}
		s.Number(entries)
		for i, f := range s.Features {
			if len(s.Features) != len(terms) || f.Term != terms[i] || f.Rank != i+1 {
				t.Errorf("%+v, want %q", s.Features, terms)
			}
		}
	}
}

// Each line of a features file is checked, and the error names the line.
func TestLinesOfFeatures(t *testing.T) {
	s := testkit.Must(selection.Select(t.Context(), enginetest.Build(t, "a:xx yy", "b:zz", "b:xx"), selection.Options{Keep: selection.Best(3)}))
	var file bytes.Buffer
	testkit.OK(s.WriteTSV(&file))
	lines := strings.Split(file.String(), "\n")
	at := 0
	for lines[at] == "" || lines[at][0] == '#' {
		at++
	}
	second := strings.Split(lines[at+2], "\t")
	for column, values := range map[int][]string{0: {"1", "3", "x"}, 1: {strings.Split(lines[at+1], "\t")[1]}, 2: {"x", "NaN"}, 3: {"0", "-1", "x"}, 5: {"x", "-1"}, 6: {"x", "-1"}} {
		for _, value := range values {
			fields := append([]string(nil), second...)
			fields[column] = value
			changed := append([]string(nil), lines...)
			changed[at+2] = strings.Join(fields, "\t")
			text := strings.Join(changed, "\n")
			_, err := selection.Read(strings.NewReader(withoutSeal(text)), "f.tsv")
			if want := fmt.Sprintf("f.tsv:%d: ", strings.Count(withoutSeal(text)[:strings.Index(withoutSeal(text), changed[at+2])], "\n")+1); !errors.Is(err, selection.ErrBadFeatures) || !strings.HasPrefix(fmt.Sprint(err), want) {
				t.Errorf("column %d, %q: %v, want %s", column, value, err, want)
			}
		}
	}
}

// withoutSeal returns a features file as somebody wrote it by hand.
func withoutSeal(text string) string {
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "#seal") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}
