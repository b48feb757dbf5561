package store_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/table"
)

// randomStatistics returns counts of random terms, which have odd names, in random classes.
func randomStatistics(seed uint64, terms, classes int, real bool) *table.Table {
	r := rand.New(rand.NewPCG(seed, 71))
	names := map[string]bool{}
	for len(names) < terms {
		name := make([]byte, r.IntN(12))
		for i := range name {
			name[i] = "ab\x00\xff"[r.IntN(4)]
		}
		switch r.IntN(100) {
		case 0:
			names[strings.Repeat("long", 100)+string(name)] = true
		case 1:
			names[strings.Repeat("x", r.IntN(70))] = true
		default:
			names[string(name)] = true
		}
	}
	type term struct {
		name string
		df   float64
	}
	all := make([]term, 0, terms)
	for name := range names {
		all = append(all, term{name, 0})
	}
	slices.SortFunc(all, func(a, b term) int { return strings.Compare(a.name, b.name) })
	for i := range all {
		all[i].df = 1 + math.Floor(math.Exp(r.Float64()*7))
	}
	slices.SortStableFunc(all, func(a, b term) int { return int(b.df - a.df) })
	s := &table.Table{}
	if real {
		s.Cells.Form = table.RealValues
	}
	s.Cells.Documents, s.Cells.Labelled = 100_000, min(90_000, 80_000*float64(classes))
	for c := range classes {
		s.ClassNames = append(s.ClassNames, "class "+string(rune('A'+c/26/26))+string(rune('a'+c/26%26))+string(rune('a'+c%26)))
		s.Cells.ClassDocs = append(s.Cells.ClassDocs, 80_000)
		s.Cells.ClassTokens = append(s.Cells.ClassTokens, math.Floor(1e6*r.Float64()))
	}
	value := func(least float64) float64 {
		if r.IntN(50) == 0 {
			least += math.Floor(1e6 * r.Float64())
		}
		if real {
			return least + r.Float64()*3
		}
		return least + float64(r.IntN(4))
	}
	for _, t := range all {
		cf := t.df
		for c := range classes {
			if r.IntN(classes) >= 3 {
				continue
			}
			a := 1 + float64(r.IntN(int(t.df)))
			sum := value(a)
			squares := squaresOf(a, sum, value)
			if real {
				squares = value(0) * min(a-1, 1)
			}
			s.Cells.Append(uint32(c), a, sum, squares)
			s.Cells.ClassTokens[c] += sum
			cf += sum
		}
		s.Cells.Tokens += cf
		s.Cells.EndTerm(t.df, cf)
	}
	s.Cells.Tokens += 1e6 // of terms that are left out
	if len(s.Cells.Start) == 0 {
		s.Cells.Start = []int{0}
	}
	s.Names = table.NamedBy(len(all), func(i int) string { return all[i].name })
	return s
}

// squaresOf returns a sum of squares that values can have which add up to sum, counts if value returns
// a whole number: one that is not much above another.
func squaresOf(values, sum float64, value func(least float64) float64) float64 {
	beyond := value(math.Ceil(sum*sum/values)) - sum
	if math.Mod(beyond, 2) == 1 {
		beyond++
	}
	return sum + min(beyond, (sum-values)*(sum-values+1))
}

func statisticsFile(t testing.TB, s *table.Table) []byte {
	t.Helper()
	var b bytes.Buffer
	n := testkit.Must(store.WriteTable(&b, s, json.RawMessage(`{"a":1}`)))
	testkit.Equal(testkit.Stop(t), n, int64(b.Len()), b.Len())
	return b.Bytes()
}

// sameStatistics reports a difference of names, margins or cells.
func sameStatistics(t *testing.T, what string, got, want *table.Table) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), got.Hash(), want.Hash(), what)
	for i := range got.Names.Len() {
		testkit.Equal(testkit.Stop(t), got.Names.Term(i), want.Names.Term(i), what, "term", i)
	}
	margins := func(s *table.Table) []float64 {
		return slices.Concat([]float64{s.Cells.Documents, s.Cells.Labelled, s.Cells.Tokens}, s.Cells.ClassDocs, s.Cells.ClassTokens)
	}
	if !slices.Equal(margins(got), margins(want)) || !slices.Equal(got.ClassNames, want.ClassNames) || got.Pruned != want.Pruned || got.Missing != want.Missing {
		t.Fatalf("%s: margins %v, not %v", what, margins(got), margins(want))
	}
	testkit.Equal(testkit.Stop(t), slices.IsSortedFunc(got.Names.Sorted(), func(a, b uint32) int {
		return strings.Compare(got.Names.Term(int(a)), got.Names.Term(int(b)))
	}), true, what, "the byte order of the terms is wrong")
}

// Statistics come out of files as they went in, with few and many terms and classes.
func TestStatisticsFiles(t *testing.T) {
	for _, shape := range []struct {
		terms, classes int
		real           bool
	}{{0, 0, false}, {1, 1, false}, {1, 1, true}, {900, 3, false}, {1024, 3, true}, {5000, 20, false}, {3000, 300, false}, {3000, 300, true}, {30, 9000, false}} {
		s := randomStatistics(uint64(shape.terms), shape.terms, shape.classes, shape.real)
		s.Pruned = shape.terms == 900
		if shape.terms == 5000 {
			s.Missing = 70_000
		}
		data := statisticsFile(t, s)
		got, meta, err := store.DecodeTable(data)
		testkit.Is(testkit.Stop(t), err, nil, shape)
		sameStatistics(t, "decoded", got, s)
		testkit.Equal(testkit.Stop(t), string(meta), `{"a":1}`, "meta")
		testkit.EqualSlices(testkit.Stop(t), statisticsFile(t, got), data, shape, "another file")
		f := testkit.Must(store.NewTableFile(bytes.NewReader(data), int64(len(data))))
		testkit.Equal(testkit.Stop(t), f.Terms, shape.terms, f)
	}
}

