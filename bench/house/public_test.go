package main

import (
	"flag"
	"go/ast"
	"go/printer"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

var _ = flag.Bool("update", false, "write the list of public names")

// Package engine and the packages right below it have the names, signatures, fields and methods of the list.
func TestPublicNamesOfGo(t *testing.T) {
	var lines []string
	h := testkit.Must(survey(os.DirFS("../..")))
	for dir, files := range h.sources {
		for _, file := range files {
			if dir == "engine" || path.Dir(dir) == "engine" {
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
