package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// RELIABILITY.md says what is tested here with how many cases.

// inParallel calls f for the numbers of the cases.
func inParallel(t *testing.T, numbers []int, f func(i int) error) {
	const chunk = 64
	testkit.OK(pool.Run(t.Context(), 0, (len(numbers)+chunk-1)/chunk, func(_, k int) error {
		for _, i := range numbers[k*chunk : min((k+1)*chunk, len(numbers))] {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	}))
}

// manySections is a file with all kinds of sections.
func manySections(t *testing.T) []byte {
	return withCells(t, build(t, randomSource(21, 1200, true, false)))
}

// Each bit of a file with all kinds of sections, flipped, is an error with a reason,
// within a second and 64 MiB.
func TestEveryFlipIsFound(t *testing.T) {
	data := manySections(t)
	if len(data) < 1<<16 {
		t.Fatalf("a file of %d bytes is too small", len(data))
	}
	copies := sync.Pool{New: func() any { c := slices.Clone(data); return &c }}
	var most atomic.Int64
	bits := testkit.CaseNumbers(t, 8*len(data))
	inParallel(t, bits, func(bit int) error {
		edited := *copies.Get().(*[]byte)
		defer copies.Put(&edited)
		edited[bit/8] ^= 1 << (bit % 8)
		defer func() { edited[bit/8] ^= 1 << (bit % 8) }()
		var before, after runtime.MemStats
		if bit%1024 == 0 {
			runtime.ReadMemStats(&before)
		}
		_, err := Decode(edited)
		if bit%1024 == 0 {
			runtime.ReadMemStats(&after)
			most.Store(max(most.Load(), int64(after.TotalAlloc-before.TotalAlloc)))
		}
		if !typed(err) {
			return fmt.Errorf("bit %d of %d bytes: %w", bit, len(edited), errOr(err))
		}
		return nil
	})
	if most.Load() > 64<<20 {
		t.Errorf("a flip took %d bytes", most.Load())
	}
	t.Logf("%d of %d bits flipped, %d bytes at most", len(bits), 8*len(data), most.Load())
}

// errOr names the lack of an error.
func errOr(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return err
}

// Cut at any byte, and with more behind the end, a file is an error with a reason.
func TestEveryCutIsFound(t *testing.T) {
	data := manySections(t)
	inParallel(t, testkit.CaseNumbers(t, len(data)), func(n int) error {
		if _, err := Decode(data[:n:n]); !typed(err) {
			return fmt.Errorf("cut at %d of %d: %w", n, len(data), errOr(err))
		}
		return nil
	})
	for n := 1; n <= 64; n++ {
		for _, more := range [][]byte{make([]byte, n), data[:n], data[len(data)-n:]} {
			if _, err := Decode(slices.Concat(data, more)); !typed(err) {
				t.Fatalf("%d bytes appended: %v", n, err)
			}
		}
	}
	for _, i := range testkit.CaseNumbers(t, len(data)/61) { // as files, mapped and read
		n := 61 * i
		path := saved(t, data[:n])
		for _, opt := range []OpenOptions{{}, {Read: true}} {
			if _, err := Open(path, opt); !typed(err) {
				t.Fatalf("a file cut at %d: %v", n, err)
			}
		}
		testkit.OK(os.Remove(path))
	}
	testkit.TriedCases(t, 3*64)
}

// A file that announces more than it has is refused before there is memory for it.
func TestEmptyTermsTakeNoMemory(t *testing.T) {
	x := testkit.Must(Decode(encoded(t, build(t, randomSource(35, 50, false, false)))))
	var b bytes.Buffer
	o := testkit.Must(newWriter(&b, indexMagic))
	for kind := range numSections {
		data := fileOf(x).body.content(kind)
		switch kind {
		case termText:
			data = nil
		case termLengths:
			data = make([]byte, 1<<20)
		case dfRuns:
			data = le.AppendUint32(le.AppendUint32(nil, 1), 1<<20)
		}
		testkit.OK(o.section(kind, data))
	}
	testkit.OK(o.end())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Decode(b.Bytes())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, files.ErrFormat) || took > uint64(4*b.Len())+1<<16 {
		t.Errorf("%d bytes for a file of %d, %v", took, b.Len(), err)
	}
}

