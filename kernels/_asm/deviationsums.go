package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// deviationSums adds the sizes of classes by lanes: they are whole numbers, whose sums are exact
// in any order.
func deviationSums(a *assembler) {
	var all, expected reg.VecVirtual
	a.segments("deviationSums", "func(dst, met []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64) bool",
		[]string{"a"}, func(l *segmentLoop) segmentFold {
			of, met := a.pointer("of"), a.pointer("met")
			all, expected = a.YMM(), a.YMM()
			a.VBROADCASTSD(a.param("n"), all)
			fold, sizesMet := l.sums(), a.YMM()
			return segmentFold{
				begin: func() {
					fold.begin()
					a.VBROADCASTSD(at(of, l.i, 8, 0), expected)
					a.clear(sizesMet)
				},
				add: func(v, sizes, mask reg.VecVirtual) {
					fold.add(v, sizes, mask)
					if mask != nil {
						a.VANDPD(mask, sizes, sizes)
					}
					a.VADDPD(sizes, sizesMet, sizesMet)
				},
				end: func() {
					fold.end()
					x, y := a.XMM(), a.XMM()
					a.VEXTRACTF128(U8(1), sizesMet, y)
					a.VADDPD(sizesMet.AsX(), y, x)
					a.VPERMILPD(U8(1), x, y)
					a.VADDPD(y, x, x)
					a.VMOVSD(x, at(met, l.i, 8, 0))
				},
			}
		}, func(l *segmentLoop, sizes, weights reg.VecVirtual, first int) reg.VecVirtual {
			d, e := a.YMM(), a.YMM()
			a.VMULPD(from(l.columns[0], 8*first), all, d)
			a.VMULPD(sizes, expected, e)
			a.VSUBPD(e, d, d)
			a.VMULPD(d, d, d)
			a.VMULPD(weights, d, d)
			return d
		})
}
