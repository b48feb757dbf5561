package engine_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The names that CHANGELOG.md gives for those of the flat package exist.
func TestChangelogNamesExist(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "### Names of the rooms")
	section, _, _ = strings.Cut(section, "\n## ")
	exported := map[string]map[string]bool{}
	checked := 0
	for _, row := range regexp.MustCompile(`(?m)^\| .*? \| (.*) \|$`).FindAllStringSubmatch(section, -1) {
		for _, m := range regexp.MustCompile("`([a-z]+)\\.([A-Z][A-Za-z.]*)`").FindAllStringSubmatch(row[1], -1) {
			if exported[m[1]] == nil {
				exported[m[1]] = exportedNames(t, m[1])
			}
			if !exported[m[1]][m[2]] {
				t.Errorf("CHANGELOG.md: %s has no %s", m[1], m[2])
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("only %d names", checked)
	}
}

// exportedNames are the names of a room: functions, types, values, methods and fields, the
// last two behind the name of their type.
func exportedNames(t *testing.T, room string) map[string]bool {
	t.Helper()
	dir := room
	if room == "engine" {
		dir = "."
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			declared(names, d)
		}
	}
	return names
}

func declared(names map[string]bool, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			of := d.Recv.List[0].Type
			if pointer, ok := of.(*ast.StarExpr); ok {
				of = pointer.X
			}
			if of, ok := of.(*ast.Ident); ok {
				name = of.Name + "." + name
			}
		}
		names[name] = true
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names[n.Name] = true
				}
			case *ast.TypeSpec:
				names[s.Name.Name] = true
				if fields, ok := s.Type.(*ast.StructType); ok {
					for _, f := range fields.Fields.List {
						for _, n := range f.Names {
							names[s.Name.Name+"."+n.Name] = true
						}
					}
				}
			}
		}
	}
}