// A pipe is a file whose length is not known.
type pipe struct{ io.Reader }

func (pipe) Close() error                      { return nil }
func (pipe) ReadAt([]byte, int64) (int, error) { return 0, syscall.ESPIPE }
func (pipe) Name() string                      { return "pipe" }
func (p pipe) Stat() (fs.FileInfo, error)      { return p, nil }
func (pipe) Map(int, bool) ([]byte, error)     { return nil, syscall.ENODEV }
func (pipe) Size() int64                       { return 0 }
func (pipe) Mode() fs.FileMode                 { return fs.ModeNamedPipe }
func (pipe) ModTime() time.Time                { return time.Time{} }
func (pipe) IsDir() bool                       { return false }
func (pipe) Sys() any                          { return nil }

// readAll reads a pipe as an index is.
func readAll(r io.Reader) ([]byte, error) {
	m, err := files.NewMapping(pipe{r}, OpenOptions{}.mapping())
	if err != nil {
		return nil, err
	}
	return m.Bytes(), nil
}

// Reads that fail give their error, those that bring little bring all in the end, and
// those that end too soon give a file that is cut.
func TestReads(t *testing.T) {
	data := manySections(t)
	for name, r := range map[string]io.Reader{
		"byte by byte":  iotest.OneByteReader(bytes.NewReader(data)),
		"halves":        iotest.HalfReader(bytes.NewReader(data)),
		"end with data": iotest.DataErrReader(bytes.NewReader(data)),
	} {
		got := testkit.Must(readAll(r))
		testkit.EqualSlices(t, got, data, name, len(got), "bytes")
	}
	const part = 1000
	testkit.TriedCases(t, 2*(len(data)+part-1)/part)
	for n := 0; n < len(data); n += part { // the n-th read fails, or is the last
		failing := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(syscall.EIO))
		testkit.Is(t, testkit.Err(readAll(failing)), syscall.EIO, "a read that fails at", n)
		got := testkit.Must(readAll(bytes.NewReader(data[:n])))
		if _, err := Decode(got); !typed(err) {
			t.Errorf("reads that end at %d: %v", n, err)
		}
	}
	if _, err := Open(t.TempDir(), OpenOptions{}); err == nil || typed(err) {
		t.Errorf("a directory: %v", err)
	}
}

// Wherever writing fails while an index is saved, merged, or merged into its own place with more
// documents, the old file stays, the error is the system's, and no file or goroutine is
// left.
func TestFaultsWhileSaving(t *testing.T) {
	shards := []*postings.Index{build(t, randomSource(31, 1500, true, false)), build(t, randomSource(32, 1200, true, false))}
	before := encoded(t, build(t, randomSource(33, 20, false, false)))
	goroutines := runtime.NumGoroutine()
	for name, fill := range map[string]func(path string, w io.Writer) error{
		"save": func(_ string, w io.Writer) error {
			_, err := Write(t.Context(), w, postings.Whole(shards[0]), WriteOptions{})
			return err
		},
		"everything": func(_ string, w io.Writer) error {
			_, err := Write(t.Context(), w, postings.Whole(shards[0]), WriteOptions{Cells: true})
			return err
		},
		"merge": func(_ string, w io.Writer) error {
			return Merge(t.Context(), w, shards, MergeOptions{Dir: t.TempDir()})
		},
		"append": func(path string, w io.Writer) error {
			x, err := Open(path, OpenOptions{})
			if err != nil {
				return err
			}
			return errors.Join(Merge(t.Context(), w, []*postings.Index{x, shards[1]}, MergeOptions{Dir: t.TempDir()}), x.Close())
		},
	} {
		var whole bytes.Buffer
		testkit.OK(fill(saved(t, before), &whole))
		points := 0
		for _, fault := range []faults.System{{Err: syscall.EIO}, {Err: syscall.ENOSPC}, {Err: io.ErrShortWrite, Short: true}} {
			path := saved(t, before)
			for done := false; !done; {
				fault.Of, fault.At = files.OS{}, fault.At+1
				system := fault
				err := files.Write(t.Context(), &system, path, func(w io.Writer) error { return fill(path, w) })
				if done = system.Calls() < fault.At; done != (err == nil) || !done && !errors.Is(err, fault.Err) {
					t.Fatalf("%s: call %d of %d failed with %v, and it said %v", name, fault.At, system.Calls(), fault.Err, err)
				}
				data, err := os.ReadFile(path)
				if err != nil || !bytes.Equal(data, whole.Bytes()) && (done || !bytes.Equal(data, before)) {
					t.Fatalf("%s: after a fault at call %d: %d bytes, %v", name, fault.At, len(data), err)
				}
				onlyFile(t, path)
				if bytes.Equal(data, whole.Bytes()) && !done {
					testkit.Write(path, before)
				}
				points++
			}
		}
		testkit.TriedCases(t, points-3)
	}
	faults.NoneLeft(t, goroutines)
}

