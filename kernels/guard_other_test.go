//go:build !linux

package kernels

import "testing"

// fencedBytes gives n bytes; there is no fence on this system.
func fencedBytes(_ *testing.T, n int) []byte { return make([]byte, n) }
