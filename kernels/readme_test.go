package kernels

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

// The table of the README has every kernel, with the assembly that there is.
func TestReadmeListsKernels(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]bool{}
	names, err := filepath.Glob("*.[gs]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		files[name] = true
		if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			listed(t, name, string(page))
		}
	}
	rows := regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .* \\| ([\\w ]*)\\| ([\\w ]*)\\| .*\\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows {
		kernel, amd64, arm64 := row[1], strings.TrimSpace(row[2]) != "", strings.TrimSpace(row[3]) != ""
		if has := files[kernel+"_amd64.s"]; has != amd64 {
			t.Errorf("%s: assembly for amd64 is %v, the table says %v", kernel, has, amd64)
		}
		if has := files[kernel+"_arm64.s"]; has != arm64 {
			t.Errorf("%s: assembly for arm64 is %v, the table says %v", kernel, has, arm64)
		}
		delete(files, kernel+"_amd64.s")
		delete(files, kernel+"_arm64.s")
	}
	for name := range files {
		if strings.HasSuffix(name, ".s") {
			t.Errorf("the table has no row of %s", name)
		}
	}
}

// listed reports exported functions of a file that have arguments of slices and are not in a page:
// the others choose paths and places.
func listed(t *testing.T, name, page string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() || f.Recv != nil || f.Type.Params.NumFields() == 0 {
			continue
		}
		if !strings.Contains(page, "`"+f.Name.Name+"`") && !strings.Contains(page, "["+f.Name.Name+"]") {
			t.Errorf("README.md does not name %s, which %s exports", f.Name.Name, name)
		}
	}
}
