package kernels

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/termsift/termsift/bench/testkit"
)

// A ground is room for the slices of one argument of a kernel. It ends at pages
// that cannot be touched, and what is outside the slice taken last is filled, so
// that a kernel which reads or writes there is found out.
type ground[T comparable] struct {
	all    []T
	fill   T
	slice  []T
	before int
}

// newGround makes room for most elements, and for a place apart from the fences.
func newGround[T comparable](t *testing.T, most int, fill T) *ground[T] {
	t.Helper()
	size := int(unsafe.Sizeof(fill))
	room := fencedBytes(t, (most+64)*size)
	g := &ground[T]{all: unsafe.Slice((*T)(unsafe.Pointer(&room[0])), len(room)/size), fill: fill}
	for i := range g.all {
		g.all[i] = fill
	}
	return g
}

// A place is where in its ground a slice lies: so many elements behind the fence
// before it or, if negative, ending so many before the fence behind it, less one.
type place int

const (
	atHead place = 0
	atTail place = -1
)

// somePlaces are both fences and alignments of every kind.
var somePlaces = []place{atHead, atTail, 1, 3, -3, 8}

// take gives n elements, filled.
func (g *ground[T]) take(n int, at place) []T {
	for i := range g.slice {
		g.slice[i] = g.fill
	}
	g.before = int(at)
	if at < 0 {
		g.before = len(g.all) - n + int(at) + 1
	}
	g.slice = g.all[g.before : g.before+n : g.before+n]
	return g.slice
}

// check finds out whether the fill around the slice is as it was.
func (g *ground[T]) check(t *testing.T) {
	t.Helper()
	testkit.OK(g.spoilt())
}

func (g *ground[T]) spoilt() error {
	behind := g.before + len(g.slice)
	for i := max(0, g.before-64); i < min(len(g.all), behind+64); i++ {
		if (i < g.before || i >= behind) && g.all[i] != g.fill {
			return fmt.Errorf("element %d of %d was written", i-g.before, len(g.slice))
		}
	}
	return nil
}

// most is the length up to which the tests try every one.
const most = 1025

// everyLength lists those to try, from 1 to most; a quick run leaves some out.
func everyLength() []int {
	var all []int
	for n := 1; n <= most; n++ {
		if n <= 150 || !testing.Short() || n%61 < 2 {
			all = append(all, n)
		}
	}
	return all
}
