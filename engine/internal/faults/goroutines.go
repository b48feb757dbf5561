package faults

import (
	"runtime"
	"testing"
	"time"
)

// NoneLeft fails the test unless the number of goroutines falls to before. It is patient,
// because goroutines that are about to end may wait for a busy processor.
func NoneLeft(t testing.TB, before int) {
	t.Helper()
	for range 60_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Locked runs f on a goroutine that is locked to its thread.
func Locked(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		f()
	}()
	<-done
}
