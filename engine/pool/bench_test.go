package pool

import "testing"

func BenchmarkFeed(b *testing.B) {
	for b.Loop() {
		if err := Feed(b.Context(), 2, upTo(1000, nil), func(_, _, _ int) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
