package main

// aboveFloors adds as 64-bit numbers, which a sum of 33 bits needs, and makes them numbers by the bits
// of 2^52, whose last bit is 1: eight at once. With AVX-512 the loop would still read and write as
// many bytes.
func aboveFloors(a *assembler) {
	a.function("aboveFloorsAVX2", "func(dst []float64, floors []uint32, over []byte)", "aboveFloorsAVX2 works like aboveFloorsGeneric.")
	dst, floors, over, n := a.pointer("dst"), a.pointer("floors"), a.pointer("over"), a.length("dst")
	i, bits := a.GP64(), a.YMM()
	a.VBROADCASTSD(a.words64("aboveFloorsBits", 0x4330000000000000), bits)
	a.inVectors(n, i, 8, func() {
		for j := range 2 {
			sum, more := a.YMM(), a.YMM()
			a.VPMOVZXDQ(at(floors, i, 4, 16*j), sum)
			a.VPMOVZXBQ(at(over, i, 1, 4*j), more)
			a.VPADDQ(more, sum, sum)
			a.VPOR(bits, sum, sum)
			a.VSUBPD(bits, sum, sum)
			a.VMOVUPD(sum, at(dst, i, 8, 32*j))
		}
	}, func() {
		sum, more, v := a.GP64(), a.GP32(), a.XMM()
		a.MOVL(at(floors, i, 4, 0), sum.As32())
		a.MOVBLZX(at(over, i, 1, 0), more)
		a.ADDQ(more.As64(), sum)
		a.clear(v)
		a.VCVTSI2SDQ(sum, v, v)
		a.VMOVSD(v, at(dst, i, 8, 0))
	})
}
