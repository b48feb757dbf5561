package main

// switchFile is the file that a changed package has in addition: what the calls do. Number 0 is no
// change. Where the environment names a file, it collects the changes that are reached.
const switchFile = `

import (
	"cmp"
	"os"
	"strconv"
	"sync/atomic"
)

var mutantChosen, _ = strconv.Atoi(os.Getenv("MUTANT"))

var mutantReached = func() *os.File {
	file, _ := os.OpenFile(os.Getenv("MUTANT_REACHED"), os.O_APPEND|os.O_WRONLY, 0)
	return file
}()

var mutantMet [1 << 16]atomic.Bool

func mutantOn(id int) bool {
	if mutantReached != nil && !mutantMet[id].Swap(true) {
		_, _ = mutantReached.WriteString(strconv.Itoa(id) + "\n")
	}
	return id == mutantChosen
}

type mutantNumber interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

func mutantDo(id int) bool { return !mutantOn(id) }

func mutantIs(id int, x bool) bool { return x != mutantOn(id) }

func mutantNot(id int, x bool) bool { return x == mutantOn(id) }

func mutantAnd(id int, x bool, y func() bool) bool {
	if mutantOn(id) {
		return x || y()
	}
	return x && y()
}

func mutantOr(id int, x bool, y func() bool) bool {
	if mutantOn(id) {
		return x && y()
	}
	return x || y()
}

func mutantLess[T cmp.Ordered](id int, x, y T) bool { return x < y || x == y && mutantOn(id) }

func mutantAtMost[T cmp.Ordered](id int, x, y T) bool { return x < y || x == y && !mutantOn(id) }

func mutantMore[T cmp.Ordered](id int, x, y T) bool { return x > y || x == y && mutantOn(id) }

func mutantAtLeast[T cmp.Ordered](id int, x, y T) bool { return x > y || x == y && !mutantOn(id) }

func mutantEqual[T comparable](id int, x, y T) bool { return (x == y) != mutantOn(id) }

func mutantDiffer[T comparable](id int, x, y T) bool { return (x != y) != mutantOn(id) }

func mutantPlus[T mutantNumber](id int, x, y T) T {
	if mutantOn(id) {
		return x - y
	}
	return x + y
}

func mutantMinus[T mutantNumber](id int, x, y T) T {
	if mutantOn(id) {
		return x + y
	}
	return x - y
}

func mutantTimes[T mutantNumber](id int, x, y T) T {
	if mutantOn(id) {
		return x / y
	}
	return x * y
}

func mutantOver[T mutantNumber](id int, x, y T) T {
	if mutantOn(id) {
		return x * y
	}
	return x / y
}
`
