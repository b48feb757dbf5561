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

func checkCells(sets, sums []uint64, classes, a, s []byte, start []int, last uint8) bool {
	if useAVX512 || useAVX2 {
		return checkCellsAVX2(sets, sums, classes, a, s, start, last)
	}
	return checkCellsGeneric(sets, sums, classes, a, s, start, last)
}

func prefetch(data []byte) {
	if useAVX512 || useAVX2 {
		prefetchAVX2(data)
	} else {
		prefetchGeneric(data)
	}
}

func rowMaxima(dst, table []int64, places []uint32, start []int, least int64, log uint64) bool {
	switch {
	case useAVX512:
		return rowMaximaAVX512(dst, table, places, start, least, log)
	case useAVX2:
		return rowMaximaAVX2(dst, table, places, start, least, log)
	default:
		return rowMaximaGeneric(dst, table, places, start, least, log)
	}
}

// The forms of the next two in AVX-512 would not be faster; see _asm/classsegments.go.

func deviationMaxima(dst []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64, form Deviation) bool {
	if useAVX512 || useAVX2 {
		return deviationMaximaAVX2(dst, start, classes, a, of, table, n, form)
	}
	return deviationMaximaGeneric(dst, start, classes, a, of, table, n, form)
}

func tableSums(dst [][2]float64, met []float64, start []int, classes []uint32, a []float64, table [][2]float64, log uint64) bool {
	if useAVX512 || useAVX2 {
		return tableSumsAVX2(dst, met, start, classes, a, table, log)
	}
	return tableSumsGeneric(dst, met, start, classes, a, table, log)
}

// planeColumns is the least number of columns that planeMaximaAVX2 takes.
const planeColumns = 8

func planeMaxima(dst []float64, df []uint32, counts []uint16, stride, first, planes int, table [][2]float64, n float64, form Deviation) {
	if (useAVX512 || useAVX2) && len(dst) >= planeColumns {
		planeMaximaAVX2(dst, df, counts, stride, first, planes, table, n, form)
		return
	}
	planeMaximaGeneric(dst, df, counts, stride, first, planes, table, n, form)
}

// The forms of within take a vector at least.

func within64(values []int64, most int64) bool {
	if (useAVX512 || useAVX2) && len(values) >= 4 {
		return within64AVX2(values, most)
	}
	return within64Generic(values, most)
}

func within32(values []int32, most int32) bool {
	if (useAVX512 || useAVX2) && len(values) >= 8 {
		return within32AVX2(values, most)
	}
	return within32Generic(values, most)
}

// The forms of ascending take one value more than a vector.

func ascending64(values []int64) bool {
	if (useAVX512 || useAVX2) && len(values) > 4 {
		return ascending64AVX2(values)
	}
	return ascendingGeneric(values)
}

func ascending32(values []int32) bool {
	if (useAVX512 || useAVX2) && len(values) > 8 {
		return ascending32AVX2(values)
	}
	return ascendingGeneric(values)
}

func setMaxima(dst []float64, sets []uint64, a []byte, of []uint32, sizes, weights []float64, n float64, beyond uint64, form Deviation) bool {
	if useAVX512 {
		return setMaximaAVX512(dst, sets, a, of, sizes, weights, n, beyond, form)
	}
	if useAVX2 {
		return setMaximaAVX2(dst, sets, a, of, sizes, weights, n, beyond, form)
	}
	return setMaximaGeneric(dst, sets, a, of, sizes, weights, n, beyond, form)
}

func cellsForMaxima() int {
	if useAVX512 {
		return 4
	}
	return 1
}

func setTableMaxima(dst []float64, sets []uint64, a []byte, table []float64, beyond uint64) bool {
	if useAVX512 {
		return setTableMaximaAVX512(dst, sets, a, table, beyond)
	}
	if useAVX2 {
		return setTableMaximaAVX2(dst, sets, a, table, beyond)
	}
	return setTableMaximaGeneric(dst, sets, a, table, beyond)
}

func setSums(dst [][2]float64, met, sets []uint64, a []byte, table [][2]float64, beyond uint64) bool {
	if useAVX512 {
		return setSumsAVX512(dst, met, sets, a, table, beyond)
	}
	if useAVX2 {
		return setSumsAVX2(dst, met, sets, a, table, beyond)
	}
	return setSumsGeneric(dst, met, sets, a, table, beyond)
}

func setMoments(largest, squares, totals []float64, sets []uint64, a, s, q []byte, of, sizes, inverses, roots []float64, n float64, beyond uint64) bool {
	if useAVX512 && !fewMoments(len(a), len(sets)) {
		return setMomentsAVX512(largest, squares, totals, sets, a, s, q, of, sizes, inverses, roots, n, beyond)
	}
	if useAVX512 || useAVX2 {
		return setMomentsAVX2(largest, squares, totals, sets, a, s, q, of, sizes, inverses, roots, n, beyond)
	}
	return setMomentsGeneric(largest, squares, totals, sets, a, s, q, of, sizes, inverses, roots, n, beyond)
}

func setSquares(squares, totals []float64, sets []uint64, a, s []byte, inverses []float64, beyond uint64) bool {
	if useAVX512 {
		return setSquaresAVX512(squares, totals, sets, a, s, inverses, beyond)
	}
	if useAVX2 {
		return setSquaresAVX2(squares, totals, sets, a, s, inverses, beyond)
	}
	return setSquaresGeneric(squares, totals, sets, a, s, inverses, beyond)
}

func sharedBits(dst []uint32, sets, set []uint64) {
	if useAVX512 {
		sharedBitsAVX512(dst, sets, set)
	} else {
		sharedBitsGeneric(dst, sets, set)
	}
}

func hasSets() bool { return useAVX512 || useAVX2 }

func hasPlanes() bool { return useAVX512 || useAVX2 }

func hasSharedBits() bool { return useAVX512 }
