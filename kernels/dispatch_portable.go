//go:build purego || !amd64

package kernels

// This file takes the pure Go form of the kernels that have no other but for amd64.
// A NEON form was not tried, or promises little: two lanes of 64 bits with a look-up each gain
// nothing.

func prefetch(data []byte) { prefetchGeneric(data) }

func deviationMaxima(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool {
	return deviationMaximaGeneric(dst, start, classes, a, of, table, n, form)
}

func planeMaxima(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation) {
	planeMaximaGeneric(dst, df, counts, stride, first, planes, table, n, form)
}

func ascending64(values []int64) bool { return ascendingGeneric(values) }

func ascending32(values []int32) bool { return ascendingGeneric(values) }

func hasPlanes() bool { return false }
