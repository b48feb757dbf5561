//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The functions for R score as chisq.test does, and refuse what is wrong. Without R and its
// package Matrix the test is skipped, unless TERMSIFT_REQUIRE_R is set.
func TestR(t *testing.T) {
	if err := exec.Command("Rscript", "-e", "library(Matrix)").Run(); err != nil {
		if os.Getenv("TERMSIFT_REQUIRE_R") != "" {
			t.Fatalf("Rscript with the package Matrix: %v", err)
		}
		t.Skipf("Rscript with the package Matrix: %v", err)
	}
	b := build(t)
	shim := filepath.Join(t.TempDir(), "termsift_r.so")
	run(t, "gcc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I.", "-o", shim, "r/shim.c", b.shared, "-Wl,-rpath,"+buildDir)
	t.Setenv("PATH", filepath.Dir(b.command)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Chdir("r")
	if got := run(t, "Rscript", "test.R", shim); !strings.HasPrefix(got, "passed 999") {
		t.Errorf("%q", got)
	}
}
