package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A house is what a tree of the project has. Tests and generated files do not count.
type house struct {
	codeLines    int
	lines, files counts          // of folders with Go files
	packages     map[string]bool // those of the main module
	methods      counts          // of types, by folder and name
	exported     int
	pageBytes    int
	texts        map[string]map[string]bool // of package score: the files by the text of a literal
}

// counts are numbers by name.
type counts map[string]int

// survey reads the files of a tree.
func survey(tree fs.FS) (*house, error) {
	h := &house{lines: counts{}, files: counts{}, packages: map[string]bool{}, methods: counts{}, texts: map[string]map[string]bool{}}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "testdata" || len(base) > 1 && base[0] == '.' {
				return fs.SkipDir
			}
			return nil
		}
		switch path.Ext(name) {
		case ".go":
			return h.addGo(tree, name)
		case ".md":
			return h.addPage(tree, name)
		}
		return nil
	})
	return h, err
}

// written are the pages that a program writes from lists. BENCHMARKS.md and REPLICATION.md count,
// because people write their sentences.
var written = []string{"THIRD_PARTY.md", "REFERENCE.md"}

// addPage counts a page. The texts in bench/results are parts of one.
func (h *house) addPage(tree fs.FS, name string) error {
	if slices.Contains(written, path.Base(name)) || path.Dir(name) == "bench/results" {
		return nil
	}
	info, err := fs.Stat(tree, name)
	if err == nil {
		h.pageBytes += int(info.Size())
	}
	return err
}

// isGenerated reports whether a Go file says that a program writes it.
func isGenerated(data []byte) bool {
	return bytes.Contains(data[:min(len(data), 400)], []byte("Code generated"))
}

// addGo counts a Go file.
func (h *house) addGo(tree fs.FS, name string) error {
	dir := path.Dir(name)
	if !strings.Contains(dir+"/", "/_") && !inOtherModule(tree, dir) {
		h.packages[dir] = true
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	data, err := fs.ReadFile(tree, name)
	if err != nil || isGenerated(data) {
		return err
	}
	h.files[dir]++
	h.lines[dir] += bytes.Count(data, []byte("\n"))
	h.codeLines += codeLines(data)
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	h.countNames(dir, file)
	if dir == "engine/score" {
		h.noteTexts(name, file)
	}
	return nil
}

// inOtherModule reports whether a folder, or one above it, has a go.mod of its own.
func inOtherModule(tree fs.FS, dir string) bool {
	for ; dir != "."; dir = path.Dir(dir) {
		if _, err := fs.Stat(tree, path.Join(dir, "go.mod")); err == nil {
			return true
		}
	}
	return false
}

// codeLines counts the lines that are neither blank nor comments alone.
func codeLines(data []byte) (n int) {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			n++
		}
	}
	return n
}

// countNames counts the methods of each type, and the names that other packages can use.
func (h *house) countNames(dir string, file *ast.File) {
	public := isPublic(dir)
	for _, decl := range file.Decls {
		for _, name := range declaredNames(decl) {
			if public && name.IsExported() {
				h.exported++
			}
		}
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
			h.methods[dir+"."+receiver(f)]++
		}
	}
}

// noteTexts notes which texts a file has as literals.
func (h *house) noteTexts(name string, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if h.texts[l.Value] == nil {
				h.texts[l.Value] = map[string]bool{}
			}
			h.texts[l.Value][name] = true
		}
		return true
	})
}

// namedTwice counts the files that name a measure beside the one that defines it.
func (h *house) namedTwice(measures []string) (n int) {
	for _, name := range measures {
		n += len(h.texts[strconv.Quote(name)]) - 1
	}
	return n
}

// isPublic reports whether users import the packages of a folder.
func isPublic(dir string) bool {
	top, _, _ := strings.Cut(dir, "/")
	return (top == "engine" || top == "kernels" || top == "bitmap") && !strings.Contains(dir, "internal") && !strings.Contains(dir, "/_")
}

// declaredNames returns the functions, types and methods of types that others can use.
func declaredNames(decl ast.Decl) (names []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || ast.IsExported(receiver(d)) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if s, ok := spec.(*ast.TypeSpec); ok {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// receiver returns the name of the type of a method.
func receiver(f *ast.FuncDecl) (name string) {
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" { // those behind the first are type parameters
			name = id.Name
		}
		return true
	})
	return name
}

// A place is the folder or type that has the most of something.
type place struct {
	name string
	n    int
}

// most returns the largest of the numbers below a folder, the first by name.
func (c counts) most(below string) (most place) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if strings.HasPrefix(name, below) && c[name] > most.n {
			most = place{name, c[name]}
		}
	}
	return most
}
