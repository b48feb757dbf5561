package testkit

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Corpus returns the path of a file of the real collections, which are not part of the repository: below
// TERMSIFT_DATA or else below ../shared/data beside the project. Where it is missing the test is
// skipped, or failed if TERMSIFT_REQUIRE_DATA=1.
func Corpus(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("TERMSIFT_DATA")
	if dir == "" {
		_, here, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(here), "..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("TERMSIFT_REQUIRE_DATA") == "1" {
			t.Fatalf("TERMSIFT_REQUIRE_DATA=1, and %v", err)
		}
		t.Skipf("TERMSIFT_DATA has no %s: %v", name, err)
	}
	return path
}

// lookFor is a program that fails if one of the modules of its arguments is missing. It
// imports none of them, which would take a second.
const lookFor = "import importlib.util, sys; sys.exit(any(importlib.util.find_spec(m) is None for m in sys.argv[1:]))"

// FindPython returns the first python3 of the path that has the modules, "" if there is none. It
// tries every one: the first is often not the system's, which has the packages.
func FindPython(ctx context.Context, modules ...string) string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, "python3")
		if exec.CommandContext(ctx, path, append([]string{"-c", lookFor}, modules...)...).Run() == nil {
			return path
		}
	}
	return ""
}

// Python runs a program in a folder and returns what it prints, standard error included. The
// test fails if the program does. Without a python3 that has the modules, which are
// separated by spaces, it is skipped, or fails too if TERMSIFT_REQUIRE_PYTHON=1.
func Python(t testing.TB, folder, modules, program string, args ...string) string {
	t.Helper()
	path := FindPython(t.Context(), strings.Fields(modules)...)
	if path == "" {
		if os.Getenv("TERMSIFT_REQUIRE_PYTHON") == "1" {
			t.Fatalf("TERMSIFT_REQUIRE_PYTHON=1, and no python3 in PATH has %s", modules)
		}
		t.Skipf("SKIPPED: no python3 in PATH has %s", modules)
	}
	command := exec.CommandContext(t.Context(), path, append([]string{"-c", program}, args...)...)
	command.Dir = folder
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("Python: %v\n%s", err, out)
	}
	return string(out)
}
