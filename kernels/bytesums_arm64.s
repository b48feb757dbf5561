//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// lastBytes holds the masks of the last r of sixteen bytes, at r.
DATA lastBytes<>+0(SB)/8, $0
DATA lastBytes<>+8(SB)/8, $0
DATA lastBytes<>+16(SB)/8, $-1
DATA lastBytes<>+24(SB)/8, $-1
GLOBL lastBytes<>(SB), RODATA|NOPTR, $32

// ADD_SIXTEEN adds the bytes in V16 to V2 and their squares to V3 and V4, each
// four 32-bit lanes.
#define ADD_SIXTEEN \
	UADDLP_B16(16, 17) \
	UMULL_B8(16, 16, 18) \
	UMULL2_B16(16, 16, 19) \
	UADALP_H8(17, 2) \
	UADALP_H8(18, 3) \
	UADALP_H8(19, 4)

// A lane of V3 or V4 grows by at most 2·255² = 130,050 for sixteen bytes, so
// 33,025 times sixteen fit in 32 bits. After half as many the lanes are widened.
#define RUN_BYTES (16*16384)

// func sumByteSegmentsNEON(sums, squares []uint64, values []byte, bounds []uint32)
//
// R0 sums, R1 segments left, R2 squares, R3 values, R5 bounds, R6 from, R7 to,
// R8 bytes behind this run, R9 the place, R10 bytes left in this run.
TEXT ·sumByteSegmentsNEON(SB), NOSPLIT, $0-96
	MOVD sums_base+0(FP), R0
	MOVD sums_len+8(FP), R1
	MOVD squares_base+24(FP), R2
	MOVD values_base+48(FP), R3
	MOVD bounds_base+72(FP), R5
	MOVD $lastBytes<>(SB), R11
	MOVD $RUN_BYTES, R12
	MOVWU.P 4(R5), R6

segment:
	VEOR V0.B16, V0.B16, V0.B16 // the sum, two 64-bit lanes
	VEOR V1.B16, V1.B16, V1.B16 // the sum of the squares
	MOVWU.P 4(R5), R7
	ADD R6, R3, R9
	SUBS R6, R7, R8
	BLE store

run:
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	CMP R12, R8
	CSEL LO, R8, R12, R10
	SUB R10, R8
	SUBS $16, R10
	BLT tail

sixteen:
	VLD1.P 16(R9), [V16.B16]
	ADD_SIXTEEN
	SUBS $16, R10
	BGE sixteen

tail:
	ADDS $16, R10
	BEQ widen
	ADD R10, R9, R13
	SUB $16, R13
	CMP R3, R13
	BLO ladder

	// The sixteen bytes before the end of the segment lie in the column; those
	// that do not belong to the rest are cleared. No branch depends on its length.
	ADD R10, R11, R14
	VLD1 (R13), [V16.B16]
	VLD1 (R14), [V17.B16]
	VAND V17.B16, V16.B16, V16.B16
	B last

ladder:
	// Only segments in the first fifteen bytes of the column come here.
	VEOR V16.B16, V16.B16, V16.B16
	TBZ $3, R10, quad
	VLD1.P 8(R9), V16.D[0]

quad:
	TBZ $2, R10, pair
	VLD1.P 4(R9), V16.S[2]

pair:
	TBZ $1, R10, single
	VLD1.P 2(R9), V16.H[6]

single:
	TBZ $0, R10, last
	VLD1 (R9), V16.B[14]

last:
	ADD_SIXTEEN

widen:
	UADALP_S4(2, 0)
	UADALP_S4(3, 1)
	UADALP_S4(4, 1)
	CBNZ R8, run

store:
	VADDP V0.D2, V0.D2, V0.D2
	VADDP V1.D2, V1.D2, V1.D2
	FMOVD.P F0, 8(R0)
	FMOVD.P F1, 8(R2)
	MOVD R7, R6
	SUBS $1, R1
	BNE segment
	RET
