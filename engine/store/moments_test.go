package store

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
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

// Moments have the same bits on any number of threads, in which way ever the lists are counted, and from the file.
func TestMomentsAreTheSameOnEveryPath(t *testing.T) {
	for name, x := range realIndexes(t) {
		want := countOf(t, x, postings.CountOptions{Threads: 1})
		testkit.Equal(testkit.Stop(t), want.Cells.Form, x.Form(), name)
		everywhere := roaring.New()
		everywhere.AddRange(0, uint64(x.Documents()))
		data := written(t, x, WriteOptions{Cells: true})
		opened := testkit.Must(Decode(data))
		if fileOf(opened).layout.form == table.Counts || !bytes.Equal(encoded(t, opened), data) {
			t.Errorf("%s: form %v, and another file when it is written again", name, fileOf(opened).layout.form)
		}
		for path, got := range map[string]*table.Table{
			"threads":  countOf(t, x, postings.CountOptions{Threads: 3}),
			"weights":  countOf(t, x, postings.CountOptions{Threads: 1, Weighting: table.LTC}),
			"within":   countOf(t, x, postings.CountOptions{Threads: 2, Within: everywhere}),
			"file":     countOf(t, opened, postings.CountOptions{Threads: 1}),
			"no cells": countOf(t, testkit.Must(Decode(encoded(t, x))), postings.CountOptions{Threads: 1}),
		} {
			testkit.Equal(t, got.Hash(), want.Hash(), name, path)
		}
	}
}

// Squared distances are refused where they cannot be, though the sums of the file are right.
func TestMomentsOfAFileAreChecked(t *testing.T) {
	x := build(t, randomSource(19, 300, false, true))
	counts := countOf(t, x, postings.CountOptions{})
	var all table.Tile
	counts.Cells.Read(&all, 0, counts.Cells.Terms(), true)
	edited := func(several bool, distances float64) *table.Table { // of the first cell of one document, or several
		c := &table.Table{ClassNames: counts.ClassNames, Names: counts.Names}
		c.Cells.Margins, c.Cells.Form = counts.Cells.Margins, counts.Cells.Form
		for i := range all.DF {
			for k, to := all.Range(i); k < to; k++ {
				m2 := all.M2[k]
				if several == (all.A[k] > 1) && !math.IsInf(distances, -1) {
					m2, distances = distances, math.Inf(-1)
				}
				c.Cells.Append(all.Class[k], all.A[k], all.S[k], m2)
			}
			c.Cells.EndTerm(float64(all.DF[i]), all.CF[i])
		}
		return c
	}
	for name, c := range map[string]*table.Table{
		"a negative square":            edited(true, -1),
		"an infinite one":              edited(true, math.Inf(1)),
		"no number":                    edited(true, math.NaN()),
		"squares of a single document": edited(false, 1),
		"another square":               edited(true, 1e-15), // possible, but not that of the postings
	} {
		var b bytes.Buffer
		testkit.Must(writeIndex(&b, x, &c.Cells))
		y := testkit.Must(decode(b.Bytes(), nil))
		testkit.Is(t, y.Verify(), files.ErrFormat, name, "verify")
		if name == "another square" {
			continue
		}
		testkit.Is(t, testkit.Err(y.Count(t.Context(), postings.CountOptions{})), files.ErrFormat, name)
		testkit.Is(t, testkit.Err(WriteTable(&b, c, nil)), ErrUnwritable, name)
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

// The header says of which form cells are, and so do the postings.
func TestFormsThatContradictThePostings(t *testing.T) {
	for _, real := range []bool{false, true} {
		x := build(t, randomSource(20, 300, false, real))
		c := countOf(t, x, postings.CountOptions{})
		c.Cells.Form = table.RealValues - c.Cells.Form
		var b bytes.Buffer
		testkit.Must(writeIndex(&b, x, &c.Cells))
		testkit.Is(t, testkit.Err(Decode(b.Bytes())), files.ErrFormat, "real values", real)
		b.Reset()
		o := testkit.Must(newWriter(&b, indexMagic))
		testkit.OK(writeSections(o, x, nil, []byte(`{"classes":["ant","bee","cow","zebra"],"cells":"real"}`)))
		testkit.Is(t, testkit.Err(Decode(b.Bytes())), files.ErrFormat, "no cells")
	}
}

// Statistics of real values and large counts keep their form in a file.
func TestStatisticsOfRealValues(t *testing.T) {
	for name, x := range realIndexes(t) {
		s := countOf(t, x, postings.CountOptions{})
		var b bytes.Buffer
		testkit.Must(WriteTable(&b, s, nil))
		back, _, err := DecodeTable(b.Bytes())
		testkit.Is(testkit.Stop(t), err, nil, name)
		testkit.Equal(t, back.Hash(), s.Hash(), name)
		s.Cells.Form = table.Counts
		testkit.Is(t, testkit.Err(WriteTable(&b, s, nil)), ErrUnwritable, name, "as counts")
	}
}
