package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// realIndexes are of float32 and of float64, of documents of one label and of several, and of
// counts whose squares are inexact.
func realIndexes(t *testing.T) map[string]*postings.Index {
	all := map[string]*postings.Index{}
	for _, multi := range []bool{false, true} {
		double := randomSource(17, 2500, multi, true)
		single := randomSource(17, 2500, multi, true)
		for i, v := range single.Values {
			single.Values[i] = float64(float32(v))
		}
		large := randomSource(17, 300, multi, false)
		for i := range large.Counts {
			large.Counts[i] += 1e8
		}
		all[fmt.Sprintf("float64, several labels %v", multi)] = build(t, double)
		all[fmt.Sprintf("float32, several labels %v", multi)] = build(t, single)
		all[fmt.Sprintf("large counts, several labels %v", multi)] = build(t, large)
	}
	return all
}

// What sums of real values lose has the same bits on any number of threads, in which way
// ever the lists are counted, and from the file.
func TestCentredCellsAreTheSameOnEveryPath(t *testing.T) {
	for name, x := range realIndexes(t) {
		want := countOf(t, x, postings.CountOptions{Threads: 1})
		form := table.CentredCells
		if !x.Real() {
			form = table.WideCells
		}
		testkit.Equal(testkit.Stop(t), form, want.Cells.Form(), name, "the sums lack nothing")
		everywhere := roaring.New()
		everywhere.AddRange(0, uint64(x.Documents()))
		data := written(t, x, WriteOptions{Cells: true})
		opened := testkit.Must(Decode(data))
		if fileOf(opened).layout.form != form || !bytes.Equal(encoded(t, opened), data) {
			t.Errorf("%s: form %v, and another file when it is written again", name, fileOf(opened).layout.form)
		}
		for path, got := range map[string]*table.Table{
			"threads":  countOf(t, x, postings.CountOptions{Threads: 3}),
			"weights":  countOf(t, x, postings.CountOptions{Threads: 1, Weighting: table.LTC}),
			"within":   countOf(t, x, postings.CountOptions{Threads: 2, Within: everywhere}),
			"file":     countOf(t, opened, postings.CountOptions{Threads: 1}),
			"no cells": countOf(t, testkit.Must(Decode(encoded(t, x))), postings.CountOptions{Threads: 1}),
		} {
			if !reflect.DeepEqual(got.Cells.Centred, want.Cells.Centred) || !got.Cells.Margins.Same(&want.Cells.Margins) {
				t.Errorf("%s, %s: other distances, or totals", name, path)
			}
			if i := got.Cells.FirstDifference(&want.Cells); i >= 0 {
				t.Errorf("%s, %s: term %d is another", name, path, i)
			}
		}
	}
}

// Documents that have whole numbers alone give the counts that an index of counts has,
// though other documents have fractions.
func TestWholeNumbersAreNotCentred(t *testing.T) {
	src := randomSource(18, 200, false, false)
	counts := build(t, src)
	for _, n := range src.Counts {
		src.Values = append(src.Values, float64(n))
	}
	src.Counts = nil
	last := len(src.Values) - 1
	src.Values[last] += .5
	reals := build(t, src)
	order := testkit.Must(reals.InputOrder())
	keep := roaring.New()
	for _, d := range order[:len(order)-1] {
		keep.Add(d)
	}
	got, want := countOf(t, reals, postings.CountOptions{Within: keep}), countOf(t, counts, postings.CountOptions{Within: keep})
	if i := got.Cells.FirstDifference(&want.Cells); got.Cells.Centred != nil || i >= 0 {
		t.Errorf("centred %v, term %d is another", got.Cells.Centred != nil, i)
	}
	if countOf(t, reals, postings.CountOptions{}).Cells.Centred == nil {
		t.Error("a fraction is not centred")
	}
}

// Cells of real values without what is centred are refused by Verify; whoever does not verify counts
// them from the postings.
func TestRealCellsWithoutWhatIsCentred(t *testing.T) {
	for name, x := range realIndexes(t) {
		want := countOf(t, x, postings.CountOptions{})
		plain := table.Table{Cells: want.Cells, ClassNames: want.ClassNames, Names: want.Names}
		plain.Cells.Centred, plain.Cells.LowQ = nil, nil
		var b bytes.Buffer
		testkit.Must(writeIndex(&b, x, &plain.Cells))
		y := testkit.Must(decode(b.Bytes(), nil))
		if i := countOf(t, y, postings.CountOptions{}).Cells.FirstDifference(&want.Cells); i >= 0 {
			t.Errorf("%s: term %d is another", name, i)
		}
		testkit.Is(t, y.Verify(), files.ErrFormat, name, "verify")
	}
}

