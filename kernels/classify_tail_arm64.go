//go:build !purego

package kernels

// classifyNEON works like classifyGeneric. What is left behind the last whole
// block is copied into one: that costs less than a loop of shorter vectors, and
// the assembly needs no other form.
func classifyNEON(src, lower []byte, masks []uint64, class Class) bool {
	high := classifyBlocksNEON(src, lower, masks, class)
	whole := len(src) / BlockBytes * BlockBytes
	if rest := src[whole:]; len(rest) > 0 {
		var in, out [BlockBytes]byte // zeros are of no class, and ASCII
		copy(in[:], rest)
		high = classifyBlocksNEON(in[:], out[:], masks[whole/BlockBytes:], class) || high
		copy(lower[whole:], out[:len(rest)])
	}
	return high
}
