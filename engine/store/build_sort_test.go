package store

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Keys of equal prefixes, of prefixes that end, and enough of them to be split.
func TestSortKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, letters := range []string{"a", "ab", "abcdefghijklmnopqrstuvwxyz", "\x00\xff", allBytes()} {
		for _, n := range []int{0, 1, manyKeys - 1, manyKeys, 5000} {
			var b builder
			keys := make([]termKey, n)
			for i := range keys {
				name := make([]byte, r.IntN(14))
				for j := range name {
					name[j] = letters[r.IntN(len(letters))]
				}
				b.src.Names = append(b.src.Names, string(name))
				keys[i] = newTermKey(string(name), uint32(i))
			}
			sortKeys(keys, make([]termKey, n), &b)
			if !slices.IsSortedFunc(keys, func(i, j termKey) int {
				return strings.Compare(b.Term(int(i.id)), b.Term(int(j.id)))
			}) {
				t.Errorf("%d keys of %q are not in order", n, letters)
			}
		}
	}
}

func allBytes() string {
	var b [256]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}

// Any number of workers sorts alike, keys that differ everywhere or in the last
// bytes of their prefixes, or behind them.
func TestByBytes(t *testing.T) {
	for _, before := range []string{"", "a", "abcdef", "abcdefghij"} {
		b := builder{}
		r := rand.New(rand.NewPCG(5, 6))
		terms := make([]uint32, 20_000)
		for i := range terms {
			b.src.Names = append(b.src.Names, before+strconv.FormatUint(r.Uint64()>>r.IntN(64), 36))
			terms[i] = uint32(i)
		}
		for _, b.threads = range []int{1, 2, 7} {
			keys, err := b.byBytes(t.Context(), terms)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.IsSortedFunc(keys, func(i, j termKey) int {
				return strings.Compare(b.Term(int(i.id)), b.Term(int(j.id)))
			}) {
				t.Errorf("%d workers: names that begin with %q are not in order", b.threads, before)
			}
		}
	}
}
