//go:build !linux

package files

// Discard keeps data, whose memory the collector gives back.
func Discard([]byte) {}
