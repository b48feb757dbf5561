package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
)

// This file tries the page of terms as people use it: with a mouse, with keys alone, by a
// link, on paper.

// testFormulas are measures of the page: one of classes, one whose value is undefined where a
// class lacks the term, one over all classes alone, and the counts.
const testFormulas = `
const { measures, tableOf, combine } = (() => {
  const measure = (name, title, how, value, whole) => [name, { name, title, formula: name + "'s formula", combine: how, tokens: false, squares: false, across: false, own: false,
    value, values: value && ((ts) => ts.map((t) => value(t, ts))), whole }];
  return {
    measures: new Map([
      measure("chi", "chi-square", "max", (t) => t.N * (t.A * t.D - t.B * t.C) ** 2 / ((t.A + t.B) * (t.C + t.D) * (t.A + t.C) * (t.B + t.D)), null),
      measure("odds", "logarithm of odds", "max", (t) => (t.A === 0 ? NaN : Math.log(t.A / t.df)), null),
      measure("spread", "a sum over classes", "global", null, (ts) => ts.reduce((sum, t) => sum + t.A * t.A, 0)),
      measure("df", "document frequency", "total", (t) => t.A, (ts) => ts[0].df),
      measure("cf", "collection frequency", "total", (t) => t.S, (ts) => ts[0].cf),
    ]),
    tableOf(all, term, cls, A, S, Q) {
      const B = term.df - A, C = cls.documents - A;
      return { A, B, C, D: all.documents - A - B - C, N: all.documents, df: term.df, n_c: cls.documents, S, cf: term.cf, T_c: cls.tokens, T: all.tokens, Q };
    },
    combine: (m, ts) => (m.whole ? m.whole(ts) : m.values(ts).reduce((a, b) => (b > a || Number.isNaN(a) ? b : a), NaN)),
  };
})();
`

const (
	ranMarkup = `<img src=x onerror=window.ran=1>`
	formula   = `=HYPERLINK("x","y")`
)

// A counted term has documents and occurrences in each class.
type countedTerm struct {
	name string
	a, s [3]uint64
}

// countedTerms are the terms of the page, in the order of their bytes.
func countedTerms() (terms []countedTerm) {
	for i := range uint64(400) {
		t := countedTerm{name: fmt.Sprintf("word%03d", i), a: [3]uint64{1 + i%7, i % 3, i % 5}}
		for c := range t.a {
			t.s[c] = t.a[c] * (1 + i%4)
		}
		t.s[1] = t.a[1]
		terms = append(terms, t)
	}
	terms = append(terms,
		countedTerm{"rocket", [3]uint64{1, 0, 28}, [3]uint64{2, 0, 90}},
		countedTerm{"rockets", [3]uint64{0, 0, 20}, [3]uint64{0, 0, 31}},
		countedTerm{"hockey", [3]uint64{0, 25, 1}, [3]uint64{0, 80, 1}},
		countedTerm{ranMarkup, [3]uint64{9, 1, 0}, [3]uint64{9, 1, 0}},
		countedTerm{formula, [3]uint64{8, 1, 0}, [3]uint64{8, 1, 0}},
		countedTerm{"tab\there, \"quoted\"", [3]uint64{7, 1, 0}, [3]uint64{7, 1, 0}},
		countedTerm{"\u202eright to left", [3]uint64{3, 1, 1}, [3]uint64{3, 1, 1}},
		countedTerm{"caf\u00e9 \U0001f680", [3]uint64{2, 2, 9}, [3]uint64{2, 2, 9}},
	)
	slices.SortFunc(terms, func(a, b countedTerm) int { return cmp.Compare(a.name, b.name) })
	return terms
}

