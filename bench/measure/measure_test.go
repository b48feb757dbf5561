package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/lab"
)

func TestStages(t *testing.T) {
	var names []string
	for _, s := range stageList {
		if slices.Contains(names, s.name) {
			t.Errorf("there are two stages %s", s.name)
		}
		names = append(names, s.name)
		if s.run != nil {
			continue
		}
		if _, err := regexp.Compile(s.bench); err != nil || s.pkg == "" || s.time == "" {
			t.Errorf("stage %s: %+v, %v", s.name, s, err)
		}
	}
}

func TestRestrict(t *testing.T) {
	s := stage{sets: "20ng,S,L"}
	for asked, want := range map[string]string{"": "20ng,S,L", "L,20ng": "20ng,L", "M": nothing} {
		if got := s.restrict(asked); got != want {
			t.Errorf("%q: %q, want %q", asked, got, want)
		}
	}
	if got := (stage{}).restrict("M"); got != "" {
		t.Errorf("a stage without sets: %q", got)
	}
}

func TestPathsTakeTurns(t *testing.T) {
	paths := []string{"a", "b", "c"}
	for round, want := range []string{"abc", "bca", "cab", "abc"} {
		if got := strings.Join(inTurn(paths, round), ""); got != want {
			t.Errorf("round %d: %s, want %s", round, got, want)
		}
	}
}

func TestCommandCanBeTyped(t *testing.T) {
	s := &session{opt: &options{count: 6}}
	got := s.command(stage{pkg: "./bench", bench: "Counts|Sums", sets: "S,L", time: "1s", paths: true})
	want := "GOGC=100 TERMSIFT_KERNELS=PATH TERMSIFT_SETS=S,L go test ./bench -run '^$' -bench 'Counts|Sums' -benchtime=1s -count=6 -cpu=1"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestResultsNameNoFolders(t *testing.T) {
	out := "goos: linux\nBenchmarkA\t1\t2 ns/op\n    a_test.go:1: open /home/me\nPASS\n"
	if got := results(out); got != "goos: linux\nBenchmarkA\t1\t2 ns/op\n" {
		t.Errorf("%q", got)
	}
}

// A folder that cannot be made is an error before anything is measured, not after minutes.
func TestFolderOfRawFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	opt, err := lab.TryOf(func() *options {
		return parse([]string{"-out", filepath.Join(file, "results"), "-only", "bandwidth"}, io.Discard)
	})
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	if err := lab.Try(func() { measure(t.Context(), opt, &stderr) }); err == nil || !strings.Contains(err.Error(), "folder of the raw files") || stderr.Len() > 0 {
		t.Errorf("%v; it printed %q", err, &stderr)
	}
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-count", "0"}, {"-size", "0"}, {"-only", "("}, {"x"}, {"-y"}, {"-build", "a", "-from", "b"}} {
		if err := lab.Try(func() { parse(args, io.Discard) }); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestBinariesHaveNamesOfTheirOwn(t *testing.T) {
	names := map[string]string{}
	for _, s := range stageList {
		if pkg, ok := names[testBinary(s.pkg)]; ok && pkg != s.pkg {
			t.Errorf("%s and %s", pkg, s.pkg)
		}
		names[testBinary(s.pkg)] = s.pkg
	}
	if got := testBinary("./bench/stages"); got != "bench-stages.test" {
		t.Error(got)
	}
}

func TestAnotherMachineNeedsTheFolder(t *testing.T) {
	s := &session{opt: &options{from: t.TempDir()}}
	if err := lab.Try(func() { s.origin(t.Context()) }); err == nil || !strings.Contains(err.Error(), "-build") {
		t.Errorf("an empty folder: %v", err)
	}
}
