package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

// A dictionary finds the same by its text, and by the function that appends names. Without a known order it finds none.
func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var names []string
	for _, n := range r.Perm(2000) {
		names = append(names, strconv.Itoa(n*7))
	}
	sorted := NamedBy(len(names), func(id int) string { return names[id] }).Sorted()
	d := AppendedBy(len(names), sorted, func(dst []byte, id int) []byte { return append(dst, names[id]...) })
	var wanted []string
	for n := range 300 {
		wanted = append(wanted, strconv.Itoa(n*70), strconv.Itoa(n*70+1))
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	for _, spelled := range []bool{false, true} {
		if spelled {
			testkit.OK(d.Spell(t.Context(), 3))
		}
		got := map[string]string{}
		testkit.Equal(testkit.Stop(t), d.Find(wanted, func(i, id int) { got[wanted[i]] = d.Term(id) }), true,
			"the order is not known")
		for _, name := range wanted {
			n, _ := strconv.Atoi(name)
			want := ""
			if n%7 == 0 && n < 7*len(names) {
				want = name
			}
			testkit.Equal(t, got[name], want, name, "found")
		}
	}
	testkit.Equal(t, NamedBy(1, strconv.Itoa).Find(wanted, func(int, int) { t.Error("found") }), false,
		"an order is known")
}

// Names are spelled alike on any number of goroutines, and at once when the text is asked for.
func TestSpellOnThreads(t *testing.T) {
	for _, n := range []int{0, 1, spelledTogether, 2*spelledTogether + 5} {
		name := func(id int) string { return fmt.Sprint("name", id%1000) }
		want := NamedBy(n, name)
		for _, threads := range []int{0, 1, 3} {
			d := NamedBy(n, name)
			if threads > 0 {
				testkit.OK(d.Spell(t.Context(), threads))
			}
			testkit.Equal(t, d.Text(), want.Text(), n, "names on", threads, "goroutines are others")
			testkit.EqualSlices(t, d.Offsets(), want.Offsets(), n, "names on", threads, "goroutines are others")
			kept := testkit.Must(d.SortedOf(t.Context(), max(threads, 1), func(id uint32) bool { return id%3 == 0 }))
			testkit.Equal(t, len(kept), (n+2)/3, n, "terms are kept")
		}
	}
}

// All names are made once many were asked for one by one.
func TestTermOfMany(t *testing.T) {
	const n = 800
	made := 0
	d := NamedBy(n, func(id int) string { made++; return strconv.Itoa(id) })
	for id := range n {
		testkit.Equal(testkit.Stop(t), d.Term(id), strconv.Itoa(id), "term", id)
	}
	testkit.Equal(t, made, n/manyNames+n)
}

// Any number of workers sorts alike, terms that differ everywhere or in the last bytes of their prefixes, or behind
// them.
func TestSortIDsOnThreads(t *testing.T) {
	for _, before := range []string{"", "a", "abcdef", "abcdefghij"} {
		var names nameList
		r := rand.New(rand.NewPCG(5, 6))
		for range 20_000 {
			names = append(names, before+strconv.FormatUint(r.Uint64()>>r.IntN(64), 36))
		}
		for _, threads := range []int{1, 2, 7} {
			ids := make([]uint32, len(names))
			for i := range ids {
				ids[i] = uint32(i)
			}
			testkit.OK(sortIDs(t.Context(), threads, ids, names))
			if !slices.IsSortedFunc(ids, func(i, j uint32) int { return strings.Compare(names[i], names[j]) }) {
				t.Errorf("%d workers: names that begin with %q are not in order", threads, before)
			}
		}
	}
}

// Keys of equal prefixes, of prefixes that end, and enough of them to be split.
func TestSortKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, letters := range []string{"a", "ab", "abcdefghijklmnopqrstuvwxyz", "\x00\xff", allBytes()} {
		for _, n := range []int{0, 1, 255, 256, 5000} {
			var names nameList
			ids := make([]uint32, n)
			for i := range ids {
				name := make([]byte, r.IntN(14))
				for j := range name {
					name[j] = letters[r.IntN(len(letters))]
				}
				names = append(names, string(name))
				ids[i] = uint32(i)
			}
			testkit.OK(sortIDs(t.Context(), 1, ids, names))
			testkit.Equal(t, slices.IsSortedFunc(ids, func(i, j uint32) int { return strings.Compare(names[i], names[j]) }), true, n, "keys of", letters, "are not in order")
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
