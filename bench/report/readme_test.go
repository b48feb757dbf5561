package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/markdown"
)

// The figures of the first page are those of bench/results/peers.txt, and every ratio is one of
// medians of the same job.
func TestReadmeSpeed(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(readme)), " ")
	r := &report{dir: "../results", files: map[string]*rawFile{}, warned: map[*benchmark]bool{}}
	median := func(job, impl string) float64 {
		return mustMedian(t, r, "^Compare"+job+"/impl="+impl+"/set=20ng$")
	}
	for _, row := range []struct{ job, peer string }{
		{"Pipeline", "whole pipeline"},
		{"Shell", "a Python process"},
		{"Count", "`CountVectorizer`"},
		{"Chi", "`SelectKBest(chi2)`"},
		{"Moments", "`f_classif`"},
		{"IGSome", "`mutual_info_classif`"},
		{"NaiveBayes", "`MultinomialNB`"},
		{"KNN", "`KNeighborsClassifier`"},
		{"SVM", "`LinearSVC`"},
	} {
		theirs, ours := min(median(row.job, "sklearn"), median(row.job, "sklearn-system")), median(row.job, ours) // the faster version
		want := fmt.Sprintf("| %s | %s | %s | %s |", row.peer, markdown.Number(theirs), markdown.Number(ours), times(theirs/ours))
		if !strings.Contains(page, want) {
			t.Errorf("README.md has no row that ends in %q", want)
		}
	}
	for job, what := range map[string]string{"Chi": "the 10,000 best by chi-square", "Moments": "F of all terms"} {
		if want := fmt.Sprintf("another job: %s, from an open index whose counts were made and checked before | – | – | %s | – |", what, markdown.Number(median(job, "opened"))); !strings.Contains(page, want) {
			t.Errorf("README.md does not say %q of an opened index", want)
		}
	}
	for job, what := range map[string]string{"Chi": "for chi-square", "IG": "for information gain", "Moments": "for F", "Count": "to count words"} {
		if want := fmt.Sprintf("%s times %s", times(median(job, ours)/median(job, "c")), what); !strings.Contains(page, want) {
			t.Errorf("README.md does not say %q of C", want)
		}
	}
	for _, version := range []string{"sklearn", "sklearn-system"} {
		d := directive{"list", map[string]string{"file": "peers.txt"}}
		if _, number, _ := strings.Cut(r.versioned(d, version), " "); number == "" || !strings.Contains(page, number) {
			t.Errorf("README.md does not name version %q of %s", number, version)
		}
	}
}

const ours = "termsift"

// times rounds a ratio to two digits below ten and to whole numbers above.
func times(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

// A target against scikit-learn is measured against the faster of its versions.
func TestTargetsTakeTheFasterVersion(t *testing.T) {
	layout, err := os.ReadFile("../results/layout.md")
	if err != nil {
		t.Fatal(err)
	}
	r := &report{dir: "../results", files: map[string]*rawFile{}, warned: map[*benchmark]bool{}}
	targets := 0
	for line := range strings.Lines(string(layout)) {
		if !strings.HasPrefix(line, "{{target file=peers.txt") || !strings.Contains(line, "/impl=sklearn") {
			continue
		}
		targets++
		d, err := parseDirective(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		job, _, _ := strings.Cut(d.args["over"], "/impl=")
		taken := d.args["over"]
		for _, impl := range []string{"sklearn", "sklearn-system"} {
			other := job + "/impl=" + impl + "/"
			if mustMedian(t, r, taken) > mustMedian(t, r, other) {
				t.Errorf("%s: %s is faster than %s", d.args["name"], other, taken)
			}
		}
	}
	if targets < 8 {
		t.Errorf("%d targets", targets)
	}
}

// mustMedian is the median of a benchmark of peers.txt in milliseconds.
func mustMedian(t *testing.T, r *report, match string) float64 {
	t.Helper()
	b, err := r.chooseOne(directive{"list", map[string]string{"file": "peers.txt", "match": match}}, "match")
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.measure(b, "ms/op")
	if err != nil {
		t.Fatal(err)
	}
	return s.median()
}

// A directive {{times}} compares two values of a key in each file, and heads of {{ratio}} have the
// versions that a file tells.
func TestTimes(t *testing.T) {
	dir := t.TempDir()
	for name, ns := range map[string]int{"a.txt": 20, "b.txt": 5} {
		text := "cpu: x\nc: 12.2\n"
		for range 6 {
			text += fmt.Sprintf("BenchmarkX/impl=c/set=s-1\t1\t10 ns/op\nBenchmarkX/impl=ours/set=s-1\t1\t%d ns/op\n", ns)
		}
		if err := os.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &report{dir: dir, files: map[string]*rawFile{}, warned: map[*benchmark]bool{}}
	for line, want := range map[string]string{
		"{{times file=a.txt,b.txt match=`^X/` rows=name,set key=impl of=ours base=c unit=ns/op heads=\"A|B\"}}": "| X, s | 0.500 | 2.00 |",
		"{{ratio file=a.txt match=`^X/` rows=name key=impl base=c unit=ns/op}}":                                 "| name | c 12.2 | ours |",
	} {
		text, err := r.expand([]string{line})
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s gives %v\n%s\nwant %s", line, err, text, want)
		}
	}
	for _, line := range []string{
		"{{times file=a.txt,b.txt match=`^X/` rows=name key=impl of=ours base=c unit=ns/op heads=A}}",
		"{{times file=a.txt match=`^X/` rows=name key=impl of=nobody base=c unit=ns/op heads=A}}",
	} {
		if text, err := r.expand([]string{line}); err == nil {
			t.Errorf("%s gives\n%s", line, text)
		}
	}
}

// The first block of the first page has the two commands that set everything up.
func TestReadmeBegins(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "```\n")
	block, _, _ := strings.Cut(rest, "```")
	lines := strings.Split(strings.TrimSpace(block), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "go run ./cmd/termsift demo ") || !strings.HasPrefix(lines[1], ".ci/run test ") {
		t.Errorf("the first block is\n%s", block)
	}
}

// What is not published is not offered: pages name no version to install before there is a tag, and
// no package of an index that has none.
func TestPagesOfferWhatThereIs(t *testing.T) {
	tags, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "tag", "--list", "v*").Output()
	if err != nil || len(tags) > 0 {
		t.Skipf("SKIPPED: a version is tagged, or there is no git: %s%v", tags, err)
	}
	for _, path := range pages(t) {
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		for _, offer := range []string{"go install github.com/termsift", "termsift@latest", "termsift@v", "pip install termsift"} {
			if strings.Contains(string(text), offer) {
				t.Errorf("%s offers %q, which there is not", path, offer)
			}
		}
	}
}

// pages lists the pages of the repository.
func pages(t *testing.T) []string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "-C", "../..", "ls-files", "-z", "*.md").Output()
	if err != nil {
		t.Skipf("SKIPPED: this is no clone of the repository, or there is no git: %v", err)
	}
	return strings.Split(strings.TrimRight(string(out), "\x00"), "\x00")
}
