//go:build cgo && linux && (amd64 || arm64)

package main

import (
	"strconv"
	"strings"
	"testing"
)

// Pointers to memory that is not there are errors, in whatever argument or struct they are.
func TestWildPointers(t *testing.T) { run(t, build(t).hostile, "faults") }

// A million calls with random arguments, in a hundred processes, give a status of the header and
// a text. Without TERMSIFT_HEAVY there are four processes.
func TestEveryKindOfArgument(t *testing.T) {
	const calls = 10_000
	processes := 4
	if heavy() {
		processes = 100
	}
	b := build(t)
	for seed := range processes {
		out := run(t, b.hostile, "random", strconv.Itoa(seed+1), strconv.Itoa(calls))
		if n, err := strconv.Atoi(strings.TrimSpace(out)); err != nil || n < calls {
			t.Fatalf("%q calls, %v", out, err)
		}
	}
}
