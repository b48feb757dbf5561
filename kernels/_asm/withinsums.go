package main

import "github.com/mmcloughlin/avo/reg"

func withinSums(a *assembler) {
	a.segments("withinSums", "func(dst []float64, start []int, classes []uint32, s, q []float64, table [][2]float64) bool",
		[]string{"s", "q"}, func(l *segmentLoop) segmentBody {
			l.checkClasses(a.length("table"))
			sums := [2]reg.VecVirtual{a.YMM(), a.YMM()}
			return segmentBody{
				begin: func() {
					a.clear(sums[0])
					a.clear(sums[1])
				},
				cells: func(first int, mask reg.VecVirtual) {
					sizes, weights := l.classPairs(first)
					v, s := a.YMM(), a.YMM()
					a.VMOVUPD(from(l.columns[0], 8*first), s)
					a.VMULPD(s, s, s)
					a.VMULPD(from(l.columns[1], 8*first), sizes, v)
					a.VSUBPD(s, v, v)
					a.VMULPD(weights, v, v)
					l.addLanes(sums[first/quad], v, mask)
				},
				end: func() { l.storeEight(sums, l.dst) },
			}
		})
}
