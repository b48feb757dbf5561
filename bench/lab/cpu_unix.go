//go:build unix

package lab

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// CPU is what the process has used so far, the garbage collector included: on a shared machine a
// better measure of work than the time on the wall.
func CPU() time.Duration {
	return both(usage(syscall.RUSAGE_SELF))
}

// CPUOfAll is CPU, and what processes used that this one started and waited for.
func CPUOfAll() time.Duration {
	return CPU() + both(usage(syscall.RUSAGE_CHILDREN))
}

func both(u syscall.Rusage) time.Duration {
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// UserCPU is CPU without the time of the system, most of which goes into memory that is new to the
// process: on a virtual machine a page of it takes 1 to 30 µs.
func UserCPU() time.Duration {
	u := usage(syscall.RUSAGE_SELF)
	return time.Duration(u.Utime.Nano())
}

func usage(who int) (u syscall.Rusage) {
	if err := syscall.Getrusage(who, &u); err != nil {
		panic(err) // the arguments are constants
	}
	return u
}

// PeakMemory is the most bytes that a process which has ended held at a time, 0 where the system does not tell.
func PeakMemory(ended *os.ProcessState) float64 {
	u, ok := ended.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return float64(u.Maxrss)
	}
	return 1024 * float64(u.Maxrss)
}
