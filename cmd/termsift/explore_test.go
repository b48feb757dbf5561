package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report/browsertest"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/tsv"
)

// exploredPage runs explore on some arguments and returns the page.
func exploredPage(t *testing.T, args ...string) (page, stderr string) {
	t.Helper()
	page = filepath.Join(t.TempDir(), "page.html")
	var errs bytes.Buffer
	if code := run(t.Context(), append([]string{"explore", "-o", page}, args...), nil, io.Discard, &errs); code != exitOK {
		t.Fatalf("explore %q: exit code %d: %s", args, code, errs.String())
	}
	return page, errs.String()
}

// inPage is what a page has unpacked, by term.
type inPage struct {
	Terms   []string
	DF, CF  []float64
	Log10P  []float64
	Cells   [][][]float64 // class, A, S, Q, log10 p
	Classes []struct {
		Name              string
		Documents, Tokens float64
	}
	Documents, Tokens float64
}

// unpacked opens a page and returns its data.
func unpacked(t *testing.T, b *browsertest.Browser, page string) (p inPage) {
	t.Helper()
	b.Show(page, 1280, 900, "light")
	b.Wait(`document.querySelector("#plot canvas").dataset.drawn === "1"`)
	text, _ := b.Eval(`openData().then((d) => JSON.stringify({
		Terms: Array.from({length: d.terms}, (_, i) => d.term(i)), DF: [...d.df], CF: [...d.cf], Log10P: d.classes.length ? Array.from({length: d.terms}, (_, i) => d.log10p(i)) : [],
		Cells: Array.from({length: d.terms}, (_, i) => { const c = d.cells(i); return [...c.classes].map((k, j) => [k, c.A[j], c.S[j], c.Q[j], d.log10p(i, k)]); }),
		Classes: d.classes.map((c) => ({Name: c.name, Documents: c.documents, Tokens: c.tokens})), Documents: d.documents, Tokens: d.tokens,
	}))`).(string)
	testkit.Is(testkit.Stop(t), json.Unmarshal([]byte(text), &p), nil, text)
	b.NoComplaints()
	return p
}

// The counts and p-values of a page are those of the engine, of every term and class.
func TestBrowserExploresTheCountsOfTheEngine(t *testing.T) {
	b := browsertest.New(t)
	for _, path := range []string{
		generatedIndex(t, "-documents", "60", "-length", "30", "-classes", "3"),
		generatedIndex(t, "-documents", "300", "-length", "40", "-classes", "40", "-labels", "2.5"),
	} {
		for _, by := range []string{"chi", "g2tf", "ttest", "ig"} {
			page, _ := exploredPage(t, path, "--by", by)
			comparePage(t, unpacked(t, b, page), path, rank.Options{Measure: rank.Measure(by), PValues: true})
		}
	}
}

