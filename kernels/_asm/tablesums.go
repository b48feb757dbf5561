package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tableSums adds both numbers of an element at once. Where there is no cell, it adds the first
// element, which is 0.
func tableSums(a *assembler) {
	a.segments("tableSums", "func(dst [][2]float64, met []float64, start []int, classes []uint32, a []float64, table [][2]float64, log uint64) bool",
		[]string{"a"}, func(l *segmentLoop) segmentBody {
			met := a.pointer("met")
			shift, beyond, wrong, sum, all := a.XMM(), a.XMM(), a.XMM(), a.XMM(), a.YMM()
			a.VMOVQ(a.param("log"), shift)
			a.VPCMPEQD(wrong, wrong, wrong)
			a.VPSLLD(shift, wrong, beyond) // the bits that no count may have
			a.clear(wrong)
			classes, log := l.length("table"), a.GP64()
			a.MOVQ(a.param("log"), log)
			a.SHRXQ(log, classes, classes)
			l.checkClasses(classes)
			element := func() Mem { // of dst
				place := a.GP64()
				a.MOVQ(l.i, place)
				a.ADDQ(place, place)
				return at(l.dst, place, 8, 0)
			}
			return segmentBody{
				begin: func() {
					a.VMOVUPD(element(), sum)
					a.clear(all)
				},
				cells: func(first int, mask reg.VecVirtual) {
					docs, place, count, known := a.YMM(), a.XMM(), a.XMM(), a.XMM()
					a.VMOVUPD(from(l.columns[0], 8*first), docs)
					if mask != nil {
						a.VANDPD(mask, docs, docs)
					}
					a.VADDPD(docs, all, all)
					a.VCVTTPD2DQY(docs, count)
					a.VMOVDQU(from(l.classes, 4*first), place)
					a.VPSLLD(shift, place, place)
					a.VPAND(beyond, count, known)
					a.VPOR(known, wrong, wrong)
					a.VPANDN(count, beyond, count)
					a.VPADDD(count, place, place)
					if mask != nil {
						narrow := a.XMM()
						a.VEXTRACTF128(U8(1), mask, narrow)
						a.VSHUFPS(U8(0x88), narrow, mask.AsX(), narrow)
						a.VPAND(narrow, place, place)
					}
					a.VPADDD(place, place, place)
					two, one := a.GP64(), a.GP64()
					for half := range 2 {
						if half == 0 {
							a.VMOVQ(place, two)
						} else {
							a.VPEXTRQ(U8(1), place, two)
						}
						a.MOVL(two.As32(), one.As32())
						a.VADDPD(at(l.table, one, 8, 0), sum, sum)
						a.SHRQ(U8(32), two)
						a.VADDPD(at(l.table, two, 8, 0), sum, sum)
					}
				},
				end: func() {
					a.VMOVUPD(sum, element())
					l.storeSum(all, met)
					a.VPTEST(wrong, wrong)
					a.JNZ(LabelRef("wrong"))
				},
			}
		})
}
