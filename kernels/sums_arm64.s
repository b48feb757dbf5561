//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// firstLanes holds the masks of the first r of eight float32, at 4·(8-r).
DATA firstLanes<>+0(SB)/8, $-1
DATA firstLanes<>+8(SB)/8, $-1
DATA firstLanes<>+16(SB)/8, $-1
DATA firstLanes<>+24(SB)/8, $-1
DATA firstLanes<>+32(SB)/8, $0
DATA firstLanes<>+40(SB)/8, $0
DATA firstLanes<>+48(SB)/8, $0
DATA firstLanes<>+56(SB)/8, $0
GLOBL firstLanes<>(SB), RODATA|NOPTR, $64

// ADD_EIGHT adds the eight values in V16 and V17 to the partial sums V0-V3 and
// their squares to V4-V7, lane l%2 of vector l/2. The square of a float32 is exact
// in float64, so the fused form rounds once like the product and the sum apart.
#define ADD_EIGHT \
	FCVTL_S2(16, 20) \
	FCVTL2_S4(16, 21) \
	FCVTL_S2(17, 22) \
	FCVTL2_S4(17, 23) \
	FADD_D2(20, 0, 0) \
	FADD_D2(21, 1, 1) \
	FADD_D2(22, 2, 2) \
	FADD_D2(23, 3, 3) \
	VFMLA V20.D2, V20.D2, V4.D2 \
	VFMLA V21.D2, V21.D2, V5.D2 \
	VFMLA V22.D2, V22.D2, V6.D2 \
	VFMLA V23.D2, V23.D2, V7.D2

// func sumSegmentsNEON(sums, squares []float64, values []float32, bounds []uint32)
//
// Lanes behind the end of a segment add +0, which changes nothing: a partial sum
// starts at +0, and no sum that rounds to nearest makes it -0 from there.
//
// R0 sums, R1 segments left, R2 squares, R3 values, R4 the last place where eight
// of them can be read, R5 bounds, R6 from, R7 to, R8 values left, R9 their place.
TEXT ·sumSegmentsNEON(SB), NOSPLIT, $0-96
	MOVD sums_base+0(FP), R0
	MOVD sums_len+8(FP), R1
	MOVD squares_base+24(FP), R2
	MOVD values_base+48(FP), R3
	MOVD values_len+56(FP), R4
	MOVD bounds_base+72(FP), R5
	ADD R4<<2, R3, R4
	SUB $32, R4
	MOVD $firstLanes<>+32(SB), R11
	MOVWU.P 4(R5), R6

segment:
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16
	MOVWU.P 4(R5), R7
	ADD R6<<2, R3, R9
	SUBS R6, R7, R8
	BLE fold
	SUBS $8, R8
	BLT tail

eight:
	VLD1.P 32(R9), [V16.S4, V17.S4]
	ADD_EIGHT
	SUBS $8, R8
	BGE eight

tail:
	ADDS $8, R8
	BEQ fold
	CMP R4, R9
	BHI ladder

	// Eight values can be read; those behind the end of the segment are cleared
	// before they are converted. No branch depends on their number.
	SUB R8<<2, R11, R10
	VLD1 (R10), [V18.B16, V19.B16]
	VLD1 (R9), [V16.B16, V17.B16]
	VAND V18.B16, V16.B16, V16.B16
	VAND V19.B16, V17.B16, V17.B16
	B last

ladder:
	// Only the end of the column comes here: four values, if there are so many,
	// and the one to three others.
	AND $4, R8, R10
	ADD R10<<2, R9, R10
	VEOR V17.B16, V17.B16, V17.B16
	TBZ $1, R8, odd
	FMOVD (R10), F17
	TBZ $0, R8, four
	ADD $8, R10
	VLD1 (R10), V17.S[2]
	B four

odd:
	TBZ $0, R8, four
	FMOVS (R10), F17

four:
	VORR V17.B16, V17.B16, V16.B16
	TBZ $2, R8, few
	VLD1 (R9), [V16.S4]
	B last

few:
	VEOR V17.B16, V17.B16, V17.B16

last:
	ADD_EIGHT

fold:
	FADD_D2(2, 0, 0) // 0+4, 1+5
	FADD_D2(3, 1, 1) // 2+6, 3+7
	FADD_D2(1, 0, 0)
	FADDP_D2(0, 0)
	FADD_D2(6, 4, 4)
	FADD_D2(7, 5, 5)
	FADD_D2(5, 4, 4)
	FADDP_D2(4, 4)
	FMOVD.P F0, 8(R0)
	FMOVD.P F4, 8(R2)
	MOVD R7, R6
	SUBS $1, R1
	BNE segment
	RET
