//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// runTests runs tests of the package for Python, which its arguments choose. conftest.py beside them turns a skip into
// a failure unless a package is missing, and tells where the package is. The tests that fork warn of threads, and texts
// are few.
const runTests = `import os, sys
sys.dont_write_bytecode = True
import pytest
status = pytest.main(["-q", "-rs", "-s", "-W", "ignore", "-p", "no:cacheprovider", *sys.argv[1:]])
import termsift
print("package", os.path.dirname(termsift.__file__))
sys.exit(status)`

// pythonTests returns the tests of the package for Python in parts that take about as long. scikit-learn's own tests
// are run where every case is tried.
func pythonTests() map[string][]string {
	parts := map[string][]string{
		"beside scikit-learn": {"tests", "-k", "dropin and not suite"},
		"all others":          {"tests", "-k", "not dropin and not spark"},
	}
	if testkit.AllCases() {
		parts["scikit-learn's own"] = []string{"tests", "-k", "dropin and suite"}
	}
	return parts
}

// The package for Python passes its tests with the library of this tree: with each of TERMSIFT_PYTHONS, beside each
// other, or with the first python3 that has what they need.
func TestPython(t *testing.T) {
	interpreters := filepath.SplitList(os.Getenv("TERMSIFT_PYTHONS"))
	if len(interpreters) == 0 {
		interpreters = []string{needPython(t, "numpy", "scipy", "sklearn", "pandas", "joblib", "pytest")}
	}
	b := build(t)
	folder := testkit.Must(filepath.Abs("python"))
	for _, interpreter := range interpreters {
		for part, tests := range pythonTests() {
			t.Run(filepath.Base(filepath.Dir(filepath.Dir(interpreter)))+"/"+part, func(t *testing.T) {
				t.Parallel()
				checkPackage(t, tests, interpreter, folder, folder, "PYTHONPATH="+folder, "TERMSIFT_LIBRARY="+b.shared, "TERMSIFT_COMMAND="+b.command)
			})
		}
	}
}

// needPython returns a python3 with the modules, or skips or fails the test.
func needPython(t *testing.T, modules ...string) string {
	t.Helper()
	interpreter := testkit.FindPython(t.Context(), modules...)
	if interpreter == "" {
		if os.Getenv("TERMSIFT_REQUIRE_PYTHON") == "1" {
			t.Fatalf("TERMSIFT_REQUIRE_PYTHON=1, and no python3 in PATH has %v", modules)
		}
		t.Skipf("SKIPPED: no python3 in PATH has %v", modules)
	}
	return interpreter
}

// checkPackage runs tests below dir, with the package of a folder.
func checkPackage(t *testing.T, tests []string, interpreter, dir, folder string, environment ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), interpreter, append([]string{"-c", runTests}, tests...)...)
	c.Dir = dir
	c.Env = append(append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1"), environment...)
	out, err := c.CombinedOutput()
	testkit.Is(testkit.Stop(t), err, nil, out)
	if from := regexp.MustCompile(`(?m)^package (.*)`).FindSubmatch(out); from == nil || !strings.HasPrefix(string(from[1]), folder) {
		t.Errorf("the package is that of %s, not of %s", from, folder)
	}
	passed := regexp.MustCompile(`(?m)^[1-9]\d* passed.*`).Find(out)
	if passed == nil {
		t.Errorf("no tests passed:\n%s", out)
	}
	t.Logf("%s", passed)
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "interrupted, mean") || strings.HasPrefix(line, "SKIPPED") {
			t.Log(strings.TrimSpace(line))
		}
	}
}

// publicPython prints what modules export: functions, classes, methods, parameters with their defaults, and the
// attributes of fitted estimators that the documentation names. What scikit-learn adds to a class is its own.
const publicPython = `import sys
sys.dont_write_bytecode = True
import inspect, re, termsift, termsift.sklearn
def show(name, what, hidden=False):
    what = getattr(what, "__func__", what)
    if hidden or not callable(what):
        return print(name)
    parameters = [p.replace(annotation=p.empty) for p in inspect.signature(what).parameters.values()]
    print(name + str(inspect.Signature(parameters)).partition("(handle")[0])
for module in termsift, termsift.sklearn:
    for name in module.__all__:
        what, of = getattr(module, name), f"{module.__name__}.{name}"
        show(of, what, inspect.isclass(what) and (module is termsift.sklearn or issubclass(what, Exception)))
        for base in getattr(what, "__mro__", []):
            for member, value in vars(base).items():
                if base.__module__.startswith("termsift") and not re.match("_|set_.*_request", member):
                    show(f"{of}.{member}", value)
        for line in re.findall(r"(?m)^ *((?:\w+_, )*\w+_) :", inspect.isclass(what) and what.__doc__ or ""):
            print(*[f"{of}.{member}" for member in line.split(", ")], sep="\n")`

// The package for Python has the names, the parameters and the defaults of the list.
func TestPublicNamesOfPython(t *testing.T) {
	out := testkit.Python(t, "python", "sklearn", publicPython)
	testkit.Public(t, "python", strings.Split(strings.TrimSpace(out), "\n"))
}
