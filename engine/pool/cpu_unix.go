//go:build unix

package pool

import (
	"syscall"
	"time"
)

// CPU returns the CPU time that the process has used so far, with that of the garbage collector.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // the arguments are constants
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
