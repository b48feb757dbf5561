//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func countBitmapNEON(counts []uint32, bitmap []byte, bounds []uint32)
//
// The words that hold the first and the last bit of a range are masked in general
// registers and counted as one vector; what lies between them needs no mask. VCNT
// counts the bits of each byte, of which the lanes of four vectors add up to 32 at
// most. The eight 16-bit lanes that they go to get 8,192 each of a full container.
//
// How often a loop runs depends on the bounds alone. They are the same for the
// containers of every term, so the branches are learned.
//
// R0 counts, R1 ranges left, R2 bitmap, R3 bounds, R4 from, R5 to, R10 all ones.
TEXT ·countBitmapNEON(SB), NOSPLIT, $0-72
	MOVD counts_base+0(FP), R0
	MOVD counts_len+8(FP), R1
	MOVD bitmap_base+24(FP), R2
	MOVD bounds_base+48(FP), R3
	MOVD $-1, R10
	MOVWU.P 4(R3), R4

range:
	MOVWU.P 4(R3), R5
	CMP R4, R5
	BLS next

	// The shifts take their count modulo 64.
	SUB $1, R5, R6
	LSR $6, R4, R7
	LSR $6, R6, R8
	LSL R4, R10, R11 // head: the bits from `from` on
	NEG R5, R12
	LSR R12, R10, R12 // tail: the bits below `to`
	CMP R7, R8
	ADD R7<<3, R2, R7 // R7 the first word, R8 the last one
	ADD R8<<3, R2, R8
	MOVD.P 8(R7), R13
	MOVD (R8), R14
	AND R11, R13
	AND R12, R14

	// If they are one word, it is masked twice and counted once.
	CSEL EQ, R12, R10, R12
	AND R12, R13
	CSEL EQ, ZR, R14, R14
	FMOVD R13, F0
	VMOV R14, V0.D[1]
	VCNT V0.B16, V0.B16
	UADDLP_B16(0, 4)

	SUB R7, R8, R9 // bytes between the two: -8 if they are one
	SUBS $64, R9
	BLT vectors

blocks:
	VLD1.P 64(R7), [V0.B16, V1.B16, V2.B16, V3.B16]
	VCNT V0.B16, V0.B16
	VCNT V1.B16, V1.B16
	VCNT V2.B16, V2.B16
	VCNT V3.B16, V3.B16
	VADD V1.B16, V0.B16, V0.B16
	VADD V3.B16, V2.B16, V2.B16
	VADD V2.B16, V0.B16, V0.B16
	UADALP_B16(0, 4)
	SUBS $64, R9
	BGE blocks

vectors:
	ADDS $(64-16), R9
	BLT word

vector:
	VLD1.P 16(R7), [V0.B16]
	VCNT V0.B16, V0.B16
	UADALP_B16(0, 4)
	SUBS $16, R9
	BGE vector

word:
	ADDS $(16-8), R9 // 0 if a word is left, else -8 or -16
	BNE add
	FMOVD (R7), F0
	VCNT V0.B16, V0.B16
	UADALP_B16(0, 4)

add:
	VUADDLV V4.H8, V4
	FMOVS F4, R13
	MOVWU (R0), R14
	ADDW R13, R14
	MOVW R14, (R0)

next:
	ADD $4, R0
	MOVD R5, R4
	SUBS $1, R1
	BNE range
	RET
