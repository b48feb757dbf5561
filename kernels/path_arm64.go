//go:build !purego

package kernels

// Every arm64 CPU has the vector instructions that the kernels use.
var (
	useNEON = wanted(NEON)
	path    = choosePath()
)

func choosePath() string {
	if useNEON {
		return NEON
	}
	return Generic
}
