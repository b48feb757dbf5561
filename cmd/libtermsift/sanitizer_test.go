//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// AddressSanitizer finds nothing in what guards.c and bad.c do, with the library built by -asan so
// that what Go reads and writes is checked, too. It does find an array that is too short.
func TestEveryArrayUnderAddressSanitizer(t *testing.T) {
	testkit.NeedAllCases(t)
	needCompiler(t, "gcc")
	dir := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-asan", "-o", filepath.Join(dir, "x"), "../../bench/workload").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: go build -asan: %v\n%.300s", err, out)
	}
	library := filepath.Join(dir, "libtermsift.a")
	run(t, "go", "build", "-asan", "-buildmode=c-archive", "-o", library, ".")
	for _, name := range []string{"guards", "bad"} {
		run(t, "gcc", "-Wall", "-Wextra", "-Werror", "-g", "-O1", "-fsanitize=address", "-I.", "-o", filepath.Join(dir, name), "testdata/"+name+".c", library, "-pthread")
	}
	guards := filepath.Join(dir, "guards")
	out, err := exec.CommandContext(t.Context(), guards, "beyond-heap").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "heap-buffer-overflow") {
		t.Errorf("an array that is too short: %v\n%s", err, out)
	}
	t.Setenv("ASAN_OPTIONS", "detect_leaks=0") // of the programs of the tests, which end without freeing
	measures, n := allMeasures(t)
	run(t, guards, demoIndex(t, build(t)), measures, n)
	run(t, filepath.Join(dir, "bad"))
}
