//go:build !unix

// Package cputime tells what the process has used of its processors.
package cputime

import "time"

var started = time.Now()

// Now is wall time where the system has no getrusage: on an idle machine the
// same.
func Now() time.Duration { return time.Since(started) }

// User is Now.
func User() time.Duration { return Now() }
