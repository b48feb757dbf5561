//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/termsift/termsift/bench/python"
)

// runTests runs the tests of the package for Python and tells how many passed. The test that
// forks warns of threads, and texts are few.
const runTests = `import sys, unittest, warnings
sys.dont_write_bytecode = True
warnings.simplefilter("ignore")
sys.path[:0] = [".", "tests"]
import test_termsift
result = unittest.TextTestRunner(verbosity=2, warnings="ignore").run(unittest.defaultTestLoader.loadTestsFromModule(test_termsift))
print("passed", result.testsRun - len(result.failures) - len(result.errors) - len(result.skipped))
sys.exit(not result.wasSuccessful())`

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
	out := python.Run(t, folder, "numpy scipy sklearn pandas joblib", runTests)
	if passed := regexp.MustCompile(`passed (\d+)`).FindStringSubmatch(out); passed == nil || passed[1] != "20" {
		t.Errorf("not all tests passed:\n%s", out)
	}
}
