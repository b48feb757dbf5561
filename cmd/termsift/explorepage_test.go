package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
	"github.com/termsift/termsift/engine/tsv"
)

// explorable writes texts with a class each, as lines of one file, and returns its name.
func explorable(t *testing.T, classes ...string) string {
	t.Helper()
	text := "label\ttext\n"
	for i := range 60 {
		class := classes[i%len(classes)]
		words := []string{class + "word", fmt.Sprint("shared", i%7), fmt.Sprint("rare", i), "the the the"}
		if i%4 == 0 {
			words = append(words, "rocket", "rocket")
		}
		if i%6 == 2 {
			words = append(words, "rocket orbit", "orbit")
		}
		text += class + "\t" + strings.Join(words, " ") + "\n"
	}
	return testkit.Write(filepath.Join(t.TempDir(), strings.Join(classes, "-")+".tsv"), text)
}

// runWell runs a command that must succeed, and returns what it prints and says.
func runWell(t *testing.T, args ...string) (out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	testkit.Equal(testkit.Stop(t), run(t.Context(), args, strings.NewReader(""), &stdout, &stderr), 0, "termsift",
		strings.Join(args, " "), "exit code", stderr.String())
	return stdout.String(), stderr.String()
}

// featureLines returns the lines of a features file by their terms, without ranks, and the
// terms in order.
func featureLines(features string) (lines map[string][]string, terms []string) {
	lines = map[string][]string{}
	for _, line := range strings.Split(strings.TrimSuffix(features, "\n"), "\n") {
		if fields := strings.Split(line, "\t"); line[0] != '#' && fields[0] != "rank" {
			lines[fields[1]] = fields[2:]
			terms = append(terms, fields[1])
		}
	}
	return lines, terms
}

// What the page saves as a features file has what select gives for the same terms, and
// transform takes it without a warning, but not if it was changed.
func TestBrowserExploreFeatures(t *testing.T) {
	b := browsertest.New(t)
	b.Downloads()
	texts, others := explorable(t, "news", "sport", "science"), explorable(t, "plays")
	for _, try := range []struct {
		by, state string
		inputs    []string
		selecting []string
	}{
		{"chi", "docs=12", []string{texts}, []string{texts, "--by", "chi"}},
		{"ttest", "docs=20", []string{texts}, []string{texts, "--by", "ttest"}},
		{"logodds", "docs=9", []string{texts}, []string{texts, "--by", "logodds"}},
		{"ocfs", "docs=12", []string{texts}, []string{texts, "--by", "ocfs"}},
		{"cf", "docs=9", []string{texts}, []string{texts, "--by", "cf"}},
		{"chi", "cls=science", []string{texts}, nil},
		{"g2tf", "docs=9", []string{texts, others}, []string{texts, "--reference", others, "--by", "g2tf"}},
		{"mine", "docs=9", []string{texts, "--by", "mine=A*D-B*C"}, []string{texts, "--by", "mine=A*D-B*C"}},
	} {
		t.Run(try.by+" "+try.state, func(t *testing.T) {
			dir := t.TempDir()
			page, features, rows := filepath.Join(dir, "page.html"), filepath.Join(dir, "features.tsv"), filepath.Join(dir, "rows.svm")
			runWell(t, append(append([]string{"explore"}, try.inputs...), "-o", page)...)
			b.Show(page+"#by="+try.by+"&"+try.state, 1280, 900, "light")
			b.Wait(`/ of .* terms/.test(document.querySelector("[data-found]").textContent)`)
			b.Eval(`document.querySelector("[data-form]").value = "features"`)
			b.Click("[data-save]")
			name := "terms-" + try.by
			if class, ok := strings.CutPrefix(try.state, "cls="); ok {
				name += "-" + class
			}
			saved := b.Saved(name + "-features.tsv")
			got, terms := featureLines(saved)
			if len(terms) < 3 {
				t.Fatalf("the page saves %d terms:\n%s", len(terms), saved)
			}
			if try.selecting != nil {
				selected, _ := runWell(t, append([]string{"select", "-k", "10000", "-o", "-"}, try.selecting...)...)
				want, order := featureLines(selected)
				sameFeatures(t, got, want)
				var best []string
				for _, term := range order {
					if _, ok := got[term]; ok {
						best = append(best, term)
					}
				}
				testkit.Equal(t, strings.Join(terms, " "), strings.Join(best, " "), "the page has the order",
					"and select")
			}
			testkit.Write(features, saved)
			_, said := runWell(t, "transform", "--features", features, texts, "-o", rows)
			for _, line := range strings.Split(strings.TrimSpace(said), "\n") {
				if !strings.Contains(line, "60 documents") && !strings.Contains(line, "left out: ") {
					t.Errorf("transform says %s", line)
				}
			}
			testkit.Write(features, strings.Replace(saved, terms[0], "other", 1))
			var stderr bytes.Buffer
			if code := run(t.Context(), []string{"transform", "--features", features, texts, "-o", rows}, strings.NewReader(""), &stderr, &stderr); code != exitData || !strings.Contains(stderr.String(), "seal") {
				t.Errorf("of a changed file transform says %s, exit code %d", stderr.String(), code)
			}
		})
	}
	b.NoComplaints()
}

