package testkit

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/zeebo/xxh3"
)

// This file says which of a test's many cases one run tries.
//
// A case has a number, and hangs on it and on the name of its test alone. TERMSIFT_HEAVY=1 tries all cases. Else a test
// tries one of each thirty in turn, chosen by the hash of TERMSIFT_SEED, which .ci/run sets to the commit: so a month
// of commits tries what one full run does. Every test logs how many it tried, and one that fails the seed that repeats
// it.

// share is the number of cases of which a run tries one.
const share = 30

// AllCases reports whether every case is tried.
func AllCases() bool { return os.Getenv("TERMSIFT_HEAVY") != "" }

// NeedAllCases skips a test that has no use in part where not every case is tried.
func NeedAllCases(t testing.TB) {
	t.Helper()
	if !AllCases() {
		t.Skip("SKIPPED: it has no use in part, and TERMSIFT_HEAVY is not set")
	}
}

// TriedCases logs how many cases a test has tried that tries all of them.
func TriedCases(t testing.TB, n int) { t.Logf("%d of %d cases", n, n) }

// CaseNumbers returns, in ascending order, the numbers below n of the cases to try: at least one.
func CaseNumbers(t testing.TB, n int) []int {
	t.Helper()
	step, numbers := share, []int(nil)
	if AllCases() {
		step = 1
	}
	for from := 0; from < n; from += step {
		numbers = append(numbers, from+chosen(t, from, min(step, n-from)))
	}
	t.Logf("%d of %d cases", len(numbers), n)
	return numbers
}

// Cases returns the cases of [CaseNumbers], each with random numbers of its own.
func Cases(t testing.TB, n int) iter.Seq2[int, *rand.Rand] {
	numbers := CaseNumbers(t, n)
	return func(yield func(int, *rand.Rand) bool) {
		for _, i := range numbers {
			if !yield(i, rand.New(rand.NewPCG(xxh3.HashString(t.Name()), uint64(i)))) {
				return
			}
		}
	}
}

// CaseSteps returns the first number, and the distance to the next, of cases from 1 on whose number is not known
// beforehand. A run tries one of each step cases, or all.
func CaseSteps(t testing.TB, step int) (first, next int64) {
	t.Helper()
	if AllCases() {
		return 1, 1
	}
	return 1 + int64(chosen(t, 0, step)), int64(step)
}

// chosen returns a number below n that hangs on the seed, the test and the place.
func chosen(t testing.TB, place, n int) int {
	if n == 1 {
		return 0
	}
	seed := os.Getenv("TERMSIFT_SEED")
	if place == 0 {
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("TERMSIFT_SEED=%s tries these cases again", seed)
			}
		})
	}
	return int(xxh3.HashString(fmt.Sprint(seed, " ", t.Name(), " ", place)) % uint64(n))
}
