//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/words"
)

// compareFiles checks Keyness of pairs of files with some measures, by a function of the tests for
// Python.
const compareFiles = `import sys
sys.dont_write_bytecode = True
sys.path[:0] = [".", "tests"]
import test_keyness
for a, b in zip(sys.argv[2::2], sys.argv[3::2]):
    test_keyness.check_files(a, b, sys.argv[1].split() or test_keyness.BY + test_keyness.MORE)
    print("compared")`

// Keyness in Python has the bits that the command prints for halves of 20 Newsgroups, which are
// indexes, statistics, and one of each. Without TERMSIFT_HEAVY two measures are tried.
func TestEveryMeasureOfKeyness(t *testing.T) {
	b := build(t)
	t.Setenv("TERMSIFT_LIBRARY", b.shared)
	t.Setenv("TERMSIFT_COMMAND", b.command)
	dir := t.TempDir()
	source := testkit.Corpus(t, "20news-bydate.tar.gz")
	for name, docs := range map[string]string{"a": "class=comp.* or class=rec.*", "b": "not (class=comp.* or class=rec.*)"} {
		index := filepath.Join(dir, name+".idx")
		commandOutput(t, b, []string{"index", source, "--split", "train", "--charset", "latin-1", "--docs", docs, "-o", index})
		commandOutput(t, b, []string{"index", index, "--stats-only", "-o", filepath.Join(dir, name+".stats")})
	}
	arguments := []string{"ll z"}
	if testkit.AllCases() {
		arguments[0] = "" // all that statistics have, too
	}
	for _, names := range [][2]string{{"a.idx", "b.idx"}, {"a.stats", "b.stats"}, {"a.idx", "b.stats"}} {
		arguments = append(arguments, filepath.Join(dir, names[0]), filepath.Join(dir, names[1]))
	}
	folder := testkit.Must(filepath.Abs("python"))
	out := testkit.Python(t, folder, "numpy scipy sklearn", compareFiles, arguments...)
	testkit.Equal(t, strings.Count(out, "compared\n"), 3, "pairs were compared, want 3", out)
}

func TestReadKeynessOptions(t *testing.T) {
	o, err := refusing(func() *keynessOptions { return optionsOf("", &keynessOptions{}) })
	if err != nil || !reflect.DeepEqual(o.options(), words.KeynessOptions{
		Measure: words.LL, Correction: words.Holm, MaxP: .05, MinFreq: 5, MinRange: 1, Top: 20, CountBy: "tokens", Smooth: 1, Conf: .95, ZetaC: 1.1,
	}) {
		t.Errorf("%+v, %v", o, err)
	}
	o, err = refusing(func() *keynessOptions {
		return optionsOf(`{"by": "chi", "correct": "bh", "max-p": 0.5, "min-freq": 2, "min-range": 3, "yates": false, "top": "all", "terms": "x", "drift": true, "threads": 4,
			"permutations": 9, "maxt": true, "seed": 5, "also": ["lrc", "zeta"], "count-by": "documents", "smooth": 2, "conf": 0.9, "zeta-c": 0.5}`, &keynessOptions{})
	})
	want := words.KeynessOptions{
		Measure: words.Chi, Correction: words.BH, MaxP: .5, MinFreq: 2, MinRange: 3, NoYates: true, Drift: true, Threads: 4,
		Permutations: 9, MaxT: true, Seed: 5, AllowNone: true,
		Also: []words.Measure{words.LRC, words.Zeta}, CountBy: "documents", Smooth: 2, Conf: .9, ZetaC: .5,
	}
	if err != nil || !reflect.DeepEqual(o.options(), want) || len(o.terms) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	for _, wrong := range []string{
		`{"top": -1}`, `{"top": 1e10}`, `{"max-p": -0.1}`, `{"max-p": 1.1}`, `{"min-freq": 0}`, `{"min-range": 0}`, `{"terms": [""]}`, `{"terms": []}`, `{"threads": -1}`, `{"by": "x"}`,
		`{"permutations": -1}`, `{"permutations": 1e9}`, `{"maxt": true}`, `{"seed": -1}`, `{"permutations": 9, "exact": true}`, `{"by": "wilcoxon", "exact": true}`,
		`{"smooth": 0}`, `{"zeta-c": 0}`, `{"conf": 0}`, `{"conf": 1}`, `{"also": ["x"]}`, `{"count-by": "x"}`, `{"reference-total": 3}`,
		`{"reference-total": 1.5, "reference-list": "x"}`, `{"reference-list": 3}`, `{"reference-list": {"a": -1.5}}`, `{"reference-list": {"a": [1]}}`, `{"reference-list": {"a": null}}`,
		`{"reference-list": {"a": "1"}}`,
	} {
		testkit.Is(t, testkit.Err(refusing(func() *keynessOptions { return optionsOf(wrong, &keynessOptions{}) })),
			usage.ErrUsage, wrong)
	}
}

// A term that both corpora use alike is in the last list, with and without drift.
func TestListOfKey(t *testing.T) {
	list := func(counts ...int64) (l *words.FrequencyList) {
		var terms []words.Frequency
		for i, term := range []string{"gone", "new", "falling", "rising", "steady"} {
			terms = append(terms, words.Frequency{Term: term, TF: counts[i]})
		}
		return testkit.Must(words.NewFrequencyList(terms, words.ListTotals{Tokens: 16}))
	}
	for _, c := range []struct {
		drift bool
		lists []int32
	}{{false, []int32{0, 1, 0, 1, 2}}, {true, []int32{1, 0, 3, 2, 4}}} {
		o := &keynessOptions{terms: []string{"gone", "new", "falling", "rising", "steady"}, KeynessOptions: words.KeynessOptions{Drift: c.drift}}
		found, _ := compareUse(t.Context(), list(5, 0, 6, 2, 3), list(0, 5, 2, 6, 3), o)
		for i, key := range found.keys {
			testkit.Equal(t, key.list, c.lists[i], key.Term, c.drift)
		}
	}
}

// A frequency list comes as an object of counts or as a file, and stands in place of a reference.
func TestFrequencyListOption(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list.tsv")
	testkit.OK(os.WriteFile(path, []byte("#total\t100\nthe\t12\nof\t3\n"), 0o600))
	for _, text := range []string{
		`{"reference-list": {"the": 12, "of": 3}, "reference-total": 100}`, `{"reference-list": "` + path + `"}`,
		`{"reference-list": {"the": [12, 2], "of": [3, 1]}, "reference-total": 100, "reference-documents": 9}`,
	} {
		o := testkit.Must(refusing(func() *keynessOptions { return optionsOf(text, &keynessOptions{}) }))
		if c, err := refusing(func() rank.Counted { return referenceOf(0, o) }); err != nil || c == nil {
			t.Errorf("%s: %v", text, err)
		}
		testkit.Is(t, testkit.Err(refusing(func() rank.Counted { return referenceOf(7, o) })), usage.ErrUsage,
			"a list and a reference")
	}
	for _, text := range []string{`{"reference-list": {"the": 12}}`, `{"reference-list": {"the": 12, "the": 1}, "reference-total": 100}`, `{"reference-list": "` + path + `.no"}`} {
		o := testkit.Must(refusing(func() *keynessOptions { return optionsOf(text, &keynessOptions{}) }))
		testkit.Fails(t, testkit.Err(refusing(func() rank.Counted { return referenceOf(0, o) })), text, "is a list")
	}
}
