package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
	"github.com/termsift/termsift/engine/bestterms"
)

func TestOverlap(t *testing.T) {
	terms := func(s string) (out []bestterms.Term) {
		for _, r := range s {
			out = append(out, bestterms.Term{Term: string(r)})
		}
		return out
	}
	for _, c := range []struct {
		a, b    string
		equal   bool
		jaccard float64
	}{
		{"", "", true, 1}, {"abc", "cab", true, 1}, {"abc", "bcd", false, .5}, {"a", "", false, 0},
	} {
		if o := overlapOf(terms(c.a), terms(c.b)); o.equal() != c.equal || o.jaccard() != c.jaccard {
			t.Errorf("%q, %q: %+v", c.a, c.b, o)
		}
	}
}

// The document is written from raw files, and -check finds what was changed by hand.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "REPLICATION.md")
	call := func(more ...string) (int, string) {
		var stderr bytes.Buffer
		code := run(t.Context(), append(more, "-results", dir, "-out", out), io.Discard, &stderr)
		return code, stderr.String()
	}
	if code, said := call(); code != 2 || !strings.Contains(said, "measure part ttest-reuters with -data first") {
		t.Errorf("%d: %s", code, said)
	}
	page, err := os.ReadFile("../../REPLICATION.md")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, page, 0o666); err != nil {
		t.Fatal(err)
	}
	copyRaw(t, dir)
	for _, args := range [][]string{nil, {"-check"}} {
		if code, said := call(args...); code != 0 {
			t.Fatalf("%v: %d: %s", args, code, said)
		}
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, bytes.Replace(written, []byte("| holds |"), []byte("| HOLDS |"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, said := call("-check"); code != 1 || !strings.Contains(said, "REPLICATION.md:") {
		t.Errorf("%d: %s", code, said)
	}
}

// copyRaw copies the raw files of all parts.
func copyRaw(t *testing.T, to string) {
	t.Helper()
	protocols, err := lab.TryOf(func() []*Protocol { return All() })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range protocols {
		data, err := os.ReadFile(p.rawPath("../results"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p.rawPath(to), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-y"}, {"-only", "("}, {"-only", "bestterms"}, {"-check", "-data", "x"}, {"-data", "x", "-only", "nothing"}, {"-html", "x"}, {"iris", "iris"}, {"iris", "-check"}} {
		if code := run(t.Context(), args, io.Discard, io.Discard); code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
	if code := run(t.Context(), []string{"-h"}, io.Discard, io.Discard); code != 0 {
		t.Errorf("-h: exit code %d", code)
	}
}

// The collections are those of the paper, as far as they are to be had; DIA and MI choose the same.
func TestBestTermsOnCollections(t *testing.T) {
	p := find(t, "bestterms")
	for i := range p.Steps {
		p.Steps[i].Functions, p.Steps[i].P, p.Steps[i].Pairs = []string{"dia", "mi"}, []float64{.5}, []string{"dia mi"}
	}
	r, err := lab.TryOf(func() *Results {
		return p.Run(t.Context(), filepath.Dir(lab.Corpus(t, "reuters21578.tar.gz")), func(string) {})
	})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := lab.TryOf(func() *record { return p.recorded("../results") })
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"reuters-max documents train": 9603, "reuters-max classes train": 90, "reuters-max members train": 9585, "reuters-max dia mi 0.5 identical": 90,
		"20ng-max documents train": 11314, "20ng-max classes train": 20, "20ng-max members train": 11314, "20ng-max dia mi 0.5 identical": 20,
	} {
		if got := r.Figures[name].Value; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for name, f := range r.Figures {
		if was := kept.Results.Figures[name]; was.Basis != f.Basis || was.Value != f.Value && f.Basis.Unit != "ms of CPU" {
			t.Errorf("%s: %+v, the raw results have %+v", name, f, was)
		}
	}
}

// irisFiles is a folder with a small collection for the protocol iris.
func irisFiles(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "iris.data"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

const fourFlowers = "1,0.5,1,0,x\n1,0.5,1,0.5,x\n1.5,0.5,3,1.5,y\n1.5,0.5,3,2,y\n"

// An experiment prints its protocol, claims with verdicts and figures, and writes the same as a
// page, verdicts first. Equal runs give equal pages.
func TestExperiment(t *testing.T) {
	dir := irisFiles(t, fourFlowers)
	var pages [2][]byte
	for i := range pages {
		page, stdout := filepath.Join(dir, "page.html"), bytes.Buffer{}
		if code := run(t.Context(), []string{"iris", "-data", dir, "-html", page}, &stdout, io.Discard); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		for _, want := range []string{"## iris: OCFS on Iris", "the two features to keep are the third and the first", "**does not hold**", "max([iris rank ocfs@tf 3\\|1]) = 2"} {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("no %q in\n%s", want, stdout.String())
			}
		}
		var err error
		if pages[i], err = os.ReadFile(page); err != nil {
			t.Fatal(err)
		}
	}
	order := regexp.MustCompile(`(?s)<p class="headline"><bdi>1 of 2 claims hold, 1 not\. .*>go run ./bench/replicate iris<.*<h2>Claims</h2>.*does not hold.*<h2>Protocol</h2>.*<h2>Values</h2>.*<h2>Ranks</h2>`)
	if !order.Match(pages[0]) || !bytes.Equal(pages[0], pages[1]) {
		t.Errorf("%s", pages[0])
	}
}

// What goes wrong says what to do.
func TestExperimentErrors(t *testing.T) {
	broken := irisFiles(t, "1,two,3,4,x\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"iris"}, "measure part iris with -data first"},
		{[]string{"irsi", "-data", broken}, `unknown experiment "irsi"; did you mean iris?`},
		{[]string{"iris", "-data", "nowhere"}, "from the UCI Machine Learning Repository"},
		{[]string{"ttest-reuters", "-data", broken}, "8,092,929 bytes with SHA-256 61be3432"},
		{[]string{"iris", "-data", broken}, "iris.data:1: column 2"},
	} {
		var stderr bytes.Buffer
		if code := run(t.Context(), c.args, io.Discard, &stderr); code != 2 || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr.String())
		}
	}
	var names bytes.Buffer
	if code := run(t.Context(), []string{"-list"}, &names, io.Discard); code != 0 || !strings.Contains(names.String(), "OCFS on Iris") {
		t.Errorf("exit code %d, %s", code, names.String())
	}
}

// Every experiment is printed, and has a page, from its raw results.
func TestExperimentsOfRawResults(t *testing.T) {
	protocols, err := lab.TryOf(func() []*Protocol { return All() })
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range protocols {
		page, stdout := filepath.Join(t.TempDir(), "page.html"), bytes.Buffer{}
		if code := run(t.Context(), []string{p.Name, "-html", page, "-results", "../results"}, &stdout, io.Discard); code != 0 || !strings.Contains(stdout.String(), "### Claims") {
			t.Errorf("%s: exit code %d\n%s", p.Name, code, stdout.String())
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), p.Title) {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}
