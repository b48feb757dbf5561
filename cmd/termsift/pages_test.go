package main

import (
	"bytes"
	"context"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/report/browsertest"
)

// pageTexts are documents of which some names try to get out of where they stand.
const pageTexts = `{"id": "<img src=x onerror=window.ran=1>", "labels": ["</script><script>window.ran=2</script>"], "text": "orbit orbit moon <svg/onload=window.ran=3>"}
{"id": "2", "labels": ["</script><script>window.ran=2</script>"], "text": "moon orbit launch \"onfocus=window.ran=4"}
{"id": "3", "labels": ["space"], "text": "launch of the shuttle to the moon orbit"}
{"id": "4", "labels": ["space"], "text": "the shuttle is a ship"}
{"id": "5", "labels": ["med\u202e"], "text": "the doctor and the patient"}
{"id": "6", "labels": ["med\u202e"], "text": "a patient patient and a doctor"}
`

// pageCommands are commands with a page, by the names of their pages.
var pageCommands = map[string][]string{
	"score":         {"score", "--by", "chi,ig,ttest,g2tf"},
	"score-classes": {"score", "--by", "chi,g2", "--combine", "class", "--p-values", "--top", "4"},
	"score-draws":   {"score", "--by", "chi", "--permutations", "20"},
	"explain":       {"explain", "orbit", "--docs", "2", "--kwic", "3"},
	"compare":       {"compare", "--by", "chi,ig,gss", "-k", "2,5"},
	"compare-many":  {"compare", "--by", "chi,ig,gss,df,cf", "-k", "2,5"},
	"stability":     {"stability", "--by", "chi", "-k", "3", "--bootstrap", "20"},
	"stability-of":  {"stability", "--by", "chi", "-k", "6", "--threshold", "0.51", "--top", "4"},
	"keyness":       {"keyness", "--docs", "class=space", "--max-p", "1", "--min-freq", "1"},
	"evaluate":      {"evaluate", "--folds", "2", "--by", "chi,ig", "-k", "2,4", "--classifier", "nb,centroid", "--no-times"},
	"table":         {"kwic", "patient", "--format", "html"},
}

// runPage runs a command of pageCommands on texts, and returns the file of its page and what it printed.
func runPage(t *testing.T, name string, more ...string) (page, printed string) {
	t.Helper()
	dir := t.TempDir()
	texts := filepath.Join(dir, "texts.jsonl")
	if err := os.WriteFile(texts, []byte(pageTexts), 0o600); err != nil {
		t.Fatal(err)
	}
	command := pageCommands[name]
	page = filepath.Join(dir, name+".html")
	to := "--html"
	if name == "table" {
		to = "-o" // the page is what the command prints
	}
	args := slices.Concat(command[:1], []string{texts}, command[1:], more, []string{to, page, "--tokens", `pattern:\S+`})
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("%q: exit code %d: %s", args, code, errs.String())
	}
	return page, out.String()
}

// rowsOfPage returns the texts of the cells of all rows of a page, without commas between thousands.
func rowsOfPage(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, row := range regexp.MustCompile(`(?s)<tr.*?</tr>`).FindAllString(string(page), -1) {
		var cells []string
		for _, cell := range regexp.MustCompile(`(?s)<t[dh].*?</t[dh]>`).FindAllString(row, -1) {
			cells = append(cells, strings.TrimSpace(strings.ReplaceAll(html.UnescapeString(tags.ReplaceAllString(cell, "")), "−", "-")))
		}
		rows = append(rows, cells)
	}
	return rows
}

// A page has every row of the table that its command prints, cell by cell.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	unescaped := regexp.MustCompile(`\\(.)`)
	for name := range pageCommands {
		if slices.Contains([]string{"keyness", "evaluate", "table"}, name) {
			continue // the pages have figures of their own, or stand for what is printed
		}
		path, printed := runPage(t, name, "--format", "md")
		rows := rowsOfPage(t, path)
		compared := 0
		lines := strings.Split(strings.ReplaceAll(printed, "\u202e", `\\u202e`), "\n")
		for i, line := range lines {
			isHead := i+1 < len(lines) && strings.HasPrefix(lines[i+1], "| ---")
			if isHead || !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "| ---") {
				continue
			}
			var want []string
			for _, cell := range regexp.MustCompile(` \| | ?\|$|^\| `).Split(line, -1) {
				if cell = unescaped.ReplaceAllString(strings.TrimSpace(cell), "$1"); cell != "" && cell != "-" {
					want = append(want, cell)
				}
			}
			has := func(row []string) bool {
				for _, cell := range want {
					if !slices.ContainsFunc(row, func(of string) bool {
						return of == cell || strings.TrimPrefix(of, "(all classes): ") == cell || strings.TrimPrefix(of, "-") == cell
					}) {
						return false
					}
				}
				return true
			}
			if compared++; !slices.ContainsFunc(rows, has) {
				t.Errorf("%s: the page has no row with %q", name, want)
			}
		}
		if compared < 2 {
			t.Errorf("%s: %d rows were printed", name, compared)
		}
	}
}

// Pages fit every screen, in both colours and on paper; what names say is text, and axe finds nothing.
func TestBrowserPages(t *testing.T) {
	b := browsertest.New(t)
	for name := range pageCommands {
		path, _ := runPage(t, name)
		for _, width := range []int{390, 1280, 2000} {
			for _, scheme := range []string{"light", "dark"} {
				b.Show(path, width, 900, scheme)
				b.Expect(`document.documentElement.classList.contains("scripted")`, true)
				b.Expect(`window.ran === undefined`, true)
				b.Expect(`document.documentElement.scrollWidth - innerWidth > 0 ? "`+name+`" : ""`, "")
				b.Expect(`performance.getEntriesByType("resource").length`, 0)
				b.Picture(name + "-" + scheme + "-" + map[int]string{390: "390", 1280: "1280", 2000: "2000"}[width])
			}
		}
		b.Resize(720, 1000)
		b.PrintMedia(true)
		b.Expect(`document.documentElement.scrollWidth > 720 ? "`+name+` on paper " + document.documentElement.scrollWidth : ""`, "")
		b.Expect(`getComputedStyle(document.body).backgroundColor`, "rgb(255, 255, 255)")
		b.PrintMedia(false)
		b.PDF(name)
		b.NoComplaints()
	}
}

// Texts that end where their column does are sorted as texts.
func TestBrowserSortsWhatIsLeftOfAMatch(t *testing.T) {
	b := browsertest.New(t)
	path, _ := runPage(t, "table")
	b.Show(path, 1280, 900, "light")
	const left = `[...document.querySelectorAll("tbody tr")].map((r) => r.cells[0].textContent.trim()).join(", ")`
	b.Expect(left, "the doctor and the, a patient, a")
	b.Click("th:nth-child(1) button")
	b.Expect(left, "a, a patient, the doctor and the")
	b.Expect(`getComputedStyle(document.querySelector("tbody td")).textAlign`, "end")
	b.NoComplaints()
}

// The pages of the commands are accessible.
func TestBrowserPagesAreAccessible(t *testing.T) {
	b := browsertest.New(t)
	for name := range pageCommands {
		path, _ := runPage(t, name)
		for _, scheme := range []string{"light", "dark"} {
			b.Show(path, 1280, 900, scheme)
			b.Eval(`document.querySelectorAll("details").forEach((d) => { d.open = true })`)
			b.NoViolations()
		}
	}
}
