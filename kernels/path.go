package kernels

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// PathVariable is the environment variable that chooses a path for tests:
// generic, avx2 or neon. It is read once, when the program starts.
// [PathError] tells of a value that chooses none.
const PathVariable = "TERMSIFT_KERNELS"

// The paths, by their names in [PathVariable].
const (
	Generic = "generic"
	AVX2    = "avx2"
	NEON    = "neon"
)

var path, pathError = choosePath(os.Getenv(PathVariable), availablePaths())

// Path names the instructions that the kernels use in this process.
func Path() string { return path }

// PathError returns an error if [PathVariable] names a path that does not exist
// or that this CPU or build lacks. The kernels then use the path that they use
// without the variable, so that a library goes on with the same results. A
// program that reads the variable for its user should report the error.
func PathError() error { return pathError }

// choosePath returns the path that is asked for, or the best one if none is.
// available holds the paths of this CPU and build, the best one last. If the
// path asked for is not among them, it returns the best one and an error.
func choosePath(asked string, available []string) (string, error) {
	best := available[len(available)-1]
	switch {
	case asked == "":
		return best, nil
	case slices.Contains(available, asked):
		return asked, nil
	case slices.Contains([]string{AVX2, NEON}, asked):
		return best, fmt.Errorf("%s=%s: this CPU or build lacks that path; it has %s", PathVariable, asked, strings.Join(available, " and "))
	}
	return best, fmt.Errorf("%s=%q: no such path; this CPU and build have %s", PathVariable, asked, strings.Join(available, " and "))
}
