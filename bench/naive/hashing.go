package naive

// Hash is MurmurHash3 for x86 with 32 bits and seed 0 by its definition, as a signed number.
func Hash(text string) int32 {
	rotated := func(x uint32, n int) uint32 { return x<<n | x>>(32-n) }
	hash := uint32(0)
	for i := 0; i < len(text); i += 4 {
		block := uint32(0)
		for j, b := range []byte(text[i:min(i+4, len(text))]) {
			block |= uint32(b) << (8 * j)
		}
		hash ^= rotated(block*0xcc9e2d51, 15) * 0x1b873593
		if i+4 <= len(text) {
			hash = rotated(hash, 13)*5 + 0xe6546b64
		}
	}
	hash ^= uint32(len(text))
	for _, step := range []struct {
		shift  int
		factor uint32
	}{{16, 0x85ebca6b}, {13, 0xc2b2ae35}, {16, 1}} {
		hash = (hash ^ hash>>step.shift) * step.factor
	}
	return int32(hash)
}

// Column is the column of a term among so many: the remainder of the absolute value of its hash.
func Column(term string, columns int64) int64 {
	h := int64(Hash(term))
	return max(h, -h) % columns
}
