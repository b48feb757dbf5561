package main

import (
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		claim Claim
		want  Outcome
	}{
		{
			Claim{Rules: []Rule{{Left: "[a x 2 f]", Op: "<", Right: "[a y 2 f]"}}},
			Outcome{Rule: "[a x 2 f] < [a y 2 f]", Measured: "left less right: -4 to -4", Verdict: "holds", Short: "holds", kind: holds},
		},
		{
			Claim{Measured: "{{[a x 2 f]}}", Paper: "2", Rules: []Rule{{Left: "[a x 2 f]", Op: "=", Right: "2"}}},
			Outcome{Rule: "[a x 2 f] = 2", Measured: "1", Paper: "2", Verdict: "does not hold", Short: "does not hold", kind: fails},
		},
		{
			Claim{Rules: []Rule{{Each: []string{"k: 2 10", "m: x y"}, Left: "[a {m} {k} f]", Op: ">=", Right: "3"}}},
			Outcome{
				Rule:     "[a {m} {k} f] >= 3 for each k: 2 10, each m: x y",
				Measured: "left less right: -4 to 2", Verdict: "in part, 2 of 4; at 2 not for x; at 10 not for y", Short: "in part, 2 of 4", kind: inPart,
			},
		},
		{Claim{Unchecked: "lost"}, Outcome{Verdict: "cannot be checked: lost", Short: "cannot be checked"}},
	} {
		if got, err := lab.TryOf(func() Outcome { return c.claim.judge(someFigures, 0) }); err != nil || got != c.want {
			t.Errorf("%+v, %v; want %+v", got, err, c.want)
		}
	}
}

// A rule that asks for what was not measured is an error, not a verdict.
func TestJudgeErrors(t *testing.T) {
	for _, r := range []Rule{{Left: "[b]", Op: "<", Right: "1"}, {Left: "1", Op: "<", Right: "[b]"}, {Left: "1", Op: "!", Right: "1"}} {
		c := Claim{Rules: []Rule{r}}
		if o, err := lab.TryOf(func() Outcome { return c.judge(someFigures, 0) }); err == nil {
			t.Errorf("%+v: %+v", r, o)
		}
	}
}

func TestGrid(t *testing.T) {
	table := Table{Title: "F", Rows: "k: 2 all 99", Columns: "m: x y", Cell: "[a {m} {k} f]", Digits: 1}
	got, err := lab.TryOf(func() *lab.Table { table, _ := table.Grid(someFigures); return table })
	if err != nil {
		t.Fatal(err)
	}
	if want := "| k | x | y |\n|---|--:|--:|\n| 2 | 1.0 | 5.0 |\n| all | 2.0 | 0.0 |\n| 99 |  |  |"; got.String() != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	table.Cell = "[c {m} {k} f]"
	if err := lab.Try(func() { table.Grid(someFigures) }); err == nil {
		t.Error("a table without any figure is no error")
	}
}