// onlyFile wants nothing beside a file in its directory.
func onlyFile(t *testing.T, path string) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), len(testkit.Must(os.ReadDir(filepath.Dir(path)))), 1, "left behind")
}

// 64 readers open, ask and close while a writer replaces the file: each answer is that
// of one of the two files, and nothing fails.
func TestReadersOfAFileThatIsReplaced(t *testing.T) {
	const readers = 64
	stored := [][]byte{
		withCells(t, build(t, randomSource(41, 30, true, false))),
		encoded(t, build(t, randomSource(42, 31, false, false))),
	}
	want := map[int]*table.Table{}
	for _, data := range stored {
		x := testkit.Must(Decode(data))
		want[x.Documents()] = countOf(t, x, postings.CountOptions{Weighting: table.LTC})
	}
	path := saved(t, stored[0])
	goroutines := runtime.NumGoroutine()
	replacements := int64(len(testkit.CaseNumbers(t, 200)))
	var replaced atomic.Int64
	var answers [2]atomic.Int64
	var failed atomic.Value
	more := func() bool {
		both := answers[0].Load() > 0 && answers[1].Load() > 0
		return failed.Load() == nil && (replaced.Load() < replacements || !both)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for i := 1; more(); i++ {
			if err := files.Write(t.Context(), files.OS{}, path, func(w io.Writer) error { _, err := w.Write(stored[i%2]); return err }); err != nil {
				failed.Store(err)
			}
			replaced.Add(1)
		}
	})
	for r := range readers {
		group.Go(func() {
			for i := r; more(); i++ {
				documents, err := ask(t, path, OpenOptions{Read: i%4 == 0, Verify: i%8 == 1}, want)
				if err != nil {
					failed.Store(err)
					return
				}
				answers[documents-30].Add(1)
			}
		})
	}
	group.Wait()
	testkit.Equal(testkit.Stop(t), failed.Load(), nil)
	onlyFile(t, path)
	faults.NoneLeft(t, goroutines)
	t.Logf("%d replacements, %d and %d answers", replaced.Load(), answers[0].Load(), answers[1].Load())
}

// ask opens an index and holds its counts against those of the file that it must be.
func ask(t *testing.T, path string, opt OpenOptions, want map[int]*table.Table) (documents int, err error) {
	x, err := Open(path, opt)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for range 2 {
		got, err := x.Count(t.Context(), postings.CountOptions{Weighting: table.LTC, Threads: 1})
		if err != nil {
			return 0, err
		}
		w := want[x.Documents()]
		if w == nil || got.Hash() != w.Hash() || !slices.Equal(got.Cells.W, w.Cells.W) {
			return 0, fmt.Errorf("an index of %d documents has other counts", x.Documents())
		}
	}
	return x.Documents(), nil
}
