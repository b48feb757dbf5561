//go:build termsift_panics && cgo && unix

package main

import "C"

import "github.com/termsift/termsift/engine/pool"

// This file is part of the library of one test alone, which lets each function and each worker
// panic in turn.

func maybePanic() { pool.MaybePanic() }

// ts_go_panic_at is [pool.PanicAt] for testdata/panics.c.
//
//export ts_go_panic_at
func ts_go_panic_at(n int64) int32 {
	if pool.PanicAt(n) {
		return 1
	}
	return 0
}
