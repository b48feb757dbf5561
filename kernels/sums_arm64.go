//go:build !purego

package kernels

// sumSegmentsNEON works like sumSegmentsGeneric. There is at least one segment.
//
//go:noescape
func sumSegmentsNEON(sums, squares []float64, values []float32, bounds []uint32)
