// Package kernels holds the inner loops that everything else is built on. Most
// users do not need it: package engine is what to import.
//
// It is the only package that may hold assembly and unsafe code. Every kernel
// has a pure Go form that defines its result to the last bit.
package kernels
