//go:build purego || !amd64

package kernels

// This file takes the pure Go form of the kernels that have no other but for amd64.
// A NEON form was not tried, or promises little: two lanes of 64 bits with a look-up each gain
// nothing.

func atLeast(dst []uint32, values []float64, threshold float64) int {
	return atLeastGeneric(dst, values, threshold)
}

func prefetch(data []byte) { prefetchGeneric(data) }

func prefetchEach(data []byte, size int, places []uint32) { prefetchEachGeneric(data, size, places) }

func rowMaxima(dst, table []int64, places []uint32, start []int, least int64, log uint64) bool {
	return rowMaximaGeneric(dst, table, places, start, least, log)
}

func deviationMaxima(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool {
	return deviationMaximaGeneric(dst, start, classes, a, of, table, n, form)
}

func planeMaxima(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation) {
	planeMaximaGeneric(dst, df, counts, stride, first, planes, table, n, form)
}

func within64(values []int64, most int64) bool { return within64Generic(values, most) }

func within32(values []int32, most int32) bool { return within32Generic(values, most) }

func ascending64(values []int64) bool { return ascendingGeneric(values) }

func ascending32(values []int32) bool { return ascendingGeneric(values) }

func sharedBits(dst []uint32, sets, set []uint64) { sharedBitsGeneric(dst, sets, set) }

func hasPlanes() bool { return false }

func hasSharedBits() bool { return false }
