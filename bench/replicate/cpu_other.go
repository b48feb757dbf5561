//go:build !unix

package main

import "time"

var begun = time.Now()

// cpuTime is the time on the clock, where the system tells no other.
func cpuTime() time.Duration { return time.Since(begun) }
