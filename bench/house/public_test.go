package main

import (
	"cmp"
	"flag"
	"go/ast"
	"go/printer"
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

// The packages that the page names have the names, signatures, fields and methods of the list.
func TestPublicNamesOfGo(t *testing.T) {
	var lines []string
	_, page, _ := strings.Cut(string(testkit.Must(os.ReadFile("../../COMPATIBILITY.md"))), "\nThe Go packages are ")
	page, _, _ = strings.Cut(page, "\n\n")
	h := testkit.Must(survey(os.DirFS("../..")))
	for dir, files := range h.sources {
		for _, file := range files {
			if strings.Contains(page, "`"+dir+"`") {
				ast.FileExports(file)
				for _, decl := range file.Decls {
					for _, line := range h.public(decl) {
						lines = append(lines, dir+" "+line)
					}
				}
			}
		}
	}
	testkit.Public(t, "go", lines)
}

// public lists what a declaration exports, a line for each function, constant, variable, type, field and method.
func (h *house) public(decl ast.Decl) (lines []string) {
	print := func(node any) string {
		var b strings.Builder
		testkit.OK((&printer.Config{Mode: printer.RawFormat}).Fprint(&b, h.positions, node))
		return b.String()
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Body = nil; d.Recv == nil || ast.IsExported(receiver(d)) {
			lines = append(lines, strings.Join(strings.Fields(print(d)), " "))
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if s, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range s.Names {
					lines = append(lines, d.Tok.String()+" "+name.Name)
				}
			} else if s, ok := spec.(*ast.TypeSpec); ok {
				head, fields, _ := strings.Cut(print(s), "\n")
				lines = append(lines, "type "+strings.TrimSuffix(head, " {"))
				for _, field := range regexp.MustCompile(`(?m)^\t[^/].*`).FindAllString(fields, -1) {
					lines = append(lines, "field "+s.Name.Name+"."+strings.Join(strings.Fields(field), " "))
				}
			}
		}
	}
	return lines
}

// reaches finds what starts programs, connects to others, or runs what is data, in Go, Python, R and JavaScript.
var reaches = regexp.MustCompile(`(?m)"(os/exec|net|net/http|net/rpc|plugin)"$|^ *(?:import|from) (subprocess|socket|urllib|http|pickle|marshal)\b|` +
	`\b(os\.system|system2?|download\.file|fetch|eval|exec|XMLHttpRequest|WebSocket|EventSource|Function|importScripts)\(`)

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

// What the page for contributors says to type is there: the ways of .ci/run, packages, their tests and generators.
func TestContributing(t *testing.T) {
	page, script := string(testkit.Must(os.ReadFile("../../CONTRIBUTING.md"))), string(testkit.Must(os.ReadFile("../../.ci/run")))
	typed := regexp.MustCompile("(?m)(?:^ *|`)(go (?:test|run|generate)|\\.ci/run)( [^#`\n]*[^#` \n]|)").FindAllStringSubmatch(page, -1)
	testkit.Equal(t, len(typed) > 8, true, typed)
	for _, line := range typed {
		dirs := regexp.MustCompile(`\./\S+`).FindAllString(line[2], -1)
		if line[1] == ".ci/run" {
			testkit.Contains(t, script, `"`+cmp.Or(strings.TrimSpace(line[2]), "gate"), line[0])
		} else if testkit.Equal(t, len(dirs) > 0, true, line[0], "names a package"); strings.Contains(line[2], "-run ") {
			line[1] = "func Test" + strings.Fields(line[2])[2]
		}
		for _, dir := range dirs {
			text := ""
			for _, file := range testkit.Must(filepath.Glob("../../" + dir + "/*.go")) {
				text += string(testkit.Must(os.ReadFile(file)))
			}
			needs := cmp.Or(map[string]string{"go test": "func Test", "go run": "func main()", "go generate": "//go:generate "}[line[1]], line[1])
			testkit.Equal(t, strings.Contains(text, "\n"+needs), true, line[0], dir, "has", needs)
		}
	}
}
