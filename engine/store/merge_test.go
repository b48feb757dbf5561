package store

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/faults"
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
	for _, recipe := range withTerms() {
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
						testkit.EqualSlices(testkit.Stop(t), merged(t, shards, opt), want[opt.Cells], len(shards),
							"shards", name, opt.Threads, "threads, cells", opt.Cells, "another index")
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

// An index without terms is none.
func TestMergeOfNothing(t *testing.T) {
	x := build(t, recipes[0].source(18))
	for _, shards := range [][]*postings.Index{nil, {x, x}} {
		var none *NoTermsError
		var out bytes.Buffer
		err := Merge(t.Context(), &out, shards, MergeOptions{MinDF: 1e9})
		if !errors.As(err, &none) || none.Documents != 6000*len(shards)/2 || out.Len() > 0 {
			t.Errorf("%d shards: %v, %d bytes", len(shards), err, out.Len())
		}
	}
}

func TestMergeRefusesPrunedIndexes(t *testing.T) {
	x := build(t, recipes[0].source(19))
	pruned := testkit.Must(postings.Build(t.Context(), recipes[0].source(19), postings.BuildOptions{MinDF: 1e9}))
	testkit.Is(testkit.Stop(t), Merge(t.Context(), &bytes.Buffer{}, []*postings.Index{x, pruned}, MergeOptions{}),
		table.ErrPruned)
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
		testkit.Is(testkit.Stop(t), Merge(t.Context(), &full{room}, []*postings.Index{x, x}, MergeOptions{}), errFull,
			"with room for", room, "of", size, "bytes")
	}
	opt := MergeOptions{Dir: filepath.Join(t.TempDir(), "missing"), spool: 100}
	err := Merge(t.Context(), &bytes.Buffer{}, []*postings.Index{x, x}, opt)
	testkit.Is(testkit.Stop(t), err, os.ErrNotExist, "without a directory for temporary files")
}

func TestMergeStops(t *testing.T) {
	x := build(t, recipes[0].source(19))
	for looks := 0; ; looks++ {
		err := Merge(faults.NewCountdown(t, looks), &bytes.Buffer{}, []*postings.Index{x, x}, MergeOptions{Threads: 1})
		if err == nil {
			if looks < 5 {
				t.Fatalf("it looked at its context %d times", looks)
			}
			return
		}
		testkit.Is(testkit.Stop(t), err, faults.ErrStop)
	}
}

// Shards of which some have real values, or counts whose squares add up to 2^53, merge to the
// cells of one build: they are centred where those are.
func TestMergeOfInexactCells(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 8))
	for name, change := range map[string]func(src *postings.Source){
		"values":        func(*postings.Source) {},
		"whole numbers": func(src *postings.Source) { eachValue(src, func(v float64) float64 { return float64(int(v)) }) },
		"float32":       func(src *postings.Source) { eachValue(src, func(v float64) float64 { return float64(float32(v)) }) },
		"beside whole numbers": func(src *postings.Source) {
			eachValue(src, func(v float64) float64 { return max(1, float64(int(v)-1)) })
			src.Values[0] += .25
		},
		"large counts":          func(src *postings.Source) { asCounts(src, 1e8) },
		"counts that add up":    func(src *postings.Source) { asCounts(src, 1e7) },
		"one large, in one doc": func(src *postings.Source) { asCounts(src, 0); src.Counts[len(src.Counts)-1] = 1e8 },
	} {
		for _, multi := range []bool{false, true} {
			src := randomSource(61, 900, multi, true)
			change(&src)
			want := written(t, build(t, documentsOf(src, 0, len(src.IDs))), WriteOptions{Cells: true})
			var shards []*postings.Index
			for i, part := range split(r, src, 4) {
				x := build(t, part)
				if i%2 == 0 {
					x = testkit.Must(Decode(written(t, x, WriteOptions{Cells: true})))
				}
				shards = append(shards, x)
			}
			for _, threads := range []int{1, 3} {
				if got := merged(t, shards, MergeOptions{Cells: true, Threads: threads, Dir: t.TempDir(), spool: 500}); !bytes.Equal(got, want) {
					t.Errorf("%s, several labels %v, %d threads: another index", name, multi, threads)
				}
			}
		}
	}
}

