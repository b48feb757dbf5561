package report

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
)

// This file opens reports in a browser: what is clicked does what it says, no name runs,
// and nothing is wider than the screen. TERMSIFT_SCREENSHOTS names a folder to look at
// the pages.

// written gives the file of a report.
func written(t *testing.T, r *Report) string {
	path := filepath.Join(t.TempDir(), "report.html")
	file := testkit.Must(os.Create(path))
	testkit.OK(r.WriteHTML(file))
	testkit.OK(file.Close())
	return path
}

func TestBrowserShowsReports(t *testing.T) {
	b := browsertest.New(t)
	twelve := append(fiveMethods(), "cf", "mi", "gss", "ocfs", "anova", "logoddsz", "a measure with a rather long name")
	reports := map[string]*Report{"sample": sample(fiveMethods()), "twelve": sample(twelve), "hostile": hostile(), "empty": {}}
	if browsertest.Pictures() {
		reports["two"] = sample(fiveMethods()[:2])
		reports["ten"] = sample(append(fiveMethods(), "cf", "mi", "gss", "ocfs", "anova"))
	}
	for name, r := range reports {
		path := written(t, r)
		for _, view := range []struct {
			name          string
			width, height int
			scheme        string
		}{
			{"desktop-light", 1280, 900, "light"},
			{"desktop-dark", 1280, 900, "dark"},
			{"phone-light", 390, 844, "light"},
			{"phone-dark", 390, 844, "dark"},
		} {
			b.Show(path, view.width, view.height, view.scheme)
			b.Expect(`document.documentElement.classList.contains("scripted")`, true)
			b.Expect(`window.ran === undefined`, true)
			b.Expect(`document.documentElement.scrollWidth <= `+map[bool]string{true: "390", false: "1280"}[view.width == 390], true)
			b.Expect(`performance.getEntriesByType("resource").length`, 0)
			b.Picture(name + "-" + view.name)
		}
	}
	b.NoComplaints()
}

