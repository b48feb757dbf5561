//go:build !purego

package kernels

// classifyBlocksNEON works like classifyGeneric on the whole blocks of src; it
// leaves the bytes behind them alone.
//
//go:noescape
func classifyBlocksNEON(src, lower []byte, masks []uint64, class Class) bool
