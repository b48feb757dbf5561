package kernels

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestChoosePath(t *testing.T) {
	amd64 := []string{Generic, AVX2}
	for _, c := range []struct {
		asked     string
		available []string
		want      string
		problem   string // "" = no error
	}{
		{"", amd64, AVX2, ""},
		{"", []string{Generic}, Generic, ""},
		{"generic", amd64, Generic, ""},
		{"avx2", amd64, AVX2, ""},
		{"neon", []string{Generic, NEON}, NEON, ""},
		{"avx521", amd64, AVX2, `TERMSIFT_KERNELS="avx521": no such path; this CPU and build have generic and avx2`},
		{"AVX2", amd64, AVX2, `TERMSIFT_KERNELS="AVX2": no such path; this CPU and build have generic and avx2`},
		{"a\nb", amd64, AVX2, `TERMSIFT_KERNELS="a\nb": no such path; this CPU and build have generic and avx2`},
		{"neon", amd64, AVX2, "TERMSIFT_KERNELS=neon: this CPU or build lacks that path; it has generic and avx2"},
		{"avx512", amd64, AVX2, `TERMSIFT_KERNELS="avx512": no such path; this CPU and build have generic and avx2`},
		{"avx2", []string{Generic}, Generic, "TERMSIFT_KERNELS=avx2: this CPU or build lacks that path; it has generic"},
	} {
		got, err := choosePath(c.asked, c.available)
		problem := ""
		if err != nil {
			problem = err.Error()
		}
		testkit.Equal(t, got, c.want, c.asked, "of", c.available)
		testkit.Equal(t, problem, c.problem, c.asked, "of", c.available)
	}
}

// The path taken is the one asked for, unless there is an error that names it.
func TestPathIsTheOneAskedFor(t *testing.T) {
	testkit.Equal(testkit.Stop(t), slices.Contains(availablePaths(), Path()), true, "the path", Path(), "is not among",
		availablePaths())
	asked := os.Getenv(PathVariable)
	switch err := PathError(); {
	case err != nil && !strings.Contains(err.Error(), asked):
		t.Errorf("%s=%s: %v", PathVariable, asked, err)
	case err == nil && asked != "" && Path() != asked:
		t.Errorf("%s=%s, and the path is %s", PathVariable, asked, Path())
	}
}
