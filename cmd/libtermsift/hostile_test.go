//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
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
	index := demoIndex(t, b)
	for _, seed := range testkit.CaseNumbers(t, 100) {
		out := run(t, b.hostile, "random", strconv.Itoa(seed+1), strconv.Itoa(calls), index)
		if n, err := strconv.Atoi(strings.TrimSpace(out)); err != nil || n < calls {
			t.Fatalf("%q calls, %v", out, err)
		}
	}
}

// What cannot be is refused by its status, and the text names the argument and the place.
func TestBadInput(t *testing.T) {
	testkit.Equal(t, strings.TrimSpace(run(t, build(t).bad)), "112")
}

// Nothing is read or written beyond the arrays of a call: they lie beside pages that cannot be
// read. All operations give the same as from the heap, with arrays of all types, layouts and measures.
func TestGuardPages(t *testing.T) {
	b := build(t)
	measures, n := allMeasures(t)
	tried := strings.Fields(run(t, b.guards, demoIndex(t, b), measures, n))
	slices.Sort(tried)
	testkit.EqualSlices(t, slices.Compact(tried), slices.Sorted(maps.Keys(operations)), "guarded")
	testkit.Equal(t, run(t, b.guards, "beyond-page"), "status 8\n", "an array that is too short")
}

// demoIndex returns the path of an index of the demo corpus.
func demoIndex(t *testing.T, b built) string {
	index := filepath.Join(t.TempDir(), "x.idx")
	commandOutput(t, b, []string{"index", demoCorpus, "-o", index})
	return index
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
