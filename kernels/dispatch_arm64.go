//go:build !purego

package kernels

// This file takes the NEON form of a kernel or the pure Go one.
//
// The other kernels have no NEON form, since it promises little: countArray needs
// gathers and occupied and atLeast a compression, which NEON lacks; countEnds is a
// running maximum over lanes that take two shuffles a step; addBytes, logs, repeat and
// segmentMaxima could use no more than two lanes of 64 bits; deviations and within need
// gathers. addCounts and prefetch were not tried.

func classify(src, lower []byte, masks []uint64, class Class) bool {
	if useNEON {
		return classifyNEON(src, lower, masks, class)
	}
	return classifyGeneric(src, lower, masks, class)
}

func countBitmap(counts []uint32, bitmap []byte, bounds []uint32) {
	if useNEON {
		countBitmapNEON(counts, bitmap, bounds)
	} else {
		countBitmapGeneric(counts, bitmap, bounds)
	}
}

func countArray(counts []uint32, values []byte, bounds []uint32) {
	countArrayGeneric(counts, values, bounds)
}

func countEnds(counts, ends []uint32) { countEndsGeneric(counts, ends) }

func occupied(dst, counts []uint32) int { return occupiedGeneric(dst, counts) }

func atLeast(dst []uint32, values []float64, threshold float64) int {
	return atLeastGeneric(dst, values, threshold)
}

func addCounts(sums, index []uint32, values []float32, largest uint32) bool {
	return addCountsGeneric(sums, index, values, largest)
}

func sumSegments(sums, squares []float64, values []float32, bounds []uint32) {
	if useNEON {
		sumSegmentsNEON(sums, squares, values, bounds)
	} else {
		sumSegmentsGeneric(sums, squares, values, bounds)
	}
}

func sumByteSegments(sums, squares []uint64, values []byte, bounds []uint32) {
	if useNEON {
		sumByteSegmentsNEON(sums, squares, values, bounds)
	} else {
		sumByteSegmentsGeneric(sums, squares, values, bounds)
	}
}

func addBytes(dst []float64, values []byte) { addBytesGeneric(dst, values) }

func prefetch(data []byte) { prefetchGeneric(data) }

func logs(dst, src []float64) { logsGeneric(dst, src) }

func repeat(dst, values []float64, start []int) bool { return repeatGeneric(dst, values, start) }

func segmentMaxima(dst, values []int64, start []int, least int64) bool {
	return segmentMaximaGeneric(dst, values, start, least)
}

func deviations(dst []int64, classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) bool {
	return deviationsGeneric(dst, classes, a, of, sizes, weights, n, form)
}

func within(dst []float64, classes []uint32, s, q, sizes, inverses []float64) bool {
	return withinGeneric(dst, classes, s, q, sizes, inverses)
}
