package pool

import (
	"runtime"
	"strings"
	"testing"

	"github.com/termsift/termsift/engine/internal/faults"
)

func TestPull(t *testing.T) {
	before := runtime.NumGoroutine()
	next, stop := Pull(upTo(2, nil))
	for want := range 2 {
		if got, err, ok := next(); got != want || err != nil || !ok {
			t.Fatal(got, err, ok)
		}
	}
	for range 2 {
		if _, err, ok := next(); err != nil || ok {
			t.Fatal(err, ok)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}

	_, stop = Pull(func(func(int, error) bool) { t.Error("nobody has asked") })
	if err := stop(); err != nil {
		t.Error(err)
	}

	next, stop = Pull(func(yield func(int, error) bool) {
		for range 3 { // though it was told to stop
			yield(1, nil)
		}
		panic("late")
	})
	if _, err, ok := next(); err != nil || !ok {
		t.Error(err, ok)
	}
	if err := stop(); err == nil || !strings.Contains(err.Error(), "late") {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, err, ok := next(); err != nil || ok {
		t.Error("after the end:", err, ok)
	}
	faults.NoneLeft(t, before)
}
