//go:build heavy && cgo && linux && (amd64 || arm64)

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

// A wheel is built without a network and without a change to the sources, and has the size and the tag that are
// promised. Installed into a new environment, all tests pass from there, with more threads and interruptions where
// TERMSIFT_HEAVY is set.
func TestEveryTestOfPythonFromTheWheel(t *testing.T) {
	b := build(t)
	interpreter := lab.FindPython(t.Context(), "numpy", "scipy", "sklearn", "pandas", "joblib", "pytest", "hatchling", "build", "venv", "pip")
	if interpreter == "" {
		if os.Getenv("TERMSIFT_REQUIRE_PYTHON") == "1" {
			t.Fatal("TERMSIFT_REQUIRE_PYTHON=1, and no python3 in PATH has hatchling, build, pytest, venv and pip beside scikit-learn")
		}
		t.Skip("SKIPPED: no python3 in PATH has hatchling, build, pytest, venv and pip beside scikit-learn")
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
	if info, err := os.Stat(wheels[0]); err != nil || info.Size() > 2_800_000 {
		t.Errorf("the wheel has %d bytes, more than 2.8 MB: %v", info.Size(), err)
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
