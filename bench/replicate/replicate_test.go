package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/host"
	"github.com/termsift/termsift/bench/replicate/papers"
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

// even are results where every class of every setting is like the others.
func even() *bestResults {
	r := &bestResults{}
	for _, set := range bestSets {
		r.Sets = append(r.Sets, bestSet{Name: set, Documents: 10, Terms: 5, Classes: 2, Members: 8, Postings: 20})
		for _, rule := range bestRules {
			for _, p := range bestShares {
				for _, function := range bestFunctions {
					run := bestRun{setting: setting{set, rule, function, p}, Members: 8, Kept: 8, Own: 8, Positive: 2, Negative: 2, SizeRanks: 1}
					if function == "mi" || function == "or" || function == "dia" {
						run.Positive = 6
					}
					if set == newsgroups {
						run.Positive, run.Negative = 10*run.Positive, 10*run.Negative
					}
					r.Runs = append(r.Runs, run)
				}
				r.Pairs = append(r.Pairs, bestPair{Set: set, Rule: rule, P: p, A: "dia", B: "mi", Classes: 2, Identical: 2, Jaccard: 1})
				for _, d := range bestDampings {
					r.Pairs = append(r.Pairs, bestPair{Set: set, Rule: rule, P: p, A: "df", B: "rs", D: d, Classes: 2, Jaccard: .95})
				}
			}
		}
	}
	return r
}

func reportOf(t *testing.T, r *bestResults) ([]papers.Block, error) {
	t.Helper()
	_, blocks, err := judgeBestTerms(r)
	return blocks, err
}

// Every claim is decided by the figures: with good ones all hold, and each change
// breaks its own alone.
func TestBestClaimsFollowTheFigures(t *testing.T) {
	verdicts := func(r *bestResults) (out []string) {
		blocks, err := reportOf(t, r)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range blocks[1].Table.Rows {
			out = append(out, strings.Trim(row[3], "*"))
		}
		return out
	}
	good := verdicts(even())
	if want := 4*len(bestClaims) + 2; len(good) != want || slices.ContainsFunc(good, func(v string) bool { return v != "holds" }) {
		t.Fatalf("%d verdicts, want %d: %q", len(good), want, good)
	}
	for i, change := range []func(r *bestResults){
		func(r *bestResults) { r.Runs[9].Kept = 17 },
		func(r *bestResults) { r.Pairs[0].Identical = 1 },
		func(r *bestResults) { r.Pairs[1].Jaccard = .89 },
		func(r *bestResults) { r.Runs[2].Positive, r.Runs[2].Negative = 2, 5 },
		func(r *bestResults) { r.Runs[0].SizeRanks = .4 },
	} {
		r := even()
		change(r)
		for j, v := range verdicts(r) {
			if broken := v != "holds"; broken != (j == 4*i) {
				t.Errorf("change %d, verdict %d: %s", i, j, v)
			}
		}
	}
	r := even()
	for i := range r.Runs {
		if r.Runs[i].Set == newsgroups {
			r.Runs[i].Positive, r.Runs[i].Negative = r.Runs[i].Positive/5, r.Runs[i].Negative/5
		}
	}
	if got := verdicts(r); got[len(got)-1] != "does not hold" {
		t.Errorf("%q", got)
	}
}

func TestIncompleteResults(t *testing.T) {
	for name, change := range map[string]func(r *bestResults){
		"no set":       func(r *bestResults) { r.Sets = r.Sets[1:] },
		"no run":       func(r *bestResults) { r.Runs = r.Runs[:len(r.Runs)-1] },
		"another run":  func(r *bestResults) { r.Runs[3].P = .3 },
		"no pair":      func(r *bestResults) { r.Pairs = r.Pairs[1:] },
		"another rest": func(r *bestResults) { r.Runs[4].Own = 3 },
	} {
		r := even()
		change(r)
		if _, err := reportOf(t, r); err == nil || !strings.Contains(err.Error(), "measure again") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The document is written from raw files, and -check finds what was changed by hand.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	data, err := json.Marshal(even())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(raw{Command: "none", Results: data})
	if err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(filepath.Join(dir, "replicate-bestterms.json"), text, 0o666); err != nil {
		t.Fatal(err)
	}
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
	parts, err := allParts()
	if err != nil {
		t.Fatal(err)
	}
	from, into := &options{results: filepath.Join("..", "results")}, &options{results: to}
	for _, p := range parts {
		data, err := os.ReadFile(p.rawPath(from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p.rawPath(into), data, 0o666); err != nil {
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

// The collections are those of the paper, as far as they are to be had.
func TestBestTermsCorpora(t *testing.T) {
	for _, want := range []bestSet{
		{Name: reuters, Documents: 9603, Classes: 90, Members: 9585},
		{Name: newsgroups, Documents: 11314, Classes: 20, Members: 11314},
	} {
		dir := filepath.Dir(host.Corpus(t, map[string]string{reuters: "reuters21578.tar.gz", newsgroups: "20news-bydate.tar.gz"}[want.Name]))
		c, err := bestTermsCorpus(t.Context(), dir, want.Name)
		if err != nil {
			t.Fatal(err)
		}
		info, err := c.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		members := 0
		for _, n := range info.ClassSizes {
			members += n
		}
		if info.Documents != want.Documents || info.Classes != want.Classes || members != want.Members {
			t.Errorf("%s: %d documents, %d classes, %d labels, want %+v", want.Name, info.Documents, info.Classes, members, want)
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
	parts, err := allParts()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		page, stdout := filepath.Join(t.TempDir(), "page.html"), bytes.Buffer{}
		if code := run(t.Context(), []string{p.name, "-html", page, "-results", "../results"}, &stdout, io.Discard); code != 0 || !strings.Contains(stdout.String(), "### Claims") {
			t.Errorf("%s: exit code %d\n%s", p.name, code, stdout.String())
		}
		if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), p.title) {
			t.Errorf("%s: %v", p.name, err)
		}
	}
}
