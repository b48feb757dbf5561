//go:build cgo && (unix || windows)

package main

// #cgo CFLAGS: -O2
// #include "termsift.h"
import "C"

import "unsafe"

func main() {}

// The structs of memory.go are those of the header.
const (
	_ = -(unsafe.Sizeof(callerError{}) ^ C.sizeof_ts_error)
	_ = -(unsafe.Sizeof(buffer{}) ^ C.sizeof_ts_buffer)
	_ = -(unsafe.Sizeof(callerMatrix{}) ^ C.sizeof_ts_matrix)
	_ = -(unsafe.Sizeof(callerLabels{}) ^ C.sizeof_ts_labels)
	_ = -(unsafe.Sizeof(callerTexts{}) ^ C.sizeof_ts_texts)
)

// ts_go_call is ts_call, which public.c calls unless the process was forked.
//
//export ts_go_call
func ts_go_call(operation, options, in uintptr, ins int64, out uintptr, outs int64, cancel uint64, e uintptr) int32 {
	var c *call
	if err := guarded(func() { c = newCall(operation, options, in, ins, out, outs) }); err != nil {
		return int32(report(errorBuffer(e), "", err))
	}
	return int32(runLong(errorBuffer(e), cancel, c.run))
}
