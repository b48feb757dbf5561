package store

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/termsift/termsift/engine/pool"
)

// This file has lists merged by the workers, and writes them.

// mergeChunk fills a part with the lists of a chunk of terms.
type mergeChunk func(w *listWorker, m *merging, p *listPart, terms pool.Range) error

// putLists writes the lists of terms, and spools their values.
func (m *merging) putLists(ctx context.Context, o *fileWriter, terms pool.Range, merge mergeChunk) error {
	return m.eachPart(ctx, terms, func(w *listWorker, p *listPart, chunk pool.Range) error {
		return merge(w, m, p, chunk)
	}, func(p *listPart) error { return m.take(o, p) })
}

// eachPart has parts made of chunks of terms, and takes them in their order: the parts
// of a round while those of the next are made.
func (m *merging) eachPart(ctx context.Context, terms pool.Range, fill func(w *listWorker, p *listPart, chunk pool.Range) error, take func(p *listPart) error) error {
	chunks := m.chunks(terms)
	var made []listPart
	for len(chunks) > 0 || len(made) > 0 {
		round := chunks[:min(m.perRound(), len(chunks))]
		chunks = chunks[len(round):]
		parts := m.parts[m.round%2]
		m.round++
		err := runOver(ctx, m.shards, len(m.workers), 1+len(round), func(worker, i int) error {
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

// perRound is how many parts are made at once: one goroutine leaves them in the cache,
// several need not wait for the slowest.
func (m *merging) perRound() int {
	if len(m.workers) == 1 {
		return 1
	}
	return 4 * len(m.workers)
}

// startWorkers makes room for the workers and their parts.
func (m *merging) startWorkers() {
	m.workers = make([]listWorker, m.listThreads())
	for i := range m.parts {
		m.parts[i] = make([]listPart, m.perRound())
	}
}

// run runs work that reads the lists of all shards.
func (m *merging) run(ctx context.Context, n int, f func(i int) error) error {
	return runOver(ctx, m.shards, m.threads, n, func(_, i int) error { return f(i) })
}

// listBytes is what merging a list takes for each of its documents.
const listBytes = 32

// listThreads are as many as can merge the longest lists in half of the memory.
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
		{escapePlaces, bytesOf(p.escapeAt)},
		{escapeSection, bytesOf(p.escaped)},
		{valueSection, bytesOf(p.single)},
		{exactSection, bytesOf(p.double)},
	} {
		if _, err := m.spools[s.kind].Write(s.data); err != nil {
			return err
		}
	}
	return nil
}

// seenDocuments are those that have a term: a bit each.
type seenDocuments []atomic.Uint64

// add marks documents. Most have been marked before, by a more frequent term.
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
