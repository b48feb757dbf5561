//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// Every operation, and each goroutine that works for it, panics in turn: the call returns TS_INTERNAL, and the next one
// what it did before. Operations with workers have more places than their own. The library is built once more, with the
// tag termsift_panics.
func TestEveryPanicIsAnError(t *testing.T) {
	testkit.NeedAllCases(t)
	b := build(t)
	dir := t.TempDir()
	library, program := filepath.Join(dir, "libtermsift.a"), filepath.Join(dir, "panics")
	run(t, "go", "build", "-tags", "termsift_panics", "-trimpath", "-buildmode=c-archive", "-o", library, ".")
	run(t, "gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-I.", "-o", program, "testdata/panics.c", library, "-pthread")
	out := run(t, program, demoIndex(t, b))
	t.Log(out)
	var tried []string
	for _, line := range regexp.MustCompile(`(?m)^(\w+) (\d+)$`).FindAllStringSubmatch(out, -1) {
		tried = append(tried, line[1])
		places := 0
		if _, err := fmt.Sscan(line[2], &places); err != nil || places < 1 {
			t.Errorf("%s panicked %s times", line[1], line[2])
		}
		if slices.Contains([]string{"score", "fit", "transform", "select", "stats_texts", "stats_matrix", "bag_fit", "bag_transform", "bag_hash", "rank", "score_classes"}, line[1]) && places < 4 {
			t.Errorf("%s panicked %d times: its workers did not", line[1], places)
		}
	}
	slices.Sort(tried)
	testkit.EqualSlices(t, slices.Compact(tried), slices.Sorted(maps.Keys(operations)), "panicked")
}
