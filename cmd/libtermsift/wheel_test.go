//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// A wheel is built without a network and without a change to the sources, and has the size and the tag that are
// promised. Installed into a new environment, the command runs, and the tests pass from there that hang on where the
// package, its library and its command lie, and on processes, with more threads and interruptions where TERMSIFT_HEAVY
// is set.
func TestEveryPartOfTheWheel(t *testing.T) {
	testkit.NeedAllCases(t)
	b := build(t)
	interpreter := needPython(t, "numpy", "scipy", "sklearn", "pandas", "joblib", "pytest", "auditwheel", "hatchling", "build", "venv", "pip", "ziglang")
	dir := t.TempDir()
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("TERMSIFT_TARGET", "linux-"+runtime.GOARCH)
	before := filesBelow(t, "python")
	run(t, interpreter, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check", "--outdir", dir, "python")
	testkit.Equal(t, filesBelow(t, "python"), before, "building the wheel changes the sources", "before")
	wheels, err := filepath.Glob(filepath.Join(dir, "termsift-*-py3-none-manylinux_2_17_*.whl"))
	testkit.OK(err)
	testkit.Equal(testkit.Stop(t), len(wheels), 1, "wheels")
	if info, err := os.Stat(wheels[0]); err != nil || info.Size() > 12_000_000 {
		t.Errorf("the wheel has %d bytes, more than 12 MB: %v", info.Size(), err)
	} else {
		t.Logf("the wheel has %d bytes", info.Size())
	}
	testkit.Contains(t, run(t, interpreter, "-m", "auditwheel", "show", wheels[0]), `"manylinux_2_17_`, "auditwheel")
	environment := filepath.Join(dir, "environment")
	run(t, interpreter, "-m", "venv", "--without-pip", environment)
	installed := filepath.Join(environment, "bin", "python3")
	run(t, interpreter, "-m", "pip", "--python", installed, "install", "--no-deps", wheels[0])
	withPackagesOf(t, interpreter, installed)
	testkit.OK(os.Mkdir(filepath.Join(dir, "tests"), 0o700))
	for _, name := range []string{
		"README.md", "pyproject.toml", "tests/arrays_of_arrow.py", "tests/common.py", "tests/conftest.py", "tests/test_command.py", "tests/test_examples.py", "tests/test_forks.py", "tests/test_imports.py",
		"tests/test_parts.py", "tests/test_processes.py", "tests/test_termsift.py",
	} {
		run(t, "cp", filepath.Join("python", name), filepath.Join(dir, name))
	}
	run(t, interpreter, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--target", filepath.Join(dir, "target"), "./python") // as README.md has it
	testkit.Equal(t, filesBelow(t, "python"), before, "pip install changes the sources", "before")
	command := filepath.Join(environment, "bin", "termsift")
	testkit.Contains(t, run(t, command, "--version"), table.Version, "the command of the wheel")
	checkPackage(t, []string{"tests"}, installed, dir, environment, "TERMSIFT_COMMAND="+command, "TERMSIFT_LIBRARY=", "PYTHONPATH="+filepath.Join(dir, "tests"))
	library, err := filepath.Glob(filepath.Join(environment, "lib", "python3*", "site-packages", "termsift", "libtermsift.so.1"))
	if err != nil || len(library) != 1 {
		t.Fatalf("libraries %v, %v", library, err)
	}
	testkit.Equal(t, symbols(t, library[0]), symbols(t, b.shared), "the library in the wheel")
}

// withPackagesOf lets one interpreter import the packages of another after its own.
func withPackagesOf(t *testing.T, from, to string) {
	t.Helper()
	places := func(interpreter string) []string {
		return strings.Fields(run(t, interpreter, "-c", `import site; print("\n".join(site.getsitepackages()))`))
	}
	path := filepath.Join(places(to)[0], "others.pth")
	testkit.OK(os.WriteFile(path, []byte(strings.Join(places(from), "\n")), 0o600))
}

// filesBelow lists the files of a folder.
func filesBelow(t *testing.T, folder string) string {
	var all strings.Builder
	testkit.OK(filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		all.WriteString(path + "\n")
		return err
	}))
	return all.String()
}
