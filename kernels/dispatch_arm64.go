//go:build !purego

package kernels

// This file takes the NEON form of a kernel or the pure Go one, for those that have a NEON form.

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
