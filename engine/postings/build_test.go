package postings

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/internal/faults"
	"github.com/termsift/termsift/engine/table"
)

// buildSlowly is Build in the fewest lines: lists in a map, every order by a sort.
func buildSlowly(src Source, opt BuildOptions) *Index {
	x := New(Memory{Meta: opt.Meta, Classes: slices.Sorted(slices.Values(src.Classes))}, nil, nil)
	x.orderSlowly(src)
	lists := map[string][]slowPosting{}
	for doc, d := range x.Input {
		for i := src.DocStart[d]; i < src.DocStart[d+1]; i++ {
			p := slowPosting{doc: uint32(doc)}
			if src.Values != nil {
				p.value = src.Values[i]
			} else {
				p.count = src.Counts[i]
			}
			name := src.Names[src.Terms[i]]
			lists[name] = append(lists[name], p)
		}
	}
	low, high := opt.Bounds(len(src.IDs))
	var terms []string
	for term, list := range lists {
		if n := uint32(len(list)); n >= low && n <= high {
			terms = append(terms, term)
		}
	}
	x.Pruned = len(terms) < len(lists)
	slices.SortFunc(terms, func(i, j string) int {
		return cmp.Or(cmp.Compare(len(lists[j]), len(lists[i])), cmp.Compare(i, j))
	})
	x.Terms = table.NamedBy(len(terms), func(i int) string { return terms[i] })
	x.DenseAt = []uint64{0}
	for _, term := range terms {
		x.appendSlowly(lists[term], src.Values != nil)
	}
	if !slices.ContainsFunc(x.Values.Double, func(v float64) bool { return float64(float32(v)) != v }) {
		x.Values.Double = nil
	}
	return x
}

type slowPosting struct {
	doc, count uint32
	value      float64
}

// orderSlowly puts the documents in order.
func (x *Index) orderSlowly(src Source) {
	labels := make([][]uint32, len(src.IDs))
	for d := range src.IDs {
		x.Input = append(x.Input, uint32(d))
		for _, l := range src.Labels[src.LabelStart[d]:src.LabelStart[d+1]] {
			labels[d] = append(labels[d], uint32(slices.Index(x.Classes, src.Classes[l])))
		}
		slices.Sort(labels[d])
	}
	first := func(d uint32) uint32 { return append(labels[d], uint32(len(x.Classes)))[0] }
	slices.SortStableFunc(x.Input, func(i, j uint32) int { return cmp.Compare(first(i), first(j)) })
	x.LabelStart = []uint32{0}
	for _, d := range x.Input {
		x.LabelOf = append(x.LabelOf, labels[d]...)
		x.LabelStart = append(x.LabelStart, uint32(len(x.LabelOf)))
	}
	x.IDs = table.NamedBy(len(x.Input), func(i int) string { return src.IDs[x.Input[i]] })
}

// appendSlowly adds the list of the next term.
func (x *Index) appendSlowly(list []slowPosting, real bool) {
	var docs []uint32
	tf := &x.Values
	for _, p := range list {
		docs = append(docs, p.doc)
		switch {
		case real:
			tf.Single, tf.Double = append(tf.Single, float32(p.value)), append(tf.Double, p.value)
		case p.count >= Escape:
			tf.EscapeAt, tf.Escaped = append(tf.EscapeAt, uint64(len(tf.Counts))), append(tf.Escaped, p.count)
			tf.Counts = append(tf.Counts, Escape)
		default:
			tf.Counts = append(tf.Counts, uint8(p.count))
		}
	}
	x.DocFreq = append(x.DocFreq, uint32(len(docs)))
	if len(docs) < int(LongFrom(x.Documents())) {
		x.Flat = append(x.Flat, docs...)
		return
	}
	x.Dense = bitmap.Append(x.Dense, docs)
	x.Dense = append(x.Dense, make([]byte, (8-len(x.Dense)%8)%8)...)
	x.DenseAt = append(x.DenseAt, uint64(len(x.Dense)))
}

