//go:build !js

package main

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
)

// This file tries the page as people use it, in Chromium, from a file of the disk, and compares what it shows with what
// the command prints.

// outputs is the folder of what built builds.
var outputs string

// built has the page and the command.
var built = sync.OnceValues(func() (paths [2]string, err error) {
	paths = [2]string{filepath.Join(outputs, "termsift.html"), filepath.Join(outputs, "termsift")}
	if err := build(context.Background(), paths[0]); err != nil {
		return paths, err
	}
	_, err = run(context.Background(), nil, "build", "-o", paths[1], "github.com/termsift/termsift/cmd/termsift")
	return paths, err
})

func TestMain(m *testing.M) {
	outputs = testkit.Must(os.MkdirTemp("", "termsift-page-test-"))
	code := m.Run()
	testkit.OK(os.RemoveAll(outputs))
	os.Exit(code)
}

// A person is somebody at the page.
type person struct {
	*browsertest.Browser
	t *testing.T
}

// opens opens the page, in a window of this width.
func opens(t *testing.T, width int, scheme string, flags ...string) person {
	t.Helper()
	p := person{browsertest.New(t, flags...), t}
	p.Show(testkit.Must(built())[0], width, 900, scheme)
	p.becomes("ready")
	return p
}

// becomes waits until the page is in a state.
func (p person) becomes(state string) {
	p.t.Helper()
	defer func() {
		if p.t.Failed() {
			p.t.Log(p.Eval(`document.documentElement.dataset.state + ": " + document.body.innerText.slice(0, 300)`))
		}
	}()
	p.Wait(`["error", "` + state + `"].includes(document.documentElement.dataset.state)`)
	if p.Expect(`document.documentElement.dataset.state`, state); p.t.Failed() {
		p.t.Fatal(p.Eval(`document.querySelector("#message").textContent`))
	}
}

// chooses chooses files.
func (p person) chooses(files ...string) {
	p.t.Helper()
	p.Eval(`document.documentElement.dataset.state = ""`) // or that of before would be seen
	p.Choose("#files", files...)
}

// counts answers what the page asks, and waits for the terms.
func (p person) counts(classes string) {
	p.t.Helper()
	p.becomes("asking")
	p.Eval(fmt.Sprintf(`document.querySelector("#classes-from").value = %q`, classes))
	p.Expect(`document.querySelector("#classes-from").value`, classes)
	p.Click("#go")
	p.becomes("shown")
	p.Wait(`document.querySelector(".rows tbody [data-term]")`)
}

// finds searches the list for a term that is there.
func (p person) finds(term string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`{ const q = document.querySelector('[data-state="q"]'); q.value = %q; q.dispatchEvent(new Event("input")); }`, term))
	p.Wait(fmt.Sprintf(`document.querySelector('.rows [data-term="%s"]')`, term))
}

// asks fills a form of a panel, and waits for its answer.
func (p person) asks(panel, word string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`{ const input = document.querySelector("#%s [data-pattern]"); if (input) input.value = %q; }`, panel, word))
	p.Click("#" + panel + " form button")
	p.Wait(`document.querySelector("#` + panel + ` [data-out] :is(table, svg, [role=alert])")`)
}

// shown returns a property of the first elements that a selector names.
func (p person) shown(selector, property string, n int) (values []string) {
	p.t.Helper()
	for _, value := range p.Eval(fmt.Sprintf(`[...document.querySelectorAll(%q)].slice(0, %d).map((e) => e.%s)`, selector, n, property)).([]any) {
		values = append(values, value.(string))
	}
	return values
}

// terms returns the first terms of the list, and words those of a table in a panel.
func (p person) terms(n int) []string { return p.shown(".rows tbody [data-term]", "dataset.term", n) }

func (p person) words(panel string, n int) []string {
	return p.shown("#"+panel+" [data-out] td:nth-child(2)", "textContent", n)
}

// printed returns what the command prints in a folder.
func printed(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), testkit.Must(built())[1], args...)
	c.Dir = dir
	return string(testkit.Must(c.Output()))
}

// command returns what the command prints as JSON.
func command(t *testing.T, dir string, args ...string) (answer listed) {
	t.Helper()
	out := printed(t, dir, append(args, "--format", "json")...)
	testkit.Is(testkit.Stop(t), json.Unmarshal([]byte(out), &answer), nil, args, out)
	return answer
}