// The golden files of statistics open for ever, give what the indexes give of which they were made, and
// are written as they are.
func TestGoldenStatisticsFiles(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata")
	for file, index := range map[string]string{"statistics-v5.stats": "index-v5.idx", "statistics-v5-real.stats": "index-v5-real.idx"} {
		x := testkit.Must(store.Open(filepath.Join(dir, index), store.OpenOptions{}))
		want := testkit.Must(x.Count(t.Context(), postings.CountOptions{}))
		if flag.Lookup("update").Value.String() == "true" {
			testkit.Write(filepath.Join(dir, file), statisticsFile(t, want))
		}
		data := testkit.Must(os.ReadFile(filepath.Join(dir, file)))
		s, _, err := store.DecodeTable(data)
		testkit.OK(err)
		sameStatistics(t, file, s, want)
		testkit.EqualSlices(t, data, statisticsFile(t, want), file, "its index makes other bytes")
		testkit.OK(x.Close())
	}
}

// Files of other versions, and those that need what this program does not know, are refused with
// what to do.
func TestStatisticsFilesOfOtherVersions(t *testing.T) {
	data := statisticsFile(t, randomStatistics(2, 40, 300, true))
	for _, c := range []struct {
		at    int
		value byte
		says  string
	}{
		{8, 0, "count again from the text"},
		{8, 1, "count again from the text"},
		{8, 2, "count again from the text"},
		{8, 3, "count again from the text"},
		{8, 4, "made by an earlier version of this program: count again from the text"},
		{8, 6, "use a newer one"},
		{16, 1, "use a newer one"},
	} {
		edited := slices.Clone(data)
		edited[c.at] = c.value
		binary.LittleEndian.PutUint64(edited[56:], xxh3.Hash(edited[:56]))
		_, _, decoded := store.DecodeTable(edited)
		_, opened := store.NewTableFile(bytes.NewReader(edited), int64(len(edited)))
		for _, err := range []error{decoded, opened} {
			testkit.Refused(t, err, files.ErrVersion, c.says, c.value, "at", c.at)
		}
	}
}

func statisticsError(err error) bool {
	return errors.Is(err, files.ErrFormat) || errors.Is(err, files.ErrVersion) || errors.Is(err, files.ErrChecksum) || errors.Is(err, files.ErrTruncated)
}

// A bit that is flipped, and bytes that are missing or too many, are found.
func TestBrokenStatisticsFiles(t *testing.T) {
	rare := randomStatistics(3, 30, 4, false)
	rare.Missing = 300
	golden := map[string][]byte{
		"counts":  statisticsFile(t, randomStatistics(1, 100, 4, false)),
		"real":    statisticsFile(t, randomStatistics(2, 40, 300, true)),
		"missing": statisticsFile(t, rare),
	}
	for name, data := range golden {
		for i := range data {
			for bit := range 8 {
				data[i] ^= 1 << bit
				if _, _, err := store.DecodeTable(data); !statisticsError(err) {
					t.Fatalf("%s: bit %d of byte %d: %v", name, bit, i, err)
				}
				data[i] ^= 1 << bit
			}
			if _, _, err := store.DecodeTable(data[:i]); !statisticsError(err) {
				t.Fatalf("%s: cut at %d: %v", name, i, err)
			}
		}
		if _, _, err := store.DecodeTable(append(slices.Clone(data), 0)); !errors.Is(err, files.ErrFormat) {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// Random edits of files whose sums are made right again are an error or give statistics that
// can be written and merged, and take no more memory than the file's length allows.
func TestEditsOfStatisticsFiles(t *testing.T) {
	refused, tried := 0, 0
	whole := [][]byte{statisticsFile(t, randomStatistics(1, 100, 4, false)), statisticsFile(t, randomStatistics(2, 40, 300, true))}
	for i, r := range testkit.Cases(t, 20_000) {
		tried++
		data := slices.Clone(whole[i%2])
		for range 1 + r.IntN(3) {
			at := r.IntN(len(data))
			if r.IntN(2) == 0 && at+4 <= len(data) { // of a length
				binary.LittleEndian.PutUint32(data[at:], uint32(1)<<r.IntN(32)-uint32(r.IntN(2)))
			} else {
				data[at] = byte(r.IntN(256))
			}
		}
		faults.Seal(data)
		var s *table.Table
		var err error
		allocated := enginetest.Allocated(func() { s, _, err = store.DecodeTable(data) })
		if allocated > 1<<21+64*int64(len(data)) {
			t.Fatalf("%d bytes allocated for %d", allocated, len(data))
		}
		if err != nil {
			refused++
			testkit.Equal(testkit.Stop(t), statisticsError(err), true, err)
			continue
		}
		statisticsFile(t, s)
	}
	if refused < tried/4 || refused == tried {
		t.Errorf("%d of %d were refused", refused, tried)
	}
}

var _ = table.Escape