// terms returns a page of three classes, or of as many of them.
func termsPage(classes int) *Explore {
	e := &Explore{
		Title: "A page of terms", Facts: []Fact{{"source", "three <b>classes</b>"}}, Rank: "chi", By: "chi", Test: "chi-square with 1 degree of freedom",
		Documents: 100, Tokens: 9000, Formulas: testFormulas, Command: "termsift explore news -o page.html",
		Evidence: []Evidence{{
			Term: "rocket", Documents: []EvidenceDocument{{ID: "doc <7>", Labels: "sci", TF: 9, Length: 120}},
			Lines: []ContextLine{{ID: "doc <7>", Left: "the ", Match: "rocket", Right: " <script>window.ran=2</script>"}},
		}},
		Features: &ExploreFeatures{Classes: `["comp & <b>","rec","sci"]`, Provenance: `{"version":"test","input_hash":"0","analysis":{"a":"` + strings.Repeat("x", 200) + `"}}`},
	}
	for c, name := range []string{"comp & <b>", "rec", "sci"}[:classes] {
		e.Classes = append(e.Classes, ExploreClass{name, []uint64{40, 30, 30}[c], []uint64{4000, 2500, 2500}[c]})
	}
	if classes == 0 {
		e.Rank = "df"
	}
	t := &e.Terms
	t.Start = []int{0}
	for _, term := range countedTerms() {
		t.Names = append(t.Names, term.name)
		t.DF = append(t.DF, term.a[0]+term.a[1]+term.a[2])
		t.CF = append(t.CF, term.s[0]+term.s[1]+term.s[2])
		least := 0.
		for c := range classes {
			if term.a[c] == 0 {
				continue
			}
			t.Class, t.A, t.S = append(t.Class, uint32(c)), append(t.A, term.a[c]), append(t.S, term.s[c])
			t.CellLog10P = append(t.CellLog10P, -float64(term.a[c]))
			least = math.Min(least, -float64(term.a[c]))
		}
		t.Log10P = append(t.Log10P, least)
		t.Start = append(t.Start, len(t.A))
	}
	if classes == 0 {
		t.Log10P, t.CellLog10P, e.By, e.Test = nil, nil, "", ""
	}
	e.Of = len(t.Names)
	return e
}

// exploreFile writes a page to a file.
func exploreFile(t *testing.T, e *Explore) string {
	path := filepath.Join(t.TempDir(), "terms.html")
	file := testkit.Must(os.Create(path))
	testkit.OK(e.WriteHTML(file))
	testkit.OK(file.Close())
	return path
}

// settled waits until the page shows what its state says.
func settled(b *browsertest.Browser) {
	b.Wait(`/ of .* terms?/.test((document.querySelector("[data-found]") || {}).textContent)`)
	b.Eval(`new Promise((r) => setTimeout(r, 60))`)
	b.Wait(`/ of .* terms?/.test(document.querySelector("[data-found]").textContent)`)
}

func showTerms(b *browsertest.Browser, path string, width, height int, scheme string) {
	b.Show(path, width, height, scheme)
	settled(b)
}

// What the list shows: the names of its first rows, and a column of them.
const (
	shownTerms = `[...document.querySelectorAll(".rows tbody .name")].slice(0, 4).map((e) => e.textContent).join(" ")`
	foundTerms = `document.querySelector("[data-found]").textContent`
	openTerm   = `document.querySelector("#term").hidden ? "" : document.querySelector("[data-term-name]").textContent`
)

func choose(b *browsertest.Browser, state, value string) {
	b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector('[data-state=%s]'); e.value = %q; e.dispatchEvent(new Event("input")) })()`, state, value))
	settled(b)
}

func TestBrowserTermsSearch(t *testing.T) {
	b := browsertest.New(t)
	showTerms(b, exploreFile(t, termsPage(3)), 1280, 900, "light")
	b.Expect(shownTerms, "rocket hockey rockets "+ranMarkup)
	b.Expect(foundTerms, "408 of 408 terms")
	b.Focus("[data-state=q]")
	for _, try := range [][2]string{
		{"ROCK", "2 of 408 terms"},
		{"r*t", "1 of 408 terms"},
		{"*t", "2 of 408 terms"},
		{"rocket?", "1 of 408 terms"},
		{"word?1*", "40 of 408 terms"},
		{"*", "408 of 408 terms"},
		{"caf? ?", "1 of 408 terms"},
		{"w**d*0*0?", "10 of 408 terms"},
		{"(", "1 of 408 terms"},
		{"zzz", "0 of 408 terms"},
		{"rockte", "0 of 408 terms. Near: rocket, rockets"},
	} {
		b.Eval(`document.querySelector("[data-state=q]").select()`)
		b.Type(try[0])
		settled(b)
		b.Expect(foundTerms, try[1])
	}
	b.Click("[data-found] button")
	settled(b)
	b.Expect(shownTerms, "rocket rockets")
	b.Focus("[data-state=q]")
	b.Press("Enter") // opens the very term
	b.Expect(openTerm, "rocket")
	b.Expect(`document.activeElement.matches("[data-term-name]")`, true)
	b.Click("[data-clear-filters]")
	settled(b)
	b.Expect(foundTerms, "408 of 408 terms")
	b.NoComplaints()
}

func TestBrowserTermsSortAndFilter(t *testing.T) {
	b := browsertest.New(t)
	showTerms(b, exploreFile(t, termsPage(3)), 1280, 900, "light")
	head := func(key string) { b.Click(".rows th.c-" + key + " button"); settled(b) }
	head("df")
	b.Expect(shownTerms, "rocket hockey rockets café 🚀")
	b.Expect(`document.querySelector(".rows th.c-df").getAttribute("aria-sort")`, "descending")
	b.Expect(`document.querySelectorAll(".rows [aria-sort]").length`, 1)
	head("df")
	b.Expect(`document.querySelector(".rows th.c-df").getAttribute("aria-sort")`, "ascending")
	b.Expect(shownTerms, "word000 word105 word210 word315")
	head("term")
	b.Expect(shownTerms, ranMarkup+" "+formula+" café 🚀 hockey")
	head("p")
	b.Expect(shownTerms, "rocket hockey rockets café 🚀")

	choose(b, "docs", "20")
	b.Expect(shownTerms, "rocket hockey rockets")
	choose(b, "docs", "")
	choose(b, "times", "90")
	b.Expect(shownTerms, "rocket")
	choose(b, "times", "")
	choose(b, "p", "1e-20")
	b.Expect(shownTerms, "rocket hockey rockets")
	for _, bad := range []string{"x", "-1", "2"} {
		b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector('[data-state=p]'); e.value = %q; e.dispatchEvent(new Event("input")) })()`, bad))
		b.Expect(`!document.querySelector("[data-wrong]").hidden && document.querySelector("[data-wrong]").textContent.startsWith("The largest p must be")`, true)
	}
	choose(b, "p", "")
	b.Expect(`document.querySelector("[data-wrong]").hidden`, true)

	// By a class: its own best terms, and those that it has less of.
	choose(b, "cls", "rec")
	head("value")
	b.Expect(shownTerms+`.startsWith("hockey ")`, true)
	choose(b, "sign", "more")
	b.Expect(shownTerms+`.startsWith("hockey ")`, true)
	b.Expect(`document.querySelectorAll(".rows .less").length`, 0)
	choose(b, "sign", "less")
	b.Expect(shownTerms+`.startsWith("rocket rockets ")`, true)
	head("a")
	choose(b, "sign", "")
	head("a")
	head("a")
	b.Expect(shownTerms+`.startsWith("hockey ")`, true)

	// A measure without values of a class leaves the class.
	choose(b, "by", "spread")
	b.Expect(`document.querySelector("[data-state=cls]").value`, "")
	choose(b, "cls", "sci")
	b.Expect(`document.querySelector("[data-state=by]").value`, "chi")
	b.NoComplaints()
}

