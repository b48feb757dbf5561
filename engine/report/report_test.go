package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

func htmlOf(t *testing.T, r *Report) string {
	var b bytes.Buffer
	testkit.OK(r.WriteHTML(&b))
	return b.String()
}

// An element of a page or drawing with its attributes, and all text in it.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all gives the elements of a name and a class ("" for any).
func (e *element) all(name, class string) (found []element) {
	if e.XMLName.Local == name && (class == "" || slices.Contains(strings.Fields(e.attr("class")), class)) {
		found = append(found, *e)
	}
	for _, c := range e.Children {
		found = append(found, c.all(name, class)...)
	}
	return found
}

func (e *element) text() string {
	s := e.Text
	for _, c := range e.Children {
		s += c.text()
	}
	return s
}

// parsed reads well-formed XML, with a page's own forms of it where the decoder is not strict.
func parsed(t *testing.T, text string, strict bool) *element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	if d.Strict = strict; !strict {
		d.AutoClose, d.Entity = xml.HTMLAutoClose, xml.HTMLEntity
	}
	e := &element{}
	testkit.Is(testkit.Stop(t), d.Decode(e), nil, text)
	return e
}

// body gives a page as elements, without style and script, which are not escaped.
func body(t *testing.T, page string) *element {
	t.Helper()
	page = strings.TrimPrefix(page, "<!doctype html>\n")
	page = strings.Replace(page, style, "", 1)
	page = strings.Replace(page, script, "", 1)
	return parsed(t, page, false)
}

func small() *Report {
	return &Report{
		Title:    "A & B",
		Facts:    []Fact{{"Corpus", "two texts"}},
		Headline: "10 terms are enough", Findings: []string{"and more"}, Command: "termsift evaluate 'a b'",
		Tables: []Table{{Title: "Verdicts", Head: []string{"claim", "figure", "holds"}, Words: []int{0}, Rows: [][]string{{"it holds", "0.5", "yes"}}}},
		Points: []Point{
			{Method: "chi", Classifier: "svm", K: 10, MicroF1: .5, MacroF1: .25, MicroSpread: .125, Train: 1500 * time.Microsecond},
			{Method: "chi", Classifier: "svm", K: 1000, MicroF1: .75, MacroF1: .5},
			{Method: "ig", Classifier: "svm", K: 100, MicroF1: .7, MacroF1: .5},
		},
		TopTerms: []TermList{{Class: "a", Method: "chi", Terms: []Term{{Term: "x<y", Score: 2.5, DF: 3, A: 2, B: 1}, {Term: "z", Score: 1, DF: 1, A: 1}}}},
		Overlaps: []Overlap{{K: 10, Methods: []string{"chi", "ig"}, Shared: [][]int{{10, 4}, {4, 10}}}},
		Keyness:  []Keyness{{Class: "a", Measure: "g2", Terms: []Bar{{"x<y", 12}, {"z", -6}}}},
		Timings:  []Timing{{"read", 2 * time.Second}},
	}
}

