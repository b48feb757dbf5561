package bench

import (
	"runtime"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/termsift/termsift/engine/store"
)

// This file counts documents with several labels in the ways that come into
// question. What came out decided for the slots of engine/store.

// BenchmarkMultiLabel gives the time for a posting of the corpus as it is, however
// often a way repeats it.
func BenchmarkMultiLabel(b *testing.B) {
	forSets(b, "Labels,X", func(b *testing.B, s *set) {
		want := s.labelled()
		l := withLabels(s)
		run := func(impl, what string, f func() float64) { countPairs(b, s, impl, what, want, f) }
		run("slots", "counts", func() float64 { return s.visit(b, store.VisitOptions{}) })
		run("slots", "moments", func() float64 { return s.visit(b, store.VisitOptions{Tokens: true}) })
		run("labels", "counts", l.counts)
		run("labels", "moments", l.moments)
		benchmarkReplicated(b, s, run)
		benchmarkIntersections(b, s)
	})
}

// countPairs measures a way to count; it returns how often a posting met a label.
func countPairs(b *testing.B, s *set, impl, what string, want float64, f func() float64) {
	b.Run("impl="+impl+"/what="+what+"/set="+s.name, func(b *testing.B) {
		var got float64
		loop(b, func() { got = f() })
		per(b, "posting", s.postings())
		if got != want {
			b.Fatalf("%v (posting, label) pairs were counted, there are %v", got, want)
		}
	})
}

// labelled is the number of (posting, label) pairs.
func (s *set) labelled() (n float64) {
	var p store.Postings
	for t := range s.index.Terms.Len() {
		s.index.ReadDocs(t, &p)
		for _, d := range p.Docs {
			n += float64(len(s.index.Labels(int(d))))
		}
	}
	return n
}

// A cellSum adds up the documents of all cells.
type cellSum struct {
	classes int
	cells   float64
}

func (c *cellSum) Row(r *store.Row) {
	for _, a := range r.A {
		c.cells += a
	}
}

func (c *cellSum) Tile(t *store.Tile) {
	for i := range t.DF {
		c.cells += added(t.Counts[i*t.Stride:][:c.classes])
	}
}

func (c *cellSum) Few(_, _ int, classes []uint32, _ []uint8) { c.cells += float64(len(classes)) }

func added(counts []uint32) float64 {
	n := uint32(0)
	for _, a := range counts {
		n += a
	}
	return float64(n)
}

func (s *set) visit(b *testing.B, opt store.VisitOptions) float64 {
	v := &cellSum{classes: len(s.index.Classes)}
	opt.Threads = 1
	if err := s.index.Visit(b.Context(), opt, func(int) store.Visitor { return v }); err != nil {
		b.Fatal(err)
	}
	return v.cells
}

// labelLists are a set with the labels of each document as they come.
type labelLists struct {
	x       *store.Index
	start   []uint32 // documents+1
	labels  []uint32
	docs    []uint32
	sums    []float64
	squares []float64
	list    store.Postings
}

func withLabels(s *set) *labelLists {
	k := len(s.index.Classes)
	l := &labelLists{x: s.index, start: []uint32{0}, docs: make([]uint32, k), sums: make([]float64, k), squares: make([]float64, k)}
	for d := range s.index.Documents() {
		l.labels = append(l.labels, s.index.Labels(d)...)
		l.start = append(l.start, uint32(len(l.labels)))
	}
	return l
}

// counts goes over the labels of the document of every posting.
func (l *labelLists) counts() (total float64) {
	for t := range l.x.Terms.Len() {
		l.x.ReadDocs(t, &l.list)
		clear(l.docs)
		for _, d := range l.list.Docs {
			for _, c := range l.labels[l.start[d]:l.start[d+1]] {
				l.docs[c]++
			}
		}
		total += added(l.docs)
	}
	return total
}

func (l *labelLists) moments() (total float64) {
	for t := range l.x.Terms.Len() {
		l.x.Read(t, &l.list)
		clear(l.docs)
		clear(l.sums)
		clear(l.squares)
		for i, d := range l.list.Docs {
			v := l.list.TF[i]
			for _, c := range l.labels[l.start[d]:l.start[d+1]] {
				l.docs[c]++
				l.sums[c] += v
				l.squares[c] += v * v
			}
		}
		total += added(l.docs)
	}
	return total
}

