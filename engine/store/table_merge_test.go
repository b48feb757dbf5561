package store_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/usage"
)

// opener opens files in memory by their numbers.
func opener(files [][]byte) func(i int) (*store.TableFile, error) {
	return func(i int) (*store.TableFile, error) {
		return store.NewTableFile(bytes.NewReader(files[i]), int64(len(files[i])))
	}
}

func mergedStatistics(t testing.TB, files [][]byte, o store.TableMergeOptions) []byte {
	t.Helper()
	var b bytes.Buffer
	mergeInto(t, &b, files, o)
	return b.Bytes()
}

// mergeInto writes the sum of files to w.
func mergeInto(t testing.TB, w io.Writer, files [][]byte, o store.TableMergeOptions) {
	testkit.OK(store.MergeTables(t.Context(), w, len(files), opener(files), o))
}

// Merging files gives the file of the sum, of counts and of real values, of files with few
// and many and with other classes, at once and in passes.
func TestMergedStatisticsFiles(t *testing.T) {
	for name, shapes := range map[string][]struct {
		terms, classes int
		real           bool
	}{
		"one":          {{300, 3, false}},
		"two":          {{300, 3, false}, {2000, 3, false}},
		"empty":        {{0, 0, false}, {300, 4, false}, {0, 3, false}},
		"counts":       {{300, 3, false}, {5000, 20, false}, {1024, 5, false}, {40, 300, false}, {2000, 3, false}, {1, 1, false}, {800, 300, false}},
		"real":         {{300, 3, true}, {2000, 20, true}, {500, 300, true}},
		"real at last": {{300, 3, false}, {2000, 20, true}},
	} {
		var files [][]byte
		var sum *table.Table
		for i, shape := range shapes {
			s := randomStatistics(uint64(100+i), shape.terms, shape.classes, shape.real)
			files = append(files, statisticsFile(t, s))
			if sum == nil {
				sum = s
			} else {
				sum = testkit.Must(table.AddCounts(sum, s))
			}
		}
		want := statisticsFile(t, sum)
		meta := store.TableMergeOptions{Meta: []byte(`{"a":1}`)}
		testkit.EqualSlices(t, mergedStatistics(t, files, meta), want, name, "another file")
		if name == "counts" {
			for most := 2; most < len(files); most++ {
				o := meta
				o.SetMost(most)
				testkit.EqualSlices(t, mergedStatistics(t, files, o), want, name, most, "at once: another file")
			}
		}
	}
}

// Any order and grouping of files of counts gives the same bytes.
func TestStatisticsOfAnyOrderIsOneBuild(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	var files [][]byte
	for i := range 20 {
		files = append(files, statisticsFile(t, randomStatistics(uint64(i), 1+r.IntN(1500), 1+r.IntN(30), false)))
	}
	want := mergedStatistics(t, files, store.TableMergeOptions{})
	for _, r := range testkit.Cases(t, 60) {
		left := slices.Clone(files)
		r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		for len(left) > 1 {
			n := 2 + r.IntN(len(left)-1)
			left = append([][]byte{mergedStatistics(t, left[:n], store.TableMergeOptions{})}, left[n:]...)
			r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
		}
		testkit.EqualSlices(testkit.Stop(t), left[0], want, "another file")
	}
}

// Counts whose squares become inexact in the sum alone have squared distances there.
func TestMergedStatisticsOfLargeCounts(t *testing.T) {
	of := func(sum, q float64) *table.Table {
		s := &table.Table{ClassNames: []string{"a"}}
		s.Cells.Documents, s.Cells.Labelled, s.Cells.ClassDocs, s.Cells.ClassTokens, s.Cells.Tokens = 2, 2, []float64{2}, []float64{sum}, sum
		s.Cells.Append(0, 2, sum, q)
		s.Cells.EndTerm(2, sum)
		s.Names = table.NamedBy(1, func(int) string { return "term" })
		return s
	}
	for q, sum := range map[float64]float64{6e15: 1e8, 3e15: 6e7} {
		x, y := of(sum, q), of(sum, q-1e15)
		want := testkit.Must(table.AddCounts(x, y))
		got := mergedStatistics(t, [][]byte{statisticsFile(t, x), statisticsFile(t, y)}, store.TableMergeOptions{Meta: []byte(`{"a":1}`)})
		if (want.Cells.Form == table.LargeCounts) != (q == 6e15) || !bytes.Equal(got, statisticsFile(t, want)) {
			t.Errorf("squares of %v: form %v, or another file", q, want.Cells.Form)
		}
	}
}

