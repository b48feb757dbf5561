package kernels

//go:generate go -C _asm run .
