package kernels

import (
	"math/rand/v2"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

type cellChecker func(sets, sums []uint64, classes, a, s []byte, start []int, last uint8) bool

// cellGrounds are the arguments of checkCells, each in a ground of its own.
type cellGrounds struct {
	allClasses, allA, allS *ground[byte]
	allSets, allSums       *ground[uint64]
	allStart               *ground[int]
	classes, a, s          []byte
	sets, sums             []uint64
	start                  []int
	last                   uint8
}

const checkedTerms = 100

func newCellGrounds(t *testing.T) *cellGrounds {
	bytes := func(fill byte) *ground[byte] { return newGround(t, checkedTerms*MostByteCells, fill) }
	words := func() *ground[uint64] { return newGround[uint64](t, checkedTerms, 5) }
	return &cellGrounds{
		allClasses: bytes(0), allA: bytes(0), allS: bytes(7), allSets: words(), allSums: words(),
		allStart: newGround(t, checkedTerms+1, -1),
	}
}

// draw takes so many terms, with the cells at the given place. All are right.
func (c *cellGrounds) draw(r *rand.Rand, terms int, at place) {
	anywhere := func() place { return somePlaces[r.IntN(len(somePlaces))] }
	numClasses := []int{1, 7, 20, 32, 33, 50, 64, 65, 128, 255, 256}[r.IntN(11)]
	c.last = uint8(numClasses - 1)
	c.sets, c.sums, c.start = c.allSets.take(terms, anywhere()), c.allSums.take(terms, anywhere()), c.allStart.take(terms+1, anywhere())
	every, classes := 1+r.IntN(40), []byte(nil)
	c.start[0] = r.IntN(1000)
	for i := range terms {
		for class := range numClasses {
			if every == 1 || r.IntN(every) == 0 {
				classes = append(classes, byte(class))
			}
		}
		c.start[i+1] = c.start[0] + len(classes)
	}
	n := len(classes)
	c.classes, c.a, c.s = c.allClasses.take(n, at), c.allA.take(n, at), c.allS.take(n, anywhere())
	copy(c.classes, classes)
	for i := range c.a {
		c.a[i], c.s[i] = byte(1+r.IntN(255)), byte(r.IntN(256))
	}
}

// spoil makes some cells wrong, or places of cells.
func (c *cellGrounds) spoil(r *rand.Rand) {
	for range r.IntN(3) {
		if n := len(c.classes); n > 0 {
			switch i := r.IntN(n); r.IntN(3) {
			case 0:
				c.a[i] = 0
			case 1:
				c.classes[i] = byte(r.IntN(256))
			case 2:
				c.classes[i] = c.classes[max(i-1, 0)]
			}
		}
	}
	if r.IntN(10) == 0 {
		c.start[1+r.IntN(len(c.start)-1)] += r.IntN(600) - 300
	}
}

func (c *cellGrounds) check(t *testing.T) {
	t.Helper()
	for _, g := range []*ground[byte]{c.allClasses, c.allA, c.allS} {
		g.check(t)
	}
	c.allSets.check(t)
	c.allSums.check(t)
	c.allStart.check(t)
}

func TestCheckCells(t *testing.T) {
	forEach(t, func(p implementation) cellChecker { return p.checkCells }, func(t *testing.T, check cellChecker) {
		r, c := rand.New(rand.NewPCG(31, 32)), newCellGrounds(t)
		wrong, descending := 0, 0
		for round := range 4000 {
			terms := 1 + r.IntN(checkedTerms)
			c.draw(r, terms, somePlaces[r.IntN(len(somePlaces))])
			if round%2 == 1 {
				c.spoil(r)
			}
			sets, sums := make([]uint64, terms), make([]uint64, terms)
			want := checkCellsGeneric(sets, sums, c.classes, c.a, c.s, c.start, c.last)
			testkit.Equal(testkit.Stop(t), check(c.sets, c.sums, c.classes, c.a, c.s, c.start, c.last), want, "round",
				round)
			c.check(t)
			if !want {
				descending++
				continue
			}
			for i, sum := range sums {
				if sum == WrongCells {
					wrong++
				}
				if c.sums[i] != sum || sum != WrongCells && c.sets[i] != sets[i] {
					t.Fatalf("round %d, term %d: sum %#x of classes %#x, want %#x of %#x", round, i, c.sums[i], c.sets[i], sum, sets[i])
				}
			}
		}
		if wrong < 100 || descending < 20 {
			t.Errorf("%d terms are wrong, %d places descend", wrong, descending)
		}
	})
}

// The pure Go form, which the others are held against, says of every kind of term what it is.
func TestCheckCellsFinds(t *testing.T) {
	for _, c := range []struct {
		name          string
		classes, a, s []byte
		set, sum      uint64
	}{
		{"no cell", nil, nil, nil, 0, 0},
		{"two cells", []byte{0, 63}, []byte{1, 255}, []byte{2, 255}, 1<<63 | 1, 256 | 257<<16},
		{"a class without a bit", []byte{3, 64}, []byte{1, 1}, []byte{0, 0}, 8, 2},
		{"the same class twice", []byte{3, 3}, []byte{1, 1}, []byte{0, 0}, 0, WrongCells},
		{"a class below the one before", []byte{3, 2}, []byte{1, 1}, []byte{0, 0}, 0, WrongCells},
		{"a class beyond the last", []byte{3, 66}, []byte{1, 1}, []byte{0, 0}, 0, WrongCells},
		{"a cell of no document", []byte{3, 5}, []byte{1, 0}, []byte{0, 0}, 0, WrongCells},
	} {
		sets, sums := make([]uint64, 1), make([]uint64, 1)
		CheckCells(sets, sums, c.classes, c.a, c.s, []int{7, 7 + len(c.classes)}, 66)
		if sums[0] != c.sum || c.sum != WrongCells && sets[0] != c.set {
			t.Errorf("%s: sum %#x of classes %#x, want %#x of %#x", c.name, sums[0], sets[0], c.sum, c.set)
		}
	}
}
