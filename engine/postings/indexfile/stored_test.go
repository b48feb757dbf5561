package indexfile

import (
	"bytes"
	"context"
	"errors"
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
	testkit.Must(Write(t.Context(), &b, x, opt))
	return b.Bytes()
}

// everything returns the file with everything in it that a file may have, as programs wrote it that
// stored the forward view and weights.
func everything(t testing.TB, x *postings.Index) []byte {
	t.Helper()
	x = testkit.Must(decode(written(t, x, WriteOptions{Cells: true}), nil))
	var sections [sumSection][]byte
	for kind := range sections {
		sections[kind] = fileOf(x).body.content(sectionKind(kind))
	}
	forward, weights := testkit.Must(x.Forward(t.Context(), 1)), testkit.Must(x.Weights(t.Context(), table.LTC))
	starts, all, values := []uint64{0}, []uint32{}, []float32{}
	for d := range forward.Documents() {
		all = append(all, forward.Terms(d)...)
		starts = append(starts, uint64(len(all)))
	}
	for term := range x.Terms.Len() {
		values = append(values, weights.Of(term)...)
	}
	sections[metaSection] = bytes.Replace(sections[metaSection], []byte(`"cells":true`), []byte(`"cells":true,"weights":"ltc"`), 1)
	sections[forwardStarts], sections[forwardTerms] = files.BytesOf(starts), files.BytesOf(all)
	sections[weightSection] = files.BytesOf(values)
	var b bytes.Buffer
	testkit.Must(writeSections(&b, fileOf(x).body.features, sections))
	return b.Bytes()
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

// Files with a forward view and weights open and verify; nothing reads these sections, and they are
// not written again.
func TestForwardAndWeightsOfAFileAreIgnored(t *testing.T) {
	for _, real := range []bool{false, true} {
		built := build(t, randomSource(13, 300, true, real))
		data := everything(t, built)
		x := testkit.Must(Decode(data))
		sameQueries(t, x, built)
		testkit.EqualSlices(t, encoded(t, x), written(t, built, WriteOptions{Cells: true}),
			"written again it has other bytes than the file without them")
		for _, kind := range []sectionKind{forwardStarts, forwardTerms, weightSection} {
			edited := slices.Clone(data)
			edited[sectionPlace(x, kind)+8] ^= 1
			y := testkit.Must(decode(edited, nil))
			sameQueries(t, y, built)
			testkit.Is(t, y.Verify(), files.ErrChecksum, kind, "verify")
		}
	}
}

// Cells are used where they are: their own sum is wrong, the lists' are right.
func TestStoredIsUsedAndVerified(t *testing.T) {
	data := written(t, build(t, randomSource(14, 300, false, false)), WriteOptions{Cells: true})
	x := testkit.Must(decode(data, nil))
	for _, use := range []struct {
		kind sectionKind
		use  func() error
	}{
		{cellTerms, func() error { _, err := x.Count(t.Context(), postings.CountOptions{}); return err }},
		{cellClasses, func() error { _, err := x.Count(t.Context(), postings.CountOptions{}); return err }},
		{cellDocs, func() error { _, err := x.Count(t.Context(), postings.CountOptions{}); return err }},
		{cellSums, func() error { _, err := x.Count(t.Context(), postings.CountOptions{}); return err }},
		{cellSquares, func() error { _, err := x.Count(t.Context(), postings.CountOptions{}); return err }},
		{cellEscapes, func() error { _, err := x.Count(t.Context(), postings.CountOptions{}); return err }},
	} {
		edited := slices.Clone(data)
		edited[sectionPlace(x, use.kind)] ^= 1
		x = testkit.Must(decode(edited, nil))
		var broken *files.FileError
		if err := use.use(); !errors.As(err, &broken) || broken.Section != use.kind.String() || !errors.Is(err, files.ErrChecksum) {
			t.Errorf("%v: %v", use.kind, err)
		}
		testkit.Is(t, testkit.Err(x.Bitmap(1)), nil, use.kind, "a list that is right")
		testkit.Is(t, x.Verify(), files.ErrChecksum, use.kind, "verify")
		x = testkit.Must(decode(data, nil))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	testkit.Is(t, testkit.Err(x.Count(ctx, postings.CountOptions{})), context.Canceled, "the cells, cancelled")
}

// sectionPlace is where a section begins in the file.
func sectionPlace(x *postings.Index, kind sectionKind) int {
	at := headerSize
	for k := range kind {
		at += len(fileOf(x).body.sections[k].data)
	}
	return at
}

// Numbers that cannot be are refused though their sums are right.
func TestStoredIsHeldAgainstTheIndex(t *testing.T) {
	data := written(t, build(t, randomSource(15, 300, false, false)), WriteOptions{Cells: true})
	x := testkit.Must(decode(data, nil))
	for name, edit := range map[string]struct {
		kind  sectionKind
		at    int
		value uint64
		size  int // of the value in bytes; 0 = it is added to a byte
	}{
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
	} {
		edited := slices.Clone(data)
		at := sectionPlace(x, edit.kind) + edit.at
		switch edit.size {
		case 0:
			edited[at] += byte(edit.value)
		case 1:
			edited[at] = byte(edit.value)
		default:
			le.PutUint64(edited[at:], edit.value)
		}
		faults.SealIndex(edited)
		y := testkit.Must(decode(edited, nil))
		testkit.Is(t, testkit.Err(y.Count(t.Context(), postings.CountOptions{})), files.ErrFormat, name)
		testkit.Is(t, y.Verify(), files.ErrFormat, name, "verify")
	}
}
