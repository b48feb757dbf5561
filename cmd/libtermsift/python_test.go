//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/python"
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
const pythonTests = "36"

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
	checkPassed(t, python.Run(t, folder, "numpy scipy sklearn pandas joblib", runTests), folder)
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
<<<<<<< HEAD
=======

// A wheel is built without a network and without a change to the sources, and has the size and the tag that are
// promised. Installed into a new environment, all tests pass from there.
func TestEveryTestOfPythonFromTheWheel(t *testing.T) {
	if !heavy() {
		t.Skip("TERMSIFT_HEAVY is not set: the wheel is built and installed, and more threads and interruptions are tried")
	}
	b := build(t)
	interpreter := python.Find(t.Context(), "numpy", "scipy", "sklearn", "pandas", "joblib", "hatchling", "build", "venv", "pip")
	if interpreter == "" {
		if os.Getenv("TERMSIFT_REQUIRE_PYTHON") == "1" {
			t.Fatal("TERMSIFT_REQUIRE_PYTHON=1, and no python3 in PATH has hatchling, build, venv and pip beside scikit-learn")
		}
		t.Skip("SKIPPED: no python3 in PATH has hatchling, build, venv and pip beside scikit-learn")
	}
	dir := t.TempDir()
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	t.Setenv("PIP_NO_INDEX", "1")
	before := filesBelow(t, "python")
	run(t, interpreter, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check", "--outdir", dir, "python")
	if after := filesBelow(t, "python"); after != before {
		t.Errorf("building the wheel changes the sources:\n%s\nbefore:\n%s", after, before)
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "termsift-*-py3-none-manylinux_2_34_*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels %v, %v", wheels, err)
	}
	if info, err := os.Stat(wheels[0]); err != nil || info.Size() > 2_500_000 {
		t.Errorf("the wheel has %d bytes, more than 2.5 MB: %v", info.Size(), err)
	} else {
		t.Logf("the wheel has %d bytes", info.Size())
	}
	environment := filepath.Join(dir, "environment")
	run(t, interpreter, "-m", "venv", "--system-site-packages", "--without-pip", environment)
	installed := filepath.Join(environment, "bin", "python3")
	run(t, interpreter, "-m", "pip", "--python", installed, "install", "--no-deps", wheels[0])
	run(t, "cp", "-r", filepath.Join("python", "tests"), dir)

	t.Setenv("TERMSIFT_COMMAND", b.command)
	t.Setenv("TERMSIFT_LIBRARY", "")
	t.Setenv("PYTHONPATH", filepath.Join(dir, "tests")) // of the processes that tests start
	c := exec.CommandContext(t.Context(), installed, "-c", runTests)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	checkPassed(t, string(out), environment)
	library, err := filepath.Glob(filepath.Join(environment, "lib", "python3*", "site-packages", "termsift", "libtermsift.so.1"))
	if err != nil || len(library) != 1 {
		t.Fatalf("libraries %v, %v", library, err)
	}
	if got, want := symbols(t, library[0]), symbols(t, b.shared); got != want {
		t.Errorf("the library in the wheel has\n%s\nwant\n%s", got, want)
	}
}

// filesBelow lists the files of a folder.
func filesBelow(t *testing.T, folder string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		all.WriteString(path + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
>>>>>>> h/python
