package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/termsift/termsift/bench/lab"
)

// helper is what the changed dispatch calls: which forms of a kernel are in, and which kernels a job calls.
const helper = `package kernels

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

type rentForms struct{ avx512, avx2 bool }

var rentOut = strings.Split(os.Getenv("` + outVariable + `"), ",")

func rentOf(kernel string) rentForms {
	switch {
	case slices.Contains(rentOut, kernel):
		return rentForms{}
	case slices.Contains(rentOut, kernel+"` + secondForm + `"):
		return rentForms{avx2: useAVX512 || useAVX2}
	}
	return rentForms{useAVX512, useAVX2}
}

var (
	rentTrace  = os.Getenv("` + traceVariable + `") != ""
	rentMutex  sync.Mutex
	rentCalled = map[string]bool{}
)

func rentCall(kernel string) {
	rentMutex.Lock()
	defer rentMutex.Unlock()
	if os.Getenv("` + traceVariable + `") == timedPhase && !rentCalled[kernel] {
		rentCalled[kernel] = true
		fmt.Fprintln(os.Stderr, timedPhase, kernel)
	}
}

const timedPhase = "` + timedPhase + `"
`

// A dispatch is the file that chooses forms, changed so that a variable of the environment takes them out.
type dispatch struct {
	kernels []string // all
	second  []string // those with AVX-512 beside AVX2
	text    string
}

// readDispatch changes a dispatch file.
func readDispatch(path string) (*dispatch, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	d := &dispatch{text: string(source)}
	vars := ""
	for _, decl := range slices.Backward(file.Decls) { // so that offsets stay true
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		from, to := files.Position(f.Body.Lbrace).Offset+1, files.Position(f.Body.Rbrace).Offset
		body := d.text[from:to]
		if !strings.Contains(body, "useAVX2") && !strings.Contains(body, "useAVX512") {
			continue
		}
		name := f.Name.Name
		d.kernels = append(d.kernels, name)
		if strings.Contains(body, "useAVX512") && !strings.Contains(body, "useAVX512 || useAVX2)") && strings.Contains(body, "AVX512(") {
			d.second = append(d.second, name)
		}
		body = strings.NewReplacer("useAVX512", "rent_"+name+".avx512", "useAVX2", "rent_"+name+".avx2").Replace(body)
		d.text = d.text[:from] + fmt.Sprintf("\nif rentTrace { rentCall(%q) }\n", name) + body + d.text[to:]
		vars += fmt.Sprintf("var rent_%s = rentOf(%q)\n", name, name)
	}
	d.text += vars
	return d, nil
}

// overlay writes the changed files into a folder, and the file that go build -overlay wants.
func (d *dispatch) overlay(folder, path string) (list string) {
	path = lab.Need(filepath.Abs(path))
	changed, added := filepath.Join(folder, "dispatch.go"), filepath.Join(folder, "helper.go")
	list = filepath.Join(folder, "overlay.json")
	replace := lab.Need(json.Marshal(map[string]any{"Replace": map[string]string{path: changed, filepath.Join(filepath.Dir(path), "rent.go"): added}}))
	for name, text := range map[string]string{changed: d.text, added: helper, list: string(replace)} {
		lab.Check(os.WriteFile(name, []byte(text), 0o666))
	}
	return list
}