// buildShapes are those of corpora that are built, or cut and opposed.
var buildShapes = []shape{
	{docs: 3000, terms: 300, classes: 7, labels: 1, values: counts, widest: .9},
	{docs: 2000, terms: 200, classes: 5, labels: 3, unlabelled: .25, values: counts, widest: .9},
	{docs: 500, terms: 50, classes: 2, labels: 1, unlabelled: 1, values: counts, widest: .5},
	{docs: 2000, terms: 200, classes: 5, labels: 1, values: large, widest: .9},
	{docs: 300, terms: 100, classes: 5, labels: 1, values: tall, widest: .9},
	{docs: 2000, terms: 200, classes: 5, labels: 1, values: dyadic, widest: .9},
	{docs: 2000, terms: 200, classes: 5, labels: 3, unlabelled: .25, values: decimal, widest: .9},
	{docs: 1, terms: 100, classes: 1, labels: 1, values: counts, widest: 1},
	{docs: 700, terms: 1, classes: 3, labels: 1, values: counts, widest: .5},
	{values: counts},
	{docs: 10, classes: 2, labels: 1, values: counts},
	{docs: 10, classes: 2, labels: 1, values: dyadic},
	{docs: 30, terms: 20_000, classes: 3, labels: 1, values: counts, widest: .5},
	{docs: 70_000, terms: 6, classes: 3, labels: 1, values: counts, widest: .4},
}

// someSource is a corpus with long and short lists, large counts and unlabelled documents.
func someSource(seed uint64, docs int, several bool) Source {
	s := shape{docs: docs, terms: 300, classes: 4, labels: 1, unlabelled: .2, values: large, widest: .8}
	if several {
		s.labels = 3
	}
	return *s.source(seed)
}

// Build gives the bytes of buildSlowly, for any number of threads.
func TestBuild(t *testing.T) {
	threads := []int{1, 2, 3, 8}
	if testing.Short() {
		threads = []int{1, 3}
	}
	for _, shape := range buildShapes {
		t.Run(shape.String(), func(t *testing.T) {
			src := *shape.source(11)
			src.Names = append(src.Names, "of no document")
			for _, opt := range []BuildOptions{
				{Meta: []byte("{}")}, {MinDF: 3}, {MinDF: .02, MaxDF: .4}, {MaxDF: 1}, {MinDF: 1e9},
			} {
				want := encoded(buildSlowly(src, opt))
				for _, opt.Threads = range threads {
					x := testkit.Must(Build(t.Context(), src, opt))
					testkit.EqualSlices(t, encoded(x), want, opt.Threads, "threads, bounds", opt.MinDF, "to", opt.MaxDF,
						"another index")
				}
			}
		})
	}
}

// The dictionary of a new index is sorted already.
func TestBuildSortsTheDictionary(t *testing.T) {
	for _, shape := range buildShapes {
		x := build(*shape.source(12))
		testkit.EqualSlices(t, x.Terms.Sorted(), table.NamedBy(x.Terms.Len(), x.Terms.Term).Sorted(), shape)
	}
}

// Wherever Build looks at its context, it stops there.
func TestBuildStops(t *testing.T) {
	for _, shape := range []shape{buildShapes[1], buildShapes[6]} {
		src := *shape.source(13)
		for looks := 0; ; looks++ {
			x, err := Build(faults.NewCountdown(t, looks), src, BuildOptions{Threads: 1})
			if err == nil {
				t.Logf("%s: the context was looked at %d times", shape, looks)
				break
			}
			if !errors.Is(err, faults.ErrStop) || x != nil {
				t.Fatalf("after %d looks: %v, %v", looks, x, err)
			}
		}
	}
}

// Cancelled at any time, with several workers, Build ends all of them.
func TestBuildLeavesNothingBehind(t *testing.T) {
	src := *buildShapes[0].source(14)
	before := runtime.NumGoroutine()
	for wait := range 40 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(wait)*50*time.Microsecond)
		if _, err := Build(ctx, src, BuildOptions{Threads: 3}); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		cancel()
	}
	faults.NoneLeft(t, before)
}

func TestBuildRefusesTextsThatAreTooLong(t *testing.T) {
	long := strings.Repeat("x", 1<<26)
	src := Source{LabelStart: make([]uint32, 65), Columns: Columns{DocStart: make([]uint64, 65)}, IDs: slices.Repeat([]string{long}, 64)}
	testkit.Fails(t, testkit.Err(Build(t.Context(), src, BuildOptions{})), "4 GiB of names were taken")
}
