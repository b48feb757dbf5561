//go:build !js

package main

import (
	"archive/zip"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
)

// This file tries what goes wrong: the page says a sentence, and takes the next files.

// says takes files through the form, and waits for a message.
func (p person) says(text string) {
	p.t.Helper()
	p.Wait(`["asking", "error"].includes(document.documentElement.dataset.state)`)
	if p.Eval(`document.documentElement.dataset.state`) == "asking" {
		p.Click("#go")
	}
	p.becomes("error")
	testkit.Contains(p.t, p.Eval(`document.querySelector("#message").textContent`).(string), text)
}

// What cannot be read gets a sentence, and the next files are taken.
func TestBadFiles(t *testing.T) {
	p := opens(t, 1400, "light")
	for _, c := range []struct {
		files map[string]string
		says  string
	}{
		{map[string]string{"photo.png": "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01", 500)}, "binary file"},
		{map[string]string{"paper.pdf": "%PDF-1.7\n" + strings.Repeat("x", 500)}, "PDF"},
		{map[string]string{"broken.parquet": "PAR1" + strings.Repeat("\x00", 100) + "PAR1"}, "parquet"},
		{map[string]string{"broken.docx": "PK\x03\x04 and no more"}, "docx"},
		{map[string]string{"broken.zip": "PK\x03\x04 and no more"}, "may be damaged or cut"},
		{map[string]string{"<script>ran = 1<\x5c!--.txt": "\x00\x00\x00"}, "binary file"},
		{map[string]string{"empty.txt": ""}, "nothing to count"},
		{map[string]string{"bomb.zip": bomb(t)}, "more than 1000 times as much"},
	} {
		p.chooses(folderOf(t, c.files)...)
		p.says(c.says)
	}
	p.Eval(`document.documentElement.dataset.state = ""`)
	p.Drop("[data-drop]", t.TempDir())
	p.says("There is no file in what was chosen")

	p.chooses(folderOf(t, map[string]string{"table.csv": "id,text\n1,some words\n"})...)
	p.becomes("asking")
	p.Eval(`document.querySelector("#text-from").append(new Option("ghost", "ghost")), document.querySelector("#text-from").value = "ghost"`)
	p.says("ghost")

	p.chooses(folderOf(t, map[string]string{"<b>odd</b>.txt": "a tab\tand \x1b[31mcolours\x00 <script>ran = 1</script>", "b.txt": "other words"})...)
	p.counts("none")
	p.Expect(`typeof ran`, "undefined")
	p.NoComplaints()
}

// bomb returns an archive that is a thousandth of what is in it.
func bomb(t *testing.T) string {
	var file strings.Builder
	z := zip.NewWriter(&file)
	_, _ = io.WriteString(testkit.Must(z.Create("a.txt")), strings.Repeat("a", 100_000_000))
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// Whatever the engine does is left within half a second, and what is asked next has it count again.
func TestCancel(t *testing.T) {
	p := opens(t, 1400, "light")
	p.chooses(folderOf(t, map[string]string{"long.csv": "text\n" + strings.Repeat(strings.Repeat("words and more words ", 50)+"\n", 60_000)})...)
	p.becomes("asking")
	left := `(async () => { const from = performance.now(); document.querySelector("%s").click(); await new Promise(requestAnimationFrame);
		return document.documentElement.dataset.state === "%s" && performance.now() - from < 500 })()`
	texts := `parseInt(document.querySelector("[data-progress]").textContent.replace(",", ""))`
	for _, reading := range []string{`true`, texts + ` > 0`, texts + ` > 40000`} {
		p.Click("#go")
		p.Wait(reading)
		p.Expect(fmt.Sprintf(left, "[data-cancel]", "asking"), true)
	}
	p.counts("none")
	p.Eval(`document.querySelector("#contexts [data-pattern]").value = "m*e"`)
	p.Click("#contexts form button")
	p.Expect(fmt.Sprintf(left, "#contexts [data-out] button", "shown"), true)
	p.Expect(`document.querySelector("#contexts [role=alert]").textContent`, "Cancelled.")
	p.asks("spread", "more")
	p.Expect(`document.querySelectorAll("#spread tbody tr").length`, 100)
	p.NoComplaints()
}

// Texts that need more memory than there is end the engine, of which the page tells, and it takes fewer.
func TestMemoryRunsOut(t *testing.T) {
	p := opens(t, 1400, "light", "--wasm-max-mem-pages=2000")
	p.chooses(folderOf(t, map[string]string{"large.csv": "text\n" + strings.Repeat(strings.Repeat("words and more words ", 50)+"\n", 150_000)})...)
	p.says("need more memory than the browser gives a page")
	p.chooses(folderOf(t, map[string]string{"a.txt": "fewer words"})...)
	p.counts("none")
}

// A page that is opened again with a link has no texts: it says so, and shows what the link says when it has them again.
func TestOpenedAgain(t *testing.T) {
	p, files := opens(t, 1400, "light"), folderOf(t, map[string]string{"a.txt": "some words", "b.txt": "other words"})
	p.Show(testkit.Must(built())[0]+"#q=oth", 1400, 900, "light")
	p.becomes("ready")
	testkit.Contains(t, p.Eval(`document.querySelector("#message").textContent`).(string), "choose them again")
	p.chooses(files...)
	p.counts("none")
	testkit.Equal(t, strings.Join(p.terms(9), " "), "other")
}

// Very many files, and one of a hundred megabytes, are read, in a folder that is chosen.
func TestLargeFolder(t *testing.T) {
	testkit.NeedAllCases(t)
	p, dir := opens(t, 1400, "light"), t.TempDir()
	for i := range 100_000 {
		testkit.Write(filepath.Join(dir, fmt.Sprint(i, ".txt")), fmt.Sprint("word ", i))
	}
	p.t.Logf("%s", testkit.Write(filepath.Join(dir, "large.txt"), strings.Repeat("large words ", 100<<20/12)))
	p.Eval(`document.documentElement.dataset.state = ""`)
	p.Choose("#folder", dir)
	for p.Eval(`document.documentElement.dataset.state`) != "asking" {
		time.Sleep(100 * time.Millisecond)
	}
	p.Click("#go")
	for p.Eval(`document.documentElement.dataset.state`) == "busy" {
		time.Sleep(100 * time.Millisecond)
	}
	p.becomes("shown")
	p.Expect(`document.querySelector("[data-facts] dd").textContent`, "100,001")
	p.finds("99999")
	p.NoComplaints()
}
