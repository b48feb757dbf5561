//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Every function of the header, and each goroutine that works for it, panics in turn: the call
// returns TS_INTERNAL, and the next one what it did before. Functions with workers have more places
// than their own. The library is built once more, with the tag termsift_panics.
func TestEveryPanicIsAnError(t *testing.T) {
	testkit.NeedAllCases(t)
	b := build(t)
	dir := t.TempDir()
	library, program, index := filepath.Join(dir, "libtermsift.a"), filepath.Join(dir, "panics"), filepath.Join(dir, "x.idx")
	run(t, "go", "build", "-tags", "termsift_panics", "-trimpath", "-buildmode=c-archive", "-o", library, ".")
	run(t, "gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-I.", "-o", program, "testdata/panics.c", library, "-pthread")
	commandOutput(t, b, []string{"index", demoCorpus, "-o", index})
	out := run(t, program, index)
	t.Log(out)
	var tried []string
	for _, line := range regexp.MustCompile(`(?m)^(ts_\w+) (\d+)$`).FindAllStringSubmatch(out, -1) {
		tried = append(tried, line[1])
		places := 0
		if _, err := fmt.Sscan(line[2], &places); err != nil || places < 1 {
			t.Errorf("%s panicked %s times", line[1], line[2])
		}
		if slices.Contains([]string{"ts_score", "ts_fit", "ts_transform", "ts_select", "ts_stats_texts", "ts_stats_matrix", "ts_bag_fit", "ts_bag_transform", "ts_bag_hash", "ts_rank", "ts_score_classes"}, line[1]) && places < 4 {
			t.Errorf("%s panicked %d times: its workers did not", line[1], places)
		}
	}
	slices.Sort(tried)
	testkit.EqualSlices(t, tried, publicSymbols(t), "panicked")
}

// publicSymbols returns the functions of symbols.map that are functions of Go, sorted.
func publicSymbols(t *testing.T) (names []string) {
	text := testkit.Must(os.ReadFile("symbols.map"))
	for _, line := range regexp.MustCompile(`(?m)^\s*(ts_\w+);$`).FindAllStringSubmatch(string(text), -1) {
		if line[1] != "ts_abi_version" && line[1] != "ts_version" { // which are C alone
			names = append(names, line[1])
		}
	}
	slices.Sort(names)
	return names
}
