package main

import "github.com/mmcloughlin/avo/reg"

const withinSignature = "func(dst []float64, classes []uint32, s, q, sizes, inverses []float64) bool"

// within multiplies three times a vector; nearly all of its time is that of the look-ups.
func within(a *assembler) {
	a.within("withinAVX512", 8)
	a.within("withinAVX2", 4)
}

func (a *assembler) within(name string, lanes int) {
	a.function(name, withinSignature, name+" works like withinGeneric.")
	sums, squares := a.pointer("s"), a.pointer("q")
	a.cells(lanes, [2]string{"sizes", "inverses"}, func() {}, func(size, inverse reg.VecVirtual, load func(reg.Register) reg.VecVirtual) reg.VecVirtual {
		s, q := load(sums), load(squares)
		a.VMULPD(size, q, q)
		a.VMULPD(s, s, s)
		a.VSUBPD(s, q, q)
		a.VMULPD(inverse, q, q)
		return q
	})
}
