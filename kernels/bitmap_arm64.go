//go:build !purego

package kernels

// countBitmapNEON works like countBitmapGeneric. There is at least one range.
//
//go:noescape
func countBitmapNEON(counts []uint32, bitmap []byte, bounds []uint32)
