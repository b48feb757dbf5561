//go:build !purego

package kernels

// This file chooses the form of each kernel that the CPU has instructions for.

func classify(src, lower []byte, masks []uint64, class Class) bool {
	switch {
	case useAVX512:
		return classifyAVX512(src, lower, masks, class)
	case useAVX2:
		return classifyAVX2(src, lower, masks, class)
	default:
		return classifyGeneric(src, lower, masks, class)
	}
}

func countBitmap(counts []uint32, bitmap []byte, bounds []uint32) {
	switch {
	case useAVX512:
		countBitmapAVX512(counts, bitmap, bounds)
	case useAVX2:
		countBitmapAVX2(counts, bitmap, bounds)
	default:
		countBitmapGeneric(counts, bitmap, bounds)
	}
}

func countArray(counts []uint32, values []byte, bounds []uint32) {
	switch {
	case useAVX512:
		countArrayAVX512(counts, values, bounds)
	case useAVX2:
		countArrayAVX2(counts, values, bounds)
	default:
		countArrayGeneric(counts, values, bounds)
	}
}

func countEnds(counts, ends []uint32) {
	switch {
	case useAVX512:
		countEndsAVX512(counts, ends)
	case useAVX2:
		countEndsAVX2(counts, ends)
	default:
		countEndsGeneric(counts, ends)
	}
}

func occupied(dst, counts []uint32) int {
	switch {
	case useAVX512:
		return occupiedAVX512(dst, counts)
	case useAVX2:
		return occupiedAVX2(dst, counts)
	default:
		return occupiedGeneric(dst, counts)
	}
}

func atLeast(dst []uint32, values []float64, threshold float64) int {
	switch {
	case useAVX512:
		return atLeastAVX512(dst, values, threshold)
	case useAVX2:
		return atLeastAVX2(dst, values, threshold)
	default:
		return atLeastGeneric(dst, values, threshold)
	}
}

func addCounts(sums, index []uint32, values []float32, largest uint32) bool {
	switch {
	case useAVX512:
		return addCountsAVX512(sums, index, values, largest)
	case useAVX2:
		return addCountsAVX2(sums, index, values, largest)
	default:
		return addCountsGeneric(sums, index, values, largest)
	}
}

func sumSegments(sums, squares []float64, values []float32, bounds []uint32) {
	switch {
	case useAVX512:
		sumSegmentsAVX512(sums, squares, values, bounds)
	case useAVX2:
		sumSegmentsAVX2(sums, squares, values, bounds)
	default:
		sumSegmentsGeneric(sums, squares, values, bounds)
	}
}

func sumByteSegments(sums, squares []uint64, values []byte, bounds []uint32) {
	switch {
	case useAVX512:
		sumByteSegmentsAVX512(sums, squares, values, bounds)
	case useAVX2:
		sumByteSegmentsAVX2(sums, squares, values, bounds)
	default:
		sumByteSegmentsGeneric(sums, squares, values, bounds)
	}
}

func addBytes(dst []float64, values []byte) {
	switch {
	case useAVX512:
		addBytesAVX512(dst, values)
	case useAVX2:
		addBytesAVX2(dst, values)
	default:
		addBytesGeneric(dst, values)
	}
}

func prefetch(data []byte) {
	if useAVX512 || useAVX2 {
		prefetchAVX2(data)
	} else {
		prefetchGeneric(data)
	}
}

func logs(dst, src []float64) { logsGeneric(dst, src) }

func repeat(dst, values []float64, start []int) bool {
	switch {
	case useAVX512:
		return repeatAVX512(dst, values, start)
	case useAVX2:
		return repeatAVX2(dst, values, start)
	default:
		return repeatGeneric(dst, values, start)
	}
}

func segmentMaxima(dst, values []int64, start []int, least int64) bool {
	switch {
	case useAVX512:
		return segmentMaximaAVX512(dst, values, start, least)
	case useAVX2:
		return segmentMaximaAVX2(dst, values, start, least)
	default:
		return segmentMaximaGeneric(dst, values, start, least)
	}
}

func deviations(dst []int64, classes []uint32, a, of, sizes, weights []float64, n float64, form Deviation) bool {
	switch {
	case useAVX512:
		return deviationsAVX512(dst, classes, a, of, sizes, weights, n, form)
	case useAVX2:
		return deviationsAVX2(dst, classes, a, of, sizes, weights, n, form)
	default:
		return deviationsGeneric(dst, classes, a, of, sizes, weights, n, form)
	}
}

func within(dst []float64, classes []uint32, s, q, sizes, inverses []float64) bool {
	switch {
	case useAVX512:
		return withinAVX512(dst, classes, s, q, sizes, inverses)
	case useAVX2:
		return withinAVX2(dst, classes, s, q, sizes, inverses)
	default:
		return withinGeneric(dst, classes, s, q, sizes, inverses)
	}
}
