package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A tokenLoop makes what the kernels over sets of tokens have in common, for CPUs with AVX-512: the
// tokens of a term in all classes as words, and the sum of their squares in a lane for each class
// of eight.
type tokenLoop struct {
	*setLoop
	ones, zero, sum reg.VecVirtual
	vectors         reg.Register
	inverses        reg.Register
}

// Parts of a slot: words of the tokens of each class, of which those of an even eight come
// before those of an odd one, and sums of bytes.
const (
	oddAt     = setVector
	totalsAt  = 2 * setVector
	tokenSlot = 3 * setVector
)

// tokenSets makes a function over the terms of the parameter sets. Of its columns the first two have
// the tokens, and all of them the total. classes makes more code for eight classes, begin and end
// for a term before and behind these.
func (a *assembler) tokenSets(name, signature string, columns []string, prepare func(l *tokenLoop), begin func(l *tokenLoop, term reg.GPVirtual),
	classes func(l *tokenLoop, j int, s reg.VecVirtual), end func(l *tokenLoop, term reg.GPVirtual),
) {
	t := &tokenLoop{}
	a.sets(name, signature, columns, tokenSlot, func(l *setLoop) {
		t.setLoop, t.vectors = l, a.vectorsOf()
		t.ones, t.zero, t.sum = a.ZMM(), a.ZMM(), a.ZMM()
		a.VPBROADCASTQ(a.words64("onesOf"+name, 0x0101010101010101), t.ones)
		a.clear(t.zero)
		t.inverses = t.alignedRow(a.pointer("inverses"))
		prepare(t)
	}, func(l *setLoop, cells []reg.VecVirtual, slot reg.Register) {
		var total reg.VecVirtual
		for _, c := range cells {
			sums := a.ZMM()
			a.VPSADBW(t.zero, c, sums)
			if total != nil {
				a.VPADDQ(total, sums, sums)
			}
			total = sums
		}
		a.VMOVDQU64(total, from(slot, totalsAt))
		// The two bytes of a class lie side by side, and are multiplied by 1 and added up: first those
		// of the even eights of classes, which are the lower halves of the lanes.
		first, second, pairs := a.ZMM(), a.ZMM(), a.ZMM()
		a.VPEXPANDB_Z(cells[0], l.classes, first)
		a.VPEXPANDB_Z(cells[1], l.classes, second)
		a.VPUNPCKLBW(second, first, pairs)
		a.VPMADDUBSW(t.ones, pairs, pairs)
		a.VMOVDQU64(pairs, from(slot, 0))
		a.VPUNPCKHBW(second, first, pairs)
		a.VPMADDUBSW(t.ones, pairs, pairs)
		a.VMOVDQU64(pairs, from(slot, oddAt))
	}, func(l *setLoop, term reg.GPVirtual, slot reg.Register) {
		a.clear(t.sum)
		begin(t, term)
		l.each(t.vectors, func(j int) {
			s, square := a.ZMM(), a.ZMM()
			a.VPMOVZXWQ(from(slot, j%2*oddAt+j/2*2*vector), s)
			a.VCVTUQQ2PD(s, s)
			a.VMULPD(s, s, square)
			a.VMULPD(from(t.inverses, setBytes*j), square, square)
			a.VADDPD(square, t.sum, t.sum)
			classes(t, j, s)
		})
		t.storeSums(term, slot)
		end(t, term)
	})
}

// alignedRow copies a column of classes to where no vector of it crosses lines.
func (t *tokenLoop) alignedRow(column reg.Register) reg.Register {
	row, v := t.aligned(setRow), t.ZMM()
	for j := range setVector / vector {
		t.VMOVUPD(from(column, setBytes*j), v)
		t.VMOVAPD(v, from(row, setBytes*j))
	}
	return row
}

// storeSums stores the sum of squares, its lanes added up as [foldLanes] does, and the total, whose
// lanes any order would do for.
func (t *tokenLoop) storeSums(term reg.GPVirtual, slot reg.Register) {
	totals, both, x := t.ZMM(), t.ZMM(), t.ZMM()
	t.VCVTUQQ2PD(from(slot, totalsAt), totals)
	t.VSHUFF64X2(U8(0x44), totals, t.sum, both) // the first four of each
	t.VSHUFF64X2(U8(0xEE), totals, t.sum, x)    // the last four
	t.VADDPD(x, both, both)
	t.VSHUFF64X2(U8(0xB1), both, both, x)
	t.VADDPD(x, both, both)
	t.VPERMILPD(U8(0x55), both, x)
	t.VADDPD(x, both, both)
	t.VMOVSD(both.AsX(), at(t.pointer("squares"), term, 8, 0))
	t.VEXTRACTF64X4(U8(1), both, both.AsY())
	t.VMOVSD(both.AsX(), at(t.pointer("totals"), term, 8, 0))
}
