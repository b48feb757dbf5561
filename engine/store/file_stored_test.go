package store

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/internal/reseal"
	"github.com/termsift/termsift/engine/table"
)

// all is everything that a file may hold.
var all = WriteOptions{Forward: true, Cells: true, Weights: table.LTC}

func written(t testing.TB, x *Index, opt WriteOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := x.Write(t.Context(), &b, opt); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// everything writes the file with everything in it.
func everything(t testing.TB, x *Index) []byte { return written(t, x, all) }

// What a file holds is, to the bit, what would be computed, and it stays there when
// the index is written again.
func TestStoredIsComputed(t *testing.T) {
	for _, multi := range []bool{false, true} {
		for _, real := range []bool{false, true} {
			built := build(t, randomSource(13, 2500, multi, real))
			plain := encoded(t, built)
			for i, opt := range []WriteOptions{{}, {Forward: true}, {Cells: true}, {Weights: table.TFIDFUnit}, all} {
				data := written(t, built, opt)
				for _, threads := range []int{1, 3} {
					if opt.Threads = threads; !bytes.Equal(written(t, built, opt), data) {
						t.Fatalf("%+v: %d threads write other bytes", opt, threads)
					}
				}
				opt.Threads = 0
				x := open(t, saved(t, data), OpenOptions{Read: i%2 == 0})
				if x.Stored() != opt {
					t.Fatalf("%+v: it holds %+v", opt, x.Stored())
				}
				sameQueries(t, x, built)
				for _, threads := range []int{1, 3} {
					sameStatistics(t, count(t, x, CountOptions{Threads: threads}), count(t, built, CountOptions{}))
				}
				sameStatistics(t, count(t, x, CountOptions{Weighting: table.LTC}), count(t, built, CountOptions{Weighting: table.LTC}))
				for _, w := range table.Weightings() {
					got, want := must(x.Weights(t.Context(), w)), must(built.Weights(t.Context(), w))
					if !slices.Equal(got.values, want.values) {
						t.Fatalf("%+v: other weights of %v", opt, w)
					}
				}
				if !bytes.Equal(encoded(t, x), data) || !bytes.Equal(written(t, x, opt), data) {
					t.Fatalf("%+v: writing it again gives other bytes", opt)
				}
				if !bytes.Equal(written(t, x, WriteOptions{}), plain) {
					t.Fatalf("%+v: what is not asked for is written", opt)
				}
			}
		}
	}
}

// Cells are used where they are: their own sum is wrong, the lists' are right.
func TestStoredIsUsedAndVerified(t *testing.T) {
	data := everything(t, build(t, randomSource(14, 300, false, false)))
	x := must(decode(data, nil))
	for _, use := range []struct {
		kind sectionKind
		use  func() error
	}{
		{forwardStarts, func() error { _, err := x.Forward(t.Context(), 1); return err }},
		{forwardTerms, func() error { _, err := x.Forward(t.Context(), 1); return err }},
		{cellTerms, func() error { _, err := x.Count(t.Context(), CountOptions{}); return err }},
		{cellClasses, func() error { _, err := x.Count(t.Context(), CountOptions{}); return err }},
		{cellDocs, func() error { _, err := x.Count(t.Context(), CountOptions{}); return err }},
		{cellSums, func() error { _, err := x.Count(t.Context(), CountOptions{}); return err }},
		{cellSquares, func() error { _, err := x.Count(t.Context(), CountOptions{}); return err }},
		{cellEscapes, func() error { _, err := x.Count(t.Context(), CountOptions{}); return err }},
		{weightSection, func() error { _, err := x.Weights(t.Context(), table.LTC); return err }},
	} {
		edited := slices.Clone(data)
		edited[sectionPlace(x, use.kind)] ^= 1
		x = must(decode(edited, nil))
		var broken *FileError
		if err := use.use(); !errors.As(err, &broken) || broken.Section != use.kind.String() || !errors.Is(err, ErrChecksum) {
			t.Errorf("%v: %v", use.kind, err)
		}
		if _, err := x.Bitmap(1); err != nil {
			t.Errorf("%v: a list that is right: %v", use.kind, err)
		}
		if err := x.Verify(); !errors.Is(err, ErrChecksum) {
			t.Errorf("%v: verify: %v", use.kind, err)
		}
		x = must(decode(data, nil))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Forward(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("the forward view, cancelled: %v", err)
	}
	if _, err := x.Count(ctx, CountOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the cells, cancelled: %v", err)
	}
	if _, err := x.Weights(ctx, table.LTC); !errors.Is(err, context.Canceled) {
		t.Errorf("the weights, cancelled: %v", err)
	}
}

// sectionPlace is where a section begins in the file.
func sectionPlace(x *Index, kind sectionKind) int {
	at := headerSize
	for k := range kind {
		at += len(x.file.sections[k].data)
	}
	return at
}

// Numbers that cannot be are refused though their sums are right.
func TestStoredIsHeldAgainstTheIndex(t *testing.T) {
	data := everything(t, build(t, randomSource(15, 300, false, false)))
	x := must(decode(data, nil))
	for name, edit := range map[string]struct {
		kind  sectionKind
		at    int
		value uint64
		size  int // of the value in bytes; 0 = it is added to a byte
	}{
		"a start behind the end":   {forwardStarts, 8, 1 << 40, 8},
		"a term out of range":      {forwardTerms, 0, 1 << 20, 4},
		"a class out of range":     {cellClasses, 0, 4, 1},
		"classes that descend":     {cellClasses, 1, 0, 1},
		"a cell without documents": {cellDocs, 0, 0, 1},
		"more documents than df":   {cellDocs, 0, 254, 1},
		"a document more":          {cellDocs, 0, 1, 0},
		"a token more":             {cellSums, 0, 1, 0},
		"a number too few":         {cellDocs, 1, 255, 1},
		"more squares":             {cellSquares, 0, 1, 0},
		"a cell more":              {cellTerms, 0, 1, 0},
		"tokens of a term":         {cellTerms, 1, 1, 0},
		"infinitely many":          {cellEscapes, 0, 0x7ff0 << 48, 8},
		"no number":                {cellEscapes, 0, 0x7ff8 << 48, 8},
		"an infinite weight":       {weightSection, 4, 0x7f80 << 16, 4},
	} {
		edited := slices.Clone(data)
		at := sectionPlace(x, edit.kind) + edit.at
		switch edit.size {
		case 0:
			edited[at] += byte(edit.value)
		case 1:
			edited[at] = byte(edit.value)
		case 4:
			le.PutUint32(edited[at:], uint32(edit.value))
		default:
			le.PutUint64(edited[at:], edit.value)
		}
		reseal.Index(edited)
		y := must(decode(edited, nil))
		_, e1 := y.Forward(t.Context(), 1)
		_, e2 := y.Count(t.Context(), CountOptions{})
		_, e3 := y.Weights(t.Context(), table.LTC)
		if err := errors.Join(e1, e2, e3); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
		if err := y.Verify(); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: verify: %v", name, err)
		}
	}
}

// Weights that are infinite cannot be kept, and nothing is written.
func TestInfiniteWeights(t *testing.T) {
	src := randomSource(16, 40, false, true)
	src.Values[0] = 0
	x := build(t, src)
	var b bytes.Buffer
	if _, err := x.Write(t.Context(), &b, WriteOptions{Weights: table.LTC}); err == nil || b.Len() > 0 {
		t.Fatalf("%d bytes, %v", b.Len(), err)
	}
}