func eachValue(src *postings.Source, f func(v float64) float64) {
	for i, v := range src.Values {
		src.Values[i] = f(v)
	}
}

// asCounts makes counts of values, each that much more.
func asCounts(src *postings.Source, more uint32) {
	for _, v := range src.Values {
		src.Counts = append(src.Counts, uint32(v)+more)
	}
	src.Values = nil
}

// The cells of a shard are not read: flipped or edited, the lists give the right ones.
func TestMergeOfEditedCells(t *testing.T) {
	data := withCells(t, build(t, randomSource(63, 100, true, false)))
	x := testkit.Must(decode(data, nil))
	want := merged(t, []*postings.Index{x}, MergeOptions{Cells: true})
	from, to := cellPlace(x)
	for _, r := range testkit.Cases(t, 2000) {
		edited := slices.Clone(data)
		for range 1 + r.IntN(3) {
			edited[from+r.IntN(to-from)] = byte(r.IntN(256))
		}
		if r.IntN(2) == 0 {
			faults.Seal(edited)
		}
		got := merged(t, []*postings.Index{testkit.Must(decode(edited, nil))}, MergeOptions{Cells: true})
		testkit.EqualSlices(testkit.Stop(t), got, want, "edited cells")
	}
}

// classed gives each document of a source one class of so many, the last none.
func classed(src postings.Source, classes int) postings.Source {
	src.Classes, src.Labels, src.LabelStart = nil, nil, []uint32{0}
	for k := range classes {
		src.Classes = append(src.Classes, string(rune('a'+k%26))+string(rune('a'+k/26%26))+string(rune('a'+k/676%26))+string(rune('a'+k/17576)))
	}
	for d := range src.IDs {
		if d > 0 {
			src.Labels = append(src.Labels, uint32(d*7919%classes))
		}
		src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
	}
	return src
}

// Lists of all lengths merge to those of one build, with few classes and with many, within
// bounds on document frequency or without, with spools in files, and with their cells: added
// up, counted, or left out because they are many.
func TestMergeOfLongLists(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 3))
	large := 80_000 // more than a container
	if testing.Short() {
		large = 10_000
	}
	tooMany := 0
	for _, c := range []struct {
		recipe
		classes int
	}{
		{recipe: recipe{name: "rare terms", docs: large, terms: 150, share: .5, count: mixedCounts}, classes: 3},
		{recipe: recipe{name: "values", docs: large / 4, terms: 150, share: .5, value: thirdValues}, classes: 20},
		{recipe: recipe{name: "classes of two bytes", docs: large, terms: 40, share: .5, count: mixedCounts}, classes: 300},
		{recipe: recipe{name: "classes of three bytes", docs: 1<<16 + 5000, terms: 10, share: .5, count: mixedCounts}, classes: 1<<16 + 1000},
	} {
		c.recipe.labels = noLabel
		src := classed(c.source(41), c.classes)
		whole := documentsOf(src, 0, len(src.IDs))
		var shards []*postings.Index
		for i, part := range split(r, src, 3) {
			x := build(t, part)
			if i > 0 {
				x = open(t, saved(t, written(t, x, WriteOptions{Cells: true})), OpenOptions{})
			}
			shards = append(shards, x)
		}
		for _, bounds := range [][2]float64{{}, {200, 0.2}} {
			x := testkit.Must(postings.Build(t.Context(), whole, postings.BuildOptions{MinDF: bounds[0], MaxDF: bounds[1]}))
			for _, cells := range []bool{false, true} {
				want := written(t, x, WriteOptions{Cells: cells})
				if cells && !HasCells(testkit.Must(decode(want, nil))) {
					tooMany++
				}
				for _, threads := range []int{1, 4} {
					opt := MergeOptions{MinDF: bounds[0], MaxDF: bounds[1], Cells: cells, Threads: threads, Dir: t.TempDir(), spool: 1000}
					testkit.EqualSlices(t, merged(t, shards, opt), want, c.name, "within", bounds, "on", threads,
						"threads, cells", cells, "another index")
				}
			}
		}
	}
	if tooMany == 0 {
		t.Error("no index has too many cells")
	}
}
