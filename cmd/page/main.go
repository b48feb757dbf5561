//go:build !js

// Command page builds the page of termsift: one HTML file with the engine in it, on which people drop their files.
//
//	go run ./cmd/page -o termsift.html
//
// session.go has what the engine answers, worker.go and worker.js are around it in the browser, and page.js and
// panels.js are what people see, beside the explorer of package report.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/report"
)

var (
	//go:embed page.html
	body string
	//go:embed page.css
	style string
	//go:embed page.js
	pageScript string
	//go:embed panels.js
	panelScript string
	//go:embed worker.js
	workerScript []byte
)

func main() {
	out := flag.String("o", "termsift.html", "the page")
	flag.Parse()
	if err := build(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// build writes the page. It compiles this package for the browser, in the module that the working folder is in.
func build(ctx context.Context, out string) error {
	dir, err := os.MkdirTemp("", "termsift-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	engine := filepath.Join(dir, "engine.wasm")
	if _, err := run(ctx, []string{"GOOS=js", "GOARCH=wasm"}, "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", engine, "github.com/termsift/termsift/cmd/page"); err != nil {
		return err
	}
	root, err := run(ctx, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	module, err := run(ctx, nil, "list", "-m", "-f", "{{.Dir}}", "github.com/termsift/termsift")
	if err != nil {
		return err
	}
	licences, err := run(ctx, nil, "-C", module, "run", "./bench/thirdparty")
	if err != nil {
		return err
	}
	parts := map[string][]byte{"licences": []byte(licences)}
	for name, path := range map[string]string{
		"engine": engine, "worker": filepath.Join(root, "lib", "wasm", "wasm_exec.js"), "sample": filepath.Join(module, "cmd", "termsift", "demo", "corpus.jsonl"),
	} {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if name == "worker" {
			content = append(content, workerScript...)
		}
		parts[name] = content
	}
	door := report.Door{Title: "termsift", Body: body, Style: style, Script: panelScript + pageScript, Parts: parts}
	if door.Formulas, err = rank.Script(rank.Options{}); err != nil {
		return err
	}
	return files.Write(ctx, files.OS{}, out, door.WriteHTML)
}

// run runs the go command and returns what it prints.
func run(ctx context.Context, env []string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Env = append(os.Environ(), env...)
	out, err := c.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, failed.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