// What is centred is refused where it cannot be, though the sums of the file are right.
func TestCentredCellsOfAFileAreChecked(t *testing.T) {
	x := build(t, randomSource(19, 300, false, true))
	counts := countOf(t, x, postings.CountOptions{})
	several := slices.IndexFunc(counts.Cells.Centred.M2, func(m2 float64) bool { return m2 > 0 })
	single := slices.IndexFunc(counts.Cells.Centred.M2, func(m2 float64) bool { return m2 == 0 })
	for name, edit := range map[string]func(f *table.Centred){
		"a negative square":               func(f *table.Centred) { f.M2[several] = -1 },
		"an infinite one":                 func(f *table.Centred) { f.M2[several] = math.Inf(1) },
		"no number":                       func(f *table.Centred) { f.M2[several] = math.NaN() },
		"squares of a single document":    func(f *table.Centred) { f.M2[single] = 1 },
		"a sum that lacks much":           func(f *table.Centred) { f.S[several] = 1e3 },
		"a sum that lacks no number":      func(f *table.Centred) { f.S[several] = math.NaN() },
		"occurrences that lack much":      func(f *table.Centred) { f.CF[0] = -1e6 },
		"occurrences that lack no number": func(f *table.Centred) { f.CF[0] = math.NaN() },
	} {
		c := table.Table{Cells: counts.Cells, ClassNames: counts.ClassNames, Names: counts.Names}
		c.Cells.Centred = &table.Centred{CF: slices.Clone(counts.Cells.Centred.CF), S: slices.Clone(counts.Cells.Centred.S), M2: slices.Clone(counts.Cells.Centred.M2)}
		edit(c.Cells.Centred)
		var b bytes.Buffer
		testkit.Must(writeIndex(&b, x, &c.Cells))
		y := testkit.Must(decode(b.Bytes(), nil))
		testkit.Is(t, testkit.Err(y.Count(t.Context(), postings.CountOptions{})), files.ErrFormat, name)
		testkit.Is(t, y.Verify(), files.ErrFormat, name, "verify")
		b.Reset()
		if _, err := WriteTable(&b, &c, nil); err != nil {
			continue // it is refused before
		}
		if _, _, err := DecodeTable(b.Bytes()); !errors.Is(err, files.ErrFormat) {
			t.Errorf("%s: statistics: %v", name, err)
		}
	}
	for name, edit := range map[string]func(f *table.Centred){ // possible, but not those of the postings
		"another square":          func(f *table.Centred) { f.M2[several] *= 1 + 1e-15 },
		"another sum":             func(f *table.Centred) { f.S[several] += 1e-15 },
		"other occurrences":       func(f *table.Centred) { f.CF[0] += 1e-15 },
		"what could be left away": func(f *table.Centred) { f.S[several] = math.Copysign(0, -1) },
	} {
		c := table.Table{Cells: counts.Cells, ClassNames: counts.ClassNames, Names: counts.Names}
		c.Cells.Centred = &table.Centred{CF: slices.Clone(counts.Cells.Centred.CF), S: slices.Clone(counts.Cells.Centred.S), M2: slices.Clone(counts.Cells.Centred.M2)}
		if edit(c.Cells.Centred); counts.Cells.Centred.S[several] == 0 && c.Cells.Centred.S[several] == 0 {
			continue
		}
		var b bytes.Buffer
		testkit.Must(writeIndex(&b, x, &c.Cells))
		testkit.Is(t, testkit.Must(decode(b.Bytes(), nil)).Verify(), files.ErrFormat, name, "verify")
	}
}

// Random edits of cells of real values, whose sums are made right again, are an error or
// give an index that counts.
func TestRandomEditsOfCentredCells(t *testing.T) {
	data := written(t, build(t, randomSource(23, 60, false, true)), WriteOptions{Cells: true})
	x := testkit.Must(decode(data, nil))
	from, to := cellPlace(x)
	r := rand.New(rand.NewPCG(51, 52))
	refused := 0
	for range 400 {
		edited := slices.Clone(data)
		for range 1 + r.IntN(3) {
			edited[from+r.IntN(to-from)] = byte(r.IntN(256))
		}
		faults.Seal(edited)
		y, err := decode(edited, nil)
		if err == nil {
			_, err = y.Count(t.Context(), postings.CountOptions{})
		}
		if err != nil && !typed(err) {
			t.Fatal(err)
		}
		if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("no edit was refused")
	}
}

// Counts have no cells of real values, and there is no such form without cells.
func TestCountsWithTheFormOfRealValues(t *testing.T) {
	x := build(t, randomSource(20, 300, false, false))
	var b bytes.Buffer
	c := countOf(t, x, postings.CountOptions{})
	n := c.Cells.Len()
	c.Cells.Centred = &table.Centred{CF: make([]float64, c.Cells.Terms()), S: make([]float64, n), M2: make([]float64, n)}
	testkit.Must(writeIndex(&b, x, &c.Cells))
	testkit.Is(t, testkit.Err(Decode(b.Bytes())), files.ErrFormat, "cells of counts")
	b.Reset()
	y := build(t, randomSource(20, 300, false, true))
	o := testkit.Must(newWriter(&b, indexMagic))
	testkit.OK(writeSections(o, y, nil, []byte(`{"classes":["ant","bee","cow","zebra"],"cells":"real"}`)))
	testkit.Is(t, testkit.Err(Decode(b.Bytes())), files.ErrFormat, "no cells")
}

// Statistics of real values keep everything in their file, which has none without what sums lose.
func TestStatisticsOfRealValues(t *testing.T) {
	for name, x := range realIndexes(t) {
		s := countOf(t, x, postings.CountOptions{})
		var b bytes.Buffer
		testkit.Must(WriteTable(&b, s, nil))
		back, _, err := DecodeTable(b.Bytes())
		testkit.Is(testkit.Stop(t), err, nil, name)
		if i := back.Cells.FirstDifference(&s.Cells); i >= 0 || back.Cells.Form() == table.PlainCells {
			t.Errorf("%s: term %d is another", name, i)
		}
		s.Cells.Centred, s.Cells.LowQ = nil, nil
		if _, err := WriteTable(&b, s, nil); !s.Cells.CF.Whole() && !errors.Is(err, ErrUnwritable) {
			t.Errorf("%s: real values as counts: %v", name, err)
		}
	}
}
