package store

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
)

// Shards that were moved to files merge to what they were, in bounded memory or not,
// and no file is to be seen.
func TestSpill(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	for _, recipe := range withTerms() {
		src := recipe.source(23)
		whole := written(t, build(t, documentsOf(src, 0, len(src.IDs))), WriteOptions{Cells: true})
		dir := t.TempDir()
		var shards []*postings.Index
		for _, part := range split(r, src, 5) {
			x := testkit.Must(Spill(build(t, part), nil, dir))
			shards = append(shards, x)
		}
		for _, most := range []int64{0, 1, 1 << 30} {
			var counts MergeCounts
			got := merged(t, shards, MergeOptions{Dir: dir, MaxMemory: most, Cells: true, Threads: 2, Counts: &counts})
			testkit.EqualSlices(testkit.Stop(t), got, whole, recipe.name, "within", most, "another index")
			x := testkit.Must(Decode(got))
			if empty := testkit.Must(x.EmptyDocuments(t.Context())); counts.Empty != empty || counts.Terms != x.Terms.Len() || counts.Documents != x.Documents() {
				t.Fatalf("%s: %+v of %d terms, %d documents, %d empty", recipe.name, counts, x.Terms.Len(), x.Documents(), empty)
			}
		}
		testkit.Equal(testkit.Stop(t), len(testkit.Must(os.ReadDir(dir))), 0, "left behind")
		for _, x := range shards {
			testkit.OK(x.Close())
		}
	}
}

func TestSpillNeedsADirectory(t *testing.T) {
	x := build(t, recipes[0].source(3))
	testkit.Is(testkit.Stop(t), testkit.Err(Spill(x, nil, filepath.Join(t.TempDir(), "missing"))), os.ErrNotExist)
	err := Merge(t.Context(), &bytes.Buffer{}, []*postings.Index{x}, MergeOptions{Dir: filepath.Join(t.TempDir(), "missing"), MaxMemory: 1})
	testkit.Is(testkit.Stop(t), err, os.ErrNotExist)
}

// spillAndMerge moves shards to temporary files and merges them with others for all that
// has to wait or is to be out of memory.
func spillAndMerge(t *testing.T, sys files.TemporarySystem, dir string, w io.Writer, sources []postings.Source, threads int) (err error) {
	var shards []*postings.Index
	defer func() {
		for _, x := range shards {
			err = errors.Join(err, x.Close())
		}
	}()
	for _, src := range sources {
		x, err := Spill(build(t, src), sys, dir)
		if err != nil {
			return err
		}
		shards = append(shards, x)
	}
	return Merge(t.Context(), w, shards, MergeOptions{Temporary: sys, Dir: dir, MaxMemory: 1, Cells: true, Threads: threads, spool: 400})
}

// Whichever call of a temporary file fails, creating, writing, reading, mapping, looking
// at or closing it, the error is the system's, or the result the right one; no file
// and no goroutine is left.
func TestFaultsInTemporaryFiles(t *testing.T) {
	for _, sources := range [][]postings.Source{
		{randomSource(51, 300, true, false), randomSource(52, 200, true, false)},
		{randomSource(53, 100, false, true), randomSource(54, 90, false, true)}, // real values
	} {
		var whole bytes.Buffer
		testkit.OK(spillAndMerge(t, nil, t.TempDir(), &whole, sources, 1))
		first, step := testkit.CaseSteps(t, 30)
		faults.EachTemporaryFault(t, first, step, whole.Bytes(), func(sys *faults.Temporary, dir string, w io.Writer) error {
			return spillAndMerge(t, sys, dir, w, sources, 1+int(sys.At%2))
		})
	}
}

// A temporary file that cannot be mapped is read.
func TestTemporaryFileThatCannotBeMapped(t *testing.T) {
	data := encoded(t, build(t, randomSource(55, 50, false, false)))
	for at := int64(1); ; at++ {
		system := faults.Temporary{Err: syscall.EIO}
		f := testkit.Must(system.Create(t.TempDir()))
		testkit.Must(f.Write(data))
		testkit.Must(f.Stat())
		before := system.Calls()
		system.At = before + at
		x, err := OpenTemporary(f, OpenOptions{})
		if err == nil {
			var got bytes.Buffer
			_, err = Write(t.Context(), &got, postings.Whole(x), WriteOptions{})
			if err == nil && !bytes.Equal(got.Bytes(), data) {
				t.Fatalf("a fault at call %d: another index", at)
			}
			err = errors.Join(err, x.Close())
		}
		if err != nil && !errors.Is(err, syscall.EIO) || system.Open() != 0 {
			t.Fatalf("a fault at call %d: %v, %d files open", at, err, system.Open())
		}
		if system.Calls() < system.At {
			return
		}
	}
}
