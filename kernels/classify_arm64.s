//go:build !purego

#include "textflag.h"
#include "neon_arm64.h"

// func classifyBlocksNEON(src, lower []byte, masks []uint64, class Class) bool
//
// For each byte, with x = byte | 0x20:
//
//	letter = x - 'a' <= 25, unsigned
//	lower  = letter ? x : byte
//	digit  = byte - '0' <= 9, unsigned
//
// The top bits of letter | digit | (byte = '_') | byte are the mask. They are
// spread over their bytes, cut down to the bit that the byte has in its group of
// eight, and added to neighbours three times, which leaves 64 bits of 64 bytes.
//
// R0 src, R1 lower, R2 masks, R3 blocks left, R4 class;
// V24 the bytes seen, V25 '_', V26 9, V27 '0', V28 bit weights, V29 0x20, V30 25,
// V31 'a'.
TEXT ·classifyBlocksNEON(SB), NOSPLIT, $0-81
	MOVD src_base+0(FP), R0
	MOVD src_len+8(FP), R3
	MOVD lower_base+24(FP), R1
	MOVD masks_base+48(FP), R2
	MOVBU class+72(FP), R4
	MOVD $0x8040201008040201, R5
	VEOR V24.B16, V24.B16, V24.B16
	VMOVI $0x5F, V25.B16
	VMOVI $9, V26.B16
	VMOVI $0x30, V27.B16
	VDUP R5, V28.D2
	VMOVI $0x20, V29.B16
	VMOVI $25, V30.B16
	VMOVI $0x61, V31.B16
	LSR $6, R3
	CBZ R3, done

block:
	VLD1.P 64(R0), [V0.B16, V1.B16, V2.B16, V3.B16]
	VORR V1.B16, V0.B16, V12.B16
	VORR V3.B16, V2.B16, V13.B16
	VORR V12.B16, V24.B16, V24.B16
	VORR V13.B16, V24.B16, V24.B16

	// Letters in V8-V11, lower case in V0-V3.
	VORR V29.B16, V0.B16, V4.B16
	VORR V29.B16, V1.B16, V5.B16
	VORR V29.B16, V2.B16, V6.B16
	VORR V29.B16, V3.B16, V7.B16
	VSUB V31.B16, V4.B16, V8.B16
	VSUB V31.B16, V5.B16, V9.B16
	VSUB V31.B16, V6.B16, V10.B16
	VSUB V31.B16, V7.B16, V11.B16
	CMHS_B16(8, 30, 8)
	CMHS_B16(9, 30, 9)
	CMHS_B16(10, 30, 10)
	CMHS_B16(11, 30, 11)
	VBIT V8.B16, V4.B16, V0.B16
	VBIT V9.B16, V5.B16, V1.B16
	VBIT V10.B16, V6.B16, V2.B16
	VBIT V11.B16, V7.B16, V3.B16
	VST1.P [V0.B16, V1.B16, V2.B16, V3.B16], 64(R1)

	// Neither the digits nor the top bits depend on the case.
	VORR V0.B16, V8.B16, V8.B16
	VORR V1.B16, V9.B16, V9.B16
	VORR V2.B16, V10.B16, V10.B16
	VORR V3.B16, V11.B16, V11.B16
	CBZ R4, pack
	VSUB V27.B16, V0.B16, V4.B16
	VSUB V27.B16, V1.B16, V5.B16
	VSUB V27.B16, V2.B16, V6.B16
	VSUB V27.B16, V3.B16, V7.B16
	CMHS_B16(4, 26, 4)
	CMHS_B16(5, 26, 5)
	CMHS_B16(6, 26, 6)
	CMHS_B16(7, 26, 7)
	VORR V4.B16, V8.B16, V8.B16
	VORR V5.B16, V9.B16, V9.B16
	VORR V6.B16, V10.B16, V10.B16
	VORR V7.B16, V11.B16, V11.B16
	VCMEQ V25.B16, V0.B16, V0.B16
	VCMEQ V25.B16, V1.B16, V1.B16
	VCMEQ V25.B16, V2.B16, V2.B16
	VCMEQ V25.B16, V3.B16, V3.B16
	VORR V0.B16, V8.B16, V8.B16
	VORR V1.B16, V9.B16, V9.B16
	VORR V2.B16, V10.B16, V10.B16
	VORR V3.B16, V11.B16, V11.B16

pack:
	CMLT0_B16(8, 8)
	CMLT0_B16(9, 9)
	CMLT0_B16(10, 10)
	CMLT0_B16(11, 11)
	VAND V28.B16, V8.B16, V8.B16
	VAND V28.B16, V9.B16, V9.B16
	VAND V28.B16, V10.B16, V10.B16
	VAND V28.B16, V11.B16, V11.B16
	VADDP V9.B16, V8.B16, V8.B16
	VADDP V11.B16, V10.B16, V10.B16
	VADDP V10.B16, V8.B16, V8.B16
	VADDP V8.B16, V8.B16, V8.B16
	FMOVD.P F8, 8(R2)
	SUBS $1, R3
	BNE block

done:
	VMOV V24.D[0], R5
	VMOV V24.D[1], R6
	ORR R6, R5
	TST $0x8080808080808080, R5
	CSET NE, R5
	MOVB R5, ret+80(FP)
	RET
