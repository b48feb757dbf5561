// Package testkit has what the tests of all packages need. It imports nothing of the module, so
// that the lowest packages may use it; what builds corpora is in engine/internal/enginetest.
// What compares (compare.go) reports an error of the test; other functions panic where a test cannot go on.
package testkit

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"runtime"
)

// Must returns the value of a call that cannot fail in this test.
func Must[T any](v T, err error) T {
	OK(err)
	return v
}

// OK panics if there is an error.
func OK(err error) {
	if err != nil {
		panic(err)
	}
}

// Caught, deferred, stores in *err the error with which [OK] panicked. The commands below bench use it.
func Caught(err *error) {
	r := recover()
	told, ok := r.(error)
	if _, fault := r.(runtime.Error); fault || !ok && r != nil {
		panic(r)
	}
	if ok {
		*err = told
	}
}

// All returns the values of a sequence that cannot fail in this test.
func All[T any](values func(yield func(T, error) bool)) func(yield func(T) bool) {
	return func(yield func(T) bool) {
		for v, err := range values {
			if !yield(Must(v, err)) {
				return
			}
		}
	}
}

// ReadJSON reads a file, such as one of golden values, into what the pointer to points to.
func ReadJSON(path string, to any) { OK(json.Unmarshal(Must(os.ReadFile(path)), to)) }

// Write writes a file, and the folders above it where they are missing, and returns its path.
func Write[T string | []byte](path string, data T) string {
	OK(os.MkdirAll(filepath.Dir(path), 0o755))
	OK(os.WriteFile(path, []byte(data), 0o644))
	return path
}

// Near reports whether got is want within a relative or an absolute tolerance, whichever
// is larger; infinities and NaN must be the same.
func Near(got, want, relative, absolute float64) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) {
		return math.IsNaN(want) && math.IsNaN(got) || got == want
	}
	return math.Abs(got-want) <= math.Max(relative*math.Abs(want), absolute)
}
