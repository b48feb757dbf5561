package kernels

import (
	"math"
	"os"
	"reflect"
	"slices"
	"testing"
)

// An implementation is one form of the kernels; where a function is nil, it has
// none of its own. The functions do not check their arguments, and at least one
// element is expected where the exported function returns early.
type implementation struct {
	name            string
	classify        func(src, lower []byte, masks []uint64, class Class) bool
	prefetch        func(data []byte)
	deviationMaxima deviator
	planeMaxima     planner
	ascending64     func(values []int64) bool
	ascending32     func(values []int32) bool
}

// implementations are the forms that run on this CPU, whichever is taken; those
// of an architecture are added by its file. The first is the definition.
var implementations = []implementation{{
	name:            Generic,
	classify:        classifyGeneric,
	prefetch:        prefetchGeneric,
	deviationMaxima: deviationMaximaGeneric,
	planeMaxima:     planeMaximaGeneric,
	ascending64:     ascendingGeneric[int64],
	ascending32:     ascendingGeneric[int32],
}}

// taken is what the exported functions call.
var taken = implementation{
	name:            "taken",
	classify:        classify,
	prefetch:        prefetch,
	deviationMaxima: deviationMaxima,
	planeMaxima:     planeMaxima,
	ascending64:     ascending64,
	ascending32:     ascending32,
}

// forEach runs a test on every implementation that has the function.
func forEach[F any](t *testing.T, function func(implementation) F, test func(*testing.T, F)) {
	t.Helper()
	for _, p := range append(slices.Clone(implementations), taken) {
		if f := function(p); !reflect.ValueOf(f).IsNil() {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				test(t, f)
			})
		}
	}
}

// A machine that lacks the path it is to test must not pass.
func TestRequiredPath(t *testing.T) {
	if required := os.Getenv("TERMSIFT_REQUIRE"); required != "" && required != Path() {
		t.Fatalf("the path is %s; required is %s", Path(), required)
	}
}

// same compares the bits, except that one NaN is as good as another.
func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}
