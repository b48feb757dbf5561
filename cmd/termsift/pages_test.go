package main

import (
	"bytes"
	"context"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report"
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

// pageCommands are commands that write a page, by the names of their pages.
var pageCommands = map[string][]string{
	"score":     {"score", "--by", "chi,g2tf", "--combine", "class", "--p-values", "--top", "4"},
	"explain":   {"explain", "orbit"},
	"compare":   {"compare", "--by", "chi,ig,gss", "-k", "2,5"},
	"stability": {"stability", "--by", "chi", "-k", "6", "--threshold", "0.51", "--top", "4"},
	"keyness":   {"keyness", "--docs", "class=space", "--max-p", "1", "--min-freq", "1"},
	"evaluate":  {"evaluate", "--folds", "2", "--by", "chi,ig", "-k", "2,4", "--classifier", "nb,centroid", "--no-times"},
	"kwic":      {"kwic", "patient"},
}

// runPage runs a command of pageCommands on texts, and returns the file of its page and what it prints with
// further arguments.
func runPage(t *testing.T, name string, more ...string) (page, printed string) {
	t.Helper()
	dir := t.TempDir()
	texts := testkit.Write(filepath.Join(dir, "texts.jsonl"), pageTexts)
	command := pageCommands[name]
	command = slices.Concat(command[:1], []string{texts}, command[1:], []string{"--tokens", `pattern:\S+`})
	page = filepath.Join(dir, name+".html")
	to := []string{"-o", page}
	if name == "evaluate" {
		to[0] = "--html"
	}
	var out bytes.Buffer
	for _, args := range [][]string{slices.Concat(command, to), slices.Concat(command, more)} {
		var errs bytes.Buffer
		out.Reset()
		testkit.Equal(testkit.Stop(t), run(context.Background(), args, strings.NewReader(""), &out, &errs), 0, args,
			"exit code", errs.String())
	}
	return page, out.String()
}

// A page has every row of the table that its command prints, cell by cell.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	rows, cells := regexp.MustCompile(`(?s)<tr.*?</tr>`), regexp.MustCompile(`(?s)<t[dh].*?</t[dh]>`)
	for name := range pageCommands {
		if name == "evaluate" {
			continue // its page is another one than its table
		}
		path, printed := runPage(t, name, "--format", "tsv")
		page := testkit.Must(os.ReadFile(path))
		var shown strings.Builder
		for _, row := range rows.FindAllString(string(page), -1) {
			for i, cell := range cells.FindAllString(row, -1) {
				if i > 0 {
					shown.WriteByte('\t')
				}
				shown.WriteString(html.UnescapeString(tags.ReplaceAllString(cell, "")))
			}
			shown.WriteByte('\n')
		}
		testkit.Equal(t, shown.String(), strings.ReplaceAll(printed, "\u202e", `\u202e`), name, "the page has", &shown,
			"and the table")
	}
}

// Pages fit every screen, in both colours and on paper; what names say is text, and axe finds nothing.
func TestBrowserPages(t *testing.T) {
	b := browsertest.New(t)
	for _, name := range []string{"score", "evaluate", "kwic"} {
		path, _ := runPage(t, name)
		for _, width := range []int{390, 1280, 2000} {
			for _, scheme := range []string{"light", "dark"} {
				b.Show(path, width, 900, scheme)
				b.Expect(`document.documentElement.classList.contains("scripted")`, true)
				b.Expect(`window.ran === undefined`, true)
				b.Expect(`document.documentElement.scrollWidth - innerWidth > 0 ? "`+name+`" : ""`, "")
				b.Expect(`performance.getEntriesByType("resource").length`, 0)
				b.Picture(name + "-" + scheme + "-" + map[int]string{390: "390", 1280: "1280", 2000: "2000"}[width])
				if width == 1280 {
					b.Eval(`document.querySelectorAll("details").forEach((d) => { d.open = true })`)
					b.NoViolations()
				}
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
	path, _ := runPage(t, "kwic")
	b.Show(path, 1280, 900, "light")
	const left = `[...document.querySelectorAll("tbody tr")].map((r) => r.cells[0].textContent.trim()).join(", ")`
	b.Expect(left, "the doctor and the, a patient, a")
	b.Click("th:nth-child(1) button")
	b.Expect(left, "a, a patient, the doctor and the")
	b.Expect(`getComputedStyle(document.querySelector("tbody td")).textAlign`, "end")
	b.NoComplaints()
}

func TestCommandLine(t *testing.T) {
	for want, args := range map[string][]string{
		"termsift evaluate --folds 5 a.idx":                                  {"evaluate", "--html", "x y.html", "--folds", "5", "--svg=curves", "a.idx", "--confusion", "c.tsv"},
		`termsift evaluate --docs 'class=a and not id=x*' 'it'\''s' '' -k 5`: {"evaluate", "--docs", "class=a and not id=x*", "it's", "", "-k", "5"},
		"termsift keyness a.idx --class=a":                                   {"keyness", "a.idx", "--class=a", "--html"},
		"termsift explore a.txt --by chi":                                    {"explore", "--threads", "8", "--quiet", "a.txt", "--max-memory=1GB", "--temp-dir", "/t", "--by", "chi", "--force", "-o", "p.html"},
	} {
		a := newApp(nil, io.Discard, io.Discard)
		a.tree()
		a.args = args
		testkit.Equal(t, a.commandLine(), want, args)
	}
}

func TestFileFacts(t *testing.T) {
	dir := t.TempDir()
	path := testkit.Write(filepath.Join(dir, "a.idx"), make([]byte, 1234))
	want := []report.Fact{{Name: "file", Value: path + ", 1,234 bytes"}, {Name: "file", Value: dir + ", a folder"}, {Name: "file", Value: "standard input"}}
	got := fileFacts([]string{path, dir, "-"}, path, "")
	testkit.Equal(testkit.Stop(t), len(got), len(want))
	for i := range want {
		testkit.Equal(t, got[i], want[i])
	}
}
