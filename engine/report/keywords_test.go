package report

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/report/browsertest"
)

// keyPage is a comparison with everything that a page shows.
func keyPage() *KeyWords {
	k := &KeyWords{
		Title: "Speeches & novels", Facts: []Fact{{"measure", "ll"}}, Measure: "ll", Omitted: 12,
		Target: Collection{"speeches", 3, 1000, 1000}, Reference: Collection{"novels", 40, 100_000, 100_000},
	}
	for i := range 30 {
		k.Keys = append(k.Keys, KeyWord{
			Frequency: Frequency{fmt.Sprint("people", i), 60 - i, 10}, Positive: true, Value: float64(90 - i), Bar: float64(90 - i), LL: float64(90 - i),
			LogRatio: 3, Log10P: -400, TargetRange: 3, ReferenceRange: 2, Dispersion: .25,
		})
	}
	k.Keys = append(k.Keys, KeyWord{
		Frequency: Frequency{"she", 0, 900}, Value: -18, Bar: 18, LL: -18, LogRatio: math.Inf(-1), Log10P: -4.5, ReferenceRange: 40, Dispersion: math.NaN(),
	})
	for i := range 100 {
		k.Points = append(k.Points, Frequency{fmt.Sprint("word", i), i % 7, i*i + 1})
	}
	k.Evidence = []Evidence{{
		Term: "people0", Documents: []EvidenceDocument{{"speeches", "1865.txt", "lincoln", 5, 700}},
		Lines: []ContextLine{{"speeches", "1865.txt", "of the ", "people", ", by the"}},
	}, {Term: "people25", Lines: []ContextLine{{"speeches", "1865.txt", "the same ", "people", " again"}, {"novels", "2.txt", "other ", "people", "?"}}}}
	return k
}

// hostileKeys is a comparison whose names try to get out of where they stand.
func hostileKeys() *KeyWords {
	k := &KeyWords{}
	for _, a := range attacks() {
		k.Title, k.Measure, k.Target.Name, k.Reference.Name = a, a, a, a
		k.Facts = append(k.Facts, Fact{a, a})
		k.Keys = append(k.Keys, KeyWord{Frequency: Frequency{a, 2, 1}, Positive: true, Value: math.Inf(1), Bar: math.Inf(1), LogRatio: math.NaN(), Log10P: math.Inf(-1)})
		k.Points = append(k.Points, Frequency{a, 0, 0})
		k.Evidence = append(k.Evidence, Evidence{a, []EvidenceDocument{{a, a, a, 1, 1}}, []ContextLine{{a, a, a, a, a}}})
	}
	k.Target.Tokens = 10
	return k
}

