package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// A listed package is what go list says of one.
type listed struct {
	Dir, ImportPath, Name, Export string
	GoFiles                       []string
	DepOnly                       bool
}

// A source is a package with its syntax and its types.
type source struct {
	listed
	fset  *token.FileSet
	files []*ast.File
	texts [][]byte
	info  *types.Info
}

// load reads, parses and checks a package. The types of what it imports come from the compiler.
func load(ctx context.Context, pattern string) (*source, error) {
	out, err := execute(ctx, "go", "list", "-export", "-deps", "-json=Dir,ImportPath,Name,Export,GoFiles,DepOnly", pattern)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	s := &source{fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if exports[l.ImportPath] = l.Export; !l.DepOnly {
			s.listed = l
		}
	}
	for _, name := range s.GoFiles {
		path := filepath.Join(s.Dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(s.fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files, s.texts = append(s.files, file), append(s.texts, text)
	}
	compiled := importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	_, err = (&types.Config{Importer: compiled}).Check(s.ImportPath, s.fset, s.files, s.info)
	return s, err
}

// execute runs a command and returns its standard output. Its error has what the command printed.
func execute(ctx context.Context, name string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, name, args...)
	var stdout, all bytes.Buffer
	c.Stdout, c.Stderr = io.MultiWriter(&stdout, &all), &all
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, args[0], err, all.String())
	}
	return stdout.Bytes(), nil
}
