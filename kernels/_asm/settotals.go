package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// setTotals keeps the totals in memory: there is no room for eight vectors beside the others, and the
// groups of a term do not wait for each other.
func setTotals(a *assembler) {
	const signature = "func(totals *[64]uint32, sets []uint64, a, s []byte, patterns *[256][8]uint32, beyond uint64) (terms, cells int)"
	var totals reg.Register
	a.spread("spreadTotals", signature, []string{"a", "s"}, func(l *spreadLoop) {
		totals = a.Load(a.Param("totals"), a.GP64())
	}, func(l *spreadLoop) {
		group := a.GP64()
		a.MOVQ(totals, group)
		l.each(func(cells []reg.VecVirtual) {
			tokens := l.tokens(cells)
			a.VPADDD(from(group, 0), tokens, tokens)
			a.VMOVDQU(tokens, from(group, 0))
			a.ADDQ(U8(32), group)
		})
	})
}
