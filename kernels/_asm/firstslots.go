package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const firstSlotsSignature = "func(values []uint32, keys []Key, slots []Slot, low, high uint64)"

const (
	keyBytes  = 16
	slotBytes = 24
)

// firstSlots writes the places of all first slots to values and asks for these slots, which waits
// for none of them. Then it reads them.
func firstSlots(a *assembler) {
	a.function("firstSlotsAVX2", firstSlotsSignature, "firstSlotsAVX2 works like firstSlotsGeneric.")
	slots, last := a.pointer("slots"), a.length("slots")
	low, high := a.GP64(), a.GP64()
	a.MOVQ(a.param("low"), low)
	a.MOVQ(a.param("high"), high)
	a.DECQ(last)

	keys, values, n := a.pointer("keys"), a.pointer("values"), a.length("keys")
	a.Label("hash")
	half, product := a.GP64(), a.GP64()
	a.MOVQ(from(keys, 0), reg.RDX)
	a.MOVQ(from(keys, 8), half)
	a.XORQ(low, reg.RDX)
	a.XORQ(high, half)
	a.MULXQ(half, product, half)
	a.XORQ(half, product)
	a.ANDQ(last, product)
	a.MOVL(product.As32(), from(values, 0))
	a.LEAQ(at(product, product, 2, 0), product)
	a.PREFETCHT0(at(slots, product, slotBytes/3, 0))
	a.ADDQ(U8(keyBytes), keys)
	a.ADDQ(U8(4), values)
	a.DECQ(n)
	a.JNZ(LabelRef("hash"))

	keys, values, n = a.pointer("keys"), a.pointer("values"), a.length("keys")
	elsewhere := a.GP32()
	a.MOVL(I32(-1), elsewhere)
	a.Label("read")
	slot, differ, value := a.GP64(), a.GP64(), a.GP32()
	a.MOVL(from(values, 0), slot.As32())
	a.LEAQ(at(slot, slot, 2, 0), slot)
	a.LEAQ(at(slots, slot, slotBytes/3, 0), slot)
	a.MOVQ(from(slot, 0), differ)
	a.MOVQ(from(slot, 8), half)
	a.MOVL(from(slot, 16), value)
	a.XORQ(from(keys, 0), differ)
	a.XORQ(from(keys, 8), half)
	a.ORQ(half, differ)
	a.CMOVLNE(elsewhere, value)
	a.MOVL(value, from(values, 0))
	a.ADDQ(U8(keyBytes), keys)
	a.ADDQ(U8(4), values)
	a.DECQ(n)
	a.JNZ(LabelRef("read"))
	a.RET()
}
