//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// runTests runs the tests of the package for Python in the folder tests, where conftest.py turns a skip into a
// failure unless a package is missing, and tells where the package is. The tests that fork warn of threads, and texts
// are few.
const runTests = `import os, sys
sys.dont_write_bytecode = True
import pytest
status = pytest.main(["-q", "-rs", "-s", "-W", "ignore", "-p", "no:cacheprovider", "tests"])
import termsift
print("package", os.path.dirname(termsift.__file__))
sys.exit(status)`

// The package for Python passes its tests with the library of this tree.
func TestPython(t *testing.T) {
	if testing.Short() {
		t.Skip("testing.Short: the tests of Python take ten seconds")
	}
	b := build(t)
	t.Setenv("TERMSIFT_LIBRARY", b.shared)
	t.Setenv("TERMSIFT_COMMAND", b.command)
	folder, err := filepath.Abs("python")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", folder) // of the processes that tests start
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	checkPassed(t, lab.Python(t, folder, "numpy scipy sklearn pandas joblib pytest", runTests), folder)
}

// checkPassed checks what runTests has printed: tests passed, none failed, with the package of a folder.
func checkPassed(t *testing.T, out, folder string) {
	t.Helper()
	if !regexp.MustCompile(`(?m)^[1-9]\d* passed`).MatchString(out) {
		t.Errorf("no tests passed, or some failed:\n%s", out)
	}
	if from := regexp.MustCompile(`(?m)^package (.*)`).FindStringSubmatch(out); from == nil || !strings.HasPrefix(from[1], folder) {
		t.Errorf("the package is that of %v, not of %s", from, folder)
	}
	for line := range strings.Lines(out) {
		if strings.Contains(line, "interrupted, mean") || strings.HasPrefix(line, "SKIPPED") {
			t.Log(strings.TrimSpace(line))
		}
	}
}
