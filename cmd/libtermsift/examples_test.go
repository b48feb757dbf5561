//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// runExamples runs the examples of the docstrings and of README.md, whose fences it takes
// for empty lines, and tells how many there are.
const runExamples = `import doctest, importlib, pkgutil, re, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ".")
import termsift
failed = tried = 0
for module in pkgutil.iter_modules(termsift.__path__):
    result = doctest.testmod(importlib.import_module("termsift." + module.name))
    failed, tried = failed + result.failed, tried + result.attempted
with open("README.md", encoding="utf-8") as page:
    text = re.sub("^` + "```" + `.*", "", page.read(), flags=re.M)
test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
result = doctest.DocTestRunner().run(test)
print("examples", tried, result.attempted)
sys.exit(failed + result.failed > 0)`

// The examples of the package for Python, and the recipes of its page, give what they say.
func TestPythonExamples(t *testing.T) {
	b := build(t)
	t.Setenv("TERMSIFT_LIBRARY", b.shared)
	folder, err := filepath.Abs("python")
	if err != nil {
		t.Fatal(err)
	}
	out := lab.Python(t, folder, "numpy scipy sklearn", runExamples)
	if found := regexp.MustCompile(`examples (\d+) (\d+)`).FindStringSubmatch(out); found == nil || found[1] == "0" || found[2] == "0" {
		t.Errorf("no examples were run:\n%s", out)
	}
}
