//go:build !termsift_panics

package pool

// maybePanic is where a test lets a worker panic: see panics_on.go.
func maybePanic() {}
