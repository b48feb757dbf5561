//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// runTests runs the tests of the package for Python in a folder and tells how many passed. The
// tests that fork warn of threads, and texts are few.
const runTests = `import os, sys, unittest, warnings
sys.dont_write_bytecode = True
warnings.simplefilter("ignore")
sys.path.insert(0, os.path.abspath("tests"))
result = unittest.TextTestRunner(verbosity=2, warnings="ignore").run(unittest.defaultTestLoader.discover("tests"))
import termsift
print("package", os.path.dirname(termsift.__file__))
print("passed", result.testsRun - len(result.failures) - len(result.errors) - len(result.skipped))
sys.exit(not result.wasSuccessful())`

// pythonTests is the number of tests for Python; none may be skipped.
const pythonTests = "44"

// The package for Python passes its tests with the library of this tree, and none is skipped.
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
	checkPassed(t, lab.Python(t, folder, "numpy scipy sklearn pandas joblib", runTests), folder)
}

// checkPassed checks what runTests has printed: all tests passed with the package of a folder.
func checkPassed(t *testing.T, out, folder string) {
	t.Helper()
	if passed := regexp.MustCompile(`passed (\d+)`).FindStringSubmatch(out); passed == nil || passed[1] != pythonTests {
		t.Errorf("not all tests passed:\n%s", out)
	}
	if from := regexp.MustCompile(`package (.*)`).FindStringSubmatch(out); from == nil || !strings.HasPrefix(from[1], folder) {
		t.Errorf("the package is that of %v, not of %s", from, folder)
	}
	for line := range strings.Lines(out) {
		if strings.Contains(line, "interrupted, mean") {
			t.Log(strings.TrimSpace(line))
		}
	}
}
