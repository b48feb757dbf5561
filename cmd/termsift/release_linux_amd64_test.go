package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

// The archives of a release have the same bytes when they are built again from another clone, under
// another umask, time zone and locale, in folders with spaces. They hold the program or the library, what
// belongs to it, and the terms of all that is in them; everybody can read them, and run the program. The
// library of a release is that of amd64.
func TestEveryArchiveOfARelease(t *testing.T) {
	testkit.NeedAllCases(t)
	needClone(t)
	for _, program := range []string{"gcc", "file", "sha256sum", "unzip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: .ci/release needs %s", program)
		}
	}
	testkit.Python(t, ".", "build hatchling ziglang", "")
	root := testkit.Must(filepath.Abs("../.."))
	first, second := t.TempDir(), t.TempDir()
	clone, temporary, again := filepath.Join(second, "a clone"), filepath.Join(second, "for a while"), filepath.Join(second, "an archive")
	testkit.OK(os.Mkdir(temporary, 0o777))
	programOutput(t, second, nil, "git", "clone", "--quiet", root, clone)
	sums := programOutput(t, first, nil, filepath.Join(root, ".ci/release"), "-only", "linux-amd64", first)
	other := []string{"TZ=Asia/Kathmandu", "LC_ALL=C.UTF-8", "TMPDIR=" + temporary}
	under := []string{"-c", `umask 077 && "$0" -only linux-amd64 "$1"`, filepath.Join(clone, ".ci/release"), again}
	testkit.Equal(t, programOutput(t, second, other, "bash", under...), sums, "built again", "at first")
	checked := programOutput(t, first, nil, "sha256sum", "--check", "--strict", "SHA256SUMS")
	files := testkit.Must(os.ReadDir(first))
	testkit.Equal(t, strings.Count(checked, ": OK\n"), len(files)-1, "checksums of", files)
	testkit.Contains(t, string(testkit.Must(os.ReadFile(filepath.Join(first, "termsift-"+table.Version+".html")))), `data-part="licences"`, "the page has")
	notices := []string{"LICENSE", "THIRD_PARTY.md"}
	for name, want := range map[string][]string{
		"termsift-":    slices.Sorted(slices.Values(append(pagesOfTheCommand(), "FAQ.md", "LICENSE", "README.md", "REFERENCE.md", "THIRD_PARTY.md", "special.md", "termsift"))),
		"libtermsift-": {"LICENSE", "README.md", "THIRD_PARTY.md", "example.c", "libtermsift.so.1", "termsift.h"},
	} {
		name += table.Version + "-linux-amd64"
		if got := filesOfArchive(t, filepath.Join(first, name+".tar.gz"), name+"/"); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
	wheels, err := filepath.Glob(filepath.Join(first, "*.whl"))
	if err != nil || len(wheels) != 1 {
		t.Fatalf("wheels %v, %v:\n%s", wheels, err, sums)
	}
	for _, wheel := range wheels {
		z := testkit.Must(zip.OpenReader(wheel))
		for _, notice := range notices {
			testkit.Must(z.Open("termsift/" + notice))
		}
		testkit.OK(z.Close())
	}
}

// pagesOfTheCommand returns the completions and the manual pages.
func pagesOfTheCommand() []string {
	completions := []string{"completions/_termsift", "completions/termsift", "completions/termsift.fish", "completions/termsift.ps1"}
	return append(completions, manualPages((&app{}).tree())...)
}

// manualPages returns the page of a command and of those below it.
func manualPages(c *cobra.Command) []string {
	pages := []string{"man/man1/" + strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() && below.Name() != "help" {
			pages = append(pages, manualPages(below)...)
		}
	}
	return pages
}

// filesOfArchive lists the files of an archive, without the folder that all of them are in.
func filesOfArchive(t *testing.T, path, folder string) (names []string) {
	t.Helper()
	f := testkit.Must(os.Open(path))
	defer f.Close()
	z := testkit.Must(gzip.NewReader(f))
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		testkit.OK(err)
		name, inside := strings.CutPrefix(h.Name, folder)
		testkit.Equal(t, inside, true, filepath.Base(path), "has", h.Name)
		want := int64(0o644)
		if h.Typeflag == tar.TypeDir || name == "termsift" {
			want = 0o755
		}
		if h.Mode != want || h.Size == 0 && h.Typeflag == tar.TypeReg {
			t.Errorf("%s: %s has the mode %o and %d bytes, want the mode %o", filepath.Base(path), h.Name, h.Mode, h.Size, want)
		}
		if h.Typeflag == tar.TypeReg {
			names = append(names, name)
		}
	}
}
