package indexfile

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
)

// split cuts a source into shards of consecutive documents, at random places, and
// some without any.
func split(r *rand.Rand, src postings.Source, shards int) []postings.Source {
	cuts := []int{0, len(src.IDs)}
	for range shards - 1 {
		cuts = append(cuts, r.IntN(len(src.IDs)+1))
	}
	slices.Sort(cuts)
	var parts []postings.Source
	for i := range shards {
		parts = append(parts, documentsOf(src, cuts[i], cuts[i+1]))
	}
	return parts
}

// documentsOf is a source of the documents [from, to), with the classes and names
// that they have, in the order in which they come.
func documentsOf(src postings.Source, from, to int) postings.Source {
	part := postings.Source{LabelStart: []uint32{0}, Columns: postings.Columns{DocStart: []uint64{0}}, IDs: src.IDs[from:to]}
	class, term := map[uint32]uint32{}, map[uint32]uint32{}
	take := func(of map[uint32]uint32, id uint32, names *[]string, name string) uint32 {
		n, ok := of[id]
		if !ok {
			n = uint32(len(*names))
			of[id], *names = n, append(*names, name)
		}
		return n
	}
	if src.Values != nil {
		part.Values = []float64{}
	}
	for d := from; d < to; d++ {
		for _, c := range src.Labels[src.LabelStart[d]:src.LabelStart[d+1]] {
			part.Labels = append(part.Labels, take(class, c, &part.Classes, src.Classes[c]))
		}
		part.LabelStart = append(part.LabelStart, uint32(len(part.Labels)))
		for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
			part.Terms = append(part.Terms, take(term, src.Terms[i], &part.Names, src.Names[src.Terms[i]]))
			if src.Values != nil {
				part.Values = append(part.Values, src.Values[i])
			} else {
				part.Counts = append(part.Counts, src.Counts[i])
			}
		}
		part.DocStart = append(part.DocStart, uint64(len(part.Terms)))
	}
	return part
}

func merged(t testing.TB, shards []*postings.Index, opt MergeOptions) []byte {
	var b bytes.Buffer
	testkit.OK(Merge(t.Context(), &b, shards, opt))
	return b.Bytes()
}

// Shards merge to the bytes of the index of all documents, with its cells or without, whether
// they were built or are mapped, with cells in all of their files or in some, on any number of
// threads, and nothing is left behind.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 1))
	counts, threads := []int{1, 2, 3, 7}, []int{1, 3}
	if testing.Short() {
		counts, threads = []int{3}, []int{3}
	}
	for _, recipe := range recipes {
		t.Run(recipe.name, func(t *testing.T) {
			src := recipe.source(17)
			whole := documentsOf(src, 0, len(src.IDs)) // its classes are those that occur
			x := testkit.Must(postings.Build(t.Context(), whole, postings.BuildOptions{Meta: []byte("{}")}))
			want := map[bool][]byte{false: encoded(t, x), true: written(t, x, WriteOptions{Cells: true})}
			for _, shards := range counts {
				of := map[string][]*postings.Index{}
				for i, part := range split(r, src, shards) {
					b := build(t, part)
					plain := open(t, saved(t, encoded(t, b)), OpenOptions{})
					whole := open(t, saved(t, written(t, b, WriteOptions{Cells: true})), OpenOptions{})
					of["built"], of["mapped"] = append(of["built"], b), append(of["mapped"], plain)
					of["with cells"], of["some with cells"] = append(of["with cells"], whole), append(of["some with cells"], []*postings.Index{b, whole, plain}[i%3])
				}
				dir := t.TempDir()
				for _, opt := range []MergeOptions{{Threads: 1}, {Threads: 3}, {Threads: 1, Cells: true}, {Threads: 3, Cells: true, spool: 100}} {
					if !slices.Contains(threads, opt.Threads) {
						continue
					}
					opt.Dir, opt.Meta = dir, []byte("{}")
					for name, shards := range of {
						if !bytes.Equal(merged(t, shards, opt), want[opt.Cells]) {
							t.Fatalf("%d shards, %s, %d threads, cells %v: another index", len(shards), name, opt.Threads, opt.Cells)
						}
					}
				}
				if left, _ := os.ReadDir(dir); len(left) > 0 {
					t.Fatalf("left behind: %v", left)
				}
			}
			for _, data := range want {
				testkit.Must(Decode(data))
			}
		})
	}
}

// Merging in any grouping gives the same.
func TestMergeIsAssociative(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 2))
	for _, recipe := range recipes {
		var s []*postings.Index
		for _, part := range split(r, recipe.source(18), 3) {
			s = append(s, build(t, part))
		}
		read := func(shards ...*postings.Index) *postings.Index {
			return must(Decode(merged(t, shards, MergeOptions{})))
		}
		left, right := read(read(s[0], s[1]), s[2]), read(s[0], read(s[1], s[2]))
		if !bytes.Equal(encoded(t, left), encoded(t, right)) {
			t.Errorf("%s: the grouping matters", recipe.name)
		}
	}
}

func TestMergeRefusesPrunedIndexes(t *testing.T) {
	x := build(t, recipes[0].source(19))
	pruned := testkit.Must(postings.Build(t.Context(), recipes[0].source(19), postings.BuildOptions{MinDF: 1e9}))
	if err := Merge(t.Context(), &bytes.Buffer{}, []*postings.Index{x, pruned}, MergeOptions{}); !errors.Is(err, table.ErrPruned) {
		t.Fatal(err)
	}
}

// full is a disk with room for so many bytes.
type full struct{ room int }

var errFull = errors.New("no room")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestMergeReportsWhatCannotBeWritten(t *testing.T) {
	x := build(t, recipes[0].source(19))
	size := len(merged(t, []*postings.Index{x, x}, MergeOptions{}))
	for room := 0; room < size; room += size / 50 {
		if err := Merge(t.Context(), &full{room}, []*postings.Index{x, x}, MergeOptions{}); !errors.Is(err, errFull) {
			t.Fatalf("with room for %d of %d bytes: %v", room, size, err)
		}
	}
	opt := MergeOptions{Dir: filepath.Join(t.TempDir(), "missing"), spool: 100}
	err := Merge(t.Context(), &bytes.Buffer{}, []*postings.Index{x, x}, opt)
	if !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("without a directory for temporary files: %v", err)
	}
}

func TestMergeStops(t *testing.T) {
	x := build(t, recipes[0].source(19))
	for looks := int64(0); ; looks++ {
		ctx := &endsAfter{Context: context.Background()}
		ctx.looks.Store(looks)
		err := Merge(ctx, &bytes.Buffer{}, []*postings.Index{x, x}, MergeOptions{Threads: 1})
		if err == nil {
			if looks < 5 {
				t.Fatalf("it looked at its context %d times", looks)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}
