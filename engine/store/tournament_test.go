package store

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A tournament goes through the names of parts in their order, and finds all parts that have one.
func TestTournament(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 300 {
		parts := make([][][]byte, 1+r.IntN(70))
		for i := range parts {
			for range r.IntN(20) {
				parts[i] = append(parts[i], randomName(r))
			}
			slices.SortFunc(parts[i], bytes.Compare)
			parts[i] = slices.CompactFunc(parts[i], bytes.Equal)
		}
		names := make([][]byte, len(parts))
		left := slices.Clone(parts)
		played := newTournament(len(parts))
		next := func(part int) {
			if len(left[part]) == 0 {
				played.end(part)
				return
			}
			names[part], left[part] = left[part][0], left[part][1:]
			played.set(part, names[part])
		}
		for i := range parts {
			next(i)
		}
		played.playAll()
		all := slices.Concat(parts...)
		slices.SortFunc(all, bytes.Compare)
		for _, name := range slices.CompactFunc(all, bytes.Equal) {
			var want []int
			for i, part := range parts {
				if slices.ContainsFunc(part, func(n []byte) bool { return bytes.Equal(n, name) }) {
					want = append(want, i)
				}
			}
			got := slices.Clone(played.all())
			if played.ended() || !slices.Equal(got, want) || played.winner() != want[0] || played.alone() != (len(want) == 1) || !bytes.Equal(names[want[0]], name) {
				t.Fatalf("%q: parts %v, not %v", name, got, want)
			}
			for _, part := range got {
				next(part)
			}
			if len(got) == 1 {
				played.replay(got[0])
			} else {
				played.replayAll(got)
			}
		}
		testkit.Equal(testkit.Stop(t), played.ended(), true, "there is a name behind the last")
	}
}

// randomName returns a name that others are likely to have, to begin with, or to differ from in
// zeros at the end.
func randomName(r *rand.Rand) []byte {
	name := make([]byte, r.IntN(11))
	for i := range name {
		name[i] = "b\x00\xff"[r.IntN(3)]
		if r.IntN(4) > 0 {
			name[i] = 'a'
		}
	}
	return name
}
