package main

import (
	. "github.com/mmcloughlin/avo/operand"
)

const cacheLine = 64

// prefetch asks for a byte of each cache line from the first byte on, and for the last byte.
func prefetch(a *assembler) {
	a.function("prefetchAVX2", "func(data []byte)", "prefetchAVX2 works like prefetchGeneric.")
	data, n := a.pointer("data"), a.length("data")
	a.PREFETCHT1(at(data, n, 1, -1))
	a.Label("line")
	a.PREFETCHT1(from(data, 0))
	a.ADDQ(U8(cacheLine), data)
	a.SUBQ(U8(cacheLine), n)
	a.JA(LabelRef("line"))
	a.leave()
}

// prefetchEach asks for the first byte of each element, and for the one a cache line behind its last.
func prefetchEach(a *assembler) {
	a.function("prefetchEachAVX2", "func(data []byte, size int, places []uint32)", "prefetchEachAVX2 works like prefetchEachGeneric.")
	data, places, n := a.pointer("data"), a.pointer("places"), a.length("places")
	size := a.Load(a.Param("size"), a.GP64())
	element := a.GP64()
	a.Label("each")
	a.MOVL(from(places, 0), element.As32())
	a.IMULQ(size, element)
	a.ADDQ(data, element)
	a.PREFETCHT0(from(element, 0))
	a.PREFETCHT0(at(element, size, 1, cacheLine-1))
	a.ADDQ(U8(4), places)
	a.DECQ(n)
	a.JNZ(LabelRef("each"))
	a.leave()
}
