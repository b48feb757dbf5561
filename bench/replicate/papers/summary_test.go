package papers

import "testing"

func TestCite(t *testing.T) {
	for paper, want := range map[string]string{
		"Wang, Zhang and Lv, Selection, CIKM 2012": "Wang et al. 2012",
		"Yan":                         "Yan",
		"Li, Sun, 1999, printed 2001": "Li et al. 2001",
	} {
		if got := Cite(paper); got != want {
			t.Errorf("%q: %q, want %q", paper, got, want)
		}
	}
}

// A claim is counted once, by what became of its cases.
func TestTally(t *testing.T) {
	var all, some, none, empty Verdict
	all.Add(true, "", "a")
	some.Append(&all)
	none.Add(false, "", "b")
	some.Append(&none)
	var outcomes []Outcome
	for _, v := range []*Verdict{&all, &some, &some, &none, &empty} {
		outcomes = append(outcomes, NewOutcome("a claim", "", "", v))
	}
	got := Summarise("Yan", "", outcomes)
	if want := (Tally{1, 2, 1, 1}); got.Tally != want || got.Claims() != 5 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Outcomes[1].Short != "in part, 1 of 2" || got.Outcomes[3].Short != "does not hold" {
		t.Errorf("%+v", got.Outcomes)
	}
}
