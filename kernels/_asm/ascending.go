package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

// ascending compares each value with the next one.
func ascending(a *assembler) {
	a.ascending("ascending64AVX2", "func(values []int64) bool", 8)
	a.ascending("ascending32AVX2", "func(values []int32) bool", 4)
}

func (a *assembler) ascending(name, signature string, size int) {
	a.function(name, signature, name+" works like its generic form. There must be one value more than a vector of 32 bytes has.")
	values, pairs := a.pointer("values"), a.length("values")
	above, next, all := a.YMM(), a.YMM(), a.YMM()
	a.VPCMPEQD(all, all, all)
	a.DECQ(pairs)
	a.overlapping(values, pairs, size, func(offset int) {
		a.VMOVDQU(from(values, offset+size), next)
		if size == 8 {
			a.VPCMPGTQ(from(values, offset), next, above)
		} else {
			a.VPCMPGTD(from(values, offset), next, above)
		}
		a.VPAND(above, all, all)
	})
	signs, ascending := a.GP32(), a.GP8()
	a.VPMOVMSKB(all, signs)
	a.CMPL(signs, I8(-1))
	a.SETEQ(ascending)
	a.VZEROUPPER()
	a.Store(ascending, a.ReturnIndex(0))
	a.RET()
}
