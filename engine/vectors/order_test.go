package vectors

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Elements are put in the order that a stable sort gives, whether their features are there once or several times, and
// one document after another.
func TestFeatureOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, features := range []int{0, 1, 63, 64, 65, 4095, 4096, 4097, 20_000} {
		o := newFeatureOrder(features)
		for document := range 50 {
			var elements []element
			for i, feature := range r.Perm(features)[:r.IntN(min(features, 300)+1)] {
				elements = append(elements, element{uint32(feature), float64(i)})
			}
			if document%3 == 0 {
				for range r.IntN(len(elements) + 1) {
					elements = append(elements, element{elements[r.IntN(len(elements))].index, r.Float64()})
				}
			}
			before := []element{{7, 7}, {3, 3}}
			want := slices.Clone(elements)
			slices.SortStableFunc(want, func(a, b element) int { return int(a.index) - int(b.index) })
			if got := o.appendOrdered(slices.Clone(before), elements); !slices.Equal(got, append(before, want...)) {
				t.Fatalf("%d features, document %d: %v, want %v", features, document, got, want)
			}
		}
	}
}

// BenchmarkOrder puts 71 elements, as a document of 20 Newsgroups has, of 10,000 features in order.
func BenchmarkOrder(b *testing.B) {
	const features, documents, length = 10_000, 512, 71
	r := rand.New(rand.NewPCG(3, 4))
	all := make([][]element, documents)
	for i := range all {
		for _, feature := range r.Perm(features)[:length] {
			all[i] = append(all[i], element{uint32(feature), 1})
		}
	}
	set, keys := newFeatureOrder(features), []uint64(nil)
	for _, impl := range []struct {
		name  string
		order func(dst, elements []element) []element
	}{
		{"set", set.appendOrdered},
		{"sort", func(dst, elements []element) []element {
			keys = keys[:0]
			for place, e := range elements {
				keys = append(keys, uint64(e.index)<<32|uint64(place))
			}
			slices.Sort(keys)
			for _, key := range keys {
				dst = append(dst, elements[uint32(key)])
			}
			return dst
		}},
	} {
		b.Run("impl="+impl.name+"/set=generated", func(b *testing.B) {
			var ordered []element
			for b.Loop() {
				for _, elements := range all {
					ordered = impl.order(ordered[:0], elements)
				}
			}
			if !slices.IsSortedFunc(ordered, func(a, b element) int { return int(a.index) - int(b.index) }) {
				b.Fatal("not in order")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*documents*length), "ns/element")
		})
	}
}