// A document frequency of 2^32 - 1 is held, and one more is refused by the name of the term,
// where it would be a file that nothing reads, or a small number.
func TestSumOfTooManyDocuments(t *testing.T) {
	of := func(documents, value float64) *table.Table {
		s := &table.Table{ClassNames: []string{"a"}}
		s.Cells.Documents, s.Cells.Labelled, s.Cells.Tokens = documents, documents, value
		s.Cells.ClassDocs, s.Cells.ClassTokens = []float64{documents}, []float64{value}
		s.Cells.Append(0, documents, value, value)
		s.Cells.EndTerm(documents, value)
		s.Names = table.NamedBy(1, func(int) string { return "the" })
		return s
	}
	meta := store.TableMergeOptions{Meta: []byte(`{"a":1}`)}
	half := of(1<<31, 1<<31)
	for _, other := range []*table.Table{of(1<<31-1, 1<<31-1), of(1<<31, 1<<31), centredTable(of(1<<31, 1<<31))} {
		files := [][]byte{statisticsFile(t, half), statisticsFile(t, other)}
		sum, err := table.AddCounts(half, other)
		var b bytes.Buffer
		mergeErr := store.MergeTables(t.Context(), &b, len(files), opener(files), meta)
		if other.Cells.DF[0] < 1<<31 {
			if err != nil || mergeErr != nil || sum.Cells.DF[0] != math.MaxUint32 || !bytes.Equal(b.Bytes(), statisticsFile(t, sum)) {
				t.Errorf("2^32-1 documents: %v, %v", err, mergeErr)
			}
			continue
		}
		for _, err := range []error{err, mergeErr} {
			testkit.Refused(t, err, usage.ErrData, `"the" is in more than 4294967295 documents`, "2^32 documents")
		}
	}
}

// centredTable gives statistics the columns of real values.
func centredTable(s *table.Table) *table.Table {
	c := &table.Table{ClassNames: s.ClassNames, Names: s.Names}
	c.Cells.Margins = s.Cells.Margins
	c.Cells.Form = table.RealValues
	c.Cells.Append(0, s.Cells.A.At(0, 0), s.Cells.S.At(0, s.Cells.A.At(0, 0)), 0)
	c.Cells.EndTerm(float64(s.Cells.DF[0]), s.Cells.Tokens)
	return c
}

// A bit that is flipped in a file is found when it is merged, and so is a hostile one.
func TestMergedStatisticsThatAreBroken(t *testing.T) {
	sound, data := statisticsFile(t, randomStatistics(1, 50, 3, false)), statisticsFile(t, randomStatistics(2, 60, 3, false))
	merge := func() error {
		files := [][]byte{sound, data}
		return store.MergeTables(t.Context(), &bytes.Buffer{}, 2, opener(files), store.TableMergeOptions{})
	}
	for i := range data {
		data[i] ^= 1 << (i % 8)
		testkit.Equal(testkit.Stop(t), statisticsError(merge()), true, "byte", i)
		data[i] ^= 1 << (i % 8)
	}
	whole := data
	for data = whole[:0]; len(data) < len(whole); data = whole[:len(data)+1] {
		testkit.Equal(testkit.Stop(t), statisticsError(merge()), true, "cut at", len(data))
	}
	r, accepted := rand.New(rand.NewPCG(1, 2)), 0
	for range 500 {
		data = slices.Clone(whole)
		data[r.IntN(len(data))] = byte(r.IntN(256))
		faults.Seal(data)
		_, _, read := store.DecodeTable(data)
		if err := merge(); (err == nil) != (read == nil) || err != nil && !statisticsError(err) {
			t.Fatalf("%v, reading %v", err, read)
		} else if err == nil {
			accepted++
		}
	}
	if accepted == 0 || accepted == 500 {
		t.Error(accepted)
	}
	pruned := randomStatistics(1, 50, 3, false)
	pruned.Pruned = true
	if data = statisticsFile(t, pruned); !errors.Is(merge(), table.ErrPruned) {
		t.Error(merge())
	}
}

// Faults of the temporary files and cancelling end the merging with the error.
func TestFaultsOfMergedStatistics(t *testing.T) {
	var files [][]byte
	for i := range 7 {
		files = append(files, statisticsFile(t, randomStatistics(uint64(i), 2000, 3, false)))
	}
	want := mergedStatistics(t, files, store.TableMergeOptions{})
	first, step := testkit.CaseSteps(t, 1)
	faults.EachTemporaryFault(t, first, step, want, func(sys *faults.Temporary, dir string, w io.Writer) error {
		o := store.TableMergeOptions{Temporary: sys, Dir: dir}
		o.SetMost(3)
		return store.MergeTables(t.Context(), w, len(files), opener(files), o)
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, store.MergeTables(ctx, &bytes.Buffer{}, len(files), opener(files), store.TableMergeOptions{}),
		context.Canceled)
}
