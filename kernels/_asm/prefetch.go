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
