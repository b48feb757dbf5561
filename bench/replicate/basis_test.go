package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// unlike are figures that differ in one thing each.
var unlike = func() Figures {
	base := Basis{Unit: "micro-F1", Decisions: eachClass, Scope: "10 documents"}
	f := Figures{}
	f.set(base, 1, "f1 x")
	f.set(base, 2, "f1 y")
	for name, change := range map[string]func(b *Basis){
		"unit":      func(b *Basis) { b.Unit = "macro-F1" },
		"decisions": func(b *Basis) { b.Decisions = mostLikely },
		"scope":     func(b *Basis) { b.Scope = "20 documents" },
		"work":      func(b *Basis) { b.Work = "training" },
	} {
		b := base
		change(&b)
		f.set(b, 1, name, "x")
		f.set(b, 2, name, "y")
	}
	return f
}()

// A verdict over figures of other decisions, scopes, units or work is an error, however
// they meet in the claim.
func TestNoVerdictOverUnlikeFigures(t *testing.T) {
	for _, other := range []string{"unit", "decisions", "scope", "work"} {
		for _, r := range []Rule{
			{Left: "[f1 x]", Op: "<", Right: "[" + other + " x]"},
			{Left: "[f1 x]", Op: "<", Right: "[" + other + " x] + 2"},
			{Left: "[" + other + " x] / 10", Op: "<", Right: "[f1 x]"},
			{Left: "max([f1 x], [" + other + " x])", Op: "<", Right: "3"},
			{Left: "max([f1|" + other + " x])", Op: "<", Right: "3"},
			{Left: "apart([f1 x], [" + other + " x])", Op: "<", Right: "3"},
			{Left: "[f1 x] - [" + other + " x]", Op: "<", Right: "3"},
			{Left: "[f1 x] / [" + other + " x]", Op: "<", Right: "3"},
			{Left: "trend([* x])", Op: "<", Right: "3"},
			{Each: []string{"a: f1 " + other}, Left: "[{a} x]", Op: "<", Right: "[f1 y]"},
		} {
			c := Claim{Rules: []Rule{r}}
			if o, err := lab.TryOf(func() Outcome { return c.judge(unlike, 0) }); !errors.Is(err, errUnlike) {
				t.Errorf("%s: %+v, %v", r.String(), o, err)
			}
		}
	}
}

// One claim has one way to decide and one scope, also where each case is compared with
// a constant, and in what it says was measured.
func TestAClaimHasOneScope(t *testing.T) {
	for other, refused := range map[string]bool{"unit": false, "decisions": true, "scope": true, "work": false} {
		for _, c := range []Claim{
			{Rules: []Rule{{Each: []string{"a: f1 " + other}, Left: "[{a} x]", Op: "<", Right: "2"}}},
			{Rules: []Rule{{Each: []string{"a: f1 " + other}, Left: "[{a} x]", Op: "<", Right: "[{a} y]"}}},
			{Measured: "{{[" + other + " x]}}", Rules: []Rule{{Left: "[f1 x]", Op: "<", Right: "2"}}},
		} {
			if o, err := lab.TryOf(func() Outcome { return c.judge(unlike, 0) }); errors.Is(err, errUnlike) != refused {
				t.Errorf("%s: %+v: %+v, %v", other, c, o, err)
			}
		}
	}
	table := Table{Rows: "a: f1 scope", Columns: "b: x y", Cell: "[{a} {b}]"}
	if err := lab.Try(func() { table.Grid(unlike) }); !errors.Is(err, errUnlike) {
		t.Errorf("a table of two scopes: %v", err)
	}
	table.Rows = "a: f1 unit"
	if caption, err := lab.TryOf(func() string { _, caption := table.Grid(unlike); return caption }); err != nil || caption != "Every class is decided about by itself; 10 documents." {
		t.Errorf("%q, %v", caption, err)
	}
}

// Times of several steps may be added where both sides have the same steps.
func TestSumsOfSteps(t *testing.T) {
	c := Claim{Rules: []Rule{{Left: "[f1 x] + [work x]", Op: "<", Right: "([f1 y] + [work y]) / 1"}}}
	if o, err := lab.TryOf(func() Outcome { return c.judge(unlike, 0) }); err != nil || o.Verdict != "holds" {
		t.Errorf("%+v, %v", o, err)
	}
	c.Rules[0].Right = "[work y]"
	if o, err := lab.TryOf(func() Outcome { return c.judge(unlike, 0) }); !errors.Is(err, errUnlike) {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestFiguresInJSON(t *testing.T) {
	data, err := json.Marshal(unlike)
	if err != nil {
		t.Fatal(err)
	}
	var got Figures
	if err := json.Unmarshal(data, &got); err != nil || !maps.Equal(got, unlike) {
		t.Errorf("%s: %+v, %v", data, got, err)
	}
	if err := json.Unmarshal([]byte(`{"main knn chi 10 micro": 1}`), &got); err == nil || !strings.Contains(err.Error(), "measure again") {
		t.Errorf("figures that do not say what they are of: %v", err)
	}
}

// Every F1 of the raw results says how it was decided and over what, every time what it
// is that of.
func TestResultsHaveBases(t *testing.T) {
	all, err := lab.TryOf(func() []*Protocol { return All() })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		data, err := os.ReadFile(filepath.Join("..", "results", "replicate-"+p.Name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Results Results }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		for name, f := range file.Results.Figures {
			b := f.Basis
			if b.Unit == "" || strings.Contains(b.Unit, "F1") && (b.Decisions == "" || b.Scope == "") || strings.Contains(b.Unit, "CPU") && b.Work == "" {
				t.Errorf("%s: %s: %+v", p.Name, name, b)
			}
		}
	}
}

// What is said of filters is said of local and of global ones: both are in the tables.
func TestClaimsOnFilters(t *testing.T) {
	filters := regexp.MustCompile(`\bfilters?\b`)
	for _, name := range []string{"bt-20ng", "bt-reuters"} {
		p := find(t, name)
		for _, c := range p.Claims {
			if !filters.MatchString(c.Claim) || strings.Contains(c.Claim, "the local filter with") {
				continue
			}
			text := ""
			for _, r := range c.Rules {
				text += r.String() + "\n"
			}
			if !strings.Contains(text, "local") || !strings.Contains(text, "global") {
				t.Errorf("%s: claim %q leaves out one kind of filter: %s", name, c.Claim, text)
			}
		}
	}
}