// comparePage compares the data of a page with the statistics of an index.
func comparePage(t *testing.T, got inPage, path string, o rank.Options) {
	t.Helper()
	c := testkit.Must(corpus.Open(path, corpus.OpenOptions{}))
	defer c.Close()
	s := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{}))
	if got.Documents != s.Cells.Documents || got.Tokens != s.Cells.Tokens || len(got.Classes) != len(s.Classes()) || len(got.Terms) != s.Terms() {
		t.Fatalf("%v documents, %v tokens, %d classes, %d terms", got.Documents, got.Tokens, len(got.Classes), len(got.Terms))
	}
	for i, class := range got.Classes {
		if class.Name != s.Classes()[i] || class.Documents != s.Cells.ClassDocs[i] || class.Tokens != s.Cells.ClassTokens[i] {
			t.Errorf("%+v", class)
		}
	}
	if _, err := testkit.Must(o.Resolve()).Test(t.Context(), c); err != nil {
		o.Measure = rank.Chi // of documents with several labels
	}
	ranking := testkit.Must(rank.Terms(t.Context(), c, o))
	ofClass := map[int]*rank.Ranking{}
	if o.Combine = rank.ByClass; o.Validate() == nil {
		for k, class := range s.Classes() {
			ofClass[k] = testkit.Must(rank.Class(t.Context(), c, class, o))
		}
	}
	same := func(p, lnP float64) bool { return math.Abs(p-rank.Log10(lnP)) <= .005+1e-9*math.Abs(p) }
	var tile table.Tile
	wrong := 0
	for i, at := range s.Names.Sorted() {
		term := int(at)
		s.Cells.Read(&tile, term, term+1, true)
		ok := got.Terms[i] == s.Names.Term(term) && got.DF[i] == float64(tile.DF[0]) && got.CF[i] == tile.CF[0] && len(got.Cells[i]) == len(tile.Class) && same(got.Log10P[i], ranking.LnP(term))
		for j := 0; ok && j < len(tile.Class); j++ {
			cell := got.Cells[i][j]
			ok = cell[0] == float64(tile.Class[j]) && cell[1] == tile.A[j] && cell[2] == tile.S[j] && cell[3] == tile.Q[j]
			if r := ofClass[int(tile.Class[j])]; ok && r != nil {
				ok = same(cell[4], r.LnP(term))
			}
		}
		if !ok {
			if wrong++; wrong < 5 {
				t.Errorf("%s by %s: %q has %v %v %v %v in the page, %v %v in the index, log10 p %v", path, o.Measure, s.Names.Term(term), got.Terms[i], got.DF[i], got.Cells[i], got.Log10P[i], tile.DF, tile.Class, rank.Log10(ranking.LnP(term)))
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d terms differ", wrong)
	}
}

// Two corpora are the classes of a page, the first first; those of statistics have the same counts.
func TestBrowserExploresTwoCorpora(t *testing.T) {
	b := browsertest.New(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, lines := range map[string][]string{"zz.txt": {"moon moon sun", "moon", "star"}, "aa.txt": {"ship moon", "ship ship sea"}} {
		testkit.OK(os.WriteFile(at(name), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
		if code := run(t.Context(), []string{"index", "--stats-only", at(name), "-o", at(name + ".stats")}, nil, io.Discard, io.Discard); code != exitOK {
			t.Fatal(code)
		}
	}
	page, _ := exploredPage(t, at("zz.txt"), at("aa.txt"))
	texts := unpacked(t, b, page)
	b.Expect(`openData().then((d) => d.sides && d.settings.squares && d.settings.by)`, "g2tf")
	if len(texts.Classes) != 2 || texts.Classes[0].Name != "zz.txt" || texts.Classes[0].Documents != 3 || texts.Classes[1].Tokens != 5 {
		t.Errorf("%+v", texts.Classes)
	}
	moon := slices.Index(texts.Terms, "moon")
	testkit.Equal(t, fmt.Sprint(texts.DF[moon], texts.CF[moon], texts.Cells[moon][0][:4], texts.Cells[moon][1][:4]),
		"3 4 [0 2 3 5] [1 1 1 1]", "moon")
	b.Expect(`openData().then((d) => { const e = d.evidence(d.find("moon")); return e.lines.map((l) => l.side + ":" + l.match).join() + " " + e.documents.map((x) => x.side + ":" + x.tf).join(); })`,
		"zz.txt:moon,zz.txt:moon,zz.txt:moon,aa.txt:moon zz.txt:2,zz.txt:1,aa.txt:1")
	page, _ = exploredPage(t, at("zz.txt.stats"), at("aa.txt.stats"))
	counted := unpacked(t, b, page)
	b.Expect(`openData().then((d) => d.settings.squares)`, false) // no document has a label
	for i := range counted.Cells {
		for j := range counted.Cells[i] {
			if !slices.Equal(counted.Cells[i][j][:3], texts.Cells[i][j][:3]) || counted.Cells[i][j][4] != texts.Cells[i][j][4] {
				t.Errorf("%s: %v of statistics, %v of texts", counted.Terms[i], counted.Cells[i], texts.Cells[i])
			}
		}
	}
}

// Hostile names of terms, classes, documents and texts run nothing, and a page that is cut says so.
func TestBrowserExploresHostileNames(t *testing.T) {
	b := browsertest.New(t)
	dir := t.TempDir()
	var data bytes.Buffer
	w := json.NewEncoder(&data)
	names := []string{"</script><script>window.ran=1</script>", "<img src=x onerror=window.ran=2>", "\u2028\u202e\x00\x1b", "'\"`${window.ran=3}", "__proto__", "<!--<script>"}
	for i, name := range names {
		text := strings.Repeat(name+" moon ", i+1)
		testkit.OK(w.Encode(map[string]any{"id": name, "labels": []string{name, "x"}, "text": text}))
	}
	texts := filepath.Join(dir, "<script>window.ran=4<b>.jsonl")
	testkit.OK(os.WriteFile(texts, data.Bytes(), 0o600))
	for _, args := range [][]string{{texts, "--tokens", "char", "--ngrams", "9"}, {texts}} {
		page, _ := exploredPage(t, args...)
		p := unpacked(t, b, page)
		b.Expect(`window.ran === undefined`, true)
		b.Expect(`document.querySelectorAll("img, b, script:not([data-part])").length`, 1)
		testkit.Equal(t, len(p.Classes), 7)
	}
	page, stderr := exploredPage(t, texts, "--tokens", "char", "--ngrams", "9", "--top", "3")
	if p := unpacked(t, b, page); len(p.Terms) != 3 || !strings.Contains(stderr, "3 of ") {
		t.Errorf("%q, %s", p.Terms, stderr)
	}
	b.Expect(`document.body.textContent.includes("the page has the 3 best of")`, true)
	page, stderr = exploredPage(t, generatedIndex(t, "-documents", "2000"), "--max-size", "300KB", "--evidence", "0")
	info := testkit.Must(os.Stat(page))
	if p := unpacked(t, b, page); len(p.Terms) < 1000 || info.Size() > 300_000 || info.Size() < 250_000 || !strings.Contains(stderr, "more would make it larger than 300KB") {
		t.Errorf("%d terms in %d bytes, %s", len(p.Terms), info.Size(), stderr)
	}
	b.Expect(`document.body.textContent.includes("more would make it larger than 300KB")`, true)
}

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

// printedBy returns what a command prints.
func printedBy(t *testing.T, args ...string) string {
	t.Helper()
	out, _ := runWell(t, args...)
	return out
}
