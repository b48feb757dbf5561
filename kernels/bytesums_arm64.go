//go:build !purego

package kernels

// sumByteSegmentsNEON works like sumByteSegmentsGeneric. There is at least one
// segment.
//
//go:noescape
func sumByteSegmentsNEON(sums, squares []uint64, values []byte, bounds []uint32)
