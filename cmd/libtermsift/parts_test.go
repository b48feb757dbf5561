package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/matrix"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/usage"
	"github.com/termsift/termsift/engine/vectors"
)

// Texts are cut before a character that does not fit, and end with 0.
func TestPutText(t *testing.T) {
	const text = "a é 中 \x00 \xff z"
	const valid = "a é 中   ? z"
	for size := range len(text) + 4 {
		dst := []byte(strings.Repeat("#", size+1))
		putText(dst[:size], text)
		testkit.Equal(testkit.Stop(t), dst[size], '#', "size", size, "written behind the buffer")
		if size == 0 {
			continue
		}
		got, _, ended := strings.Cut(string(dst[:size]), "\x00")
		if !ended || !utf8.ValidString(got) || !strings.HasPrefix(valid, got) || len(got) < min(len(valid), size-1)-3 {
			t.Errorf("size %d: %q", size, got)
		}
	}
}

func TestStatusOf(t *testing.T) {
	for want, err := range map[status]error{
		statusOK: nil, statusNothing: usage.ErrNothing, statusUsage: usage.Errorf("x"), statusBadInput: dataError("x"), statusCorrupt: usage.ErrCorrupt,
		statusIO: &fs.PathError{Op: "open", Path: "x", Err: errors.New("y")}, statusBadHandle: handleError("x"), statusInternal: errors.New("x"),
		statusCancelled: fmt.Errorf("x: %w", context.Canceled),
	} {
		testkit.Equal(t, statusOf(err), want, err, "status")
	}
	closed := fmt.Errorf("x: %w", postings.ErrClosed)
	if text := textOf(closed); statusOf(closed) != statusBadHandle || !strings.Contains(text, "a handle was freed while this call had it") {
		t.Errorf("a handle that another thread frees: status %d, %s", statusOf(closed), text)
	}
}

// A panic is an error, and the stack is told.
func TestPanicsAreErrors(t *testing.T) {
	buffer := make([]byte, 4096)
	dst := func() []byte { return buffer }
	s := runLong(dst, 0, func(context.Context) []string { panic("ouch") })
	if s != statusInternal || !strings.Contains(string(buffer), "ouch") || !strings.Contains(string(buffer), "parts_test.go") {
		t.Errorf("status %d, %.200s", s, buffer)
	}
	warned := runLong(dst, 0, func(context.Context) []string { return []string{"one", "two"} })
	if warned != statusOK || !strings.HasPrefix(string(buffer), "one\ntwo\x00") {
		t.Errorf("status %d, %.100s", warned, buffer)
	}
}

func TestHandles(t *testing.T) {
	first, second := handles.put(newCancellation()), handles.put(&vectors.CSR{})
	freed := func(handle uint64) error { return guarded(func() { freeHandle(handle) }) }
	testkit.Refused(t, guarded(func() { handleOf[*vectors.CSR](first, "rows") }), errBadHandle,
		"of ts_cancel_new, and rows is needed")
	ctx := cancellationOf(first).ctx
	if ctx.Err() != nil {
		t.Fatal(ctx.Err())
	}
	for _, err := range []error{freed(first), freed(second), freed(0)} {
		testkit.OK(err)
	}
	if ctx.Err() == nil {
		t.Error("a cancel handle that is freed does not end its calls")
	}
	testkit.Is(t, freed(first), errBadHandle, "freed twice")
	if third := handles.put(&vectors.CSR{}); third == first || third == second {
		t.Error("a number was used again")
	}
}

// Of several calls that free a handle at the same time one succeeds, and the others say that it is gone.
func TestFreeOnce(t *testing.T) {
	for range 20_000 {
		handle := handles.put(&vectors.CSR{})
		var freed, refused atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				switch err := guarded(func() { freeHandle(handle) }); {
				case err == nil:
					freed.Add(1)
				case errors.Is(err, errBadHandle):
					refused.Add(1)
				}
			})
		}
		if wg.Wait(); freed.Load() != 1 || refused.Load() != 3 {
			t.Fatalf("%d calls freed a handle, %d were refused", freed.Load(), refused.Load())
		}
	}
}

// The best terms are those that sorting all of them gives.
func TestBestIsSorting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 500 {
		n := r.IntN(200)
		values, df := make([]float64, n), make([]float64, n)
		all := make([]int, n)
		for i := range values {
			values[i], df[i], all[i] = float64(r.IntN(6))-2, float64(r.IntN(3)), i
			switch r.IntN(20) {
			case 0:
				values[i] = math.NaN()
			case 1:
				values[i] = math.Inf(2*r.IntN(2) - 1)
			case 2:
				values[i] = math.Copysign(0, -1)
			}
		}
		if round%3 == 0 {
			df = nil
		}
		slices.SortFunc(all, func(a, b int) int {
			if c := cmp.Compare(values[b], values[a]); c != 0 { // NaN is below all
				return c
			}
			if df != nil && df[a] != df[b] {
				return cmp.Compare(df[b], df[a])
			}
			return cmp.Compare(a, b)
		})
		for k := range n + 1 {
			testkit.EqualSlices(testkit.Stop(t), best(values, df, k), all[:k], "best", k, "of", values, "by", df)
		}
	}
}

