package main

import (
	"cmp"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

var _ = flag.Bool("update", false, "write the list of public names")

// The packages that the page names have the names, signatures, fields and methods of the list, as go doc tells them.
func TestPublicNamesOfGo(t *testing.T) {
	var lines []string
	_, page, _ := strings.Cut(string(testkit.Must(os.ReadFile("../../COMPATIBILITY.md"))), "\nThe Go packages are ")
	page, _, _ = strings.Cut(page, "\n\n")
	for _, name := range regexp.MustCompile("`[^`]+`").FindAllString(page, -1) {
		dir, of := strings.Trim(name, "`"), ""
		doc := testkit.Must(exec.CommandContext(t.Context(), "go", "doc", "-all", "../../"+dir).Output())
		for _, line := range regexp.MustCompile(`(?m)^((func|type|const|var) .*|\t[A-Z].*)$`).FindAllString(string(doc), -1) {
			line, _, _ = strings.Cut(line, " // ")
			if words := strings.Fields(strings.TrimRight(line, " {(")); line[0] == '\t' {
				lines = append(lines, dir+" "+of+" "+strings.Join(words, " "))
			} else if of = strings.Join(words[:min(2, len(words))], " "); len(words) > 1 {
				lines = append(lines, dir+" "+strings.Join(words, " "))
			}
		}
	}
	testkit.Public(t, "go", lines)
}

// reaches finds what starts programs, connects to others, or runs what is data, in Go, Python, R and JavaScript.
var reaches = regexp.MustCompile(`(?m)"(os/exec|net|net/http|net/rpc|plugin)"$|^ *(?:from|import(?: [\w.]+,)*) (subprocess|socket|urllib|http|pickle|marshal)\b|` +
	`\b(os\.(?:system|popen|exec\w+|p?spawn\w+)|StartProcess|ForkExec|system2?|download\.file|fetch|eval|exec|XMLHttpRequest|WebSocket|EventSource|Function|importScripts)\(`)

// SECURITY.md says what starts programs: the package for Python its helper, that and R the command, the page's program
// and installing Go. Neither command nor library links what could.
func TestNothingRunsPrograms(t *testing.T) {
	var found []string
	testkit.OK(fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		if regexp.MustCompile(`\.(go|py|R|js|mjs|html|tmpl)$`).MatchString(name) && partOf(name) == product && !strings.Contains(name, "/test") {
			for _, what := range reaches.FindAllStringSubmatch(string(testkit.Must(os.ReadFile("../../"+name))), -1) {
				found = append(found, path.Base(name)+" "+strings.Join(what[1:], ""))
			}
		}
		return err
	}))
	testkit.EqualSlices(t, found, []string{
		"hatch_build.py subprocess", "hatch_build.py system", "_command.py subprocess", "_helper.py socket", "_process.py socket",
		"_process.py subprocess", "command.R system2", "main.go os/exec",
	})
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.CommandContext(t.Context(), "go", "list", "-deps", "../../cmd/termsift", "../../cmd/libtermsift")
		list.Env = append(os.Environ(), "GOOS="+system)
		links := regexp.MustCompile(`(?m)^(os/exec|net/http|plugin|crypto/tls)$`).FindAllString(string(testkit.Must(list.Output())), -1)
		testkit.EqualSlices(t, links, nil, system)
	}
}

// What the page for contributors says to type is there: the ways of .ci/run, packages, and their tests.
func TestContributing(t *testing.T) {
	page, script := string(testkit.Must(os.ReadFile("../../CONTRIBUTING.md"))), string(testkit.Must(os.ReadFile("../../.ci/run")))
	for _, way := range regexp.MustCompile("(?m)(?:^|`)\\.ci/run ?([a-z ]*[a-z]|)").FindAllStringSubmatch(page, -1) {
		testkit.Contains(t, script, `"`+cmp.Or(way[1], "gate"), way[0])
	}
	for _, line := range regexp.MustCompile("(?m)(?:^ *|`)go (?:test|run|generate) (\\.[^`\n-]*)(?:-run (\\w+))?").FindAllStringSubmatch(page, -1) {
		for _, dir := range strings.Fields(line[1]) {
			text := ""
			for _, file := range testkit.Must(filepath.Glob("../../" + dir + "/*.go")) {
				text += string(testkit.Must(os.ReadFile(file)))
			}
			testkit.Equal(t, strings.Contains(text, "\nfunc Test"+line[2]), true, line[0], dir)
		}
	}
}
