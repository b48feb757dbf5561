package kernels

import "os"

// PathVariable is the environment variable that chooses a path for tests:
// generic, avx2, avx512 or neon. A path that this CPU or build lacks is not
// taken; [Path] tells.
const PathVariable = "TERMSIFT_KERNELS"

// The paths, by their names in [PathVariable].
const (
	Generic = "generic"
	AVX2    = "avx2"
	AVX512  = "avx512"
	NEON    = "neon"
)

// Path names the instructions that the kernels use in this process.
func Path() string { return path }

// wanted says whether a path may be taken: no other is asked for.
func wanted(name string) bool {
	asked := os.Getenv(PathVariable)
	return asked == "" || asked == name
}
