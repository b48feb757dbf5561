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

	"github.com/termsift/termsift/bench/testkit"
)

// The table of the README has every kernel, with the assembly that there is.
func TestReadmeListsKernels(t *testing.T) {
	text, err := os.ReadFile("README.md")
	testkit.OK(err)
	assembly, err := os.ReadFile("kernels_amd64.s")
	testkit.OK(err)
	page := string(text)
	names, err := filepath.Glob("*.go")
	testkit.OK(err)
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			listed(t, name, page)
		}
	}
	rows := 0
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| `.* \\| ([\\w ]*)\\| ([\\w ]*)\\|$").FindAllStringSubmatch(page, -1) {
		testkit.Is(t, testkit.Err(os.Stat(row[1]+".go")), nil, "the table has a row of", row[1])
		if strings.TrimSpace(row[2]) != "" {
			rows++
		}
		_, err := os.Stat(row[1] + "_arm64.s")
		testkit.Equal(t, strings.TrimSpace(row[3]) != "", err == nil, row[1], "a NEON form")
	}
	if n := len(regexp.MustCompile(`(?m)^TEXT ·\w+AVX2`).FindAll(assembly, -1)); rows == 0 || n < rows {
		t.Errorf("%d functions of AVX2, and the table has %d", n, rows)
	}
}

// listed reports exported functions of a file that have arguments of slices and are not in a page:
// the others choose paths and places.
func listed(t *testing.T, name, page string) {
	t.Helper()
	file := testkit.Must(parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution))
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() || f.Recv != nil || f.Type.Params.NumFields() == 0 {
			continue
		}
		testkit.Contains(t, page, "`"+f.Name.Name+"`", "README.md does not name", f.Name.Name, "which", name, "exports")
	}
}
