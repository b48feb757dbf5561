package pool

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func BenchmarkFeed(b *testing.B) {
	for b.Loop() {
		testkit.OK(Feed(b.Context(), 2, upTo(1000, nil), func(_, _, _ int) error { return nil }))
	}
}
