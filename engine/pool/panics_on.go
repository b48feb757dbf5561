//go:build termsift_panics

package pool

import "sync/atomic"

// This file is part of builds for tests alone: the tests of cmd/libtermsift let each worker and
// each function of the library panic in turn.

// untilPanic is the number of calls of [MaybePanic] up to the one that panics, 0 or less for none.
var untilPanic atomic.Int64

// PanicAt lets the n-th call of [MaybePanic] from now on panic, none if n is 0. It reports whether
// the call before it had its panic.
func PanicAt(n int64) (panicked bool) { return untilPanic.Swap(n) <= 0 }

// MaybePanic panics if it is the call that [PanicAt] has chosen.
func MaybePanic() {
	if untilPanic.Load() > 0 && untilPanic.Add(-1) == 0 {
		panic("test panic")
	}
}

// maybePanic is called by workers before each chunk, and by other goroutines as they begin.
func maybePanic() { MaybePanic() }