// A list of any length is searched and scrolled to its end.
func TestBrowserTermsMany(t *testing.T) {
	b := browsertest.New(t)
	e := termsPage(0)
	n := 130000
	e.Of, e.Terms = n, ExploreTerms{Start: make([]int, n+1)}
	for i := range n {
		e.Terms.Names = append(e.Terms.Names, fmt.Sprintf("t%06d", i))
		e.Terms.DF, e.Terms.CF = append(e.Terms.DF, uint64(1+i%90)), append(e.Terms.CF, uint64(1+i%90))
	}
	showTerms(b, exploreFile(t, e), 1280, 900, "light")
	b.Expect(foundTerms, "130,000 of 130,000 terms")
	b.Expect(`document.querySelector(".rows table").getAttribute("aria-rowcount")`, "130001")
	b.Eval(`document.querySelector(".rows").scrollTop = 1e9`)
	b.Wait(`document.querySelector(".rows tr[data-at='129999']") !== null`)
	b.Expect(`document.querySelector(".rows tr[data-at='129999']").getAttribute("aria-rowindex")`, "130001")
	b.Expect(`document.querySelectorAll(".rows tbody tr[data-at]").length < 60`, true)
	b.Expect(`document.querySelector(".rows tr[data-at='129999']").getBoundingClientRect().bottom <= document.querySelector(".rows").getBoundingClientRect().bottom + 1`, true)
	choose(b, "q", "t1299*9")
	b.Expect(foundTerms, "10 of 130,000 terms")
	choose(b, "q", "")
	b.Click("[data-select-shown]")
	b.Expect(`document.querySelector("[data-chosen]").textContent`, "130,000 selected")
	b.Expect(`location.hash`, "") // a link stays short
	b.NoComplaints()
}

// Classes that look alike are told apart.
func TestBrowserTermsClassesAlike(t *testing.T) {
	b := browsertest.New(t)
	e := termsPage(3)
	e.Classes[1].Name, e.Classes[2].Name = strings.Repeat("x", 130)+"1", strings.Repeat("x", 130)+"2"
	showTerms(b, exploreFile(t, e), 1280, 900, "light")
	b.Eval(`(() => { const e = document.querySelector("[data-state=cls]"); e.selectedIndex = 3; e.dispatchEvent(new Event("input")) })()`)
	settled(b)
	b.Expect(shownTerms+`.startsWith("rocket rockets ")`, true)
	b.Expect(`document.querySelector("[data-state=cls]").selectedIndex`, 3)
	b.NoComplaints()
}

