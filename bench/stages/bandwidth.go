package stages

// readWords adds up words, modulo 2^64, as fast as the machine reads memory. Eight sums that do not wait for one
// another keep the loads busy instead of the chain of additions, and returning
// the sum keeps the compiler from leaving the loads out.
func readWords(words []uint64) uint64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 uint64
	for len(words) >= 8 {
		w := (*[8]uint64)(words)
		s0 += w[0]
		s1 += w[1]
		s2 += w[2]
		s3 += w[3]
		s4 += w[4]
		s5 += w[5]
		s6 += w[6]
		s7 += w[7]
		words = words[8:]
	}
	sum := s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7
	for _, w := range words {
		sum += w
	}
	return sum
}