// The chi-square of scikit-learn is that of its formula over dense tables.
func TestSklearnChi2(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		documents, terms, classes := 1+r.IntN(30), 1+r.IntN(8), 2+r.IntN(4)
		m := matrix.Matrix[int32, float64]{Documents: documents, Terms: terms, Start: []int32{0}}
		y := &matrix.Labels{Classes: classes}
		dense := make([][]float64, documents)
		for d := range dense {
			dense[d] = make([]float64, terms)
			for t := range terms {
				if r.IntN(3) == 0 {
					dense[d][t] = float64(1 + r.IntN(9))
					m.Index, m.Values = append(m.Index, int32(t)), append(m.Values, dense[d][t])
				}
			}
			m.Start = append(m.Start, int32(len(m.Index)))
			y.Of = append(y.Of, int32(r.IntN(classes)))
		}
		if len(m.Index) == 0 {
			continue
		}
		s := testkit.Must(m.Statistics(t.Context(), y, matrix.Options{}))
		got := make([]float64, terms)
		fill(got, math.NaN())
		chiOfSums(s, matrix.Columns(s), got)
		for term := range terms {
			want := denseChi2(dense, y.Of, classes, term)
			if math.IsNaN(want) != math.IsNaN(got[term]) || math.Abs(got[term]-want) > 1e-12*math.Abs(want)+1e-13 {
				t.Fatalf("term %d of %v: %v, want %v", term, dense, got[term], want)
			}
		}
	}
}

func denseChi2(dense [][]float64, of []int32, classes, term int) (sum float64) {
	observed, documents, all := make([]float64, classes), make([]float64, classes), 0.0
	for d, row := range dense {
		observed[of[d]] += row[term]
		documents[of[d]]++
		all += row[term]
	}
	if all == 0 {
		return math.NaN()
	}
	for c := range classes {
		if expected := all * documents[c] / float64(len(dense)); documents[c] > 0 {
			sum += (observed[c] - expected) * (observed[c] - expected) / expected
		}
	}
	return sum
}

// Offsets and classes that cannot be are errors that say where.
func TestLabelsAreChecked(t *testing.T) {
	for want, l := range map[string]*labels{
		"labels.stored is 3, labels.documents 2": {classes: 2, of: []int32{0, 1, 1}},
		"labels.of[1] is 2: a class must be":     {classes: 2, of: []int32{0, 2}},
		"labels.of[0] is -2":                     {classes: 2, of: []int32{-2, 0}},
		"labels.start[2] is 0, below 1":          {classes: 2, of: []int32{0, 1}, start: []int64{0, 1, 0}},
		"labels.start[0] is -1":                  {classes: 2, of: []int32{0, 1}, start: []int64{-1, 1, 2}},
		"labels.start ends with 3":               {classes: 2, of: []int32{0, 1}, start: []int64{0, 1, 3}},
	} {
		testkit.Says(t, guarded(func() { l.check(2) }), want)
	}
	l := &labels{classes: 2, of: []int32{0, -1, 1}, start: []int64{0, 3, 3}}
	testkit.OK(guarded(func() { l.check(2) }))
	testkit.Says(t, guarded(func() { l.named([]string{"a", ""}) }),
		"class 1 in the option \"classes\" has an empty name")
	testkit.Says(t, guarded(func() { l.named([]string{"a", "a"}) }), "classes 0 and 1 have the same name")
	testkit.Fails(t, guarded(func() { l.named([]string{"a"}) }), "a name too few")
	if err := guarded(func() { l.named([]string{"a", "b"}) }); err != nil || fmt.Sprint(l.appendNames(nil, 0), l.appendNames(nil, 1)) != "[a b] []" {
		t.Error(err, l.appendNames(nil, 0))
	}
}

// Texts are cut into no more ranges than there are workers, none empty, all in order.
func TestRangesOfTexts(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 100} {
		var list [][]byte
		size := 0
		for i := range n {
			list = append(list, make([]byte, i*i%11))
			size += len(list[i]) + 1
		}
		for workers := 1; workers < 9; workers++ {
			at := 0
			ranges := rangesOf(list, (size+workers-1)/workers)
			for _, r := range ranges {
				if r.from != at || r.to <= r.from {
					t.Fatalf("%d texts, %d workers: %v", n, workers, ranges)
				}
				at = r.to
			}
			if at != n || len(ranges) > workers {
				t.Fatalf("%d texts, %d workers: %v", n, workers, ranges)
			}
		}
	}
}

// refusing returns what f does, or the refusal that ends it.
func refusing[T any](f func() T) (v T, err error) {
	err = guarded(func() { v = f() })
	return v, err
}
