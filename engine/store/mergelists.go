package store

import (
	"context"
	"math/bits"
	"sync/atomic"

	"github.com/termsift/termsift/engine/pool"
)

// This file has the lists of these terms merged, and appends them to the sections.

// mergeLists merges the lists of the terms, a few chunks at a time.
func (m *merging) mergeLists(ctx context.Context) error {
	if err := m.putPlaces(nil); err != nil {
		return err
	}
	if m.opt.Counts != nil {
		m.seen = make(seenDocuments, (m.documents+63)/64)
	}
	chunks := pool.Split(len(m.terms), chunkCost, 1, func(t int) int64 { return int64(m.terms[t].df) + termCost })
	workers := make([]listWorker, m.listThreads())
	parts := make([]listPart, min(4*len(workers), max(len(chunks), 1)))
	for len(chunks) > 0 {
		round := chunks[:min(len(parts), len(chunks))]
		err := runOver(ctx, m.shards, len(workers), len(round), func(worker, i int) error {
			return workers[worker].merge(m, &parts[i], round[i])
		})
		if err != nil {
			return err
		}
		for i := range round {
			if err := m.take(&parts[i]); err != nil {
				return err
			}
		}
		chunks = chunks[len(round):]
	}
	return m.takeRuns()
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

// putPlaces appends the ends of bitmaps to dense-offsets, which begins with a 0.
func (m *merging) putPlaces(sizes []int) error {
	s := &m.spools[denseOffsets]
	var b [8]byte
	if s.n == 0 {
		if _, err := s.Write(b[:]); err != nil {
			return err
		}
	}
	at := uint64(m.spools[denseSection].n)
	for _, size := range sizes {
		at += uint64(size)
		le.PutUint64(b[:], at)
		if _, err := s.Write(b[:]); err != nil {
			return err
		}
	}
	return nil
}

// take appends a part to the sections.
func (m *merging) take(p *listPart) error {
	if err := m.putPlaces(p.sizes); err != nil {
		return err
	}
	for i := range p.escapeAt {
		p.escapeAt[i] += m.postings
	}
	m.postings += p.postings
	for _, s := range []struct {
		kind sectionKind
		data []byte
	}{
		{termText, p.text},
		{termLengths, p.lengths},
		{denseSection, p.dense},
		{flatSection, bytesOf(p.flat)},
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

// takeRuns appends the frequencies, see appendRuns.
func (m *merging) takeRuns() error {
	for i := 0; i < len(m.terms); {
		run := i + 1
		for run < len(m.terms) && m.terms[run].df == m.terms[i].df {
			run++
		}
		if err := m.put32(dfRuns, m.terms[i].df); err != nil {
			return err
		}
		if err := m.put32(dfRuns, uint32(run-i)); err != nil {
			return err
		}
		i = run
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
