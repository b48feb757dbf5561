package engine

import (
	"context"
	"math"
	"slices"

	"github.com/termsift/termsift/engine/pool"
)

// This file computes Kendall's tau-b of every two of several rankings, by Knight's
// algorithm (JASA 61, 1966) on points: terms with the same value in all rankings are
// one point with a weight. All measures of 20 Newsgroups tell 31,089 of the 130,107 terms
// apart; their 406 pairs take 0.7 s of CPU time, term by term 1.3.

// grouped are rankings of the same points, best first, in groups of equal value.
type grouped struct {
	weight []uint32 // by point: its terms
	terms  int64
	lists  []groupedList
}

type groupedList struct {
	group []uint32 // by point, from 0, the best
	order []uint32 // points, group by group
	start []uint32 // group -> its first place in order; and the end
	pairs int64    // of terms that are tied
}

func (l *groupedList) groups() int { return len(l.start) - 1 }

func pairsOf(n int64) int64 { return n * (n - 1) / 2 }

// groupRankings finds the points of rankings and groups them.
func groupRankings(ctx context.Context, threads int, rankings []*Ranking) (*grouped, error) {
	first, weight, err := distinctTerms(ctx, threads, rankings)
	if err != nil {
		return nil, err
	}
	all := &grouped{weight: weight, terms: int64(rankings[0].Len()), lists: make([]groupedList, len(rankings))}
	err = pool.Run(ctx, threads, len(rankings), func(_, i int) error {
		points := make([]candidate, len(first))
		for p, t := range first {
			points[p] = newCandidate(p, rankings[i].values[t])
		}
		sortCandidates(points, make([]candidate, len(points)))
		all.lists[i] = newGroupedList(points, weight)
		return nil
	})
	return all, err
}

// groupFronts makes a point of every term of two lists. One that a list does not have
// is in its last group.
func groupFronts(a, b *front) *grouped {
	points := slices.Clone(a.terms)
	ofB := make([]candidate, 0, len(a.terms)+len(b.terms))
	for i, t := range b.terms {
		p := int(a.place[t]) - 1
		if p < 0 {
			p = len(points)
			points = append(points, t)
		}
		ofB = append(ofB, candidate{uint64(len(b.terms) - i), uint32(p)})
	}
	ofA := make([]candidate, len(points))
	for p, t := range points {
		ofA[p] = candidate{uint64(max(len(a.terms)-p, 0)), uint32(p)}
		if b.place[t] == 0 {
			ofB = append(ofB, candidate{0, uint32(p)})
		}
	}
	weight := slices.Repeat([]uint32{1}, len(points))
	return &grouped{weight: weight, terms: int64(len(points)), lists: []groupedList{newGroupedList(ofA, weight), newGroupedList(ofB, weight)}}
}

// newGroupedList groups points that are in order by their keys.
func newGroupedList(points []candidate, weight []uint32) groupedList {
	l := groupedList{group: make([]uint32, len(points)), order: make([]uint32, len(points))}
	sum := int64(0)
	for i, c := range points {
		if i == 0 || c.key != points[i-1].key {
			l.start = append(l.start, uint32(i))
			l.pairs += pairsOf(sum)
			sum = 0
		}
		l.order[i], l.group[c.term] = c.term, uint32(len(l.start)-1)
		sum += int64(weight[c.term])
	}
	l.pairs += pairsOf(sum)
	l.start = append(l.start, uint32(len(points)))
	return l
}

// hashChunk is the number of terms that are hashed at once: their hashes stay in the
// cache while ranking after ranking is read.
const hashChunk = 1 << 13

