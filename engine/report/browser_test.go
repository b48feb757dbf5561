package report

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// This file opens reports in a browser: what is clicked does what it says, no name runs,
// and nothing is wider than the screen. TERMSIFT_SCREENSHOTS names a folder to look at
// the pages.

// written gives the file of a report.
func written(t *testing.T, r *Report) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.WriteHTML(file); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBrowserShowsReports(t *testing.T) {
	b := newBrowser(t)
	twelve := append(fiveMethods(), "cf", "mi", "gss", "ocfs", "anova", "logoddsz", "a measure with a rather long name")
	reports := map[string]*Report{"sample": sample(fiveMethods()), "twelve": sample(twelve), "hostile": hostile(), "empty": {}}
	if os.Getenv("TERMSIFT_SCREENSHOTS") != "" {
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
			b.show(path, view.width, view.height, view.scheme)
			b.expect(`document.documentElement.classList.contains("scripted")`, true)
			b.expect(`window.ran === undefined`, true)
			b.expect(`document.documentElement.scrollWidth <= `+map[bool]string{true: "390", false: "1280"}[view.width == 390], true)
			b.expect(`performance.getEntriesByType("resource").length`, 0)
			if dir := os.Getenv("TERMSIFT_SCREENSHOTS"); dir != "" {
				b.picture(filepath.Join(dir, name+"-"+view.name+".png"))
			}
		}
	}
	for _, c := range b.complaints {
		t.Error(c)
	}
}

