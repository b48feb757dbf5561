package postings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
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

// A recipe is what a random source looks like.
type recipe struct {
	name                 string
	docs, terms, classes int
	labels               func(doc int) int // how many
	share                float64           // of the documents that have term 0
	count                func(posting int) uint32
	value                func(posting int) float64 // or nil
}

// source makes a corpus; term t is in a share of share/(t+1) of the documents.
func (c recipe) source(seed uint64) Source {
	r := rand.New(rand.NewPCG(seed, 2))
	src := Source{LabelStart: []uint32{0}, Columns: Columns{DocStart: []uint64{0}}}
	for _, k := range r.Perm(c.classes) {
		src.Classes = append(src.Classes, fmt.Sprint("class", k))
	}
	for _, t := range r.Perm(c.terms) {
		name := fmt.Sprint(t)
		if t%3 == 0 {
			name = "a long prefix " + name
		}
		src.Names = append(src.Names, name)
	}
	if c.value != nil {
		src.Values = []float64{}
	}
	for d := range c.docs {
		src.IDs = append(src.IDs, fmt.Sprint("d", d))
		if n := c.labels(d); n > 0 {
			for _, k := range r.Perm(c.classes)[:n] {
				src.Labels = append(src.Labels, uint32(k))
			}
		}
		src.LabelStart = append(src.LabelStart, uint32(len(src.Labels)))
		for t := range c.terms {
			if r.Float64() < c.share/float64(t+1) {
				n := len(src.Terms)
				src.Terms = append(src.Terms, uint32(t))
				if c.value != nil {
					src.Values = append(src.Values, c.value(n))
				} else {
					src.Counts = append(src.Counts, c.count(n))
				}
			}
		}
		src.DocStart = append(src.DocStart, uint64(len(src.Terms)))
	}
	return src
}

func noLabel(int) int           { return 0 }
func oneLabel(int) int          { return 1 }
func upToThreeLabels(d int) int { return d % 4 }
func smallCounts(n int) uint32  { return uint32(n%3 + 1) }
func mixedCounts(n int) uint32  { return uint32(n%7*100 + 1) }
func largeCounts(n int) uint32  { return Escape + uint32(n)<<12 }
func halfValues(n int) float64  { return float64(n%9+1) / 2 }
func thirdValues(n int) float64 { return float64(n%9+1) / 3 }

var recipes = []recipe{
	{name: "one label", docs: 3000, terms: 300, classes: 7, labels: oneLabel, share: 2, count: smallCounts},
	{name: "several labels", docs: 2000, terms: 200, classes: 5, labels: upToThreeLabels, share: 3, count: smallCounts},
	{name: "no labels", docs: 500, terms: 50, classes: 2, labels: noLabel, share: 1, count: smallCounts},
	{name: "some escapes", docs: 2000, terms: 200, classes: 5, labels: oneLabel, share: 3, count: mixedCounts},
	{name: "only escapes", docs: 300, terms: 100, classes: 5, labels: oneLabel, share: 3, count: largeCounts},
	{name: "exact values", docs: 2000, terms: 200, classes: 5, labels: oneLabel, share: 3, value: halfValues},
	{name: "inexact values", docs: 2000, terms: 200, classes: 5, labels: upToThreeLabels, share: 3, value: thirdValues},
	{name: "one document", docs: 1, terms: 100, classes: 1, labels: oneLabel, share: 50, count: smallCounts},
	{name: "one term", docs: 700, terms: 1, classes: 3, labels: oneLabel, share: .5, count: smallCounts},
	{name: "nothing", labels: oneLabel, count: smallCounts},
	{name: "no terms", docs: 10, classes: 2, labels: oneLabel, count: smallCounts},
	{name: "no postings", docs: 10, terms: 10, classes: 2, labels: oneLabel, value: halfValues},
	{name: "many terms", docs: 30, terms: 20_000, classes: 3, labels: oneLabel, share: 300, count: smallCounts},
	{name: "several containers", docs: 140_000, terms: 6, classes: 3, labels: oneLabel, share: .4, count: smallCounts},
}

// Build gives the bytes of buildSlowly, for any number of threads.
func TestBuild(t *testing.T) {
	threads := []int{1, 2, 3, 8}
	if testing.Short() {
		threads = []int{1, 3}
	}
	for _, recipe := range recipes {
		t.Run(recipe.name, func(t *testing.T) {
			src := recipe.source(11)
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
	for _, recipe := range recipes {
		x := build(recipe.source(12))
		testkit.EqualSlices(t, x.Terms.Sorted(), table.NamedBy(x.Terms.Len(), x.Terms.Term).Sorted(), recipe.name)
	}
}

// endsAfter is a context that ends when it has been looked at often enough.
type endsAfter struct {
	context.Context
	looks atomic.Int64
}

func (c *endsAfter) Err() error {
	if c.looks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever Build looks at its context, it stops there.
func TestBuildStops(t *testing.T) {
	for _, name := range []string{"several labels", "inexact values"} {
		i := slices.IndexFunc(recipes, func(r recipe) bool { return r.name == name })
		src := recipes[i].source(13)
		for looks := int64(0); ; looks++ {
			ctx := &endsAfter{Context: context.Background()}
			ctx.looks.Store(looks)
			x, err := Build(ctx, src, BuildOptions{Threads: 1})
			if err == nil {
				t.Logf("%s: the context was looked at %d times", name, looks)
				break
			}
			if !errors.Is(err, context.Canceled) || x != nil {
				t.Fatalf("after %d looks: %v, %v", looks, x, err)
			}
		}
	}
}

// Cancelled at any time, with several workers, Build ends all of them.
func TestBuildLeavesNothingBehind(t *testing.T) {
	src := recipes[0].source(14)
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
