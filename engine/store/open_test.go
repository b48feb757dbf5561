package store

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// saved writes the file of an index.
func saved(t testing.TB, data []byte) string {
	return testkit.Write(filepath.Join(t.TempDir(), "x.idx"), data)
}

func open(t testing.TB, path string, opt OpenOptions) *postings.Index {
	t.Helper()
	x := testkit.Must(Open(path, opt))
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// A file that is opened, mapped or read, is the index that was written.
func TestOpen(t *testing.T) {
	for _, multi := range []bool{false, true} {
		for _, real := range []bool{false, true} {
			built := build(t, randomSource(3, 200, multi, real))
			data := encoded(t, built)
			path := saved(t, data)
			for _, opt := range []OpenOptions{{}, {Read: true}, {Verify: true}, {Read: true, Verify: true}} {
				x := open(t, path, opt)
				sameStatistics(t, countOf(t, x, postings.CountOptions{Weighting: table.LTC}), countOf(t, built, postings.CountOptions{Weighting: table.LTC}))
				sameQueries(t, x, built)
				testkit.EqualSlices(testkit.Stop(t), encoded(t, x), data, "writing it again gives other bytes")
			}
		}
	}
}

// sameQueries asks an index what has no statistics.
func sameQueries(t *testing.T, got, want *postings.Index) {
	t.Helper()
	testkit.EqualSlices(testkit.Stop(t), testkit.Must(got.InputOrder()), testkit.Must(want.InputOrder()),
		"another order of the input")
	ids, wanted := testkit.Must(got.DocumentIDs()), testkit.Must(want.DocumentIDs())
	for d := range want.Documents() {
		testkit.Equal(testkit.Stop(t), ids.Term(d), wanted.Term(d), "document", d, "is another")
		testkit.EqualSlices(testkit.Stop(t), got.Labels(d), want.Labels(d), "document", d, "is another")
	}
	testkit.Equal(testkit.Stop(t), testkit.Must(got.EmptyDocuments(t.Context())),
		testkit.Must(want.EmptyDocuments(t.Context())), "other empty documents")
	a, b := testkit.Must(got.Forward(t.Context())), testkit.Must(want.Forward(t.Context()))
	testkit.Same(testkit.Stop(t), a, b, "another forward view")
	w, v := testkit.Must(got.Weights(t.Context(), table.LTC)), testkit.Must(want.Weights(t.Context(), table.LTC))
	for term := range want.Terms.Len() {
		if !testkit.Must(got.Bitmap(term)).Equals(testkit.Must(want.Bitmap(term))) || !slices.Equal(w.Of(term), v.Of(term)) {
			t.Fatalf("term %d has another list", term)
		}
	}
}

// Opening reads what everything rests on, and a query what it asks for.
func TestOpenIsLazy(t *testing.T) {
	x := open(t, saved(t, encoded(t, build(t, randomSource(3, 3000, false, false)))), OpenOptions{})
	verified := func(kind sectionKind) (n int) {
		s := &fileOf(x).body.sections[kind]
		for b := range s.blocks {
			if at := s.first + b; fileOf(x).body.verified[at/64].Load()>>(at%64)&1 == 1 {
				n++
			}
		}
		return n
	}
	lazy := []sectionKind{documentText, documentLengths, inputPlaces, denseSection, flatSection, countSection}
	for _, kind := range lazy {
		testkit.Equal(t, verified(kind), 0, "opening has looked at", kind)
	}
	testkit.Must(x.Bitmap(0))
	testkit.Equal(t, verified(denseSection), 1, "one list took", "blocks of lists and")
	testkit.Equal(t, verified(countSection), 0, "one list took", "blocks of lists and")
	testkit.OK(x.Verify())
	for kind := range numSections {
		testkit.Equal(t, verified(kind), fileOf(x).body.sections[kind].blocks, "blocks verified of", kind)
	}
}

// A flipped bit gives an error or, where it was not looked at, the right answer.
func TestFlipsInAnOpenFile(t *testing.T) {
	built := build(t, randomSource(4, 30, true, false))
	want, data := countOf(t, built, postings.CountOptions{}), withCells(t, built)
	forward, weights := testkit.Must(built.Forward(t.Context())), testkit.Must(built.Weights(t.Context(), table.LTC))
	step := 3
	if testing.Short() {
		step = 101
	}
	found, tried := 0, 0
	for bit := 0; bit < 8*len(data); bit += step {
		tried++
		data[bit/8] ^= 1 << (bit % 8)
		x, err := decode(data, nil)
		var got *table.Table
		var f *postings.Forward
		var w *postings.Weights
		if err == nil {
			got, err = x.Count(t.Context(), postings.CountOptions{Threads: 1})
		}
		if err == nil {
			f, err = x.Forward(t.Context())
		}
		if err == nil {
			w, err = x.Weights(t.Context(), table.LTC)
		}
		switch {
		case err == nil:
			sameStatistics(t, got, want)
			testkit.Same(testkit.Stop(t), f, forward, "bit", bit, "another forward view or other weights")
			testkit.Same(testkit.Stop(t), w, weights, "bit", bit, "another forward view or other weights")
		case !typed(err):
			t.Fatalf("bit %d: %v", bit, err)
		default:
			found++
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
	testkit.TriedCases(t, tried)
	t.Logf("%d flips were found by what uses the file", found)
}

// Making the sums of a sound file right changes nothing.
func TestRepairRepairs(t *testing.T) {
	data := encoded(t, build(t, randomSource(4, 40, true, false)))
	again := slices.Clone(data)
	faults.Seal(again)
	testkit.EqualSlices(testkit.Stop(t), again, data, "the sums of a sound file changed")
}

// Edits whose sums are right are errors or indexes that can be asked anything. An
// edit is of a number in a random place or in the frame, where most are errors.
func TestEditsWithRightSums(t *testing.T) {
	edits := testkit.CaseNumbers(t, 200_000)
	kinds := [][]byte{
		encoded(t, build(t, randomSource(4, 90, true, false))),
		encoded(t, build(t, randomSource(5, 90, false, true))),
		withCells(t, build(t, randomSource(6, 90, true, true))),
		withCells(t, build(t, randomSource(7, 90, false, false))),
	}
	var sound atomic.Int64
	var alone sync.RWMutex // who measures what is allocated is
	inParallel(t, edits, func(i int) error {
		file := kinds[i%len(kinds)]
		data := slices.Clone(file)
		r := rand.New(rand.NewPCG(7, uint64(i)))
		for range 1 + r.IntN(3) {
			edit(r, data)
		}
		faults.Seal(data)
		x, err := decodeWithin(&alone, data, i%64 == 0)
		if err != nil {
			if !typed(err) {
				return fmt.Errorf("edit %d: %w", i, err)
			}
			return nil
		}
		sound.Add(1)
		alone.RLock()
		defer alone.RUnlock()
		if err := useAll(t.Context(), x); err != nil {
			return fmt.Errorf("edit %d: %w", i, err)
		}
		return nil
	})
	t.Logf("%d of %d edits gave a sound index", sound.Load(), len(edits))
}

// decodeWithin decodes and verifies, and with measure looks at what that allocates.
func decodeWithin(alone *sync.RWMutex, data []byte, measure bool) (x *postings.Index, err error) {
	var before, after runtime.MemStats
	if measure {
		alone.Lock()
		defer alone.Unlock()
		runtime.ReadMemStats(&before)
	} else {
		alone.RLock()
		defer alone.RUnlock()
	}
	if x, err = decode(data, nil); err == nil {
		err = x.Verify()
	}
	if measure {
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > uint64(4*len(data))+1<<16 {
			return nil, fmt.Errorf("%d bytes allocated for a file of %d", after.TotalAlloc-before.TotalAlloc, len(data))
		}
	}
	return x, err
}

// useAll asks an index for what it can give.
func useAll(ctx context.Context, x *postings.Index) error {
	if _, err := x.Count(ctx, postings.CountOptions{Weighting: table.LTC, Threads: 1}); err != nil {
		return err
	}
	if _, err := x.Count(ctx, postings.CountOptions{Threads: 1}); err != nil {
		return err
	}
	if _, err := x.Weights(ctx, table.LTC); err != nil {
		return err
	}
	_, err := x.Forward(ctx)
	return err
}

func edit(r *rand.Rand, data []byte) {
	at := r.IntN(len(data))
	switch r.IntN(4) {
	case 0: // the frame: header, sums, contents, footer
		frame := headerSize + int(numSections)*(sectionEntry+blockEntry) + footerSize + 512
		if at = r.IntN(frame); at >= headerSize {
			at = len(data) - frame + at
		}
	case 1:
		at &^= 3
	}
	switch r.IntN(3) {
	case 0:
		data[at] ^= 1 << r.IntN(8)
	case 1:
		data[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
	default:
		if at+8 <= len(data) {
			le.PutUint64(data[at:], []uint64{0, 1, 1 << 31, 1<<32 - 1, 1 << 63, 1<<64 - 1, uint64(len(data))}[r.IntN(7)])
		}
	}
}

// A file that another one replaces stays what it was for those who have it open.
func TestReplacedWhileMapped(t *testing.T) {
	built := build(t, randomSource(4, 300, false, false))
	path := saved(t, encoded(t, built))
	x := open(t, path, OpenOptions{})
	other := saved(t, encoded(t, build(t, randomSource(5, 30, false, false))))
	testkit.OK(os.Rename(other, path))
	sameStatistics(t, countOf(t, x, postings.CountOptions{}), countOf(t, built, postings.CountOptions{}))
	testkit.Equal(testkit.Stop(t), open(t, path, OpenOptions{}).Documents(), 30, "the new file is not there")
}

// What later checks do not see is refused where it is read: a document frequency that would be another one in 32 bits,
// a count of 0 where no cells are stored, and real values that have changed before they are added up.
func TestOnlyOneCheckSeesIt(t *testing.T) {
	s := countOf(t, build(t, postings.Source{
		IDs: []string{"d"}, Classes: []string{"c"}, LabelStart: []uint32{0, 1}, Labels: []uint32{0}, Names: []string{"x"},
		Columns: postings.Columns{DocStart: []uint64{0, 1}, Terms: []uint32{0}, Counts: []uint32{1}},
	}), postings.CountOptions{})
	for df, problem := range map[float64]string{0: "it is in 0 of 1 documents", 1 << 32: "a term in 4.294967296e+09 documents", 1<<32 + 1: "a term in 4.294967297e+09 documents"} {
		var b bytes.Buffer
		o := testkit.Must(newTableWriter(&b, s, table.Counts))
		o.block.name([]byte("x"))
		o.block.append(&s.Cells, 0, 1, nil)
		o.block.columns[dfNumbers] = table.Column{}
		o.block.columns[dfNumbers].Append(df, 0)
		testkit.OK(o.endTable(nil))
		_, _, err := DecodeTable(b.Bytes())
		testkit.Refused(t, err, files.ErrFormat, problem)
	}

	x := build(t, randomSource(3, 50, false, false))
	x.Values.Counts[7] = 0
	_, err := Decode(encoded(t, x))
	testkit.Refused(t, err, files.ErrFormat, "section counts at byte 7: a count of 0")

	data := encoded(t, build(t, randomSource(3, 8000, false, true))) // several groups of terms, blocks of values
	values := testkit.Must(openContainer(data, nil, int64(len(data)), indexMagic)).sections[valueSection]
	for _, at := range []int{0, values.length / 2, values.length - 4} {
		data[values.offset+at] ^= 1
		opened := testkit.Must(Open(saved(t, data), OpenOptions{}))
		testkit.Is(t, testkit.Err(opened.MostTokens(t.Context())), files.ErrChecksum, at)
		testkit.OK(opened.Close())
		data[values.offset+at] ^= 1
	}
}
