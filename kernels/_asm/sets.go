package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A setLoop makes the loop of a kernel over terms whose classes are the bits of a word and
// whose cells are bytes, one for each bit. It needs AVX-512 with VBMI2.
type setLoop struct {
	*assembler
	sets    reg.Register
	i       reg.GPVirtual // the term
	set, n  reg.GPVirtual // its classes, and how many
	classes reg.Register  // the same as a mask
	passed  reg.GPVirtual // the cells before those of the term
	rest    reg.Register  // the mask of the first n bytes, at the end of the columns
}

const (
	vector    = 8            // numbers of a vector
	setVector = 64           // bytes of one, and classes of a set
	setBytes  = setVector    // of a row of bytes
	setRow    = 8 * setBytes // bytes of a row of numbers
	batch     = 32           // terms; 16 take 1.1 to 1.2 times as long, 64 and 128 no less
)

// sets makes a function over the terms of the parameter sets. It takes a batch of terms twice:
// first, spread gets the cells of each, a byte for each cell and zeros behind them, and stores in
// so many bytes of a slot what is needed of them; then combine makes the numbers of the term of
// it. In one pass a load would wait for the store right before it: that took 1.6 to 2.3 times as
// long, for no more than five terms fit into the window of instructions that a CPU looks at.
func (a *assembler) sets(name, signature string, columns []string, slotSize int, prepare func(l *setLoop),
	spread func(l *setLoop, cells []reg.VecVirtual, slot reg.Register), combine func(l *setLoop, term reg.GPVirtual, slot reg.Register),
) {
	a.function(name+"AVX512", signature, name+"AVX512 works like "+name+"Generic.")
	a.Attributes(0) // room for a batch is more than a function that does not split the stack may have
	l := &setLoop{assembler: a, sets: a.pointer("sets"), i: a.GP64(), set: a.GP64(), n: a.GP64(), classes: a.K(), rest: a.K()}
	l.passed = a.GP64()
	slots, slot := a.aligned(batch*slotSize), a.GP64()
	prepare(l)
	a.XORL(l.i.As32(), l.i.As32())
	a.XORL(l.passed.As32(), l.passed.As32())

	a.Label("batch")
	a.MOVQ(slots, slot)
	a.Label("spread")
	a.MOVQ(at(l.sets, l.i, 8, 0), l.set)
	a.POPCNTQ(l.set, l.n)
	a.TESTQ(l.set, a.param("beyond"))
	a.JNZ(LabelRef("wrong"))
	end := a.GP64()
	a.LEAQ(at(l.n, l.passed, 1, 0), end)
	a.CMPQ(end, a.lengthOf(columns[0]))
	a.JA(LabelRef("wrong"))
	a.KMOVQ(l.set, l.classes)
	bits := a.GP64()
	a.MOVQ(I32(-1), bits)
	a.BZHIQ(l.n, bits, bits)
	a.KMOVQ(bits, l.rest)
	var cells []reg.VecVirtual
	for _, name := range columns {
		v := a.ZMM()
		a.VMOVDQU8_Z(at(a.pointer(name), l.passed, 1, 0), l.rest, v) // reads no byte that is masked
		cells = append(cells, v)
	}
	a.ADDQ(l.n, l.passed)
	spread(l, cells, slot)
	a.ADDQ(I32(slotSize), slot)
	a.INCQ(l.i)
	a.CMPQ(l.i, a.lengthOf("sets"))
	a.JE(LabelRef("spreadAll"))
	a.TESTQ(U32(batch-1), l.i)
	a.JNZ(LabelRef("spread"))
	a.Label("spreadAll")

	term := a.GP64()
	a.MOVQ(slots, slot)
	a.LEAQ(from(l.i, -1), term)
	a.ANDQ(I32(-batch), term)
	a.Label("combine")
	combine(l, term, slot)
	a.ADDQ(I32(slotSize), slot)
	a.INCQ(term)
	a.CMPQ(term, l.i)
	a.JB(LabelRef("combine"))
	a.CMPQ(l.i, a.lengthOf("sets"))
	a.JB(LabelRef("batch"))
	a.CMPQ(l.passed, a.lengthOf(columns[0]))
	a.JNE(LabelRef("wrong"))
	a.returnTruth(true)
	a.Label("wrong")
	a.returnTruth(false)
}

// aligned reserves so many bytes on the stack, which begin where a cache line does: vectors that
// cross lines take twice as long to load.
func (a *assembler) aligned(size int) reg.GPVirtual {
	room, p := a.AllocLocal(size+setVector), a.GP64()
	a.LEAQ(room.Offset(setVector-1), p)
	a.ANDQ(I32(-setVector), p)
	return p
}

// lengthOf is the memory that has the number of elements of a slice.
func (a *assembler) lengthOf(param string) Mem { return a.memory(a.Param(param).Len()) }

// vectorsOf loads the number of vectors that the classes outside the parameter beyond fill.
func (a *assembler) vectorsOf() reg.GPVirtual {
	vectors, zeros := a.GP64(), a.GP64()
	a.MOVQ(a.param("beyond"), zeros)
	a.NOTQ(zeros)
	a.LZCNTQ(zeros, zeros)
	a.MOVL(U32(setVector+vector-1), vectors.As32())
	a.SUBQ(zeros, vectors)
	a.SHRQ(U8(3), vectors)
	return vectors
}

// each makes code for each vector of classes, as many as there are.
func (l *setLoop) each(vectors reg.Register, body func(j int)) {
	done := l.label("done")
	for j := range setVector / vector {
		if j > 0 {
			l.CMPQ(vectors, U8(j))
			l.JBE(LabelRef(done))
		}
		body(j)
	}
	l.Label(done)
}

// storeLargest stores the largest lane, no -0, as the number of the term.
func (l *setLoop) storeLargest(largest reg.VecVirtual, dst Mem, zero reg.VecVirtual) {
	y, x, z := l.YMM(), l.XMM(), l.XMM()
	l.VEXTRACTF64X4(U8(1), largest, y)
	l.VMAXPD(largest.AsY(), y, y)
	l.VEXTRACTF128(U8(1), y, x)
	l.VMAXPD(y.AsX(), x, x)
	l.VPERMILPD(U8(1), x, z)
	l.VMAXPD(z, x, x)
	l.VADDPD(zero.AsX(), x, x)
	l.VMOVSD(x, dst)
}
