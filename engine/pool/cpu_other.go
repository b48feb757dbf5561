//go:build !unix

package pool

import "time"

var started = time.Now()

// CPU returns the time since the process began, because the system does not tell the CPU time.
func CPU() time.Duration { return time.Since(started) }
