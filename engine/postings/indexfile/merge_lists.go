package indexfile

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
)

// This file distributes the merging of lists over the workers and writes the lists.

// A mergeChunk merges the lists of a chunk of terms into a part.
type mergeChunk func(w *listWorker, m *merging, p *listPart, terms pool.Range) error

// putLists merges the lists of terms, writes them, and spools their values.
func (m *merging) putLists(ctx context.Context, o *fileWriter, terms pool.Range, merge mergeChunk) error {
	return m.eachPart(ctx, terms, func(w *listWorker, p *listPart, chunk pool.Range) error {
		return merge(w, m, p, chunk)
	}, func(p *listPart) error { return m.take(o, p) })
}

// eachPart calls fill for every chunk of terms, on several workers, and take for the
// resulting parts in their order. The parts of a round are taken while those of the
// next are filled.
func (m *merging) eachPart(ctx context.Context, terms pool.Range, fill func(w *listWorker, p *listPart, chunk pool.Range) error, take func(p *listPart) error) error {
	chunks := m.chunks(terms)
	var made []listPart
	for len(chunks) > 0 || len(made) > 0 {
		round := chunks[:min(m.perRound(), len(chunks))]
		chunks = chunks[len(round):]
		parts := m.parts[m.round%2]
		m.round++
		err := postings.RunOver(ctx, m.shards, len(m.workers), 1+len(round), func(worker, i int) error {
			if i > 0 {
				p := &parts[i-1]
				p.reset()
				return fill(&m.workers[worker], p, round[i-1])
			}
			for k := range made {
				if err := take(&made[k]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		made = parts[:len(round)]
	}
	return nil
}

// perRound returns the number of parts of a round: one for a single goroutine, so that
// the part stays in the cache; several per goroutine otherwise, so that none waits long
// for the slowest.
func (m *merging) perRound() int {
	if len(m.workers) == 1 {
		return 1
	}
	return 4 * len(m.workers)
}

// startWorkers allocates the workers and their parts.
func (m *merging) startWorkers() {
	m.workers = make([]listWorker, m.listThreads())
	for i := range m.parts {
		m.parts[i] = make([]listPart, m.perRound())
	}
}

// run calls f for [0, n), on several workers. f may read the lists of all shards.
func (m *merging) run(ctx context.Context, n int, f func(i int) error) error {
	return postings.RunOver(ctx, m.shards, m.threads, n, func(_, i int) error { return f(i) })
}

// listBytes is the memory, in bytes, that merging a list takes per document.
const listBytes = 32

// listThreads returns the number of workers that can merge the longest lists in half of
// MaxMemory, at least 1.
func (m *merging) listThreads() int {
	if m.opt.MaxMemory == 0 {
		return m.threads
	}
	return int(min(max(m.opt.MaxMemory/2/(listBytes*int64(max(m.documents, 1))), 1), int64(m.threads)))
}

// take writes the lists of a part and spools its values.
func (m *merging) take(o *fileWriter, p *listPart) error {
	for i := range p.escapeAt {
		p.escapeAt[i] += m.postings
	}
	m.postings += p.postings
	for _, data := range [][]byte{p.dense, p.flat} {
		if err := o.append(data); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		kind sectionKind
		data []byte
	}{
		{countSection, p.counts},
		{escapePlaces, files.BytesOf(p.escapeAt)},
		{escapeSection, files.BytesOf(p.escaped)},
		{valueSection, files.BytesOf(p.single)},
		{exactSection, files.BytesOf(p.double)},
	} {
		if _, err := m.spools[s.kind].Write(s.data); err != nil {
			return err
		}
	}
	return nil
}

// seenDocuments is the set of documents that have a term, one bit per document.
type seenDocuments []atomic.Uint64

// add marks documents as seen. Most are already marked by a more frequent term, so it
// reads before it writes.
func (s seenDocuments) add(docs []uint32) {
	for _, d := range docs {
		if word, bit := &s[d/64], uint64(1)<<(d%64); word.Load()&bit == 0 {
			word.Or(bit)
		}
	}
}

func (s seenDocuments) count() (n int) {
	for i := range s {
		n += bits.OnesCount64(s[i].Load())
	}
	return n
}