func keysHTML(t *testing.T, k *KeyWords) string {
	t.Helper()
	var b bytes.Buffer
	if err := k.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// keysBody gives the page as elements, without style and script.
func keysBody(t *testing.T, page string) *element {
	t.Helper()
	page = strings.Replace(strings.TrimPrefix(page, "<!doctype html>\n"), style+keywordsStyle, "", 1)
	return parsed(t, strings.Replace(page, script+keywordsScript, "", 1), false)
}

func TestKeyWordsPage(t *testing.T) {
	page := keysBody(t, keysHTML(t, keyPage()))
	var ids []string
	for _, s := range page.all("section", "") {
		ids = append(ids, s.attr("id"))
	}
	if want := []string{"keys", "scatter", "table", "evidence"}; !slices.Equal(ids, want) {
		t.Errorf("sections %q, want %q", ids, want)
	}
	if n := len(page.all("g", "bar")); n != mostBars+1 {
		t.Errorf("%d bars", n)
	}
	points := page.all("circle", "point")
	if len(points) != 131 || len(page.all("circle", "more")) != 30 || len(page.all("circle", "less")) != 1 {
		t.Errorf("%d points", len(points))
	}
	text := page.text()
	for _, want := range []string{
		"Speeches & novels", "3 documents, 1,000 tokens", "40 documents, 100,000 tokens", "12 further terms, the rarest, are not shown",
		"people0: 60 and 10 times, 60,000 and 100 per million", "10^−400", "−∞", "3.2e−05", "1865.txt", ", by the",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	// The negative key has no occurrence in the target, and stands at half of one.
	she := page.all("circle", "less")[0]
	if got := page.all("circle", "other")[0]; she.attr("cx") != got.attr("cx") || she.attr("cy") >= got.attr("cy") && len(she.attr("cy")) >= len(got.attr("cy")) {
		t.Errorf("she at %s %s, a word that occurs 0 and 1 times at %s %s", she.attr("cx"), she.attr("cy"), got.attr("cx"), got.attr("cy"))
	}
	tables := 0
	for _, d := range page.all("div", "") {
		if d.attr("data-keys") != "" {
			tables++
		}
	}
	if tables != 2 {
		t.Errorf("%d tables of keys", tables)
	}
	if text := keysBody(t, keysHTML(t, &KeyWords{})).text(); !strings.Contains(text, "There are no terms to show.") || strings.Contains(text, "NaN") {
		t.Errorf("an empty page: %s", text)
	}
}

// No place of a point or a name is outside the drawing, whatever the frequencies.
func TestScatterStaysInside(t *testing.T) {
	for name, k := range map[string]*KeyWords{
		"page": keyPage(), "hostile": hostileKeys(),
		"one":   {Points: []Frequency{{"a", 1, 1}}, Target: Collection{Tokens: 1, Words: 1}, Reference: Collection{Tokens: 1, Words: 1}},
		"large": {Points: []Frequency{{"a", 1 << 30, 0}, {"b", 0, 1}}, Target: Collection{Tokens: 1 << 30, Words: 1 << 30}, Reference: Collection{Tokens: 1, Words: 1}},
	} {
		s := k.scatter(nil)
		for _, p := range s.Points {
			if !(p.X >= scatterLeft && p.X <= scatterRight && p.Y >= scatterTop && p.Y <= scatterBottom) {
				t.Errorf("%s: %q at %v, %v", name, p.Term, p.X, p.Y)
			}
		}
		if len(s.X) == 0 || len(s.X) != len(s.Y) {
			t.Errorf("%s: %d and %d ticks", name, len(s.X), len(s.Y))
		}
	}
}

func TestKeyWordsSameBytes(t *testing.T) {
	for _, k := range []*KeyWords{keyPage(), hostileKeys(), {}} {
		before := fmt.Sprintf("%#v", *k)
		want := keysHTML(t, k)
		for range 3 {
			if keysHTML(t, k) != want {
				t.Fatal("the same comparison gives other bytes")
			}
		}
		if fmt.Sprintf("%#v", *k) != before {
			t.Error("writing a comparison changes it")
		}
	}
}

// The pages of key words, as those of reports: names are text, and the policy permits the
// one script.
func TestKeyWordsHostileNamesAreText(t *testing.T) {
	page := keysHTML(t, hostileKeys())
	checkPolicy(t, page)
	checkElements(t, keysBody(t, page), page)
}

func TestBrowserKeyWords(t *testing.T) {
	b := browsertest.New(t)
	write := func(k *KeyWords) string {
		path := filepath.Join(t.TempDir(), "keys.html")
		if err := os.WriteFile(path, []byte(keysHTML(t, k)), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, k := range map[string]*KeyWords{"keys": keyPage(), "keys-hostile": hostileKeys(), "keys-empty": {}} {
		path := write(k)
		for _, width := range []int{1280, 390} {
			for _, scheme := range []string{"light", "dark"} {
				b.Show(path, width, 844, scheme)
				b.Expect(`document.documentElement.classList.contains("scripted")`, true)
				b.Expect(`window.ran === undefined`, true)
				b.Expect(fmt.Sprintf(`document.documentElement.scrollWidth <= %d || %q`, width, name), true)
				b.Expect(`performance.getEntriesByType("resource").length`, 0)
				b.Picture(fmt.Sprintf("%s-%d-%s", name, width, scheme))
			}
		}
	}
	path := write(keyPage())
	b.Show(path, 1280, 900, "light")
	tip := `(() => { const t = document.querySelector(".tip"); return t.hidden ? "" : t.innerText })()`
	b.Expect(tip, "")
	b.Hover(`.point.less`)
	b.Expect(tip+`.startsWith("she: 0 and 900 times")`, true)
	b.Eval(`document.querySelector("svg.scatter").focus()`)
	b.Press("Home")
	b.Expect(tip+`.includes("people0: 60 and 10 times")`, true)
	b.Press("Escape")
	b.Expect(tip, "")
	rows := `[...document.querySelectorAll("[data-keys] tbody tr")].filter((r) => !r.hidden).length`
	b.Expect(rows, 31)
	b.Eval(`document.querySelector("[data-search]").focus()`)
	b.Type("PEOPLE1")
	b.Expect(rows, 11)
	b.Expect(`document.querySelectorAll(".point.hit").length`, 11)
	b.Expect(`document.querySelector("[data-search-found]").textContent`, "11 of 131 terms in the plot")
	b.Press("Enter") // sends no form
	b.Expect(`location.protocol`, "file:")
	b.Click(`#evidence summary`)
	b.Expect(`document.querySelector("#evidence details").open`, true)
	b.Click(`#evidence summary`)

	// A click on a key in a table, a chart or the plot opens where it occurs; so does a link to it.
	open := `[...document.querySelectorAll("#evidence details")].map((d) => d.open).join(" ")`
	for link, want := range map[string]string{
		`#table a[href="#where-2"]`: "false true", `.bars a .term`: "true false", `.point[data-link="#where-1"]`: "true false", `.pointname[data-link="#where-1"]`: "true false",
	} {
		b.Show(path, 1280, 900, "light")
		b.Expect(open, "false false")
		b.Eval(`document.querySelector(` + strconv.Quote(link) + `).scrollIntoView({block: "center"})`)
		b.Click(link)
		b.Expect(open+` || `+strconv.Quote(link), want)
		b.Expect(`document.activeElement.tagName`, "SUMMARY")
	}

	b.Show(path, 1280, 900, "light")
	b.Focus("svg.scatter")
	b.Press("Home")
	b.Press("Enter")
	b.Expect(open, "true false")

	// On paper the evidence of keys with a bar is open.
	b.Show(path, 1280, 900, "light")
	b.PrintMedia(true)
	b.Eval(`dispatchEvent(new Event("beforeprint"))`)
	b.Expect(open, "true false")
	b.Expect(`[...document.querySelectorAll("#evidence summary")].map((s) => s.offsetHeight > 0).join(" ")`, "true false")
	b.Eval(`dispatchEvent(new Event("afterprint"))`)
	b.Expect(open, "false false")
	b.NoComplaints()
}