// benchmarkReplicated counts a corpus that has each document once a label, as one
// with a label each, and measures what making it takes.
func benchmarkReplicated(b *testing.B, s *set, run func(impl, what string, f func() float64)) {
	src := replicated(b, s.name)
	copies := &set{name: s.name, index: build(b, src)}
	copies.visit(b, store.VisitOptions{}) // derives what it keeps
	run("replicated", "counts", func() float64 { return copies.visit(b, store.VisitOptions{Few: 3}) })
	run("replicated", "moments", func() float64 { return copies.visit(b, store.VisitOptions{Tokens: true, Few: 3}) })
	b.Run("impl=replicated/what=construct/set="+s.name, func(b *testing.B) {
		copies = nil
		runtime.GC()
		var x *store.Index
		loop(b, func() { x = buildOn(b, src, 1) })
		per(b, "posting", s.postings())
		b.ReportMetric(float64(x.Bytes())/s.postings(), "B/posting")
		if float64(x.NumPostings()) != s.labelled() {
			b.Fatalf("%d postings, want %v", x.NumPostings(), s.labelled())
		}
	})
}

// buildOn makes an index on a number of threads.
func buildOn(b *testing.B, src store.Source, threads int) *store.Index {
	x, err := store.Build(b.Context(), src, store.BuildOptions{Threads: threads, Meta: []byte("{}")})
	if err != nil {
		b.Fatal(err)
	}
	return x
}

// replicated repeats each document of a generated set for each of its labels.
func replicated(b *testing.B, name string) store.Source {
	src := generate(b, name)
	out := store.Source{Classes: src.Classes, Names: src.Names, LabelStart: []uint32{0}, Columns: store.Columns{DocStart: []uint64{0}}}
	for d, id := range src.IDs {
		from, to := src.DocStart[d], src.DocStart[d+1]
		for _, label := range src.Labels[src.LabelStart[d]:src.LabelStart[d+1]] {
			out.IDs = append(out.IDs, id+src.Classes[label])
			out.Labels = append(out.Labels, label)
			out.LabelStart = append(out.LabelStart, uint32(len(out.Labels)))
			out.Terms = append(out.Terms, src.Terms[from:to]...)
			out.Counts = append(out.Counts, src.Counts[from:to]...)
			out.DocStart = append(out.DocStart, uint64(len(out.Terms)))
		}
	}
	return out
}

// benchmarkIntersections counts the dense terms only, where bitmaps stand their
// best chance: by intersecting them with the classes, and with slots.
func benchmarkIntersections(b *testing.B, s *set) {
	index, err := store.Build(b.Context(), generate(b, s.name), store.BuildOptions{MinDF: 1. / 25})
	if err != nil {
		b.Fatal(err)
	}
	dense := &set{name: s.name, index: index}
	want := dense.visit(b, store.VisitOptions{})
	classes, lists := classBitmaps(index), make([]*roaring.Bitmap, index.Terms.Len())
	for t := range lists {
		lists[t] = must(index.Bitmap(t))
	}
	for _, way := range []struct {
		impl string
		f    func() float64
	}{
		{"intersections", func() float64 { return intersect(lists, classes) }},
		{"slots", func() float64 { return dense.visit(b, store.VisitOptions{}) }},
	} {
		countPairs(b, dense, way.impl, "dense", want, way.f)
	}
}

func classBitmaps(x *store.Index) []*roaring.Bitmap {
	classes := make([]*roaring.Bitmap, len(x.Classes))
	for c := range classes {
		classes[c] = roaring.New()
	}
	for d := range x.Documents() {
		for _, c := range x.Labels(d) {
			classes[c].Add(uint32(d))
		}
	}
	return classes
}

func intersect(lists, classes []*roaring.Bitmap) (n float64) {
	for _, list := range lists {
		for _, c := range classes {
			n += float64(list.AndCardinality(c))
		}
	}
	return n
}
