package table

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Keys of equal prefixes, of prefixes that end, and enough of them to be split.
func TestSortKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, letters := range []string{"a", "ab", "abcdefghijklmnopqrstuvwxyz", "\x00\xff", allBytes()} {
		for _, n := range []int{0, 1, manyKeys - 1, manyKeys, 5000} {
			var names nameList
			keys := make([]TermKey, n)
			for i := range keys {
				name := make([]byte, r.IntN(14))
				for j := range name {
					name[j] = letters[r.IntN(len(letters))]
				}
				names = append(names, string(name))
				keys[i] = NewTermKey(string(name), uint32(i))
			}
			sortTerms(keys, make([]TermKey, n), names)
			if !slices.IsSortedFunc(keys, func(i, j TermKey) int {
				return strings.Compare(names.Term(int(i.ID)), names.Term(int(j.ID)))
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

// A nameList gives names by their places.
type nameList []string

// Term implements termer.
func (l nameList) Term(id int) string { return l[id] }