// A line of a list of all classes names the class that gave the score, with its counts;
// where occurrences are counted, the table has them, too.
func TestTopTermsOfAllClasses(t *testing.T) {
	page := body(t, htmlOf(t, &Report{TopTerms: []TermList{
		{Method: "chi", Terms: []Term{{Term: "x", Score: 2, DF: 3, A: 2, B: 1, Class: "b<"}, {Term: "y", Score: 1, DF: 4}}},
		{Method: "chitf", Terms: []Term{{Term: "z", Score: 1, DF: 9, A: 1, B: 8, Class: "a", TF: 5, TFAll: 62406}}},
		{Method: "cf", Terms: []Term{{Term: "w", Score: 12.5, DF: 9, TFAll: 12.5}}},
		{Class: "a", Method: "chi", Terms: []Term{{Term: "x", Score: 2, DF: 3, B: 3}}},
	}}))
	var rows []string
	for _, r := range page.all("tr", "")[1:] {
		var cells []string
		for _, c := range r.Children {
			cells = append(cells, strings.TrimSpace(c.text()))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	testkit.EqualSlices(t, rows, []string{
		"x|(all classes): b<|chi|1|2.000|3|2|1|–|–", "y|(all classes)|chi|2|1.000|4|||–|–", "z|(all classes): a|chitf|1|1.000|9|1|8|5|62,406",
		"w|(all classes)|cf|1|12.50|9|||–|12.50", "x|a|chi|1|2.000|3|0|3|–|–",
	})
}

func TestPageHasEverything(t *testing.T) {
	page := body(t, htmlOf(t, small()))
	testkit.Equal(t, page.all("h1", "")[0].text(), "A & B", "heading")
	for class, want := range map[string]string{"headline": "10 terms are enough", "command": "termsift evaluate 'a b'"} {
		for _, name := range []string{"p", "pre"} {
			for _, e := range page.all(name, class) {
				testkit.Equal(t, e.text(), want, class)
				want = ""
			}
		}
		testkit.Equal(t, "", want, class, "is missing")
	}
	var cards []string
	for _, c := range page.all("article", "card") {
		cards = append(cards, strings.Join(strings.Fields(c.text()), " "))
	}
	testkit.EqualSlices(t, cards, []string{"achix<y2.500z1.000"}, "cards")
	var ids []string
	for _, s := range page.all("section", "") {
		ids = append(ids, s.attr("id"))
	}
	testkit.EqualSlices(t, ids, []string{"tables", "curves", "terms", "overlap", "keyness", "timings"}, "sections")
	for _, links := range page.all("nav", "") {
		testkit.Equal(t, len(links.all("a", "")), len(ids), "links")
	}
	charts := page.all("svg", "curves")
	testkit.Equal(testkit.Stop(t), len(charts), 2)
	var marks []string
	for _, c := range charts[0].all("g", "curve") {
		for _, m := range c.all("path", "mark") {
			marks = append(marks, c.attr("data-name")+" "+m.attr("data-k")+" "+m.attr("data-v"))
		}
	}
	testkit.EqualSlices(t, marks, []string{"chi 10 0.5000 ± 0.1250", "chi 1,000 0.7500", "ig 100 0.7000"}, "points")
	var tables []string
	for _, tb := range page.all("table", "") {
		var rows []string
		for _, r := range tb.all("tr", "")[1:] {
			var cells []string
			for _, c := range r.Children {
				cells = append(cells, strings.TrimSpace(c.text()))
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
		tables = append(tables, strings.TrimSpace(tb.all("caption", "")[0].text())+": "+strings.Join(rows, "; "))
	}
	want := []string{
		"Verdicts: it holds|0.5|yes",
		"Best micro-F1 of each classifier: svm|chi|1,000|0.7500|0.5000",
		"micro-F1 of svm by number of terms: 10|0.5000 ± 0.1250|–; 100|–|0.7000; 1,000|0.7500|–",
		"macro-F1 of svm by number of terms: 10|0.2500|–; 100|–|0.5000; 1,000|0.5000|–",
		"Best terms of each class by each measure: x<y|a|chi|1|2.500|3|2|1; z|a|chi|2|1.000|1|1|0",
		"Overlap of the best 10 terms: chi|40 %4",
		"Keyness of a by g2: x<y|12.00; z|−6.00",
		"Steps of the run: read|2s|2,000,000,000",
		"Times of every point: svm|chi|10|0.5000 ± 0.1250|0.2500|–|1.5ms|–; svm|chi|1,000|0.7500|0.5000|–|–|–; svm|ig|100|0.7000|0.5000|–|–|–",
	}
	testkit.EqualSlices(t, tables, want, "tables", strings.Join(tables, "\n"), "want", strings.Join(want, "\n"))
	testkit.Equal(t, len(page.all("div", "legend")[0].all("button", "")), 4)
}

func TestPageWithNothing(t *testing.T) {
	for _, r := range []*Report{{}, {TopTerms: []TermList{{Class: "a"}}}} {
		page := body(t, htmlOf(t, r))
		testkit.Equal(t, len(page.all("section", "")), 0, page.text())
		testkit.Contains(t, page.text(), "This report has no results: no point was measured")
	}
}

// The overlap of few methods is a line over k for each pair, of many half a matrix.
func TestOverlaps(t *testing.T) {
	r := sample(fiveMethods()[:3])
	page := body(t, htmlOf(t, r))
	for _, s := range page.all("section", "") {
		if s.attr("id") != "overlap" {
			continue
		}
		var names []string
		for _, c := range s.all("g", "curve") {
			names = append(names, c.attr("data-name"))
		}
		if got, want := strings.Join(names, "; "), "chi, ig; chi, ttest; ig, ttest"; got != want || len(s.all("table", "heat")) != 0 {
			t.Errorf("lines %q, want %q", got, want)
		}
		var cells []string
		for _, c := range s.all("td", "") {
			cells = append(cells, c.text())
		}
		testkit.Equal(t, strings.Join(cells[:4], "|"), "100|80 %, 80 terms|60 %, 60 terms|80 %, 80 terms", "first row")
	}
	page = body(t, htmlOf(t, sample(fiveMethods())))
	heats := page.all("table", "heat")
	testkit.Equal(testkit.Stop(t), len(heats), 3)
	if blank, all := len(heats[0].all("td", "blank")), len(heats[0].all("td", ""))-1; blank != 6 || all != 16 {
		t.Errorf("%d of %d cells are blank, want 6 of 16", blank, all)
	}
	for _, o := range [][]Overlap{{{K: 5, Methods: []string{"chi"}, Shared: [][]int{{5}}}}, {{}, {}}} {
		testkit.Equal(t, strings.Contains(htmlOf(t, &Report{Overlaps: o}), `id="overlap"`), false, "an overlap of", o,
			"is shown")
	}
}

// Points that have no place in a plot are counted and stand in its table.
func TestPointsWithoutPlace(t *testing.T) {
	r := &Report{Points: []Point{
		{Method: "chi", Classifier: "svm", K: 0, MicroF1: .5, MacroF1: .5},
		{Method: "chi", Classifier: "svm", K: 5, MicroF1: .5, MacroF1: math.NaN()},
		{Method: "chi", Classifier: "svm", K: 5, MicroF1: .25, MacroF1: 1.5},
		{Method: "chi", Classifier: "svm", K: -5, MicroF1: math.Inf(-1), MacroF1: -.5},
	}}
	page := body(t, htmlOf(t, r))
	plots := page.all("figure", "plot")
	testkit.Equal(t, len(plots[0].all("path", "mark")), 2)
	testkit.Contains(t, plots[0].text(), "2 points without a place", "micro")
	if text := plots[1].text(); len(plots[1].all("svg", "")) != 0 || !strings.Contains(text, "No point can be drawn") || !strings.Contains(text, "3 points without a place") {
		t.Errorf("macro: %s", text)
	}
	for i, want := range []string{"−5 −∞ 0 0.5000 5 0.5000 5 0.2500", "−5 −0.5000 0 0.5000 5 1.5000"} {
		var cells []string
		for _, c := range plots[i].all("td", "") {
			cells = append(cells, c.text())
		}
		testkit.Equal(t, strings.Join(cells, " "), want, "table", i)
	}
}

func TestOnePoint(t *testing.T) {
	r := &Report{Points: []Point{{Method: "chi", Classifier: "svm", K: 100, MicroF1: 1, MacroF1: 0}}}
	for _, c := range body(t, htmlOf(t, r)).all("svg", "curves") {
		marks, text := c.all("path", "mark"), c.text()
		if len(marks) != 1 || !strings.Contains(text, "100") || strings.Contains(fmt.Sprint(c), "NaN") {
			t.Errorf("%d points in %s", len(marks), text)
		}
	}
}

func TestSameBytes(t *testing.T) {
	for _, r := range []*Report{sample(fiveMethods()), hostile()} {
		want := htmlOf(t, r)
		for range 5 {
			testkit.Equal(testkit.Stop(t), htmlOf(t, r), want, "the same report gives other bytes")
		}
	}
}

func TestInputIsNotChanged(t *testing.T) {
	r := hostile()
	before := fmt.Sprintf("%#v", *r)
	htmlOf(t, r)
	testkit.Equal(t, fmt.Sprintf("%#v", *r), before, "writing a report changes it")
}

// A browser runs only what has the digest of the policy: it must be that of the script
// as it stands in the page.
func TestPolicyAllowsOurScriptOnly(t *testing.T) { checkPolicy(t, htmlOf(t, hostile())) }

func checkPolicy(t *testing.T, page string) {
	t.Helper()
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+tag+">")
		text, _, _ := strings.Cut(rest, "</"+tag+">")
		testkit.Contains(t, policy, tag+"-src '"+policyHash(text)+"'", "the", tag, "is not that of the policy")
		testkit.Equal(t, strings.Count(strings.ToLower(page), "<"+tag), 1, "elements", tag)
	}
}

// Hostile names are text: no element and no attribute comes of them.
func TestHostileNamesAreText(t *testing.T) {
	page := htmlOf(t, hostile())
	checkElements(t, body(t, page), page)
}

// checkElements checks that a page has the elements of our templates only, and shows all
// attacks as text.
func checkElements(t *testing.T, root *element, page string) {
	t.Helper()
	known := strings.Fields("article h3 ol ul li pre code html head meta title style body a header div h1 bdi button dl dt dd nav main section h2 p span svg path g text rect circle figure figcaption details summary table caption thead tbody tr th td small form label select option input output script")
	var walk func(e element)
	walk = func(e element) {
		testkit.Equal(t, slices.Contains(known, e.XMLName.Local), true, "element", e.XMLName.Local)
		for _, a := range e.Attrs {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "src" || a.Name.Local == "autofocus" {
				t.Errorf("attribute %s=%q of %s", a.Name.Local, a.Value, e.XMLName.Local)
			}
			if a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("link to %q", a.Value)
			}
		}
		for _, c := range e.Children {
			walk(c)
		}
	}
	walk(*root)
	text := root.text()
	for _, a := range attacks() {
		testkit.Contains(t, text, visible(a), a, "is not in the page as")
	}
	for _, r := range page {
		if r != '\n' && visibleText(string(r)) != string(r) {
			t.Errorf("%U in the page", r)
		}
	}
}

func TestSVGFiles(t *testing.T) {
	files := 0
	for _, r := range []*Report{sample(fiveMethods()), hostile(), small()} {
		for path, fill := range r.Files("page.html", "folder") {
			var b bytes.Buffer
			testkit.OK(fill(&b))
			if path == "page.html" {
				continue
			}
			files++
			root := parsed(t, b.String(), true)
			if root.XMLName.Space != "http://www.w3.org/2000/svg" || len(root.all("g", "curve")) == 0 || len(root.all("title", "")) == 0 {
				t.Errorf("%s: %.300s", path, b.String())
			}
			testkit.Equal(t, regexp.MustCompile(`^folder/[a-z0-9-]+-(micro|macro)-f1(-dark)?\.svg$`).MatchString(path),
				true, "file", path)
			if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
				t.Errorf("%s has places that are no numbers", path)
			}
		}
	}
	testkit.Equal(t, files, 2*(6+6+2))
}

