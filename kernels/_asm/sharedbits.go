package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sharedBits counts four sets at a time, so that a word of the one set is loaded once for them, and then
// those that are left one by one.
func sharedBits(a *assembler) {
	a.function("sharedBitsAVX512", "func(dst []uint32, sets, set []uint64)", "sharedBitsAVX512 works like sharedBitsGeneric.")
	s := sharer{assembler: a, dst: a.pointer("dst"), sets: a.pointer("sets"), set: a.pointer("set"), left: a.length("dst"), rest: a.length("set"), rests: a.K()}
	s.size, s.whole = a.GP64(), a.GP64()
	a.MOVQ(s.rest, s.size)
	a.SHLQ(U8(3), s.size)
	a.MOVQ(s.size, s.whole)
	a.ANDQ(I8(-64), s.whole)
	a.ANDL(U8(7), s.rest.As32())
	lanes := a.GP32()
	a.MOVL(I32(-1), lanes)
	a.BZHIL(s.rest.As32(), lanes, lanes)
	a.KMOVD(lanes, s.rests)
	s.each(4)
	s.each(1)
	a.leave()
}

// A sharer has what both loops of sharedBits need.
type sharer struct {
	*assembler
	dst, sets, set reg.Register
	left           reg.GPVirtual // sets
	size, whole    reg.GPVirtual // bytes of a set, and of those of its vectors that are whole
	rest           reg.GPVirtual // words behind them
	rests          reg.Register  // their lanes
}

// each counts n sets at a time while there are so many.
func (s *sharer) each(n int) {
	begin, end := s.label("sets"), s.label("fewer")
	sums, bases := make([]reg.VecVirtual, n), make([]reg.Register, n)
	s.Label(begin)
	s.CMPQ(s.left, U8(n))
	s.JB(LabelRef(end))
	for i := range sums {
		sums[i], bases[i] = s.ZMM(), s.sets
		if i > 0 {
			bases[i] = s.GP64()
			s.LEAQ(at(bases[i-1], s.size, 1, 0), bases[i])
		}
		s.clear(sums[i])
	}
	s.sum(sums, bases)
	for i, v := range sums {
		s.fold(v, from(s.dst, 4*i))
	}
	s.LEAQ(at(bases[n-1], s.size, 1, 0), s.sets)
	s.ADDQ(U8(4*n), s.dst)
	s.SUBQ(U8(n), s.left)
	s.JMP(LabelRef(begin))
	s.Label(end)
}

// sum adds the bits that the sets at bases share with the one set to the sums.
func (s *sharer) sum(sums []reg.VecVirtual, bases []reg.Register) {
	vector, tail, done := s.label("vector"), s.label("tail"), s.label("done")
	place := s.GP64()
	s.XORL(place.As32(), place.As32())
	s.TESTQ(s.whole, s.whole)
	s.JZ(LabelRef(tail))
	s.Label(vector)
	own := s.ZMM()
	s.VMOVDQU64(at(s.set, place, 1, 0), own)
	for i, sum := range sums {
		v := s.ZMM()
		s.VPANDQ(at(bases[i], place, 1, 0), own, v)
		s.VPOPCNTQ(v, v)
		s.VPADDQ(v, sum, sum)
	}
	s.ADDQ(U8(64), place)
	s.CMPQ(place, s.whole)
	s.JB(LabelRef(vector))
	s.Label(tail)
	s.TESTL(s.rest.As32(), s.rest.As32())
	s.JZ(LabelRef(done))
	s.VMOVDQU64_Z(at(s.set, place, 1, 0), s.rests, own)
	for i, sum := range sums {
		v := s.ZMM()
		s.VPANDQ_Z(at(bases[i], place, 1, 0), own, s.rests, v)
		s.VPOPCNTQ(v, v)
		s.VPADDQ(v, sum, sum)
	}
	s.Label(done)
}

// fold stores the sum of the lanes of v.
func (s *sharer) fold(v reg.VecVirtual, to Mem) {
	half, quarter := s.YMM(), s.XMM()
	s.VEXTRACTI64X4(U8(1), v, half)
	s.VPADDQ(half, v.AsY(), half)
	s.VEXTRACTI128(U8(1), half, quarter)
	s.VPADDQ(half.AsX(), quarter, quarter)
	s.VPSHUFD(U8(0b1110), quarter, half.AsX())
	s.VPADDQ(half.AsX(), quarter, quarter)
	s.VMOVD(quarter, to)
}
