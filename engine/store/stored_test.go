package store

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

func written(t testing.TB, x *postings.Index, opt WriteOptions) []byte {
	var b bytes.Buffer
	testkit.Must(Write(t.Context(), &b, postings.Whole(x), opt))
	return b.Bytes()
}

// withCells returns the file with everything in it that a file may have.
func withCells(t testing.TB, x *postings.Index) []byte {
	return written(t, x, WriteOptions{Cells: true})
}

// What a file holds is, to the bit, what would be computed, and it stays there when
// the index is written again.
func TestStoredIsComputed(t *testing.T) {
	for _, multi := range []bool{false, true} {
		for _, real := range []bool{false, true} {
			built := build(t, randomSource(13, 2500, multi, real))
			plain := encoded(t, built)
			for i, opt := range []WriteOptions{{}, {Cells: true}} {
				data := written(t, built, opt)
				for _, threads := range []int{1, 3} {
					if opt.Threads = threads; !bytes.Equal(written(t, built, opt), data) {
						t.Fatalf("%+v: %d threads write other bytes", opt, threads)
					}
				}
				x := open(t, saved(t, data), OpenOptions{Read: i%2 == 0})
				testkit.Equal(testkit.Stop(t), HasCells(x), opt.Cells, opt, "it has cells")
				sameQueries(t, x, built)
				for _, threads := range []int{1, 3} {
					sameStatistics(t, countOf(t, x, postings.CountOptions{Threads: threads}), countOf(t, built, postings.CountOptions{}))
				}
				sameStatistics(t, countOf(t, x, postings.CountOptions{Weighting: table.LTC}), countOf(t, built, postings.CountOptions{Weighting: table.LTC}))
				if !bytes.Equal(encoded(t, x), data) || !bytes.Equal(written(t, x, opt), data) {
					t.Fatalf("%+v: writing it again gives other bytes", opt)
				}
				testkit.EqualSlices(testkit.Stop(t), written(t, x, WriteOptions{}), plain, opt,
					"what is not asked for is written")
			}
		}
	}
}

// Cells are used where they are: their own sum is wrong, the lists' are right.
func TestStoredIsUsedAndVerified(t *testing.T) {
	data := written(t, build(t, randomSource(14, 300, false, false)), WriteOptions{Cells: true})
	x := testkit.Must(decode(data, nil))
	from, to := cellPlace(x)
	for at := from; at < to; at += 97 {
		edited := slices.Clone(data)
		edited[at] ^= 1
		x = testkit.Must(decode(edited, nil))
		var broken *files.FileError
		_, err := x.Count(t.Context(), postings.CountOptions{})
		if !errors.As(err, &broken) || broken.Section != "cells" || !errors.Is(err, files.ErrChecksum) {
			t.Errorf("byte %d: %v", at, err)
		}
		testkit.Is(t, testkit.Err(x.Bitmap(1)), nil, at, "a list that is right")
		testkit.Is(t, x.Verify(), files.ErrChecksum, at, "verify")
		x = testkit.Must(decode(data, nil))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(x.Count(ctx, postings.CountOptions{})), context.Canceled, "the cells, cancelled")
}

// cellPlace is where the section of cells begins and ends in the file.
func cellPlace(x *postings.Index) (from, to int) {
	s := &fileOf(x).body.sections[cellSection]
	return s.offset, s.offset + s.length
}

// Numbers that cannot be are refused though their sums are right.
func TestStoredIsHeldAgainstTheIndex(t *testing.T) {
	data := written(t, build(t, randomSource(15, 300, false, false)), WriteOptions{Cells: true})
	x := testkit.Must(decode(data, nil))
	from, to := cellPlace(x)
	block := data[from:to]
	terms, cells := int(le.Uint32(block)), int(le.Uint32(block[4:]))
	classes := blockHeader
	lengths := classes + cells
	tokens := lengths + terms
	docs := tokens + terms
	escapes := docs + 3*cells
	for name, edit := range map[string]struct {
		at    int
		value uint64
		size  int // of the value in bytes; 0 = it is added to a byte
	}{
		"a class out of range":     {classes, 4, 1},
		"classes that descend":     {classes + 1, 0, 1},
		"a cell without documents": {docs, 0, 1},
		"more documents than df":   {docs, 254, 1},
		"a document more":          {docs, 1, 0},
		"a token more":             {docs + cells, 1, 0},
		"a number too few":         {docs + 1, 255, 1},
		"a cell more":              {lengths, 1, 0},
		"tokens of a term":         {tokens, 1, 0},
		"infinitely many":          {escapes, 0x7ff0 << 48, 8},
		"no number":                {escapes, 0x7ff8 << 48, 8},
		"a fraction":               {escapes, math.Float64bits(1e5 + .5), 8},
		"other terms":              {0, 1, 0},
		"no terms":                 {0, 0, 1},
	} {
		edited := slices.Clone(data)
		at := from + edit.at
		switch edit.size {
		case 0:
			edited[at] += byte(edit.value)
		case 1:
			edited[at] = byte(edit.value)
		default:
			le.PutUint64(edited[at:], edit.value)
		}
		faults.Seal(edited)
		y := testkit.Must(decode(edited, nil))
		testkit.Is(t, testkit.Err(y.Count(t.Context(), postings.CountOptions{})), files.ErrFormat, name)
		testkit.Is(t, y.Verify(), files.ErrFormat, name, "verify")
	}
	edited := slices.Clone(data)
	edited[from+docs+2*cells] += 2
	faults.Seal(edited)
	testkit.Is(t, testkit.Must(decode(edited, nil)).Verify(), files.ErrFormat, "more squares: verify")
}
