//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// needR skips the test without R and its package Matrix, unless TERMSIFT_REQUIRE_R is set. It puts the R that it tries,
// and the Rscript of that R, before all others.
func needR(t *testing.T) {
	t.Helper()
	home, _ := exec.Command("R", "RHOME").Output() // without R, Rscript is tried
	if bin := filepath.Join(strings.TrimSpace(string(home)), "bin"); len(home) > 0 {
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	for _, c := range [][]string{{"Rscript", "-e", "library(Matrix)"}, {"make", "--version"}} {
		if err := exec.Command(c[0], c[1:]...).Run(); err != nil {
			testkit.Equal(testkit.Stop(t), os.Getenv("TERMSIFT_REQUIRE_R"), "", strings.Join(c, " "), err)
			t.Skipf("%s: %v", strings.Join(c, " "), err)
		}
	}
}

// Rscript is that of the R that packages are built by.
func TestRscriptIsThatOfR(t *testing.T) {
	first, home := t.TempDir(), t.TempDir()
	testkit.OK(os.Mkdir(filepath.Join(home, "bin"), 0o755))
	for file, text := range map[string]string{
		filepath.Join(first, "R"): "echo " + home, filepath.Join(first, "Rscript"): "exit 1", filepath.Join(home, "bin", "Rscript"): "echo right",
		filepath.Join(first, "make"): "exit 0",
	} {
		testkit.OK(os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	}
	t.Setenv("PATH", first+string(os.PathListSeparator)+os.Getenv("PATH"))
	needR(t)
	testkit.Equal(t, run(t, "Rscript"), "right\n")
}

// The source package for R builds without a network, and R CMD check finds nothing but what
// r/README.md lists. Its tests are those of r/tests. The package then has the command's numbers.
func TestRPackage(t *testing.T) {
	needR(t)
	t.Setenv("TERMSIFT_LIBRARY", "") // which configure would take
	if testing.Short() {
		t.Skip("testing.Short: R CMD check takes a minute")
	}
	b := build(t)
	dir := t.TempDir()
	run(t, "r/source.sh", dir)
	t.Setenv("GOPROXY", "off")
	t.Setenv("R_PROFILE", noRepository(t))
	t.Setenv("TERMSIFT_COMMAND", b.command)
	check := exec.CommandContext(t.Context(), "R", "CMD", "check", "--no-manual", "--output="+dir, filepath.Join(dir, "termsift_"+table.Version+".tar.gz"))
	out, err := check.CombinedOutput()
	if err != nil {
		failed, _ := filepath.Glob(filepath.Join(dir, "termsift.Rcheck", "tests", "*.fail"))
		for _, f := range append(failed, filepath.Join(dir, "termsift.Rcheck", "00install.out")) {
			text, _ := os.ReadFile(f)
			out = append(out, text...)
		}
		t.Fatalf("R CMD check: %v\n%s", err, out)
	}
	findings := regexp.MustCompile(`(?m)^\* checking (.*) \.\.\..* (NOTE|WARNING|ERROR)$`).FindAllStringSubmatch(string(out), -1)
	var found []string
	for _, f := range findings {
		found = append(found, f[1]+": "+f[2])
	}
	if want := []string{"installed package size: NOTE"}; !slices.Equal(found, want) || !strings.Contains(string(out), "\nStatus: 1 NOTE\n") {
		t.Errorf("R CMD check finds %q, want %q\n%s", found, want, out)
	}
	t.Setenv("R_LIBS", filepath.Join(dir, "termsift.Rcheck"))
	t.Run("README", func(t *testing.T) { run(t, "Rscript", "--vanilla", recipes(t)) })
	t.Run("collections", func(t *testing.T) {
		news, reviews := testkit.Corpus(t, "20news-bydate.tar.gz"), testkit.Corpus(t, "online_shopping_10_cats.csv.gz")
		run(t, "tar", "-xzf", news, "-C", dir, "20news-bydate-test")
		got := run(t, "Rscript", "--vanilla", "testdata/collection.R", b.command, filepath.Join(dir, "20news-bydate-test"), reviews, t.TempDir())
		testkit.Equal(t, strings.HasPrefix(got, "passed 7532 documents, 93564 terms"), true, got)
	})
}

// noRepository returns a profile of R with a repository that has nothing, which R CMD check asks what
// depends on a package.
func noRepository(t *testing.T) string {
	dir := t.TempDir()
	contrib, profile := filepath.Join(dir, "src", "contrib"), filepath.Join(dir, "profile")
	testkit.OK(os.MkdirAll(contrib, 0o777))
	for path, text := range map[string]string{filepath.Join(contrib, "PACKAGES"): "", profile: "options(repos = c(CRAN = 'file://" + dir + "'))\n"} {
		testkit.OK(os.WriteFile(path, []byte(text), 0o600))
	}
	return profile
}

// recipes writes the examples of r/README.md to a file, in which they run one after another.
func recipes(t *testing.T) string {
	text := testkit.Must(os.ReadFile("r/README.md"))
	var script strings.Builder
	script.WriteString("pdf(NULL)\n") // plots go nowhere
	for _, block := range regexp.MustCompile("(?s)```r\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		script.WriteString(block[1])
	}
	path := filepath.Join(t.TempDir(), "recipes.R")
	testkit.OK(os.WriteFile(path, []byte(script.String()), 0o600))
	return path
}

// In a clone the package installs with a library that is built already, named by an option or by
// the environment, and configure says what is wrong where there is none.
func TestRPackageOfAClone(t *testing.T) {
	needR(t)
	t.Setenv("TERMSIFT_LIBRARY", "")
	b := build(t)
	clone := filepath.Join(t.TempDir(), "libtermsift", "r")
	testkit.OK(os.CopyFS(clone, os.DirFS("r")))
	for name, mode := range map[string]os.FileMode{"configure": 0o755, "cleanup": 0o755} {
		testkit.OK(os.Chmod(filepath.Join(clone, name), mode))
	}
	configure := func(want string, env ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), "sh", "configure")
		c.Dir, c.Env = clone, append(os.Environ(), env...)
		if out, err := c.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v: %s", err, out)
		}
	}
	configure("the sources of the library are missing: make a package by cmd/libtermsift/r/source.sh")
	run(t, "cp", "termsift.h", filepath.Dir(clone))
	configure("there is no file /none: --with-termsift and TERMSIFT_LIBRARY name", "TERMSIFT_LIBRARY=/none")
	configure("go is not in the PATH: install Go 1.26 or later", "PATH="+programs(t, "sh", "dirname", "basename"))
	library := t.TempDir()
	spaced := filepath.Join(t.TempDir(), "a folder")
	testkit.OK(os.CopyFS(spaced, os.DirFS(filepath.Dir(b.shared))))
	run(t, "R", "CMD", "INSTALL", "--no-docs", "--clean", "--library="+library, "--configure-args='--with-termsift="+filepath.Join(spaced, "libtermsift.so.1")+"'", clone)
	t.Setenv("R_LIBS", library)
	if got := run(t, "Rscript", "--vanilla", "-e", `cat(termsift::term_scores(matrix(c(1, 0, 1, 1), 2), 1:2)$chi)`); got != "2 NaN" && got != "2 0" {
		t.Errorf("%q", got)
	}
	left := testkit.Must(filepath.Glob(filepath.Join(clone, "src", "*")))
	testkit.Equal(t, len(left), 3, "are left in src")
}

// programs returns a folder with links to some programs and no others.
func programs(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, name := range names {
		path := testkit.Must(exec.LookPath(name))
		testkit.OK(os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}
