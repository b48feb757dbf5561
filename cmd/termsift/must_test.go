package main

import "github.com/termsift/termsift/engine/usage"

// must returns v where an error would be a fault of the test.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The exit codes, by the names that the tests have for them.
const (
	exitOK          = usage.ExitOK
	exitNothing     = usage.ExitNothing
	exitUsage       = usage.ExitUsage
	exitData        = usage.ExitData
	exitIO          = usage.ExitIO
	exitCorrupt     = usage.ExitCorrupt
	exitInterrupted = usage.ExitInterrupted
)
