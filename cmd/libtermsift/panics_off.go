//go:build !termsift_panics

package main

// maybePanic is where a test lets a function panic: see panics_on.go.
func maybePanic() {}