// A page whose data are damaged says so, and the policy lets nothing run that comes into it.
func TestBrowserTermsDamaged(t *testing.T) {
	b := browsertest.New(t)
	page := testkit.Must(os.ReadFile(exploreFile(t, termsPage(3))))
	start := strings.Index(string(page), `data-part="names"`)
	start += strings.IndexByte(string(page[start:]), '>') + 1
	b.ShowHTML(string(page[:start])+"AAAA"+string(page[start:]), 1280, 900, "light")
	b.Wait(`document.querySelector("[role=alert]:not([hidden])") !== null`)
	b.Expect(`document.querySelector("[data-opening]").textContent.startsWith("The data of the page are damaged")`, true)
	b.Complaints()
	b.ShowHTML(strings.Replace(string(page), `<main id="main"`, `<script>window.ran=1</script><img src="x" onerror="window.ran=2"><main id="main"`, 1), 1280, 900, "light")
	settled(b)
	b.Expect(`window.ran === undefined`, true)
	if len(b.Complaints()) == 0 {
		t.Error("the browser reports no violation of the policy")
	}
}

// The panel of a term shows the counts of the data, and the values that the formulas give.
func TestBrowserTermsPanel(t *testing.T) {
	b := browsertest.New(t)
	e := termsPage(3)
	path := exploreFile(t, e)
	showTerms(b, path+"#cls=sci", 1280, 900, "light")
	b.Expect(openTerm, "")
	b.Click(".rows tbody .name")
	b.Expect(openTerm, "rocket")
	cells := func(of string) string {
		return `[...document.querySelectorAll("[data-term-` + of + `] tbody tr")].map((r) => [...r.cells].map((c) => c.textContent).filter(Boolean).join(" ")).join("; ")`
	}
	b.Expect(`document.querySelector("[data-term-facts]").textContent`, "29 of 100 documents · 92 occurrences · 10,222 per million · p 1.0e−28 by chi-square")
	b.Expect(cells("classes"), "sci 86.15 1.0e−28 28 93.3 % 90 36,000; comp & <b> 22.74 0.1 1 2.5 % 2 500; rec 17.51 – 0 0.0 % 0 0.00")
	b.Expect(`document.querySelector("[data-term-tables] table").innerText.replace(/\s+/g, " ").trim()`,
		"2×2 tables of sci sci other classes all documents with it 28 1 29 documents without 2 69 71 occurrences 90 2 92 other tokens 2,410 6,498 8,908")
	b.Wait(`!document.querySelector("[data-term-values]").textContent.includes("…")`)
	b.Expect(cells("values"), "chi chi-square 86.15 1; odds logarithm of odds −0.0351 2; df document frequency 28 1; cf collection frequency 90 1")

	// Every value is that of the formula, and of all classes another one.
	chi := func(a, b, c, d float64) float64 {
		return 100 * (a*d - b*c) * (a*d - b*c) / ((a + b) * (c + d) * (a + c) * (b + d))
	}
	b.Expect(`Number(document.querySelector("[data-term-values] data").value)`, chi(28, 1, 2, 69))
	b.Click("[data-term-classes] tr.on button") // once more: all classes
	settled(b)
	b.Expect(`document.querySelector("[data-state=cls]").value`, "")
	b.Wait(`!document.querySelector("[data-term-values]").textContent.includes("…")`)
	b.Expect(cells("values"), "chi chi-square 86.15 1; odds logarithm of odds −0.0351 29; spread a sum over classes 785 1; df document frequency 29 1; cf collection frequency 92 1")
	b.Click("[data-term-tables] summary")
	b.Wait(`document.querySelectorAll("[data-term-tables] table").length === 3`)
	b.Click(`[data-term-values] tr:nth-child(4) button`)
	settled(b)
	b.Expect(`document.querySelector("[data-state=by]").value`, "df")

	// Lines, and how to get them.
	b.Expect(`document.querySelector(".kwic").innerText.replace(/\s+/g, " ").trim()`, "Lines of context the rocket <script>window.ran=2</script> doc <7>")
	b.Expect(cells("evidence")+`.endsWith("; doc <7> sci 9 120")`, true)
	b.Click("[data-step='1']")
	b.Expect(openTerm, "hockey")
	b.Expect(`document.querySelector("[data-term-evidence] pre").textContent`, "termsift explore news -o page.html --text RAW")
	b.Click("[data-step='-1']")
	b.Expect(openTerm, "rocket")
	b.Expect(`document.querySelector("[data-step='-1']").disabled`, true)
	b.Focus("[data-close]")
	b.Press("Escape")
	b.Expect(openTerm, "")
	b.Expect(`document.activeElement.matches(".rows .name") && document.activeElement.textContent`, "rocket")
	b.NoComplaints()
}

