package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The blocks of the page run, and print what stands behind them.
func TestReadme(t *testing.T) {
	page := string(contents(t, "README.md"))
	path := filepath.Dir(termsift) + string(os.PathListSeparator) + os.Getenv("PATH")
	rate := regexp.MustCompile(`(?m)^termsift: .* MB/s.*\n|^termsift: wrote .*\n`)
	t.Chdir(t.TempDir())
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?").FindAllStringSubmatch(page, -1)
	if len(blocks) != 4 {
		t.Fatalf("%d blocks", len(blocks))
	}
	for _, block := range blocks {
		shell := exec.CommandContext(t.Context(), "sh", "-e", "-c", block[1])
		shell.Env = append(os.Environ(), "PATH="+path)
		text, err := shell.CombinedOutput()
		if got := rate.ReplaceAllString(string(text), ""); err != nil || block[2] != "" && got != block[2] {
			t.Errorf("%s: %v\n%s", block[1], err, got)
		}
	}
}
