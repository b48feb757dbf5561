package reader

import "math/rand/v2"

// eachMutation calls check n times with a line of seeds in which one to three bytes are
// replaced by bytes of interest.
func eachMutation(r *rand.Rand, seeds []string, interest string, n int, check func(line string)) {
	for range n {
		line := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(3) {
			line[r.IntN(len(line))] = interest[r.IntN(len(interest))]
		}
		check(string(line))
	}
}
