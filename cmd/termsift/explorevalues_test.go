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
)

// pageValues computes all values of every fifth term of a page, as lines of measure, combination, class, term and value.
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
			want[fmt.Sprintf("%q", []string{name, how, class, term})] = must(strconv.ParseFloat(f[4], 64))
		}
	}
	b.Show(page, 1280, 800, "light")
	var lines [][]string
	text, _ := b.Eval(pageValues).(string)
	testkit.OK(json.Unmarshal([]byte(text), &lines))
	for _, f := range lines {
		key := fmt.Sprintf("%q", f[:4])
		v, known := want[key]
		if !known {
			t.Fatalf("score prints no %s", key)
		}
		if got := must(strconv.ParseFloat(f[4], 64)); got != v && !(math.Abs(got-v) <= 1e-12*math.Abs(v)+1e-15) && !(math.IsNaN(got) && math.IsNaN(v)) {
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
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != exitOK {
		t.Fatalf("%q: code %d: %s", args, code, errs.String())
	}
	return out.String()
}
