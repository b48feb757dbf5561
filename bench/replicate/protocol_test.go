package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/document"
)

// Every protocol is complete: its figures are there, each claim has a rule or says why
// it cannot be checked, every figure of the tables was measured.
func TestProtocolsAndTheirResults(t *testing.T) {
	all, err := lab.TryOf(func() []*Protocol { return All() })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if !slices.Contains(order, p.Name) {
			t.Errorf("%s has no place in the order", p.Name)
		}
		for _, c := range p.Claims {
			if (len(c.Rules) > 0) == (c.Unchecked != "") {
				t.Errorf("%s: claim %q: a rule, or why there is none", p.Name, c.Claim)
			}
		}
		data, err := os.ReadFile(filepath.Join("..", "results", "replicate-"+p.Name+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var file struct{ Results Results }
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		if err := lab.Try(func() { p.Report(&file.Results) }); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// find gives the protocol of a name.
func find(t *testing.T, name string) *Protocol {
	t.Helper()
	all, err := lab.TryOf(func() []*Protocol { return All() })
	if err != nil {
		t.Fatal(err)
	}
	return all[slices.IndexFunc(all, func(p *Protocol) bool { return p.Name == name })]
}

// A change leaves what it is made from as it was, slices too.
func TestChanged(t *testing.T) {
	base := Step{Methods: []string{"chi"}, P: []float64{.5}, Weight: "ltc"}
	got, err := lab.TryOf(func() Step { return changed(base, json.RawMessage(`{"methods": ["ig"], "p": [1]}`)) })
	if err != nil || got.Methods[0] != "ig" || got.P[0] != 1 || got.Weight != "ltc" {
		t.Errorf("%+v, %v", got, err)
	}
	if base.Methods[0] != "chi" || base.P[0] != .5 {
		t.Errorf("the base became %+v", base)
	}
	recipe := Recipe{File: "f"}
	recipe.Analysis.Stem, recipe.Analysis.Stop = "porter", "smart"
	r, err := lab.TryOf(func() Recipe { return recipe.with(json.RawMessage(`{"analysis": {"stop": "none"}}`)) })
	if err != nil || r.Analysis.Stem != "porter" || r.Analysis.Stop != "none" {
		t.Errorf("%+v, %v", r, err)
	}
	if err := lab.Try(func() { recipe.with(json.RawMessage(`{"stem": "none"}`)) }); err == nil {
		t.Error("an unknown key is no error")
	}
}

func labelled(labels ...string) document.Stream {
	return func(yield func(document.Document, error) bool) {
		for _, l := range labels {
			if !yield(document.Document{Labels: strings.Split(l, " ")}, nil) {
				return
			}
		}
	}
}

func TestMerged(t *testing.T) {
	var got []string
	for d, err := range merged(labelled("1", "2 9", "3 1", "9"), []Merged{{"A", []string{"1"}}, {"B", []string{"2", "3"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.Join(d.Labels, " "))
	}
	if want := []string{"A", "B", "A"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// About the share is mislabelled, never with the right class, the same in every run.
func TestMislabelled(t *testing.T) {
	labels := slices.Repeat([]string{"a", "b", "c"}, 2000)
	run := func() (got []string) {
		for d := range mislabelled(labelled(labels...), []string{"a", "b", "c"}, .3) {
			got = append(got, d.Labels[0])
		}
		return got
	}
	got, wrong := run(), 0
	for i := range got {
		if got[i] != labels[i] {
			wrong++
		}
	}
	if share := float64(wrong) / float64(len(labels)); share < .27 || share > .33 {
		t.Errorf("share %v", share)
	}
	if !slices.Equal(got, run()) {
		t.Error("another run mislabels others")
	}
}

// The formula of OCFS by hand: the third and the fourth column, not the
// third and the first.
func TestIris(t *testing.T) {
	p := find(t, "iris")
	r, err := lab.TryOf(func() *Results { return p.Run(t.Context(), filepath.Dir(lab.Corpus(t, "iris.data")), func(string) {}) })
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"iris value ocfs@tf 1": 474091. / 1125000, "iris value ocfs@tf 2": 2287. / 31250,
		"iris value ocfs@tf 3": 818707. / 281250, "iris value ocfs@tf 4": 604531. / 1125000,
	} {
		if got := r.Figures[name].Value; got < want*(1-1e-12) || got > want*(1+1e-12) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	outcomes, err := lab.TryOf(func() []Outcome { return p.Judge(r.Figures) })
	if err != nil || outcomes[0].Verdict != "does not hold" {
		t.Errorf("%+v, %v", outcomes, err)
	}
}

// R52 with kNN and 4,000 terms by the t-test: the paper's 89.8 % within two points.
func TestReuters52(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: it reads Reuters-21578 and classifies 2,568 documents twice")
	}
	p := find(t, "ttest-reuters")
	p.Steps = []Step{{
		Kind: "grid", Name: "main", Corpus: "r52", Weight: "ltc", Methods: []string{"ttest:avg", "ttest:max"},
		Features: []int{4000}, Classifiers: []string{"knn = knn:k=10"},
	}}
	p.Sensitivity = nil
	r, err := lab.TryOf(func() *Results {
		return p.Run(t.Context(), filepath.Dir(lab.Corpus(t, "reuters21578.tar.gz")), func(string) {})
	})
	if err != nil {
		t.Fatal(err)
	}
	if train, test := r.Figures["main documents train"].Value, r.Figures["main documents test"].Value; train != 6532 || test != 2568 {
		t.Errorf("%v and %v documents", train, test)
	}
	avg, most := r.Figures["main knn ttest:avg 4000 micro"].Value, r.Figures["main knn ttest:max 4000 micro"].Value
	if (avg < 87.8 || avg > 91.8) && (most < 87.8 || most > 91.8) {
		t.Errorf("micro-F1 %v by average, %v by maximum", avg, most)
	}
}
