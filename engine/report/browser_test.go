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
	for name, r := range map[string]*Report{"sample": sample(fiveMethods()), "twelve": sample(twelve), "hostile": hostile(), "empty": {}} {
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

	tip := `(() => { const t = document.querySelector(".tip"); return t.hidden ? "" : t.innerText.replace(/\s+/g, " ") })()`
	b.expect(tip, "")
	b.point(`svg.curves .mark[data-k="100"]`, false)
	b.expect(`document.querySelector(".tip strong").textContent`, "100 terms")
	b.expect(`document.querySelectorAll(".tip")[0].querySelectorAll("div").length`, 5)
	if dir := os.Getenv("TERMSIFT_SCREENSHOTS"); dir != "" {
		b.picture(filepath.Join(dir, "sample-values.png"))
	}
	b.eval(`document.querySelector("svg.curves").focus()`)
	b.key("Home", 36, "")
	b.key("ArrowRight", 39, "")
	b.expect(`document.querySelector(".tip strong").textContent`, "20 terms")
	b.expect(tip+`.includes(" chi 0.68")`, true)
	b.key("Escape", 27, "")
	b.expect(tip, "")

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

func TestBrowserTables(t *testing.T) {
	b := newBrowser(t)
	r := sample(fiveMethods())
	r.TopTerms = append(r.TopTerms, TermList{Class: "odd", Method: "chi", Terms: []Term{{"item10", math.NaN(), 1, 1, 0}, {"item9", math.Inf(1), 2, 1, 1}, {"item11", math.Inf(-1), 3, 1, 1}}})
	b.show(written(t, r), 1280, 900, "light")
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
	b.expect(shown, 1)
	b.eval(`(() => { const s = document.querySelector("[data-keyness]"); s.value = ""; s.dispatchEvent(new Event("input")) })()`)
	b.expect(shown, 8)
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
	b.expect(`document.querySelectorAll(".mark > title").length`, 300)
	if dir := os.Getenv("TERMSIFT_SCREENSHOTS"); dir != "" {
		b.picture(filepath.Join(dir, "sample-no-script.png"))
		b.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil)
		b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": false}, nil)
		b.picture(filepath.Join(dir, "sample-print.png"))
	}
}
