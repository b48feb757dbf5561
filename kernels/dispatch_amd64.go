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

func maxDeviations(dst []float64, of Deviation, counts []uint32, stride int, sizes, weights []float64, total float64, occurrences []float64) {
	switch {
	case useAVX512:
		maxDeviationsAVX512(dst, uint8(of), counts, stride, sizes, weights, total, occurrences)
	case useAVX2:
		maxDeviationsAVX2(dst, uint8(of), counts, stride, sizes, weights, total, occurrences)
	default:
		maxDeviationsGeneric(dst, of, counts, stride, sizes, weights, total, occurrences)
	}
}

func logs(dst, src []float64) { logsGeneric(dst, src) }
