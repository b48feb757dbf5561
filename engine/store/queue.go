package store

import (
	"bytes"
	"cmp"
	"container/heap"
)

// A queue has the names at which the parts of a merge stand: a heap of the parts by their names, then by their numbers.
type queue struct {
	names [][]byte // by part
	parts []int
	taken []int // what take has returned
}

func (q *queue) Len() int { return len(q.parts) }

func (q *queue) Less(i, j int) bool {
	a, b := q.parts[i], q.parts[j]
	return cmp.Or(bytes.Compare(q.names[a], q.names[b]), a-b) < 0
}

func (q *queue) Swap(i, j int) { q.parts[i], q.parts[j] = q.parts[j], q.parts[i] }

func (q *queue) Push(part any) { q.parts = append(q.parts, part.(int)) }

func (q *queue) Pop() any {
	last := q.parts[len(q.parts)-1]
	q.parts = q.parts[:len(q.parts)-1]
	return last
}

// add adds a part that stands at a name, which must not change before take has returned the part.
func (q *queue) add(part int, name []byte) {
	q.names[part] = name
	heap.Push(q, part)
}

// take removes the parts that stand at the first name, and returns them in their order. They are valid until the next call.
func (q *queue) take() []int {
	q.taken = q.taken[:0]
	for len(q.parts) > 0 && (len(q.taken) == 0 || bytes.Equal(q.names[q.parts[0]], q.names[q.taken[0]])) {
		q.taken = append(q.taken, heap.Pop(q).(int))
	}
	return q.taken
}