// distinctTerms gives the first term of each point and the number of its terms.
func distinctTerms(ctx context.Context, threads int, rankings []*Ranking) (first, weight []uint32, err error) {
	hashes := make([]uint64, rankings[0].Len())
	chunks := (len(hashes) + hashChunk - 1) / hashChunk
	err = pool.Run(ctx, threads, chunks, func(_, chunk int) error {
		from := chunk * hashChunk
		part := hashes[from:min(from+hashChunk, len(hashes))]
		for _, r := range rankings {
			for i, v := range r.values[from : from+len(part)] {
				h := (part[i] ^ newCandidate(0, v).key) * 0x9e3779b97f4a7c15 // 2^64 over the golden ratio
				part[i] = h ^ h>>32
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	points := map[uint64]uint32{}
	for t, h := range hashes {
		if t%hashChunk == 0 && ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		p, ok := points[h]
		// Terms of one hash that are not the same would be a point each, which is right too.
		if !ok || !sameValues(rankings, first[p], uint32(t)) {
			p = uint32(len(first))
			points[h] = p
			first, weight = append(first, uint32(t)), append(weight, 0)
		}
		weight[p]++
	}
	return first, weight, nil
}

func sameValues(rankings []*Ranking, t, u uint32) bool {
	for _, r := range rankings {
		if newCandidate(0, r.values[t]).key != newCandidate(0, r.values[u]).key {
			return false
		}
	}
	return true
}

// A tauCounter has the memory of one worker.
type tauCounter struct {
	next    []uint32   // group of a -> where its next point goes
	points  []tauPoint // by a, then by b
	scratch []tauPoint
}

// A tauPoint is a point's group in the second ranking and its weight.
type tauPoint struct{ group, weight uint32 }

// tau is (concordant - discordant)/√((pairs - tied in a)(pairs - tied in b)) of two of
// the rankings; 0 where one has all terms tied.
func (c *tauCounter) tau(all *grouped, i, j int) float64 {
	a, b := &all.lists[i], &all.lists[j]
	pairs := pairsOf(all.terms)
	untiedA, untiedB := pairs-a.pairs, pairs-b.pairs
	if untiedA == 0 || untiedB == 0 {
		return 0
	}
	c.sort(all.weight, a, b)
	untied := pairs - a.pairs - b.pairs + c.tiedInBoth(a)
	difference := untied - 2*c.discordant()
	return float64(difference) / math.Sqrt(float64(untiedA)*float64(untiedB)) // of one with itself exactly 1
}

// sort puts the points in the order of a, those of one group in that of b: points come
// in the order of b, and each goes to the next place of its group.
func (c *tauCounter) sort(weight []uint32, a, b *groupedList) {
	c.next = append(c.next[:0], a.start...)
	c.points = slices.Grow(c.points[:0], len(weight))[:len(weight)]
	for g := range b.groups() {
		for _, p := range b.order[b.start[g]:b.start[g+1]] {
			at := &c.next[a.group[p]]
			c.points[*at] = tauPoint{uint32(g), weight[p]}
			*at++
		}
	}
}

// tiedInBoth counts the pairs of terms that both rankings tie.
func (c *tauCounter) tiedInBoth(a *groupedList) (pairs int64) {
	for g := range a.groups() {
		points := c.points[a.start[g]:a.start[g+1]]
		sum := int64(points[0].weight)
		for i := 1; i < len(points); i++ {
			if points[i].group != points[i-1].group {
				pairs += pairsOf(sum)
				sum = 0
			}
			sum += int64(points[i].weight)
		}
		pairs += pairsOf(sum)
	}
	return pairs
}

// sortedRun is the length of the runs that insertion sorts before they are merged.
const sortedRun = 8

// discordant counts the pairs of terms that the second ranking has in the other order,
// by a merge sort, which destroys the order of the points.
func (c *tauCounter) discordant() (pairs int64) {
	from := c.points
	for i := 0; i < len(from); i += sortedRun {
		pairs += insertPoints(from[i:min(i+sortedRun, len(from))])
	}
	to := slices.Grow(c.scratch[:0], len(from))[:len(from)]
	for width := sortedRun; width < len(from); width *= 2 {
		for i := 0; i < len(from); i += 2 * width {
			mid, end := min(i+width, len(from)), min(i+2*width, len(from))
			pairs += mergePoints(to[i:end], from[i:mid], from[mid:end])
		}
		from, to = to, from
	}
	c.points, c.scratch = from, to
	return pairs
}

// insertPoints sorts a few points and counts the pairs that were in the other order.
func insertPoints(points []tauPoint) (pairs int64) {
	for i := 1; i < len(points); i++ {
		p, j, passed := points[i], i, int64(0)
		for ; j > 0 && points[j-1].group > p.group; j-- {
			points[j] = points[j-1]
			passed += int64(points[j].weight)
		}
		points[j] = p
		pairs += passed * int64(p.weight)
	}
	return pairs
}

// mergePoints merges runs that stand behind each other and counts the pairs of one
// point of each that are in the other order: a point of the right run passes all that
// is left of the left one. Without branches it takes 0.81 s where this takes 0.70, for
// rankings are much alike.
func mergePoints(to, left, right []tauPoint) (pairs int64) {
	if len(right) == 0 || left[len(left)-1].group <= right[0].group {
		copy(to[copy(to, left):], right)
		return 0
	}
	rest := int64(0)
	for _, p := range left {
		rest += int64(p.weight)
	}
	n := 0
	for len(left) > 0 && len(right) > 0 {
		if right[0].group < left[0].group {
			pairs += rest * int64(right[0].weight)
			to[n], right = right[0], right[1:]
		} else {
			rest -= int64(left[0].weight)
			to[n], left = left[0], left[1:]
		}
		n++
	}
	n += copy(to[n:], left)
	copy(to[n:], right)
	return pairs
}
