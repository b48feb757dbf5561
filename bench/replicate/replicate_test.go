package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
)

// The verdicts in the raw results, and the table of REPLICATION.md, are those of the figures.
func TestVerdictsAreThoseOfTheFigures(t *testing.T) {
	page := testkit.Must(os.ReadFile("../../REPLICATION.md"))
	for _, e := range experiments {
		kept := readRecord(t, e.path("../results"))
		r := e.recorded("../results")
		if !slices.EqualFunc(kept.Claims, r.Claims, func(a, b *claim) bool {
			return a.Claim == b.Claim && a.Paper == b.Paper && a.Measured == b.Measured && a.Verdict == b.Verdict
		}) || kept.Finding != r.Finding {
			t.Errorf("%s: the raw results have other verdicts or another finding than their figures give", e.name)
		}
		if row := e.row(r); !strings.Contains(string(page), "\n"+row+"\n") {
			t.Errorf("REPLICATION.md lacks the row\n%s", row)
		}
		for _, c := range r.Claims {
			if len(c.groups) == 0 && c.unchecked == "" {
				t.Errorf("%s: nothing decides %q", e.name, c.Claim)
			}
		}
	}
}

func readRecord(t *testing.T, path string) *record {
	t.Helper()
	r := &record{}
	if err := json.Unmarshal(testkit.Must(os.ReadFile(path)), r); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

// call runs the command and returns what it prints.
func call(t *testing.T, args ...string) (string, error) {
	var stdout bytes.Buffer
	err := run(t.Context(), args, &stdout, io.Discard)
	return stdout.String(), err
}

const fourFlowers = "1,0.5,1,0,x\n1.1,0.5,1.2,0.5,x\n1.5,0.6,3,1.5,y\n1.7,0.5,3.2,2,y\n"

// An experiment prints its claims with verdicts, keeps its raw results, and writes a page. Equal runs give equal pages.
func TestExperiment(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(os.WriteFile(filepath.Join(dir, "iris.data"), []byte(fourFlowers), 0o666))
	var pages [2][]byte
	for i := range pages {
		page := filepath.Join(dir, "page.html")
		text, err := call(t, "iris", "-data", dir, "-html", page, "-keep", "-results", dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"## iris: OCFS on Iris", "| the two features to keep are the third and the first |  | ranks of columns 1 to 4: 3, 4, 1, 2 | **does not hold** |"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if again, err := call(t, "iris", "-results", dir); err != nil || again != text {
			t.Errorf("of the raw results: %v\n%s\nwant\n%s", err, again, text)
		}
		pages[i] = testkit.Must(os.ReadFile(page))
	}
	if order := regexp.MustCompile(`(?s)<bdi>3 of 4 claims hold, 0 in part, 1 do not.*<h2>Claims</h2>.*does not hold`); !order.Match(pages[0]) || !bytes.Equal(pages[0], pages[1]) {
		t.Errorf("%s", pages[0])
	}
}

// Every experiment is printed, and has a page, from its raw results.
func TestExperimentsOfRawResults(t *testing.T) {
	for _, e := range experiments {
		page := filepath.Join(t.TempDir(), "page.html")
		if text, err := call(t, e.name, "-html", page, "-results", "../results"); err != nil || !strings.Contains(text, e.title) {
			t.Errorf("%s: %v\n%s", e.name, err, text)
		}
		if !bytes.Contains(testkit.Must(os.ReadFile(page)), []byte("<h2>Claims</h2>")) {
			t.Errorf("%s: the page has no claims", e.name)
		}
	}
}

// What goes wrong says what to do.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	testkit.OK(os.WriteFile(filepath.Join(dir, "iris.data"), []byte("1,two,3,4,x\n"), 0o666))
	for _, c := range []struct{ args, want string }{
		{"iris -results " + dir, "run iris with -data and -keep first"},
		{"irsi -data x", `unknown experiment "irsi"; did you mean iris?`},
		{"iris -data nowhere", "from the UCI Machine Learning Repository"},
		{"ttest-reuters -data " + dir, "8,092,929 bytes with SHA-256 61be3432"},
		{"iris -data " + dir, "iris.data:1: column 2"},
		{"iris iris", "one experiment at a time"},
		{"-data x", "name the experiment"},
		{"-html x", "name the experiment"},
		{"iris -keep", "-keep goes with -data"},
		{"iris -y", "not defined"},
	} {
		if _, err := call(t, strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
	}
	if _, err := call(t, "-h"); err != nil {
		t.Errorf("-h: %v", err)
	}
}

// Without a collection every experiment says where it is to be had.
func TestMissingCollections(t *testing.T) {
	for _, e := range experiments {
		if _, err := call(t, e.name, "-data", t.TempDir()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), " bytes with SHA-256 ") {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

// The collections are those of the paper, as far as they are to be had; DIA and MI choose the same, and all figures are
// still those of the raw results.
func TestBestTermsOnCollections(t *testing.T) {
	testkit.Corpus(t, byDate.file)
	m := newMeasuring(filepath.Dir(testkit.Corpus(t, modApte.file)), io.Discard)
	measureBestTerms(t.Context(), m, "dia mi", []float64{.5})
	for name, want := range map[string]float64{
		"reuters-max documents train": 9603, "reuters-max classes train": 90, "reuters-max members train": 9585, "reuters-max dia mi 0.5 identical": 90,
		"20ng-max documents train": 11314, "20ng-max classes train": 20, "20ng-max members train": 11314, "20ng-max dia mi 0.5 identical": 20,
	} {
		if got := m.Figures[name]; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	kept := bestTerms.recorded("../results")
	for name, v := range m.Figures {
		if was, ok := kept.Figures[name]; !ok || was != v && !strings.HasSuffix(name, " time") && !strings.HasSuffix(name, "view train") {
			t.Errorf("%s: %v, the raw results have %v", name, v, was)
		}
	}
}

// The sizes and sums are those of the collections that the tests have.
func TestCollections(t *testing.T) {
	for name, c := range collections {
		t.Run(name, func(t *testing.T) {
			data := testkit.Must(os.ReadFile(testkit.Corpus(t, name)))
			if size, sum := number(float64(len(data))), fmt.Sprintf("%x", sha256.Sum256(data)); size != c[1] || sum != c[2] {
				t.Errorf("%s bytes, SHA-256 %s", size, sum)
			}
		})
	}
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		holds []bool // two a group
		want  string
	}{
		{[]bool{true, true}, "holds"},
		{[]bool{false, false, false, false}, "does not hold"},
		{[]bool{true, true, false, false, true, false}, "in part, 3 of 6; holds at A; not at B; at C not for 1"},
	} {
		var v claim
		for i, holds := range c.holds {
			v.add(holds, string(rune('A'+i/2)), string(rune('0'+i%2)))
		}
		if got := v.verdict(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Figures are compared for every choice of values. Cases that are closer than a standard error of a share of right
// documents are told; differences and macro-F1 are no such shares.
func TestCompare(t *testing.T) {
	c := &claims{tested: 2500, figures: figures{"x micro": 80, "y micro": 80.5, "z micro": 83, "x macro": 80, "y macro": 80.5}}
	c.claim("a", "", "[x micro], @, @, @", 0.0412345, 999.6, 1234567).compare("x micro", "<", "y micro")
	c.claim("b", "", "").compare("x micro", ">", "79.5")
	c.claim("c", "", "").compare("x micro", ">", "{k} micro", "k: y z")
	c.claim("d", "", "").compare("{k} macro", "<", "y macro", "k: x")
	c.claim("e", "", "").each(func(f *lookup) bool { return f.at("y micro")-f.at("x micro") < 0.6 })
	c.claim("f", "", "").compare("* micro", "=", "83.5")
	c.unchecked("g", "lost")
	want := []string{
		"holds; 1 of 1 within a standard error (0.8 points)", "holds; 1 of 1 within a standard error (0.8 points)",
		"does not hold; 1 of 2 within a standard error (0.8 points)", "holds", "holds",
		"does not hold; 1 of 1 within a standard error (0.75 points)", "cannot be checked: lost",
	}
	for i, got := range c.judged() {
		if got.Verdict != want[i] {
			t.Errorf("%s: %q, want %q", got.Claim, got.Verdict, want[i])
		}
	}
	if got := c.list[0].Measured; got != "80, 0.0412, 1,000, 1,234,567" {
		t.Errorf("measured %q", got)
	}
}

// A figure that was not measured is an error, not a verdict.
func TestMissingFigures(t *testing.T) {
	for _, work := range []func(){
		func() { figures{"a": 1}.at("b") },
		func() { figures{"a b": 1}.all("* c") },
		func() { (&claims{figures: figures{"a": 1}}).claim("", "", "[b]") },
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "measure again") {
					t.Error(err)
				}
			}()
			work()
		}()
	}
}

func TestFiguresInOrder(t *testing.T) {
	f := figures{"a x 10 f": 3, "a x 2 f": 2, "a x all f": 5, "a y 2 f": 7, "b x 2 f": 9}
	if got := f.all("a x * f"); !slices.Equal(got, []float64{2, 3, 5}) {
		t.Errorf("%v", got)
	}
	if got := f.all("a x|y 2 f"); !slices.Equal(got, []float64{2, 7}) {
		t.Errorf("%v", got)
	}
	all := figures{}
	all.average([]figures{{"a": 1}, {"a": 2}, {"a": 6}})
	if all["a"] != 3 || math.Abs(all["sd a"]-math.Sqrt(7)) > 1e-15 {
		t.Errorf("%v", all)
	}
}

func TestSpearman(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{5, 9, 100}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3}, []float64{4, 4, 4}, 0},
		{[]float64{10, 20, 20, 30}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(4.5*5)}, // ranks 1, 2.5, 2.5, 4
	} {
		if got := spearman(c.x, c.y); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v, %v: %v, want %v", c.x, c.y, got, c.want)
		}
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
	for d := range merged(labelled("1", "2 9", "3 1", "9"), []merging{{"A", []string{"1"}}, {"B", []string{"2", "3"}}}) {
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
