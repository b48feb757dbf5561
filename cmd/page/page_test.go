//go:build !js

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
)

// This file tries the page as people use it, in Chromium, from a file of the disk, and compares what it shows with what
// the command prints.

// built has the page and the command.
var built = sync.OnceValues(func() (paths [2]string, err error) {
	dir, err := os.MkdirTemp("", "termsift-page-test-")
	if err != nil {
		return paths, err
	}
	paths = [2]string{filepath.Join(dir, "termsift.html"), filepath.Join(dir, "termsift")}
	if err := build(context.Background(), paths[0]); err != nil {
		return paths, err
	}
	_, err = run(context.Background(), nil, "build", "-o", paths[1], "github.com/termsift/termsift/cmd/termsift")
	return paths, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if paths, err := built(); err == nil && paths[0] != "" {
		_ = os.RemoveAll(filepath.Dir(paths[0]))
	}
	os.Exit(code)
}

// A person is somebody at the page.
type person struct {
	*browsertest.Browser
	t *testing.T
}

// opens opens the page, in a window of this width.
func opens(t *testing.T, width int, scheme string) person {
	t.Helper()
	p := person{browsertest.New(t), t}
	page, err := built()
	if err != nil {
		t.Fatal(err)
	}
	p.Show(page[0], width, 900, scheme)
	p.becomes("ready")
	return p
}

// becomes waits until the page is in a state.
func (p person) becomes(state string) {
	p.t.Helper()
	p.Wait(`["error", "` + state + `"].includes(document.documentElement.dataset.state)`)
	if p.Expect(`document.documentElement.dataset.state`, state); p.t.Failed() {
		p.t.Fatal(p.Eval(`document.querySelector("#message").textContent`))
	}
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

// asks fills a form of a panel, and waits for its answer.
func (p person) asks(panel, word string) {
	p.t.Helper()
	p.Eval(fmt.Sprintf(`{ const input = document.querySelector("#%s [data-pattern]"); if (input) input.value = %q; }`, panel, word))
	p.Click("#" + panel + " form button")
	p.Wait(`document.querySelector("#` + panel + ` [data-out] :is(table, svg, [role=alert])")`)
}

// rows returns the cells of the first rows of a table.
func (p person) rows(selector string, n int) (rows []string) {
	p.t.Helper()
	for _, row := range p.Eval(fmt.Sprintf(`[...document.querySelectorAll(%q)].slice(0, %d).map((r) => [...r.cells].map((c) => c.textContent).join("|"))`, selector, n)).([]any) {
		rows = append(rows, row.(string))
	}
	return rows
}

// terms returns the first terms of the list.
func (p person) terms(n int) (terms []string) {
	p.t.Helper()
	for _, term := range p.Eval(fmt.Sprintf(`[...document.querySelectorAll(".rows tbody [data-term]")].slice(0, %d).map((r) => r.dataset.term)`, n)).([]any) {
		terms = append(terms, term.(string))
	}
	return terms
}

// command returns what the command prints as JSON.
func command[T any](t *testing.T, dir string, args ...string) (answer T) {
	t.Helper()
	paths, err := built()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), paths[1], append(args, "--format", "json")...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%v: %v in %.300s", args, err, out)
	}
	return answer
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

// A teacher drops a folder of thirty texts, in folders of their authors.
func TestTeacher(t *testing.T) {
	p, dir := opens(t, 1400, "light"), authors(t)
	p.Drop("[data-drop]", filepath.Join(dir, "melville"), filepath.Join(dir, "austen"), filepath.Join(dir, "doyle"))
	p.counts("folder")
	p.Expect(`document.querySelector("[data-about]").textContent`, "30 texts in 3 folders")
	type scored struct {
		Terms []struct{ Term string } `json:"terms"`
	}
	var want []string
	for _, s := range command[scored](t, dir, "score", ".", "--by", "chi", "--top", "10").Terms {
		want = append(want, s.Term)
	}
	testkit.Equal(t, p.terms(10), want, "terms by chi")
	p.asks("contexts", "whale")
	p.asks("spread", "whale")
	p.asks("collocates", "whale")
	p.asks("words", "")
	t.Log(p.rows("#words tbody tr", 3), p.rows("#contexts tbody tr", 3), p.rows("#collocates tbody tr", 3))
	p.NoComplaints()
	p.Picture("teacher-1400-light")
}
