// Package sample has places to change, for the test of mutate.
package sample

const limit = 2 + 1

// Sum adds the numbers up to n that are not skipped, and counts calls.
func Sum(n int, skip func(int) bool, calls *int) (sum int) {
	for i := 0; i <= n; i++ {
		if skip != nil && skip(i) {
			continue
		}
		sum += i * limit
	}
	*calls++
	return sum
}

// Unused is what no test calls.
func Unused(x float64) bool { return !(x > 1) }
