// The vector instructions that Go's assembler does not know, by their encoding.
// The arguments are register numbers in the order of that assembler, destination
// last: FADD_D2(2, 0, 1) is FADD V1.2D, V0.2D, V2.2D in ARM's manual, V1 = V0 + V2.

// CMHS Vd.16B, Vn.16B, Vm.16B: the bytes with n >= m, unsigned, become 0xFF.
#define CMHS_B16(m, n, d) WORD $(0x6E203C00 | (m)<<16 | (n)<<5 | (d))

// CMLT Vd.16B, Vn.16B, #0: the bytes with the top bit become 0xFF.
#define CMLT0_B16(n, d) WORD $(0x4E20A800 | (n)<<5 | (d))

// UADDLP Vd.8H, Vn.16B: sums of neighbours.
#define UADDLP_B16(n, d) WORD $(0x6E202800 | (n)<<5 | (d))

// UADALP Vd.8H, Vn.16B, and its wider forms: sums of neighbours, added to d.
#define UADALP_B16(n, d) WORD $(0x6E206800 | (n)<<5 | (d))
#define UADALP_H8(n, d) WORD $(0x6E606800 | (n)<<5 | (d))
#define UADALP_S4(n, d) WORD $(0x6EA06800 | (n)<<5 | (d))

// UMULL Vd.8H, Vn.8B, Vm.8B and UMULL2 Vd.8H, Vn.16B, Vm.16B: products of the
// lower and of the upper eight bytes.
#define UMULL_B8(m, n, d) WORD $(0x2E20C000 | (m)<<16 | (n)<<5 | (d))
#define UMULL2_B16(m, n, d) WORD $(0x6E20C000 | (m)<<16 | (n)<<5 | (d))

// FCVTL Vd.2D, Vn.2S and FCVTL2 Vd.2D, Vn.4S: the lower and the upper two
// float32 in float64.
#define FCVTL_S2(n, d) WORD $(0x0E617800 | (n)<<5 | (d))
#define FCVTL2_S4(n, d) WORD $(0x4E617800 | (n)<<5 | (d))

// FADD Vd.2D, Vn.2D, Vm.2D.
#define FADD_D2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d))

// FADDP Dd, Vn.2D: the sum of both lanes.
#define FADDP_D2(n, d) WORD $(0x7E70D800 | (n)<<5 | (d))
