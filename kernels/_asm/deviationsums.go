package main

import "github.com/mmcloughlin/avo/reg"

// deviationSums adds the sizes of classes by lanes: they are whole numbers, whose sums are exact
// in any order.
func deviationSums(a *assembler) {
	a.segments("deviationSums", "func(dst, met []float64, start []int, classes []uint32, a, of []float64, table [][2]float64, n float64) bool",
		[]string{"a"}, func(l *segmentLoop) segmentBody {
			l.checkClasses(a.length("table"))
			of, met := a.pointer("of"), a.pointer("met")
			all, expected, sums, sizesMet := a.YMM(), a.YMM(), [2]reg.VecVirtual{a.YMM(), a.YMM()}, a.YMM()
			a.VBROADCASTSD(a.param("n"), all)
			return segmentBody{
				begin: func() {
					a.VBROADCASTSD(at(of, l.i, 8, 0), expected)
					a.clear(sums[0])
					a.clear(sums[1])
					a.clear(sizesMet)
				},
				cells: func(first int, mask reg.VecVirtual) {
					sizes, weights := l.classPairs(first)
					d, e := a.YMM(), a.YMM()
					a.VMULPD(from(l.columns[0], 8*first), all, d)
					a.VMULPD(sizes, expected, e)
					a.VSUBPD(e, d, d)
					a.VMULPD(d, d, d)
					a.VMULPD(weights, d, d)
					l.addLanes(sums[first/quad], d, mask)
					l.addLanes(sizesMet, sizes, mask)
				},
				end: func() {
					l.storeEight(sums, l.dst)
					l.storeLanes(sizesMet, met)
				},
			}
		})
}