func TestFileNames(t *testing.T) {
	taken := map[string]bool{}
	var got []string
	for _, c := range []string{"svm", "SVM", "../../etc", "..", "", "naive Bayes", strings.Repeat("ab", 100)} {
		got = append(got, fileName(c, microF1, taken))
	}
	want := []string{
		"svm-micro-f1", "svm-2-micro-f1", "etc-micro-f1", "classifier-micro-f1", "classifier-2-micro-f1", "naive-bayes-micro-f1",
		strings.Repeat("ab", 30) + "-micro-f1",
	}
	testkit.EqualSlices(t, got, want)
}

// failing takes some bytes and then no more.
type failing struct{ left int }

var errFull = errors.New("full")

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestErrorsOfTheWriter(t *testing.T) {
	r := sample(fiveMethods())
	for _, n := range []int{0, 70_000} {
		testkit.Is(t, r.WriteHTML(&failing{n}), errFull, "after", n, "bytes")
	}
	for path, fill := range r.Files("", "folder") {
		testkit.Is(t, fill(&failing{}), errFull, path)
	}
}

// Of methods that are equal none is the best.
func TestBestOfEquals(t *testing.T) {
	r := &Report{}
	for _, p := range []Point{{K: 9, MicroF1: .5}, {K: 100, MicroF1: .9, MacroF1: .8}} {
		for _, p.Method = range []string{"chi", "ig", "df"} {
			p.Classifier = "svm"
			r.Points = append(r.Points, p)
		}
	}
	r.Points[4].MacroF1 = .7
	testkit.Equal(t, r.bestTable().Rows[0][1].Text, "chi, df")
}
