// Package kernels holds the inner loops of termsift, in pure Go and in assembly.
//
// It takes slices of integers and floats and gives counts, sums, maxima and places in
// slices of the caller. Begin reading at README.md, which lists the kernels and their
// files, then at classify.go and classify_generic.go. A kernel never allocates, never
// keeps an argument, and never returns other bits than its generic form, whatever the CPU.
//
// No other package of this module holds assembly. Most programs want package engine
// instead.
package kernels

//go:generate go -C _asm run .
