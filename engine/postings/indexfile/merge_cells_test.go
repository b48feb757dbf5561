package indexfile

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/postings"
)

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
					x = must(Decode(written(t, x, WriteOptions{Cells: true})))
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

// Cells that are edited, with sums that are right, are refused where they are added up, or
// give an index whose cells can be used.
func TestMergeOfEditedCells(t *testing.T) {
	data := written(t, build(t, randomSource(62, 200, false, false)), WriteOptions{Cells: true})
	sound := must(decode(data, nil))
	from, to := sectionPlace(sound, cellTerms), sectionPlace(sound, weightSection)
	r := rand.New(rand.NewPCG(31, 9))
	refused := 0
	for range 2000 {
		edited := slices.Clone(data)
		for range 1 + r.IntN(3) {
			edited[from+r.IntN(to-from)] = byte(r.IntN(256))
		}
		faults.SealIndex(edited)
		x, err := decode(edited, nil)
		if err != nil {
			continue
		}
		var b bytes.Buffer
		if err := Merge(t.Context(), &b, []*postings.Index{sound, x}, MergeOptions{Cells: true, Threads: 1}); err != nil {
			if !errors.Is(err, files.ErrFormat) {
				t.Fatal(err)
			}
			refused++
			continue
		}
		if _, err := must(decode(b.Bytes(), nil)).Count(t.Context(), postings.CountOptions{}); err != nil {
			t.Fatalf("cells that were added up: %v", err)
		}
	}
	if refused < 1000 {
		t.Errorf("%d edits were refused", refused)
	}
}

// A flipped bit in the cells of a shard is found when they are added up.
func TestMergeOfFlippedCells(t *testing.T) {
	data := written(t, build(t, randomSource(63, 100, true, false)), WriteOptions{Cells: true})
	x := must(decode(data, nil))
	for at := sectionPlace(x, cellTerms); at < sectionPlace(x, weightSection); at += 7 {
		flipped := slices.Clone(data)
		flipped[at] ^= 1 << (at % 8)
		err := Merge(t.Context(), io.Discard, []*postings.Index{must(decode(flipped, nil))}, MergeOptions{Cells: true})
		if !errors.Is(err, files.ErrChecksum) {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
}