// Files have what is selected, or else shown, and names as they are.
func TestBrowserTermsSave(t *testing.T) {
	b := browsertest.New(t)
	b.Downloads()
	showTerms(b, exploreFile(t, termsPage(3))+"#docs=8&sort=df", 1280, 900, "light")
	saved := func(form, name string) string {
		b.Eval(fmt.Sprintf(`document.querySelector("[data-form]").value = %q`, form))
		b.Click("[data-save]")
		return b.Saved(name)
	}
	choose(b, "q", "hockey")
	testkit.Equal(t, saved("tsv", "terms-chi.tsv"),
		"rank\tterm\tchi\tdf\tcf\tclass\ta\ts\tlog10p\n1\thockey\t73.22047322047322\t26\t81\trec\t25\t80\t-25\n", "TSV")
	choose(b, "q", "")
	for _, name := range []string{formula, "tab\there, \"quoted\"", "hockey"} {
		b.Eval(fmt.Sprintf(`(() => { const e = document.querySelector("[data-state=q]"); e.value = %q; e.dispatchEvent(new Event("input")) })()`, name))
		settled(b)
		b.Click(".rows .pick")
	}
	choose(b, "q", "")
	b.Expect(`document.querySelector("[data-chosen]").textContent`, "3 selected")
	b.Expect(`document.querySelector("[data-save]").textContent`, "Save selected")
	if got := saved("tsv", "terms-chi.tsv"); !strings.Contains(got, "\t"+`tab\there, "quoted"`+"\t") || !strings.Contains(got, "\t"+formula+"\t") || strings.Count(got, "\n") != 4 {
		t.Errorf("TSV\n%s", got)
	}
	csv := saved("csv", "terms-chi.csv")
	if !strings.Contains(csv, `,"=HYPERLINK(""x"",""y"")",`) || !strings.Contains(csv, ",\"tab\there, \"\"quoted\"\"\",") || strings.Count(csv, "\r\n") != 4 {
		t.Errorf("CSV\n%s", csv)
	}
	b.Expect(`document.querySelector("[data-done]").textContent`, "3 terms saved. 1 term may be taken for formulas by a spreadsheet: CSV for Excel prevents that.")
	if csv := saved("excel", "terms-chi.csv"); !strings.HasPrefix(csv, "\ufeffrank,") || !strings.Contains(csv, `,"'=HYPERLINK(""x"",""y"")",`) {
		t.Errorf("CSV for Excel\n%s", csv)
	}

	features := saved("features", "terms-chi-features.tsv")
	want := "#termsift features 2\n#measure \"chi\"\n#combine \"max\"\n#documents 100\n" + `#classes ["comp & <b>","rec","sci"]` + "\n#provenance {"
	testkit.Equal(t, strings.HasPrefix(features, want), true, "features", features)
	before, rest, _ := strings.Cut(features, "#seal ")
	seal, table, _ := strings.Cut(rest, "\n")
	testkit.Equal(t, seal, fmt.Sprintf(`{"rows":3,"sum":"%016x"}`, xxh3.HashString(before+table)), "seal")
	if want := "rank\tterm\tscore\tdf\tclass\ta\tb\n1\thockey\t73.22047322047322\t26\trec\t25\t1\n2\t" + formula + "\t"; !strings.HasPrefix(table, want) {
		t.Errorf("features\n%s\nwant\n%s", table, want)
	}

	// The selection can be seen alone, grow and go.
	b.Click("[data-state=only]")
	settled(b)
	b.Expect(foundTerms, "3 of 408 terms")
	b.Click("[data-state=only]")
	settled(b)
	choose(b, "docs", "20")
	b.Click("[data-select-shown]")
	b.Expect(`document.querySelector("[data-chosen]").textContent`, "5 selected")
	b.Click("[data-select-none]")
	b.Expect(`document.querySelector("[data-chosen]").textContent`, "None selected")
	b.Expect(`document.querySelector("[data-select-none]").disabled`, true)
	b.NoComplaints()
}

// The sums of the page are those of the library, and numbers have the form of the other files.
func TestBrowserTermsSums(t *testing.T) {
	b := browsertest.New(t)
	showTerms(b, exploreFile(t, termsPage(3)), 1280, 900, "light")
	for _, n := range []int{241, 255, 256, 257, 1023, 1024, 1025, 1088, 2048, 2049, 70001} {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(i*i*131 + 7*i)
		}
		b.Expect(fmt.Sprintf(`xxh3(Uint8Array.from({ length: %d }, (_, i) => (i * i * 131 + 7 * i) & 255)).toString(16).padStart(16, "0")`, n), fmt.Sprintf("%016x", xxh3.Hash(text)))
	}
	for _, v := range []float64{0, 1, -1, .1, 1e-5, 1.5e-5, .0001, 123456, 1234567, 1e20, 1e21, -3e-7, 1e300, 5e-324, 1. / 3} {
		b.Expect(fmt.Sprintf(`formatField(%v)`, v), exact(v))
	}
	b.Expect(`[formatField(NaN), formatField(Infinity), formatField(-Infinity)].join(" ")`, "null inf -inf")
	b.NoComplaints()
}

