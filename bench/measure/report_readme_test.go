package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// The figures of the first page are those of bench/results/peers.txt, and every ratio is one of
// medians of the same job.
func TestReadmeSpeed(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(readme)), " ")
	r := &report{dir: "../results"}
	median := func(job, impl string) float64 {
		return mustMedian(t, r, peerJob{job: job}.reference(impl))
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
		want := fmt.Sprintf("| %s | %s | %s | %s |", row.peer, lab.Number(theirs), lab.Number(ours), times(theirs/ours))
		if !strings.Contains(page, want) {
			t.Errorf("README.md has no row that ends in %q", want)
		}
	}
	var ofC []float64
	for _, job := range []string{"Chi", "IG", "Moments", "Count"} {
		ofC = append(ofC, median(job, ours)/median(job, "c"))
	}
	if want := fmt.Sprintf("faster still, %s to %s times", times(slices.Min(ofC)), times(slices.Max(ofC))); !strings.Contains(page, want) {
		t.Errorf("README.md does not say %q of C", want)
	}
	f, err := lab.TryOf(func() *rawFile { return r.open(peersFile) })
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"sklearn", "sklearn-system"} {
		if number := strings.Join(f.settings[version], ""); number == "" || !strings.Contains(page, number) {
			t.Errorf("README.md does not name version %q of %s", number, version)
		}
	}
}

// times rounds a ratio to two digits below ten and to whole numbers above.
func times(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

// A target against scikit-learn is measured against the faster of its versions.
func TestTargetsTakeTheFasterVersion(t *testing.T) {
	r, checked := &report{dir: "../results"}, 0
	for _, f := range targets {
		job, _, found := strings.Cut(f.over, "/impl=sklearn")
		if !found || !strings.HasPrefix(job, peersFile) {
			continue
		}
		checked++
		taken := mustMedian(t, r, f.over)
		for _, impl := range []string{"sklearn", "sklearn-system"} {
			if other := job + "/impl=" + impl + "/"; taken > mustMedian(t, r, other) {
				t.Errorf("%s: %s is faster than %s", f.name, other, f.over)
			}
		}
	}
	if checked < 8 {
		t.Errorf("%d targets", checked)
	}
}

// mustMedian is the median of a benchmark in milliseconds.
func mustMedian(t *testing.T, r *report, reference string) float64 {
	t.Helper()
	s, err := lab.TryOf(func() sample { return r.sample(reference, "ms/op") })
	if err != nil {
		t.Fatal(err)
	}
	return s.median()
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
