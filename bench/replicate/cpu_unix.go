//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used so far on all threads: on a shared machine a better measure of work than the
// clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