// A link brings back what it was taken from; one of another page does what it can.
func TestBrowserTermsLink(t *testing.T) {
	b := browsertest.New(t)
	path := exploreFile(t, termsPage(3))
	showTerms(b, path, 1280, 900, "light")
	b.Expect(`location.hash`, "")
	choose(b, "cls", "comp & <b>")
	choose(b, "by", "odds")
	choose(b, "q", "*o*")
	choose(b, "docs", "5")
	choose(b, "p", "0.1")
	choose(b, "sign", "more")
	choose(b, "x", "all")
	b.Click(".rows th.c-a button")
	settled(b)
	b.Click(".rows tbody tr[data-at='2'] .pick")
	b.Click(".rows tbody tr[data-at='1'] .name")
	state := `JSON.stringify([` + shownTerms + `, ` + foundTerms + `, ` + openTerm + `, document.querySelector("[data-chosen]").textContent,
		[...document.querySelectorAll("[data-state]")].map((e) => e.type === "checkbox" ? e.checked : e.value), document.querySelector(".rows [aria-sort]").textContent])`
	before, hash := b.Eval(state), b.Eval(`location.hash`).(string)
	showTerms(b, path+hash, 390, 844, "dark")
	b.Expect(state, before)
	b.Expect(`location.hash`, hash)

	b.Eval(`location.hash = "#q=hockey"`)
	b.Wait(foundTerms + ` === "1 of 408 terms"`)
	b.Expect(`document.querySelector("[data-chosen]").textContent`, "None selected")
	b.Expect(openTerm, "")
	showTerms(b, path+"#by=nothing&cls=none&term=absent&sel=absent&sort=nothing&x=in:none&junk=1", 1280, 900, "light")
	b.Expect(foundTerms, "408 of 408 terms")
	b.Expect(openTerm, "")
	b.NoComplaints()
}

// Names are text wherever they stand, and none of them runs.
func TestBrowserTermsHostileNames(t *testing.T) {
	b := browsertest.New(t)
	path := exploreFile(t, termsPage(3))
	for _, name := range []string{ranMarkup, "\u202eright to left"} {
		link, _ := json.Marshal(name)
		b.Show(path, 1280, 900, "light")
		settled(b)
		b.Eval(`location.hash = "#q=" + encodeURIComponent(` + string(link) + `) + "&term=" + encodeURIComponent(` + string(link) + `)`)
		b.Wait(foundTerms + ` === "1 of 408 terms"`)
		b.Expect(openTerm, strings.Replace(name, "\u202e", `\u202e`, 1))
		b.Expect(`document.querySelector(".rows .name").textContent`, strings.Replace(name, "\u202e", `\u202e`, 1))
	}
	b.Expect(`window.ran === undefined && document.querySelectorAll("img").length === 0 && document.querySelectorAll("b").length === 0`, true)
	b.Expect(`performance.getEntriesByType("resource").length`, 0)
	b.Expect(`document.querySelectorAll("script:not([data-part])").length`, 1)
	b.NoComplaints()
}

// With keys alone one searches, goes through the list, opens, selects, and comes back; and
// no control keeps the focus.
func TestBrowserTermsKeyboard(t *testing.T) {
	b := browsertest.New(t)
	showTerms(b, exploreFile(t, termsPage(3)), 1280, 900, "dark")
	b.Focus("[data-state=q]")
	b.Type("rock")
	settled(b)
	for range 40 {
		b.Press("Tab")
		if b.Eval(`document.activeElement.matches(".rows .name")`) == true {
			break
		}
	}
	active := `document.activeElement.textContent`
	b.Expect(active, "rocket")
	b.Expect(`getComputedStyle(document.activeElement).outlineStyle`, "solid")
	b.Press("ArrowDown")
	b.Expect(active, "rockets")
	b.Press(" ")
	b.Expect(`document.querySelector("[data-chosen]").textContent`, "1 selected")
	b.Expect(active, "rockets")
	b.Press("ArrowDown") // there is none below
	b.Expect(active, "rockets")
	b.Press("Home")
	b.Expect(active, "rocket")
	b.Press("Enter")
	b.Expect(openTerm, "rocket")
	b.Expect(`document.activeElement.matches("[data-term-name]")`, true)
	b.Press("Tab")
	b.Press("Tab")
	b.Press("Escape")
	b.Expect(active, "rocket")
	choose(b, "q", "")
	b.Press("End")
	b.Expect(`document.activeElement.closest("tr").dataset.at`, "407")
	b.Press("PageUp")
	b.Expect(`document.activeElement.closest("tr").dataset.at < 400`, true)
	b.Press("Home")

	b.Click(".rows tbody .name")
	b.Eval(`document.activeElement.blur(); window.met = new Set()`)
	want := `[...document.querySelectorAll("a, button, select, input, summary, canvas, [tabindex='0']")].filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0 && !e.closest(".rows thead"))`
	count := int(b.Eval(want + `.length`).(float64))
	for range count + 40 {
		b.Press("Tab")
		b.Eval(`met.add(document.activeElement)`)
	}
	b.Expect(want+`.filter((e) => !met.has(e)).map((e) => e.outerHTML).join(" ")`, "")
	b.NoComplaints()
}

