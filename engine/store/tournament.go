package store

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/termsift/termsift/engine/table"
)

// A tournament finds the first of the names at which the parts of a merge stand, and all parts
// that stand there. It is a binary tree of winners: after a part has gone to its next name, only
// the matches on the way from its leaf to the root are played again. A match compares two
// numbers, and the names only where these do not decide.
type tournament struct {
	leaves  int           // a power of two, so that the parts are in their order from left to right
	keys    []uint64      // by node: the key of its winner; 1 is the root, and 2i and 2i+1 are the children of i
	winners []matchWinner // by node
	names   [][]byte      // by part
	parts   []int         // scratch memory
}

// A matchWinner is the part that has won a match, times four, with two flags.
type matchWinner uint32

const (
	drawn      = 1 // the other part of this match has the same name
	drawnBelow = 2 // of those that have met below, or here, more than one has the name
)

// part returns the part that has won; of those with the same name it is the first.
func (w matchWinner) part() int { return int(w / 4) }

// noKey is the key of a part that has ended. It is larger than that of any name.
const noKey = math.MaxUint64

// newTournament returns a tournament of parts without a name.
func newTournament(parts int) *tournament {
	leaves := 1
	for leaves < parts {
		leaves *= 2
	}
	t := &tournament{leaves: leaves, keys: make([]uint64, 2*leaves), winners: make([]matchWinner, 2*leaves), names: make([][]byte, parts)}
	for i := range leaves {
		t.keys[leaves+i], t.winners[leaves+i] = noKey, matchWinner(4*i)
	}
	return t
}

// ended reports whether no part has a name.
func (t *tournament) ended() bool { return t.keys[1] == noKey }

// winner returns the first part that stands at the first name.
func (t *tournament) winner() int { return t.winners[1].part() }

// alone reports whether no other part stands at the name of the winner.
func (t *tournament) alone() bool { return t.winners[1]&drawnBelow == 0 }

// set sets the name of a part, whose matches must be played again.
func (t *tournament) set(part int, name []byte) {
	t.keys[t.leaves+part], t.names[part] = table.KeyOf(prefixOf(name), len(name)), name
}

// end says that a part has no more names; its matches must be played again.
func (t *tournament) end(part int) { t.keys[t.leaves+part] = noKey }

// prefixOf returns the first eight bytes of a name as one number, with zeros behind its last. Names are short: a
// loop takes most of its time to find out how long they are.
func prefixOf(name []byte) uint64 {
	if cap(name) >= 8 {
		return binary.BigEndian.Uint64(name[:8]) &^ (math.MaxUint64 >> (8 * len(name)))
	}
	var p uint64
	for i, b := range name {
		p |= uint64(b) << (56 - 8*i)
	}
	return p
}

// playAll plays all matches.
func (t *tournament) playAll() {
	for node := t.leaves - 1; node > 0; node-- {
		t.play(node)
	}
}

// play plays the match of the children of a node.
func (t *tournament) play(node int) {
	l, r := 2*node, 2*node+1
	key, winner := t.keys[l], t.winners[l]
	switch other := t.keys[r]; {
	case other == key:
		winner = t.playNames(key, winner, t.winners[r])
	case other < key:
		key, winner = other, t.winners[r]&^drawn
	default:
		winner &^= drawn
	}
	t.keys[node], t.winners[node] = key, winner
}

// playNames returns the winner of a match of parts with the same key.
func (t *tournament) playNames(key uint64, left, right matchWinner) matchWinner {
	if key&0xff > table.KeyBytes && key != noKey {
		switch order := bytes.Compare(t.names[left.part()], t.names[right.part()]); {
		case order < 0:
			return left &^ drawn
		case order > 0:
			return right &^ drawn
		}
	}
	return left | drawn | drawnBelow
}

// replay plays the matches of a part again. In most the keys differ; the choice between them is
// then made without a branch, which would be foreseen half of the time.
func (t *tournament) replay(part int) {
	node := t.leaves + part
	key, winner := t.keys[node], t.winners[node]
	for ; node > 1; node /= 2 {
		other, theirs := t.keys[node^1], t.winners[node^1]
		if other == key {
			t.play(node / 2)
			key, winner = t.keys[node/2], t.winners[node/2]
			continue
		}
		if other < key {
			winner = theirs
		}
		key = min(key, other)
		winner &^= drawn
		t.keys[node/2], t.winners[node/2] = key, winner
	}
}

// replayAll plays the matches of several parts again, which are given in their order. It writes
// over them.
func (t *tournament) replayAll(parts []int) {
	nodes := parts
	for i, part := range parts {
		nodes[i] = t.leaves + part
	}
	for nodes[0] > 1 {
		n := 0
		for _, node := range nodes {
			if node /= 2; n == 0 || nodes[n-1] != node {
				t.play(node)
				nodes[n] = node
				n++
			}
		}
		nodes = nodes[:n]
	}
}

// all returns the parts that stand at the first name, in their order. They are valid until the
// next call.
func (t *tournament) all() []int {
	t.parts = t.appendDrawn(t.parts[:0], 1)
	return t.parts
}

// appendDrawn appends the parts below a node that have the name of its winner.
func (t *tournament) appendDrawn(parts []int, node int) []int {
	for t.winners[node]&drawnBelow != 0 {
		l := 2 * node
		switch {
		case t.winners[node]&drawn != 0:
			parts = t.appendDrawn(parts, l)
			node = l + 1
		case t.winners[node].part() == t.winners[l].part():
			node = l
		default:
			node = l + 1
		}
	}
	return append(parts, t.winners[node].part())
}
