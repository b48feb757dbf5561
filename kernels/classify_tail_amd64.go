//go:build !purego

package kernels

// classifyAVX2 works like classifyGeneric. What is left behind the last whole
// block is copied into one, since AVX2 has no masked loads and stores of bytes.
func classifyAVX2(src, lower []byte, masks []uint64, class Class) bool {
	high := classifyBlocksAVX2(src, lower, masks, class)
	whole := len(src) / BlockBytes * BlockBytes
	if rest := src[whole:]; len(rest) > 0 {
		var in, out [BlockBytes]byte // zeros are of no class, and ASCII
		copy(in[:], rest)
		high = classifyBlocksAVX2(in[:], out[:], masks[whole/BlockBytes:], class) || high
		copy(lower[whole:], out[:len(rest)])
	}
	return high
}