// A page without classes has frequencies, one of two corpora both sides.
func TestBrowserTermsOtherInputs(t *testing.T) {
	b := browsertest.New(t)
	showTerms(b, exploreFile(t, termsPage(0)), 1280, 900, "light")
	b.Expect(shownTerms, "rocket hockey rockets café 🚀")
	b.Expect(`[...document.querySelectorAll("[data-state=by] option")].map((o) => o.value).join(" ")`, "df cf")
	b.Expect(`document.querySelector("[data-state=cls]").checkVisibility() || document.querySelector("#classes").checkVisibility() || document.querySelector("[data-state=p]").checkVisibility()`, false)
	b.Click(".rows tbody .name")
	b.Expect(openTerm, "rocket")
	b.Expect(`document.querySelector("[data-term-values] tbody").innerText.replace(/\s+/g, " ").includes("df document frequency 29 1")`, true)
	b.Picture("terms-unclassed")

	two := termsPage(2)
	two.Sides, two.Features = true, nil
	showTerms(b, exploreFile(t, two)+"#cls=rec", 1280, 900, "light")
	b.Expect(`document.querySelector("#classes-title").textContent`, "Best terms of each corpus by chi-square")
	b.Expect(`document.querySelector("[data-form] [value=features]")`, nil)
	b.Click(".rows tbody .name")
	b.Picture("terms-sides")
	b.NoComplaints()

	none := &Explore{Formulas: testFormulas, Terms: ExploreTerms{Start: []int{0}}, Rank: "df"}
	b.Show(exploreFile(t, none), 1280, 900, "light")
	b.Wait(foundTerms + ` === "0 of 0 terms"`)
	b.NoComplaints()
}

// On every screen and in both colours the page keeps to its width and to the rules of
// accessibility, as a list and with an open term.
func TestBrowserTermsEveryScreen(t *testing.T) {
	b := browsertest.New(t)
	path := exploreFile(t, termsPage(3))
	axe := os.Getenv("TERMSIFT_AXE") != ""
	for _, width := range []int{390, 1280, 2000} {
		for _, scheme := range []string{"light", "dark"} {
			for state, hash := range map[string]string{"list": "#sel=hockey", "term": "#term=rocket&cls=sci&sel=hockey"} {
				showTerms(b, path+hash, width, 900, scheme)
				b.Expect(fmt.Sprintf(`document.documentElement.scrollWidth <= %d`, width), true)
				b.Expect(`(`+openTerm+`) === ""`, state == "list")
				b.Picture(fmt.Sprintf("terms-%s-%d-%s", state, width, scheme))
				if axe {
					b.NoViolations()
				}
			}
		}
	}
	b.Prefer("reduced-motion", "reduce")
	b.Expect(`getComputedStyle(document.documentElement).scrollBehavior`, "auto")
	b.Expect(`[...document.querySelectorAll("*")].filter((e) => getComputedStyle(e).transitionDuration !== "0s" || getComputedStyle(e).animationName !== "none").length`, 0)
	b.NoComplaints()
	if !axe {
		b.NoViolations() // which says why it was not asked
	}
}