// The page does what its controls say, with a mouse and with keys alone.
func TestBrowserControls(t *testing.T) {
	b := newBrowser(t)
	b.show(written(t, sample(fiveMethods())), 1280, 900, "light")
	visibleCurves := `[...document.querySelectorAll(".curve")].filter((c) => getComputedStyle(c).display !== "none").length`
	b.expect(visibleCurves, 30)
	b.point(`[data-toggle="0"]`, true)
	b.expect(visibleCurves, 24)
	b.expect(`document.querySelector('[data-toggle="0"]').getAttribute("aria-pressed")`, "false")
	b.key("Enter", 13, "\r") // the button has the focus
	b.expect(visibleCurves, 30)
	b.point("[data-toggle-none]", true)
	b.expect(visibleCurves, 0)
	b.point("[data-toggle-all]", true)
	b.expect(visibleCurves, 30)

	values := `document.querySelector(".readout").innerText.replace(/\s+/g, " ")`
	b.expect(values+`.slice(0, 20)`, "best: 5,000 terms ch")
	b.point(`svg.curves .mark[data-k="100"]`, false)
	b.expect(`document.querySelector(".readout strong").textContent`, "100 terms")
	b.expect(`document.querySelectorAll(".readout")[0].querySelectorAll("div").length`, 5)
	if dir := os.Getenv("TERMSIFT_SCREENSHOTS"); dir != "" {
		b.picture(filepath.Join(dir, "sample-values.png"))
	}
	b.eval(`document.querySelector("svg.curves").focus()`)
	b.key("Home", 36, "")
	b.key("ArrowRight", 39, "")
	b.expect(`document.querySelector(".readout strong").textContent`, "20 terms")
	b.expect(values+`.includes(" chi 0.68")`, true)
	b.key("Escape", 27, "")
	b.expect(values+`.startsWith("best: ")`, true)

	b.expect(`getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)")
	b.point("[data-theme-button]", true)
	b.point("[data-theme-button]", true)
	b.expect(`getComputedStyle(document.body).backgroundColor`, "rgb(22, 24, 28)")
	b.expect(`document.querySelector("[data-theme-button]").textContent`, "Colours: dark")

	b.expect(`document.querySelector(".plot details").open`, false)
	b.point(".plot details summary", true)
	b.expect(`document.querySelector(".plot details").open`, true)
	for _, c := range b.complaints {
		t.Error(c)
	}
}

// The axes of all plots of a metric fit what is shown, and of many methods the one that is
// pointed at keeps its colour.
func TestBrowserAxesAndColours(t *testing.T) {
	b := newBrowser(t)
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
	b.show(written(t, r), 1280, 900, "light")
	labels := `[...document.querySelectorAll("svg.curves")[0].querySelectorAll(".values text")].map((t) => t.textContent).join(" ")`
	b.expect(labels, "0.0 0.2 0.4 0.6 0.8 1.0")
	path := `[...document.querySelectorAll("svg.curves")[0].querySelectorAll(".line, .spread, .leader, .values path")].map((p) => p.getAttribute("d")).join(" ")`
	before := b.eval(path)
	b.point(`[data-toggle="5"]`, true)
	b.expect(labels, "0.86 0.87 0.88 0.89 0.90")
	// marks stand on their lines, and within the plot
	b.expect(`[...document.querySelectorAll("svg.curves")[0].querySelectorAll(".curve:not(.off) .mark")].every((m) => {
		const box = m.getBBox(), moved = Number(m.getAttribute("transform").match(/0 ([-0-9.]+)/)[1]), y = box.y + box.height / 2 + moved;
		return Math.abs(y - Number(m.dataset.y)) < 1.5 && y > 15 && y < 237 && m.parentElement.querySelector(".line").getAttribute("d").includes(m.dataset.x + " " + m.dataset.y);
	})`, true)
	b.point(`[data-toggle="5"]`, true)
	if after := b.eval(path); after != before {
		t.Errorf("with all methods again the plot has\n%v\nand had\n%v", after, before)
	}
	grey := `getComputedStyle(document.querySelector('.curve[data-method="1"] .line')).stroke === getComputedStyle(document.querySelector('.curve[data-method="2"] .line')).stroke`
	b.eval(`document.activeElement.blur()`)
	b.point("h1", false)
	b.expect(grey, false)
	b.point(`svg.curves .curve[data-method="0"] .mark[data-k="100"]`, false)
	b.expect(grey, true)
	b.expect(`document.querySelector(".readout .pick").innerText.replace(/\s+/g, " ").trim()`, "chi 0.9000")
	b.point("h1", false)
	b.expect(grey, false)
	b.point("[data-toggle-none]", true)
	b.expect(`document.querySelector(".readout").innerText`, "No method is shown.")
	for _, c := range b.complaints {
		t.Error(c)
	}
}

func TestBrowserTables(t *testing.T) {
	b := newBrowser(t)
	r := sample(fiveMethods())
	r.TopTerms = append(r.TopTerms, TermList{Class: "odd", Method: "chi", Terms: []Term{{Term: "item10", Score: math.NaN(), DF: 1, A: 1}, {Term: "item9", Score: math.Inf(1), DF: 2, A: 1, B: 1}, {Term: "item11", Score: math.Inf(-1), DF: 3, A: 1, B: 1}}})
	r.Tables = []Table{{Title: "heads", Head: []string{"name", strings.Repeat("a long head ", 9), strings.Repeat("one_long_word_", 5), "last"}, Text: 1, Rows: [][]string{{"a", "1", "2", "3"}}}}
	b.show(written(t, r), 1280, 900, "light")
	b.expect(`[...document.querySelectorAll("thead th")].every((h) => h.scrollWidth <= h.clientWidth + 1)`, true)
	card := `[...document.querySelectorAll('[data-card="0"] li')].map((l) => l.textContent).join(" ")`
	before := b.eval(card)
	b.eval(`(() => { const s = document.querySelector("[data-card-method]"); s.value = "1"; s.dispatchEvent(new Event("input")) })()`)
	b.expect(`document.querySelector('[data-card="0"] .note').textContent`, "ig")
	b.expect(`document.querySelectorAll('[data-card="0"] li').length`, 10)
	if after := b.eval(card); after == before {
		t.Errorf("the card has %v by another measure, too", after)
	}
	b.point(".every summary", true)
	column := func(of int) string {
		return `[...document.querySelectorAll("[data-terms] tbody tr")].filter((r) => !r.hidden).map((r) => r.cells[` + strconv.Itoa(of) + `].textContent)`
	}
	b.expect(`document.querySelector("[data-found]").textContent`, "403 of 403")
	b.eval(`document.querySelector('[data-filter="class"]').focus()`)
	b.eval(`(() => { const s = document.querySelector('[data-filter="class"]'); s.value = "8"; s.dispatchEvent(new Event("input")) })()`)
	b.expect(column(0)+`.join(" ")`, "item10 item9 item11")
	press := func(heading int) { b.point(`[data-terms] th:nth-child(`+strconv.Itoa(heading)+`) button`, true) }
	press(5) // by score, the largest first
	b.expect(column(0)+`.join(" ")`, "item9 item11 item10")
	b.expect(`document.querySelector("[data-terms] th:nth-child(5)").getAttribute("aria-sort")`, "descending")
	press(5)
	b.expect(column(0)+`.join(" ")`, "item11 item9 item10")
	press(1) // by name, numbers in them as numbers
	b.expect(column(0)+`.join(" ")`, "item9 item10 item11")
	b.expect(`document.querySelectorAll("[data-terms] [aria-sort]").length`, 1)
	b.eval(`(() => { const s = document.querySelector('[data-filter="class"]'); s.value = ""; s.dispatchEvent(new Event("input")) })()`)
	b.eval(`document.querySelector('[data-filter="text"]').focus()`)
	b.call("Input.insertText", map[string]any{"text": "HOCK"}, nil)
	b.expect(column(0)+`.every((t) => t.includes("hock")) && `+column(0)+`.length > 4`, true)
	b.key("Enter", 13, "\r") // sends no form
	b.expect(`location.protocol`, "file:")
	press(6)
	b.expect(`(() => { const n = `+column(5)+`.map(Number); return n.every((v, i) => i === 0 || n[i-1] >= v) })()`, true)

	shown := `[...document.querySelectorAll("[data-keyness-of]")].filter((f) => f.offsetHeight > 0).length`
	b.expect(shown, 8)
	b.eval(`(() => { const s = document.querySelector("[data-keyness]"); s.value = "2"; s.dispatchEvent(new Event("input")) })()`)
	b.expect(shown, 1)
	for _, c := range b.complaints {
		t.Error(c)
	}
}

// Everything that can be pressed can be reached with the tabulator.
func TestBrowserKeyboard(t *testing.T) {
	b := newBrowser(t)
	b.show(written(t, small()), 390, 844, "dark")
	want := int(b.eval(`[...document.querySelectorAll("a, button, select, input, summary, svg.curves")].filter((e) => e.checkVisibility()).length`).(float64))
	b.eval(`window.met = new Set()`)
	for range want + 20 { // regions that scroll can be reached as well
		b.key("Tab", 9, "")
		b.eval(`met.add(document.activeElement)`)
	}
	b.expect(`[...met].filter((e) => e.matches("a, button, select, input, summary, svg.curves")).length`, want)
	b.expect(`(() => { const b = document.querySelector("[data-toggle]"); document.activeElement.blur(); b.focus({focusVisible: true}); return getComputedStyle(b).outlineStyle })()`, "solid")
}

// Even if a name came into the page as it is, the policy would not let it run.
func TestBrowserPolicy(t *testing.T) {
	b := newBrowser(t)
	page, err := os.ReadFile(written(t, small()))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "injected.html")
	broken := strings.Replace(string(page), "<main id=\"main\">", `<main id="main"><script>window.ran=1</script><img src="x" onerror="window.ran=2">`, 1)
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	b.show(path, 1280, 900, "light")
	b.expect(`window.ran === undefined`, true)
	b.expect(`document.documentElement.classList.contains("scripted")`, true)
	if len(b.complaints) == 0 {
		t.Error("the browser reports no violation of the policy: complaints are not seen")
	}
}

// Without scripts the curves, all tables and all bars are there, and no dead controls
// but the legend.
func TestBrowserWithoutScript(t *testing.T) {
	b := newBrowser(t)
	b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	b.show(written(t, sample(fiveMethods())), 390, 844, "light")
	b.expect(`[...document.querySelectorAll("form, [data-theme-button]")].filter((e) => e.checkVisibility()).length`, 0)
	b.expect(`[...document.querySelectorAll("svg.curves, svg.bars, .heat")].filter((e) => e.offsetHeight > 40 || e.getBoundingClientRect().height > 40).length`, 6+9+3)
	b.expect(`document.querySelectorAll("[data-card] li").length`, 8*10)
	b.expect(`document.querySelectorAll(".mark > title").length`, 300)
	if dir := os.Getenv("TERMSIFT_SCREENSHOTS"); dir != "" {
		b.picture(filepath.Join(dir, "sample-no-script.png"))
		b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
		b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
		b.picture(filepath.Join(dir, "sample-print.png"))
	}
}