// The page does what its controls say, with a mouse and with keys alone.
func TestBrowserControls(t *testing.T) {
	b := browsertest.New(t)
	b.Show(written(t, sample(fiveMethods())), 1280, 900, "light")
	visibleCurves := `[...document.querySelectorAll(".curve")].filter((c) => getComputedStyle(c).display !== "none").length`
	b.Expect(visibleCurves, 30)
	b.Click(`[data-toggle="0"]`)
	b.Expect(visibleCurves, 24)
	b.Expect(`document.querySelector('[data-toggle="0"]').getAttribute("aria-pressed")`, "false")
	b.Press("Enter") // the button has the focus
	b.Expect(visibleCurves, 30)
	b.Click("[data-toggle-none]")
	b.Expect(visibleCurves, 0)
	b.Click("[data-toggle-all]")
	b.Expect(visibleCurves, 30)

	values := `document.querySelector(".readout").innerText.replace(/\s+/g, " ")`
	b.Expect(values+`.slice(0, 20)`, "best: 5,000 terms ch")
	b.Hover(`svg.curves .mark[data-k="100"]`)
	b.Expect(`document.querySelector(".readout strong").textContent`, "100 terms")
	b.Expect(`document.querySelectorAll(".readout")[0].querySelectorAll("div").length`, 5)
	b.Picture("sample-values")
	b.Eval(`document.querySelector("svg.curves").focus()`)
	b.Press("Home")
	b.Press("ArrowRight")
	b.Expect(`document.querySelector(".readout strong").textContent`, "20 terms")
	b.Expect(values+`.includes(" chi 0.68")`, true)
	b.Press("Escape")
	b.Expect(values+`.startsWith("best: ")`, true)

	b.Expect(`getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)")
	b.Click("[data-theme-button]")
	b.Click("[data-theme-button]")
	b.Expect(`getComputedStyle(document.body).backgroundColor`, "rgb(22, 24, 28)")
	b.Expect(`document.querySelector("[data-theme-button]").textContent`, "Colours: dark")

	b.Expect(`document.querySelector(".plot details").open`, false)
	b.Click(".plot details summary")
	b.Expect(`document.querySelector(".plot details").open`, true)
	b.NoComplaints()
}

// The axes of all plots of a metric fit what is shown, and of many methods the one that is
// pointed at keeps its colour.
func TestBrowserAxesAndColours(t *testing.T) {
	b := browsertest.New(t)
	r := &Report{}
	for i, method := range append(fiveMethods(), "mi") {
		for _, k := range []int{10, 100} {
			p := Point{Method: method, Classifier: "svm", K: k, MicroF1: .9 - .01*float64(i), MacroF1: .5}
			if method == "mi" {
				p.MicroF1, p.MicroSpread = .2, .1
			}
			r.Points = append(r.Points, p)
		}
	}
	b.Show(written(t, r), 1280, 900, "light")
	labels := `[...document.querySelectorAll("svg.curves")[0].querySelectorAll(".values text")].map((t) => t.textContent).join(" ")`
	b.Expect(labels, "0.0 0.2 0.4 0.6 0.8 1.0")
	path := `[...document.querySelectorAll("svg.curves")[0].querySelectorAll(".line, .spread, .leader, .values path")].map((p) => p.getAttribute("d")).join(" ")`
	before := b.Eval(path)
	b.Click(`[data-toggle="5"]`)
	b.Expect(labels, "0.86 0.87 0.88 0.89 0.90")
	// marks stand on their lines, and within the plot
	b.Expect(`[...document.querySelectorAll("svg.curves")[0].querySelectorAll(".curve:not(.off) .mark")].every((m) => {
		const box = m.getBBox(), moved = Number(m.getAttribute("transform").match(/ ([-0-9.]+)\)/)[1]), y = box.y + box.height / 2 + moved;
		return Math.abs(y - Number(m.dataset.y)) < 1.5 && y > 15 && y < 237 && m.parentElement.querySelector(".line").getAttribute("d").includes(m.dataset.x + " " + m.dataset.y);
	})`, true)
	b.Click(`[data-toggle="5"]`)
	testkit.Equal(t, b.Eval(path), before, "with all methods again the plot", "and had")
	grey := `getComputedStyle(document.querySelector('.curve[data-method="1"] .line')).stroke === getComputedStyle(document.querySelector('.curve[data-method="2"] .line')).stroke`
	b.Eval(`document.activeElement.blur()`)
	b.Hover("h1")
	b.Expect(grey, false)
	b.Hover(`svg.curves .curve[data-method="0"] .mark[data-k="100"]`)
	b.Expect(grey, true)
	b.Expect(`document.querySelector(".readout .pick").innerText.replace(/\s+/g, " ").trim()`, "chi 0.9000")
	b.Hover("h1")
	b.Expect(grey, false)
	b.Click("[data-toggle-none]")
	b.Expect(`document.querySelector(".readout").innerText`, "No method is shown.")
	b.NoComplaints()
}

func TestBrowserTables(t *testing.T) {
	b := browsertest.New(t)
	r := sample(fiveMethods())
	r.TopTerms = append(r.TopTerms, TermList{Class: "odd", Method: "chi", Terms: []Term{{Term: "item10", Score: math.NaN(), DF: 1, A: 1}, {Term: "item9", Score: math.Inf(1), DF: 2, A: 1, B: 1}, {Term: "item11", Score: math.Inf(-1), DF: 3, A: 1, B: 1}}})
	r.Tables = []Table{{Title: "heads", Head: []string{"name", strings.Repeat("a long head ", 9), strings.Repeat("one_long_word_", 5), "last"}, Words: []int{0}, Rows: [][]string{{"a", "1", "2", "3"}}}}
	b.Show(written(t, r), 1280, 900, "light")
	b.Expect(`[...document.querySelectorAll("thead th")].every((h) => h.scrollWidth <= h.clientWidth + 1)`, true)
	card := `[...document.querySelectorAll('[data-card="0"] li')].map((l) => l.textContent).join(" ")`
	before := b.Eval(card)
	b.Eval(`(() => { const s = document.querySelector("[data-card-method]"); s.value = "1"; s.dispatchEvent(new Event("input")) })()`)
	b.Expect(`document.querySelector('[data-card="0"] .note').textContent`, "ig")
	b.Expect(`document.querySelectorAll('[data-card="0"] li').length`, 10)
	if after := b.Eval(card); after == before {
		t.Errorf("the card has %v by another measure, too", after)
	}
	b.Click(".every summary")
	column := func(of int) string {
		return `[...document.querySelectorAll("[data-terms] tbody tr")].filter((r) => !r.hidden).map((r) => r.cells[` + strconv.Itoa(of) + `].textContent)`
	}
	b.Expect(`document.querySelector("[data-found]").textContent`, "403 of 403")
	b.Eval(`document.querySelector('[data-filter="class"]').focus()`)
	b.Eval(`(() => { const s = document.querySelector('[data-filter="class"]'); s.value = "8"; s.dispatchEvent(new Event("input")) })()`)
	b.Expect(column(0)+`.join(" ")`, "item10 item9 item11")
	press := func(heading int) { b.Click(`[data-terms] th:nth-child(` + strconv.Itoa(heading) + `) button`) }
	press(5) // by score, the largest first
	b.Expect(column(0)+`.join(" ")`, "item9 item11 item10")
	b.Expect(`document.querySelector("[data-terms] th:nth-child(5)").getAttribute("aria-sort")`, "descending")
	press(5)
	b.Expect(column(0)+`.join(" ")`, "item11 item9 item10")
	press(1) // by name, numbers in them as numbers
	b.Expect(column(0)+`.join(" ")`, "item9 item10 item11")
	b.Expect(`document.querySelectorAll("[data-terms] [aria-sort]").length`, 1)
	b.Eval(`(() => { const s = document.querySelector('[data-filter="class"]'); s.value = ""; s.dispatchEvent(new Event("input")) })()`)
	b.Eval(`document.querySelector('[data-filter="text"]').focus()`)
	b.Type("HOCK")
	b.Expect(column(0)+`.every((t) => t.includes("hock")) && `+column(0)+`.length > 4`, true)
	b.Press("Enter") // sends no form
	b.Expect(`location.protocol`, "file:")
	press(6)
	b.Expect(`(() => { const n = `+column(5)+`.map(Number); return n.every((v, i) => i === 0 || n[i-1] >= v) })()`, true)

	shown := `[...document.querySelectorAll("[data-keyness-of]")].filter((f) => f.offsetHeight > 0).length`
	b.Expect(shown, 8)
	b.Eval(`(() => { const s = document.querySelector("[data-keyness]"); s.value = "2"; s.dispatchEvent(new Event("input")) })()`)
	b.Expect(shown, 1)
	b.NoComplaints()
}

// Everything that can be pressed can be reached with the tabulator.
func TestBrowserKeyboard(t *testing.T) {
	b := browsertest.New(t)
	b.Show(written(t, small()), 390, 844, "dark")
	want := int(b.Eval(`[...document.querySelectorAll("a, button, select, input, summary, svg.curves")].filter((e) => e.checkVisibility()).length`).(float64))
	b.Eval(`window.met = new Set()`)
	for range want + 20 { // regions that scroll can be reached as well
		b.Press("Tab")
		b.Eval(`met.add(document.activeElement)`)
	}
	b.Expect(`[...met].filter((e) => e.matches("a, button, select, input, summary, svg.curves")).length`, want)
	b.Expect(`(() => { const b = document.querySelector("[data-toggle]"); document.activeElement.blur(); b.focus({focusVisible: true}); return getComputedStyle(b).outlineStyle })()`, "solid")
}

// Even if a name came into the page as it is, the policy would not let it run.
func TestBrowserPolicy(t *testing.T) {
	b := browsertest.New(t)
	page := testkit.Must(os.ReadFile(written(t, small())))
	path := filepath.Join(t.TempDir(), "injected.html")
	broken := strings.Replace(string(page), "<main id=\"main\">", `<main id="main"><script>window.ran=1</script><img src="x" onerror="window.ran=2">`, 1)
	testkit.Write(path, broken)
	b.Show(path, 1280, 900, "light")
	b.Expect(`window.ran === undefined`, true)
	b.Expect(`document.documentElement.classList.contains("scripted")`, true)
	if len(b.Complaints()) == 0 {
		t.Error("the browser reports no violation of the policy: complaints are not seen")
	}
}

// Without scripts the curves, all tables and all bars are there, and no dead controls
// but the legend.
func TestBrowserWithoutScript(t *testing.T) {
	b := browsertest.New(t)
	b.WithoutScripts()
	b.Show(written(t, sample(fiveMethods())), 390, 844, "light")
	b.Expect(`[...document.querySelectorAll("form, [data-theme-button]")].filter((e) => e.checkVisibility()).length`, 0)
	b.Expect(`[...document.querySelectorAll("svg.curves, svg.bars, .heat")].filter((e) => e.offsetHeight > 40 || e.getBoundingClientRect().height > 40).length`, 6+9+3)
	b.Expect(`document.querySelectorAll("[data-card] li").length`, 8*10)
	b.Expect(`document.querySelectorAll(".mark > title").length`, 300)
	b.Picture("sample-no-script")
	b.PrintMedia(true)
	b.Resize(720, 1000)
	b.Picture("sample-print")
}
