//go:build unix

// Package cputime tells what the process has used of its processors: on a shared
// machine a better measure of work than the time on the wall.
package cputime

import (
	"syscall"
	"time"
)

// Now is what the process has used so far, the garbage collector included.
func Now() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
