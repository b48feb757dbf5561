//go:build !unix

package lab

import (
	"os"
	"time"
)

var started = time.Now()

// CPU is wall time where the system has no getrusage: on an idle machine the same.
func CPU() time.Duration { return time.Since(started) }

// CPUOfAll is CPU.
func CPUOfAll() time.Duration { return CPU() }

// UserCPU is CPU.
func UserCPU() time.Duration { return CPU() }

// PeakMemory is 0: the system does not tell.
func PeakMemory(*os.ProcessState) float64 { return 0 }