// sameFeatures compares features but for the last digits of their scores.
func sameFeatures(t *testing.T, got, want map[string][]string) {
	t.Helper()
	for term, fields := range got {
		if len(want[term]) < len(fields) {
			t.Errorf("select has no %s", term)
			continue
		}
		a, errA := tsv.ParseValue(fields[0])
		b, errB := tsv.ParseValue(want[term][0])
		if errA != nil || errB != nil || a != b && !(math.Abs(a-b) <= 1e-12*math.Abs(b)) {
			t.Errorf("%s has the score %s in the page, and %s by select", term, fields[0], want[term][0])
		}
		testkit.Equal(t, strings.Join(fields[1:], " "), strings.Join(want[term][1:len(fields)], " "), term,
			"in the page, and")
	}
}

// pageValues computes all values of every fifth term of a page, as lines of measure, combination, class, term and
// value.
const pageValues = `openData().then(async data => {
  const values = makeValues(data), lines = [];
  for (const [name, m] of measures) {
    for (let i = 0; i < data.terms; i += 5) {
      lines.push([name, m.combine, "", data.term(i), String(values.value(name, -1, i))]);
      data.classes.forEach((c, k) => { if (m.value) lines.push([name, "class", c.name, data.term(i), String(values.value(name, k, i))]); });
    }
  }
  return JSON.stringify(lines);
})`

// The values of every measure that the page of explore computes are those that score prints.
func TestExploreHasTheValuesOfScore(t *testing.T) {
	b := browsertest.New(t)
	input := filepath.Join("demo", "corpus.jsonl")
	page := filepath.Join(t.TempDir(), "page.html")
	mine := "mine=lnratio(A+1, B+1, A-B)*(S>Q/2)"
	printedBy(t, "explore", input, "-o", page, "--by", mine)
	want := map[string]float64{}
	for _, combine := range [][]string{nil, {"--combine", "class"}} {
		text := printedBy(t, append([]string{"score", input, "--by", "all,new," + mine, "--all", "--format", "tsv"}, combine...)...)
		for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			f := strings.Split(line, "\t")
			name, how, class, term := f[0], f[1], f[2], f[3]
			if how != "class" {
				class = ""
			}
			want[fmt.Sprintf("%q", []string{name, how, class, term})] = testkit.Must(strconv.ParseFloat(f[4], 64))
		}
	}
	b.Show(page, 1280, 800, "light")
	var lines [][]string
	text, _ := b.Eval(pageValues).(string)
	testkit.OK(json.Unmarshal([]byte(text), &lines))
	for _, f := range lines {
		key := fmt.Sprintf("%q", f[:4])
		v, known := want[key]
		testkit.Equal(testkit.Stop(t), known, true, "score prints no", key)
		if got := testkit.Must(strconv.ParseFloat(f[4], 64)); got != v && !(math.Abs(got-v) <= 1e-12*math.Abs(v)+1e-15) && !(math.IsNaN(got) && math.IsNaN(v)) {
			t.Errorf("%s is %v in the page, %v by score", key, got, v)
		}
	}
	if 5*len(lines) < len(want) {
		t.Errorf("the page has %d values of a fifth of the terms, score %d of all", len(lines), len(want))
	}
	b.NoComplaints()
}

// printedBy returns what a command prints.
func printedBy(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := runWell(t, args...)
	return out
}
