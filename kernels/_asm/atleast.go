package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	atLeastSignature = "func(dst []uint32, values []float64, threshold float64) int"
	// greaterOrEqual is the predicate of VCMPPD that is false for NaN, quietly.
	greaterOrEqual = 29
)

// atLeast looks at 32 values (AVX2: 16) at once, since in a search for the top k
// almost never one of them passes; only where one does are places packed and
// stored.
func atLeast(a *assembler) {
	a.atLeastAVX512()
	a.atLeastAVX2()
}

func (a *assembler) atLeastAVX512() {
	a.function("atLeastAVX512", atLeastSignature, "atLeastAVX512 works like atLeastGeneric.")
	dst, values, n := a.pointer("dst"), a.pointer("values"), a.length("values")
	threshold, lanes := a.ZMM(), a.ZMM()
	a.VBROADCASTSD(a.param("threshold"), threshold)
	a.VMOVDQU32(a.words32("lanes", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), lanes)
	found, i, more := a.GP64(), a.GP64(), a.GP64()
	a.XORL(found.As32(), found.As32())
	a.XORL(i.As32(), i.As32())

	// list stores the places of the bits of a mask, which count from i+first. All
	// 16 lanes are stored: see occupied.
	list := func(k reg.Register, first int) {
		place, v := a.GP64(), a.ZMM()
		a.LEAL(from(i, first), place.As32())
		a.VPBROADCASTD(place.As32(), v)
		a.VPADDD(lanes, v, v)
		a.VPCOMPRESSD_Z(v, k, v)
		a.VMOVDQU32(v, at(dst, found, 4, 0))
		a.KMOVW(k, more.As32())
		a.POPCNTL(more.As32(), more.As32())
		a.ADDQ(more, found)
	}
	a.SUBQ(U8(32), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	k := []reg.Register{a.K(), a.K(), a.K(), a.K()}
	for j, k := range k {
		v := a.ZMM()
		a.VMOVUPD(at(values, i, 8, 64*j), v)
		a.VCMPPD(U8(greaterOrEqual), threshold, v, k)
	}
	low, high := a.K(), a.K()
	a.KUNPCKBW(k[0], k[1], low)
	a.KUNPCKBW(k[2], k[3], high)
	a.KORTESTW(low, high)
	a.JZ(LabelRef("next"))
	list(low, 0)
	list(high, 16)
	a.Label("next")
	a.ADDQ(U8(32), i)
	a.SUBQ(U8(32), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(32), n)
	a.JZ(LabelRef("done"))
	a.Label("eight") // up to four times
	bits := a.GP32()
	a.MOVL(I32(-1), bits)
	a.BZHIL(n.As32(), bits, bits)
	rest, passed, v := a.K(), a.K(), a.ZMM()
	a.KMOVB(bits, rest)
	a.VMOVUPD_Z(at(values, i, 8, 0), rest, v)
	a.VCMPPD(U8(greaterOrEqual), threshold, v, rest, passed)
	a.KMOVB(passed, bits)
	a.TESTL(bits, bits)
	a.JZ(LabelRef("nextEight"))
	a.Label("bit")
	place := a.GP64()
	a.TZCNTL(bits, place.As32())
	a.ADDQ(i, place)
	a.MOVL(place.As32(), at(dst, found, 4, 0))
	a.INCQ(found)
	a.BLSRL(bits, bits)
	a.JNZ(LabelRef("bit"))
	a.Label("nextEight")
	a.ADDQ(U8(8), i)
	a.SUBQ(U8(8), n)
	a.JA(LabelRef("eight"))
	a.Label("done")
	a.VZEROUPPER()
	a.Store(found, a.ReturnIndex(0))
	a.RET()
}

func (a *assembler) atLeastAVX2() {
	rows := make([]uint32, 16) // row m lists the bits set in m, a byte each
	for m := range rows {
		n := 0
		for bit := range 4 {
			if m>>bit&1 != 0 {
				rows[m] |= uint32(bit) << (8 * n)
				n++
			}
		}
	}
	table := a.words32("bitsSet", rows...)

	a.function("atLeastAVX2", atLeastSignature, "atLeastAVX2 works like atLeastGeneric.")
	dst, values, n := a.pointer("dst"), a.pointer("values"), a.length("values")
	threshold, tableAt := a.YMM(), a.GP64()
	a.VBROADCASTSD(a.param("threshold"), threshold)
	a.LEAQ(table, tableAt)
	found, i, mask, place := a.GP64(), a.GP64(), a.GP64(), a.GP64()
	a.XORL(found.As32(), found.As32())
	a.XORL(i.As32(), i.As32())
	a.SUBQ(U8(16), n)
	a.JB(LabelRef("tail"))
	a.Label("vectors")
	v := []reg.VecVirtual{a.YMM(), a.YMM(), a.YMM(), a.YMM()}
	for j, v := range v {
		a.VMOVUPD(at(values, i, 8, 32*j), v)
		a.VCMPPD(U8(greaterOrEqual), threshold, v, v)
	}
	some, more := a.YMM(), a.YMM()
	a.VORPD(v[0], v[1], some)
	a.VORPD(v[2], v[3], more)
	a.VORPD(some, more, some)
	a.VMOVMSKPD(some, mask.As32())
	a.TESTL(mask.As32(), mask.As32())
	a.JZ(LabelRef("next"))
	for j, v := range v {
		places, first := a.XMM(), a.XMM()
		a.VMOVMSKPD(v, mask.As32())
		a.VPMOVZXBD(at(tableAt, mask, 4, 0), places)
		a.LEAL(from(i, 4*j), place.As32())
		a.VMOVD(place.As32(), first)
		a.VPBROADCASTD(first, first)
		a.VPADDD(first, places, places)
		a.VMOVDQU(places, at(dst, found, 4, 0))
		a.POPCNTL(mask.As32(), mask.As32())
		a.ADDQ(mask, found)
	}
	a.Label("next")
	a.ADDQ(U8(16), i)
	a.SUBQ(U8(16), n)
	a.JAE(LabelRef("vectors"))

	a.Label("tail")
	a.ADDQ(U8(16), n)
	a.JZ(LabelRef("done"))
	a.ADDQ(i, n)
	a.Label("one")
	x := a.XMM()
	a.VMOVSD(at(values, i, 8, 0), x)
	a.VUCOMISD(threshold.AsX(), x)
	a.MOVL(i.As32(), at(dst, found, 4, 0)) // kept only if found moves on
	a.CMC()
	a.ADCQ(U8(0), found) // NaN carries like a smaller number
	a.INCQ(i)
	a.CMPQ(i, n)
	a.JB(LabelRef("one"))
	a.Label("done")
	a.VZEROUPPER()
	a.Store(found, a.ReturnIndex(0))
	a.RET()
}
