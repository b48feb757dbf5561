//go:build heavy

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

	"github.com/termsift/termsift/engine/ingest"
)

// The archives of a release have the same bytes when they are built again. They hold the program or the
// library, and the terms of all that is in them. The library of a release is that of amd64.
func TestEveryArchiveOfARelease(t *testing.T) {
	needClone(t)
	for _, program := range []string{"gcc", "file", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: .ci/release needs %s", program)
		}
	}
	script, err := filepath.Abs("../../.ci/release")
	if err != nil {
		t.Fatal(err)
	}
	first, second := t.TempDir(), t.TempDir()
	sums := programOutput(t, first, nil, script, "-only", "linux-amd64", first)
	if again := programOutput(t, second, nil, script, "-only", "linux-amd64", second); again != sums {
		t.Errorf("built again:\n%s\nat first:\n%s", again, sums)
	}
	programOutput(t, first, nil, "sha256sum", "--check", "--strict", "SHA256SUMS")
	notices := []string{"LICENSE", "THIRD_PARTY.md"}
	for name, want := range map[string][]string{
		"termsift-":    append(notices, "termsift"),
		"libtermsift-": {"LICENSE", "README.md", "THIRD_PARTY.md", "example.c", "libtermsift.so.1", "termsift.h"},
	} {
		name += ingest.Version + "-linux-amd64"
		if got := filesOfArchive(t, filepath.Join(first, name+".tar.gz"), name+"/"); !slices.Equal(got, want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
	wheels, err := filepath.Glob(filepath.Join(first, "*.whl"))
	if err != nil || len(wheels) > 1 || len(wheels) == 0 && !strings.Contains(sums, "skipped: the wheel") {
		t.Fatalf("wheels %v, %v:\n%s", wheels, err, sums)
	}
	for _, wheel := range wheels {
		z, err := zip.OpenReader(wheel)
		if err != nil {
			t.Fatal(err)
		}
		for _, notice := range notices {
			if _, err := z.Open("termsift/" + notice); err != nil {
				t.Error(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}
}

// filesOfArchive lists the files of an archive, without the folder that all of them are in.
func filesOfArchive(t *testing.T, path, folder string) (names []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		name, inside := strings.CutPrefix(h.Name, folder)
		if !inside {
			t.Errorf("%s has %s", filepath.Base(path), h.Name)
		}
		if h.Typeflag == tar.TypeReg {
			names = append(names, name)
		}
	}
}
