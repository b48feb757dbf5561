// Command libtermsift is termsift as a library with the C interface of termsift.h, built by
// -buildmode=c-shared or c-archive. README.md describes it for those who call it.
//
// public.c has the functions of the header. Each calls one of export.go, which reads the
// caller's memory by memory.go and runs the work by call.go; what it works on lies in the
// table of handles.go. The other files have no C in them: options.go reads options, and
// models.go, statistics.go, bag.go and score.go do by the engine what the command does. All of this
// ends at an error by check and need of call.go; only what runs on workers returns errors.
//
// This is the only package of the module that uses cgo, and without a C compiler it is an
// empty program. It has no mathematics but the chi-square of scikit-learn in score.go.
package main
