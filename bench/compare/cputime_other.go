//go:build !unix

package main

import "time"

var started = time.Now()

// cpuTime is wall time where the system has no getrusage: on an idle machine
// the same.
func cpuTime() time.Duration { return time.Since(started) }
