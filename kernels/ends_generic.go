package kernels

func countEndsGeneric(counts, ends []uint32) {
	counts = counts[:len(ends)]
	last := uint32(0)
	for i, end := range ends {
		top := max(last, end)
		counts[i] = top - last
		last = top
		ends[i] = 0
	}
}
