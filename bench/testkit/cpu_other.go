//go:build !unix

package testkit

import "time"

var started = time.Now()

// UserCPU returns the time since the process began, because the system does not tell the CPU time.
func UserCPU() time.Duration { return time.Since(started) }