// Nothing of a page is cut, hidden or broken that tells names apart, and what is empty comes last.
func TestBrowserTermsSeen(t *testing.T) {
	b := browsertest.New(t)
	e := termsPage(3)
	e.Facts = append(e.Facts, Fact{"p-values", strings.Repeat("long words ", 9)})
	e.Classes[2].Name = "talk.politics.mideast"
	for _, name := range []string{"talk.politics.guns", "talk.politics.misc", strings.Repeat("x", 40) + ".a", strings.Repeat("x", 40) + ".b"} {
		e.Classes = append(e.Classes, ExploreClass{name, 9, 9})
	}
	path := exploreFile(t, e)
	showTerms(b, path+"#q=rocket&term=rocket", 1400, 900, "light")
	b.Expect(`[...document.querySelectorAll(".c-best bdi")].every((e) => e.scrollWidth <= e.parentElement.clientWidth && getComputedStyle(e).borderInlineStartColor === getComputedStyle(document.querySelector("[data-term-classes] .hue")).borderInlineStartColor)`, true)
	b.Expect(`document.querySelector(".c-best bdi").textContent`, "talk.politics.mideast")
	b.Expect(`shortNames(["rec.sport.baseball", "rec.sport.hockey", "rec", "abcdefghijk", "abcdeXghijk"], 10).join(" ")`, "rec.s…ball rec.s…ckey rec abcde…hijk abcde…hijk (5)")
	foot := `((e) => { const r = document.createRange(); r.selectNodeContents(e); return Math.round(r.getBoundingClientRect().bottom); })`
	b.Expect(foot+`(document.querySelector(".rows th.c-best")) === `+foot+`(document.querySelector(".rows th.c-value button").firstChild)`, true)
	b.Expect(`document.querySelector(".kwic").compareDocumentPosition(document.querySelector(".counts")) & 4`, 4) // lines come first
	b.Expect(`[...document.querySelectorAll("#term .kwic td")].some((e) => e.getBoundingClientRect().bottom < document.querySelector("#term").getBoundingClientRect().bottom)`, true)
	b.Expect(`document.querySelector("[data-term-classes] tbody").rows.length + " " + document.querySelector("[data-term-classes] summary").textContent`, "2 5 classes without it")
	b.Eval(`document.querySelector("#classes").scrollIntoView()`)
	b.Wait(`document.querySelectorAll(".card").length === 1`) // no card is empty
	b.Expect(`[...document.querySelectorAll(".cards > .note button")].slice(0, 3).map((e) => e.textContent).join(" ")`, "comp & <b> rec talk.politics.guns")
	b.Expect(`document.querySelector("[data-state=by]").selectedOptions[0].textContent`, "chi-square (chi)")
	// The letters of names are above the ring of the open term.
	b.Wait(`document.querySelector("#plot .layer path")?.compareDocumentPosition([...document.querySelectorAll("#plot text")].at(-1)) === Node.DOCUMENT_POSITION_FOLLOWING`)

	// Classes have colours in which names can be read.
	least := `(() => { const e = document.querySelector(".c-best .hue"), c = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
		const light = (of) => { c.fillStyle = of; c.fillRect(0, 0, 1, 1); const [r, g, b] = [...c.getImageData(0, 0, 1, 1).data].map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)); return .05 + .2126 * r + .7152 * g + .0722 * b; };
		e.style.color = "var(--panel)"; const paper = light(getComputedStyle(e).color); e.style.color = "var(--tone)"; let least = 99;
		for (let h = 0; h < 360; h += 5) { e.style.setProperty("--hue", h); const own = light(getComputedStyle(e).color); least = Math.min(least, Math.max(own / paper, paper / own)); } return least; })()`
	b.Expect(least+` >= 4.5`, true)
	b.Prefer("color-scheme", "dark")
	b.Expect(least+` >= 4.5`, true)

	showTerms(b, path+"#term=rocket", 390, 844, "dark")
	b.Expect(`document.querySelector(".work").getBoundingClientRect().top + scrollY <= 844 / 3`, true)
	b.Click(".about summary")
	b.Expect(`[...document.querySelectorAll("dt")].every((e) => e.getClientRects().length === 1 && e.scrollHeight < 30)`, true)
	b.Expect(`[...document.querySelectorAll("#term .counts")].every((e) => e.scrollWidth <= e.parentElement.clientWidth)`, true)
	b.Expect(`[...document.querySelectorAll("#term .counts thead th")].every((e) => e.scrollWidth <= e.clientWidth && e.offsetHeight < 45)`, true)
	b.NoComplaints()
}

// On paper there are the list and the plot, without controls.
func TestBrowserTermsPaper(t *testing.T) {
	b := browsertest.New(t)
	showTerms(b, exploreFile(t, termsPage(3))+"#term=rocket", 1280, 900, "dark")
	b.Eval(`dispatchEvent(new Event("beforeprint"))`)
	b.PrintMedia(true)
	b.Expect(`document.querySelectorAll(".paper tbody tr").length`, 100)
	b.Expect(`document.querySelector(".paper").innerText.includes("The first 100 of 408 terms.")`, true)
	b.Expect(`[...document.querySelectorAll("#list, form, .steps")].some((e) => e.checkVisibility())`, false)
	b.Expect(`document.querySelector("#plot canvas").checkVisibility() && document.querySelector("#term").checkVisibility()`, true)
	b.Eval(`dispatchEvent(new Event("afterprint"))`)
	b.PrintMedia(false)
	b.Expect(`document.querySelectorAll(".paper tr").length`, 0)
	b.PDF("terms")
	b.NoComplaints()
}