// wordFile returns a document of Word with these paragraphs.
func wordFile(t *testing.T, paragraphs ...string) string {
	t.Helper()
	var file strings.Builder
	z := zip.NewWriter(&file)
	_, _ = io.WriteString(testkit.Must(z.Create("[Content_Types].xml")), `<Types/>`)
	body := testkit.Must(z.Create("word/document.xml"))
	_, _ = io.WriteString(body, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>`)
	for _, text := range paragraphs {
		_, _ = io.WriteString(body, "<w:p><w:r><w:t>"+text+"</w:t></w:r></w:p>")
	}
	_, _ = io.WriteString(body, `</w:body></w:document>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// authors writes ten texts of each of three authors, a folder an author.
func authors(t *testing.T) (dir string) {
	t.Helper()
	files := map[string]string{}
	for i := range 10 {
		files[fmt.Sprintf("melville/%02d.txt", i)] = strings.Repeat(fmt.Sprintf("The whale swims and the ship sails %d times over the sea. ", i), 10+i)
		files[fmt.Sprintf("austen/%02d.txt", i)] = strings.Repeat("It is a truth that a ball pleases the ladies of the house. ", 10+i)
		files[fmt.Sprintf("doyle/%02d.txt", i)] = strings.Repeat("The clue was in the house, and the sea was far, said Holmes. ", 10+i)
	}
	paths := folderOf(t, files)
	return filepath.Dir(filepath.Dir(paths[0]))
}

// listed are the rows that a command prints as JSON.
type listed struct {
	Occurrences int
	Rows        []struct{ Term string }
}

// same fails the test unless the list begins with the terms that the command prints.
func (p person) same(want listed, of string) {
	p.t.Helper()
	var terms []string
	for _, row := range want.Rows {
		terms = append(terms, row.Term)
	}
	if len(terms) == 0 {
		p.t.Fatal("the command prints no terms")
	}
	testkit.Equal(p.t, strings.Join(p.terms(len(terms)), " "), strings.Join(terms, " "), of)
}

// A teacher drops a folder of thirty texts, in folders of their authors, and follows the lesson: summary, frequent words
// with a stop list, contexts, the trend of a word, comparison of two parts, saving a list.
func TestTeacher(t *testing.T) {
	p, dir := opens(t, 1400, "light"), authors(t)
	p.Downloads()
	p.Drop("[data-drop]", filepath.Join(dir, "melville"), filepath.Join(dir, "austen"), filepath.Join(dir, "doyle"))
	p.becomes("asking")
	p.Expect(`document.querySelector("[data-about]").textContent`, "30 texts in 3 folders")
	p.counts("folder")
	p.Expect(`document.querySelector("[data-about]").textContent`, "30 texts, 24 different words")
	p.same(command(t, dir, "score", ".", "--by", "chi", "--top", "10"), "terms by chi")

	p.Eval(`document.querySelector("#words [data-stop]").value = "english"`)
	p.asks("words", "")
	p.Expect(`[...document.querySelectorAll("#words tbody tr")].some((r) => r.cells[1].textContent === "the")`, false)
	p.asks("contexts", "whale")
	want := command(t, dir, "kwic", ".", "whale")
	p.Expect(`document.querySelector("#contexts [data-out] p").textContent.split(" ")[0]`, fmt.Sprint(want.Occurrences))
	p.Expect(`document.querySelectorAll("#contexts .match").length`, min(100, want.Occurrences))
	p.Click("#contexts .from button")
	p.Wait(`document.querySelector("dialog[open] pre")?.textContent.includes("whale")`)
	p.Click("[data-close-text]")
	p.asks("collocates", "whale")
	near := command(t, dir, "collocates", ".", "whale")
	for i, word := range p.words("collocates", 5) {
		testkit.Equal(t, word, near.Rows[i].Term, "collocate", i)
	}
	p.asks("spread", "whale")
	p.Expect(`document.querySelectorAll("#spread tbody tr").length`, 30)

	for i, set := range []string{"a", "b"} {
		p.Eval(fmt.Sprintf(`{ const e = document.querySelector("[data-named]"); e.value = %q; e.dispatchEvent(new Event("input")); }`, []string{"melville", "austen"}[i]))
		p.Click("[data-all-" + set + "]")
	}
	p.Click("[data-compare]")
	p.Wait(`document.querySelector("#texts [data-all-again]:not([hidden])") && document.querySelector(".rows tbody [data-term]")`)
	p.same(command(t, dir, "score", ".", "--docs", "class=melville", "--reference-docs", "class=austen", "--by", "g2tf", "--top", "5"), "terms of two sets")
	p.Expect(`document.querySelector("[data-command]").textContent`, "termsift explore . --docs class=melville --reference-docs class=austen -o page.html")
	p.Click("[data-save]")
	testkit.Contains(t, p.Saved("terms-g2tf.tsv"), "rank\tterm\tg2tf")
	p.NoComplaints()
	p.Picture("teacher-1400-light")
}

// A student opens a document of Word, and asks for one text.
func TestStudent(t *testing.T) {
	p, files := opens(t, 1400, "dark"), folderOf(t, map[string]string{"essay.docx": wordFile(t, "The whale is a fish, he says.", "A whale is no fish at all.")})
	p.chooses(files...)
	p.counts("none")
	p.same(command(t, filepath.Dir(files[0]), "score", "essay.docx", "--by", "df", "--top", "20"), "words of a document")
	p.asks("contexts", "whale")
	p.Expect(`document.querySelectorAll("#contexts .match").length`, 2)
	p.asks("spread", "whale")
	p.NoComplaints()
	p.Picture("student-1400-dark")
}

// An analyst opens reviews with umlauts, semicolons and the encoding of Windows.
func TestAnalyst(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("Sterne;Bewertung;Datum\r\n")
	for i := range 60 {
		rows.WriteString([]string{"5;Sehr sch\xf6n und gut verarbeitet, gerne wieder", "1;Schlecht, zu gro\xdf und laut, nie wieder"}[i%2] + fmt.Sprintf(";2026-01-%02d\r\n", 1+i/2))
	}
	p, files := opens(t, 1400, "light"), folderOf(t, map[string]string{"reviews.csv": rows.String()})
	p.chooses(files...)
	p.becomes("asking")
	p.Expect(`document.querySelector("#text-from").value`, "Bewertung")
	p.counts("column:Sterne")
	p.same(command(t, filepath.Dir(files[0]), "score", "reviews.csv", "--text-field", "Bewertung", "--label-field", "Sterne", "--by", "chi", "--top", "5"), "terms of reviews")
	p.Expect(`document.querySelector("[data-command]").textContent`, "termsift explore reviews.csv --text-field Bewertung --label-field Sterne -o page.html")
	p.NoComplaints()
}

// A journalist opens a zip of mails, somebody on a phone Chinese headlines, and somebody with the keyboard alone the sample.
func TestOthers(t *testing.T) {
	var mails strings.Builder
	z := zip.NewWriter(&mails)
	for i := range 4 {
		_, _ = io.WriteString(testkit.Must(z.Create(fmt.Sprintf("mail/%d.eml", i))), fmt.Sprintf("From: a@b\nSubject: leak %d\nContent-Transfer-Encoding: quoted-printable\n\nThe caf=C3=A9 is closed.\n", i))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p, files := opens(t, 390, "dark"), folderOf(t, map[string]string{"mails.zip": mails.String()})
	p.chooses(files...)
	p.counts("none")
	p.same(command(t, filepath.Dir(files[0]), "score", "mails.zip", "--by", "df", "--top", "9"), "words of mails")
	p.finds("café")

	var headlines strings.Builder
	for i := range 36_000 {
		headlines.WriteString([]string{"体育\t球队赢得比赛冠军", "财经\t股市今日大幅上涨"}[i%2] + "\n")
	}
	files = folderOf(t, map[string]string{"headlines.tsv": "class\ttext\n" + headlines.String()})
	p.chooses(files...)
	p.counts("column:class")
	p.same(command(t, filepath.Dir(files[0]), "score", "headlines.tsv", "--label-field", "class", "--by", "chi", "--top", "9"), "words of headlines")
	p.asks("contexts", "股市")
	p.asks("collocates", "股市")
	p.asks("spread", "股市")
	p.Expect(`document.documentElement.scrollWidth`, 390)
	p.Expect(`[...document.querySelectorAll("body :is(button, input, select, summary, a[href])")].filter((e) => {
		if (!e.checkVisibility() || e.closest(".skip")) return false;
		e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
		const box = e.getBoundingClientRect(), hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
		return !(e.contains(hit) || hit?.contains(e));
	}).map((e) => e.outerHTML.slice(0, 100)).join()`, "") // nothing lies over what can be pressed
	p.NoViolations()
	p.Picture("headlines-390-dark")
	p.NoComplaints()
}

// Somebody with the keyboard alone opens the sample, keeps the page, and opens that again.
func TestKeyboardAndSavedPage(t *testing.T) {
	p := opens(t, 1400, "light")
	p.Downloads()
	p.NoViolations()
	p.Focus("[data-sample]")
	p.Press("Enter")
	p.becomes("asking")
	p.Expect(`document.activeElement.id`, "go")
	p.Press("Enter")
	p.becomes("shown")
	p.Wait(`document.querySelector(".rows tbody [data-term]")`)
	p.NoViolations()
	terms := strings.Join(p.terms(20), " ")
	plot := func() string {
		p.Click("[data-save-plot]")
		return p.Saved("termsift-plot.svg")
	}
	drawn, saved := plot(), map[string]string{}
	for _, kept := range []string{"with texts", "without"} {
		p.Click("[data-save-page]")
		saved[kept] = p.Saved("termsift-terms.html")
		p.Click("[data-with-lines]")
	}
	for where, kept := range map[string]string{"alone": "with texts", "without texts": "without", "in the page": "with texts"} {
		if where == "in the page" {
			p.Show(testkit.Must(built())[0], 1400, 900, "light")
			p.becomes("ready")
			p.chooses(folderOf(t, map[string]string{"kept.html": saved[kept]})...)
			p.becomes("shown")
		} else {
			p.ShowHTML(saved[kept], 1400, 900, "light")
		}
		p.Wait(`document.querySelectorAll(".rows tbody .name").length >= 20`)
		testkit.Equal(t, p.Eval(`[...document.querySelectorAll(".rows tbody .name")].slice(0, 20).map((e) => e.textContent).join(" ")`), any(terms), where)
		testkit.Equal(t, plot(), drawn, where, "the plot")
		p.Click(".rows tbody .name")
		p.Wait(fmt.Sprintf(`document.querySelector("#term [data-term-evidence] %s")`, map[string]string{"with texts": ".kwic", "without": ".note"}[kept]))
	}
	p.NoComplaints()
}

// The browser refuses whatever a script in the page might send.
func TestNothingLeaves(t *testing.T) {
	p := opens(t, 1400, "light")
	for _, c := range []struct{ does, refused string }{
		{`fetch("https://example.org/").catch(() => {})`, "connect-src"},
		{`navigator.sendBeacon("https://example.org/", "x")`, "connect-src"},
		{`new Image().src = "https://example.org/x.png"`, "img-src"},
		{`{ const f = document.createElement("form"); f.action = "https://example.org/"; document.body.append(f); f.submit(); }`, "form-action"},
	} {
		p.Expect(`new Promise((resolve) => {
			addEventListener("securitypolicyviolation", (e) => resolve(e.effectiveDirective), { once: true });
			setTimeout(resolve, 5000, "nothing is refused");
			`+c.does+`;
		})`, c.refused)
	}
	p.Expect(`location.protocol`, "file:")
	page := string(testkit.Must(os.ReadFile(testkit.Must(built())[0]))) + string(workerScript)
	found := regexp.MustCompile(`location(\.\w+)? = |location\.(assign|replace)|window\.open\(|RTCPeer|XMLHttpRequest|WebSocket|fetch\(`).FindAllString(page, -1)
	testkit.Equal(t, strings.Join(found, " "), "", "what leaves the page")
}

// The lesson of README.md says what the page shows at each step.
func TestLesson(t *testing.T) {
	p, lesson := opens(t, 1400, "light"), strings.Join(strings.Fields(string(testkit.Must(os.ReadFile("README.md")))), " ")
	says := func(text string) {
		t.Helper()
		testkit.Contains(t, lesson, text)
	}
	list := func(terms []string) string { return "`" + strings.Join(terms, "`, `") + "`" }
	p.Click("[data-sample]")
	p.counts("column:labels")
	facts := p.Eval(`[...document.querySelectorAll("[data-facts] dd")].map((e) => e.textContent)`).([]any)
	says(fmt.Sprintf("%s texts, %s words, %s different ones, %s in a text", facts[:4]...))
	says(list(p.terms(4)))
	p.Eval(`[...document.querySelectorAll(".cards h3 button")].find((e) => e.textContent === "cooking").click()`)
	p.Wait(`document.querySelector('[data-state="cls"]').value === "cooking"`)
	says("press *cooking*")
	p.asks("words", "")
	says(list(p.words("words", 5)))
	p.Eval(`document.querySelector("#words [data-stop]").value = "english"`)
	p.asks("words", "")
	says(list(p.words("words", 3)))
	p.asks("contexts", "frost")
	says(strings.Replace(p.Eval(`document.querySelector("#contexts [data-out] p").textContent`).(string), " of frost", "", 1))
	p.asks("collocates", "frost")
	says(list(p.words("collocates", 2)))
	p.asks("spread", "frost")
	says(strings.TrimSuffix(p.Eval(`document.querySelector("#spread [data-out] p").textContent.split(", ")[0]`).(string), " (0 is even"))
	for set, class := range map[string]string{"a": "gardening", "b": "cooking"} {
		p.Eval(fmt.Sprintf(`{ const e = document.querySelector("[data-named]"); e.value = %q; e.dispatchEvent(new Event("input")); }`, class))
		p.Click("[data-all-" + set + "]")
	}
	says(p.Eval(`document.querySelector("[data-compare]").textContent`).(string))
	p.Click("[data-compare]")
	p.Wait(`document.querySelector("#texts [data-all-again]:not([hidden])") && document.querySelector(".rows tbody [data-term]")`)
	says(list(p.terms(3)))
}
