package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// A house is what a tree of the project has. Generated files do not count.
type house struct {
	code         map[part]int    // lines of Go
	others       int             // lines of other languages
	lines, files counts          // of folders with Go files, without tests
	packages     map[string]bool // those of the main module
	methods      counts          // of types, by folder and name
	exported     int
	tiny         int // see [tinyFunctions]
	pageBytes    int
	sources      map[string][]*ast.File // by folder, without tests
	positions    *token.FileSet
}

// counts are numbers by name.
type counts map[string]int

// A part says what Go code is for.
type part int

const (
	product    part = iota
	laboratory      // measures the product, or helps tests
	tests
)

// testAids are the packages that only tests import.
var testAids = []string{"engine/internal/enginetest", "engine/internal/faults", "engine/report/browsertest"}

// partOf says what a Go file is for.
func partOf(name string) part {
	dir := path.Dir(name)
	switch {
	case strings.HasSuffix(name, "_test.go"):
		return tests
	case strings.HasPrefix(dir+"/", "bench/"), strings.HasSuffix(dir, "/_asm"), slices.Contains(testAids, dir):
		return laboratory
	}
	return product
}

// survey reads the files of a tree.
func survey(tree fs.FS) (*house, error) {
	h := &house{
		code: map[part]int{}, lines: counts{}, files: counts{}, packages: map[string]bool{}, methods: counts{},
		sources: map[string][]*ast.File{}, positions: token.NewFileSet(),
	}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base, extension := d.Name(), path.Ext(name)
		switch {
		case d.IsDir() && len(base) > 1 && base[0] == '.' && base != ".ci":
			return fs.SkipDir
		case d.IsDir(), (extension == ".go" || extension == ".md") && strings.Contains(name, "/testdata/"):
			return nil
		case extension == ".go":
			return h.addGo(tree, name)
		case extension == ".md":
			return h.addPage(tree, name)
		case comments[extension] != "" || path.Dir(name) == ".ci":
			data, err := fs.ReadFile(tree, name)
			h.others += codeLines(data, cmp.Or(comments[extension], "#"))
			return err
		}
		return nil
	})
	for _, files := range h.sources {
		h.tiny += tinyFunctions(h.positions, files)
	}
	return h, err
}

// comments begin the comments of the other languages, by extension.
var comments = map[string]string{
	".py": "#", ".R": "#", ".sh": "#", ".js": "//", ".mjs": "//", ".c": "//", ".h": "//", ".css": "/*", ".tmpl": "{{/*",
}

// addPage counts a page. The texts in bench/results are parts of one.
func (h *house) addPage(tree fs.FS, name string) error {
	if path.Dir(name) == "bench/results" {
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
	data, err := fs.ReadFile(tree, name)
	if err != nil || isGenerated(data) {
		return err
	}
	of := partOf(name)
	h.code[of] += codeLines(data, "//")
	if of == tests {
		return nil
	}
	h.files[dir]++
	h.lines[dir] += bytes.Count(data, []byte("\n"))
	file, err := parser.ParseFile(h.positions, name, data, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	h.sources[dir] = append(h.sources[dir], file)
	h.countNames(dir, file)
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
func codeLines(data []byte, comment string) (n int) {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte(comment)) {
			n++
		}
	}
	return n
}

// tinyFunctions counts the functions and methods of a package that are not exported, have six lines
// or fewer below the one with their name, and are named in one other place only.
func tinyFunctions(positions *token.FileSet, files []*ast.File) (n int) {
	mentions := map[string]int{}
	var decls []ast.Decl
	for _, file := range files {
		decls = append(decls, file.Decls...)
	}
	for _, decl := range decls {
		ast.Inspect(decl, func(node ast.Node) bool {
			if id, ok := node.(*ast.Ident); ok {
				mentions[id.Name]++
			}
			return true
		})
	}
	for _, decl := range decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.IsExported() || mentions[f.Name.Name] != 2 {
			continue
		}
		if positions.Position(f.End()).Line-positions.Position(f.Pos()).Line <= 6 {
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
