//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/rank"
)

// Pointers to memory that is not there are errors, in whatever argument or struct they are.
func TestWildPointers(t *testing.T) {
	run(t, build(t).hostile, "faults")
}

// A million calls with random arguments, in a hundred processes, give a status of the header and
// a text.
func TestEveryKindOfArgument(t *testing.T) {
	const calls = 10_000
	b := build(t)
	for _, seed := range testkit.CaseNumbers(t, 100) {
		out := run(t, b.hostile, "random", strconv.Itoa(seed+1), strconv.Itoa(calls))
		if n, err := strconv.Atoi(strings.TrimSpace(out)); err != nil || n < calls {
			t.Fatalf("%q calls, %v", out, err)
		}
	}
}

// What cannot be is refused by its status, and the text names the argument and the place.
func TestBadInput(t *testing.T) {
	testkit.Equal(t, strings.TrimSpace(run(t, build(t).bad)), "129")
}

// Nothing is read or written beyond the arrays of a call: they lie beside pages that cannot be
// read. All types, layouts and measures give the same as from the heap.
func TestGuardPages(t *testing.T) {
	b := build(t)
	measures, n := allMeasures(t)
	run(t, b.guards, measures, n)
	testkit.Equal(t, run(t, b.guards, "beyond-page"), "status 8\n", "an array that is too short")
}

// TestGuardPages does every operation that has an input, each with memory that cannot be written.
func TestEveryInputIsGuarded(t *testing.T) {
	guards := testkit.Must(os.ReadFile(filepath.Join("testdata", "guards.c")))
	typed := []string{"cancel", "fit", "free", "model_load", "open", "rank", "read", "save", "score", "select", "stats_add", "stats_load", "stats_texts", "transform"}
	for name, op := range operations {
		call := `OPERATE\("` + name + `"`
		if slices.Contains(typed, name) {
			call = `\bts_` + name + `\b`
		}
		without := slices.Contains([]string{"cancel", "stats_add", "analysis"}, name) // their inputs are handles
		if len(op.in) > 0 && !without && !regexp.MustCompile(call).Match(guards) {
			t.Errorf("%s has an input, and guards.c does not call it", name)
		}
	}
}

// allMeasures returns the names of all measures as JSON, and how many these are.
func allMeasures(t *testing.T) (names, n string) {
	var all []string
	for _, m := range rank.KnownMeasures() {
		all = append(all, m.Name)
	}
	text := testkit.Must(json.Marshal(all))
	return string(text), strconv.Itoa(len(all))
}
