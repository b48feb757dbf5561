package main

import (
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectorBytes is what is read and written for a row: one vector of AVX-512.
const vectorBytes = 64

// A rowLoop makes the loop of a kernel over the rows that segments of places name. Eight numbers
// are computed for a row, however short it is; those behind it are overwritten by the next.
type rowLoop struct {
	*assembler
	vectors []reg.VecVirtual // of a segment
	begin   func(l *rowLoop)
	add     func(l *rowLoop, v int, row Mem) // takes vector v of a row
}

// function makes the function. lane is the type of a number.
func (l *rowLoop) function(name, generic, lane, least string) {
	l.assembler.function(name, "func(dst, table []"+lane+", places []uint32, start []int"+least+", log uint64) bool", name+" works like "+generic+".")
	dst, rows, known := l.pointer("dst"), l.pointer("table"), l.length("table")
	places, left, start, segments := l.pointer("places"), l.length("places"), l.pointer("start"), l.length("start")
	i, first, n, place, shift, size := l.GP64(), l.GP64(), l.GP64(), l.GP64(), l.GP64(), l.GP64()
	l.DECQ(segments)
	l.MOVQ(l.param("log"), shift)
	l.SUBQ(U8(vectorBytes/8-1), known)
	l.SHRXQ(shift, known, known)
	l.ADDQ(U8(3), shift) // of a row in bytes
	l.MOVL(U32(1), size.As32())
	l.SHLXQ(shift, size, size)
	l.XORL(i.As32(), i.As32())
	l.MOVQ(from(start, 0), first)
	l.begin(l)
	width := vectorBytes / len(l.vectors)
	initial := make([]reg.VecVirtual, len(l.vectors))
	for v, vector := range l.vectors {
		initial[v] = l.vector()
		l.VMOVUPD(vector, initial[v])
	}

	l.Label("segment")
	l.MOVQ(at(start, i, 8, 8), n)
	l.SUBQ(first, n)
	l.ADDQ(n, first)
	l.CMPQ(n, left)
	l.JA(LabelRef("wrong"))
	l.SUBQ(n, left)
	for v, vector := range l.vectors {
		l.VMOVUPD(initial[v], vector)
	}
	l.TESTQ(n, n)
	l.JZ(LabelRef("end"))
	l.Label("places")
	l.MOVL(from(places, 0), place.As32())
	l.CMPQ(place, known)
	l.JAE(LabelRef("wrong"))
	l.SHLXQ(shift, place, place)
	for v := range l.vectors {
		l.add(l, v, at(rows, place, 1, v*width))
	}
	l.ADDQ(U8(4), places)
	l.DECQ(n)
	l.JNZ(LabelRef("places"))
	l.Label("end")
	for v, vector := range l.vectors {
		l.VMOVUPD(vector, from(dst, v*width))
	}
	l.ADDQ(size, dst)
	l.INCQ(i)
	l.CMPQ(i, segments)
	l.JB(LabelRef("segment"))
	l.returnTruth(true)
	l.Label("wrong")
	l.returnTruth(false)
}

// vector is one of those that make a row.
func (l *rowLoop) vector() reg.VecVirtual {
	if len(l.vectors) == 1 {
		return l.ZMM()
	}
	return l.YMM()
}

func rowMaxima(a *assembler) {
	leastOf := func(l *rowLoop) {
		for _, v := range l.vectors {
			l.VPBROADCASTQ(l.param("least"), v)
		}
	}
	l := &rowLoop{assembler: a, vectors: []reg.VecVirtual{a.ZMM()}, begin: leastOf, add: func(l *rowLoop, v int, row Mem) {
		l.VPMAXSQ(row, l.vectors[v], l.vectors[v])
	}}
	l.function("rowMaximaAVX512", "rowMaximaGeneric", "int64", ", least int64")
	l = &rowLoop{assembler: a, vectors: []reg.VecVirtual{a.YMM(), a.YMM()}, begin: leastOf, add: func(l *rowLoop, v int, row Mem) {
		numbers, larger, largest := l.YMM(), l.YMM(), l.vectors[v]
		l.VMOVDQU(row, numbers)
		l.VPCMPGTQ(largest, numbers, larger)
		l.VBLENDVPD(larger, numbers, largest, largest)
	}}
	l.function("rowMaximaAVX2", "rowMaximaGeneric", "int64", ", least int64")
}

func rowSums(a *assembler) {
	zeros := func(l *rowLoop) {
		for _, v := range l.vectors {
			l.clear(v)
		}
	}
	add := func(l *rowLoop, v int, row Mem) { l.VADDPD(row, l.vectors[v], l.vectors[v]) }
	for _, form := range []struct {
		name    string
		vectors []reg.VecVirtual
	}{{"rowSumsAVX512", []reg.VecVirtual{a.ZMM()}}, {"rowSumsAVX2", []reg.VecVirtual{a.YMM(), a.YMM()}}} {
		l := &rowLoop{assembler: a, vectors: form.vectors, begin: zeros, add: add}
		l.function(form.name, "rowSumsGeneric", "float64", "")
	}
}
