package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// This file counts the terms of documents on several goroutines: each has a
// dictionary of its own, and each batch becomes a piece. join.go makes one of them.

// A shard is what one goroutine counts with.
type shard struct {
	counter *analysis.Counter
	classes map[string]uint32
	labels  []string // by class
	found   []analysis.TermCount
	hashed  []byte // of a document, besides its text
	prints  *document.Fingerprinter // nil unless repeats are to be found
	// What the last piece left of its columns' memory is where the next one begins:
	// pieces are many, and growing each from nothing would copy it twice.
	terms, counts []uint32
}

func newShard(a *analysis.Analyzer, opt *Options) *shard {
	s := &shard{counter: a.NewCounter(), classes: map[string]uint32{}}
	if opt.Dedupe {
		s.prints = &document.Fingerprinter{}
	}
	return s
}

// class numbers a label.
func (s *shard) class(label string) uint32 {
	class, ok := s.classes[label]
	if !ok {
		class = uint32(len(s.labels))
		s.classes[label] = class
		s.labels = append(s.labels, label)
	}
	return class
}

// A piece has some consecutive documents, in the numbers of a shard.
type piece struct {
	shard *shard
	src   store.Source // without Classes and Names
	// By document: the hash of all that the result depends on, and, for Dedupe, of
	// the contents alone.
	hashes   []uint64
	contents []document.Fingerprint
}

func newPiece(s *shard) *piece {
	return &piece{shard: s, src: store.Source{
		LabelStart: []uint32{0}, DocStart: []uint64{0}, Terms: s.terms, Counts: s.counts,
	}}
}

// end lends what is left of the columns' memory to the next piece.
func (p *piece) end() {
	terms, counts := p.src.Terms, p.src.Counts
	p.shard.terms, p.shard.counts = terms[len(terms):], counts[len(counts):]
	p.src.Terms, p.src.Counts = slices.Clip(terms), slices.Clip(counts)
}

// add counts a document.
func (p *piece) add(d document.Document) error {
	p.hashes = append(p.hashes, p.shard.hashDocument(d))
	if prints := p.shard.prints; prints != nil {
		p.contents = append(p.contents, prints.Of(d))
	}
	if err := p.addTerms(d); err != nil {
		return err
	}
	p.src.IDs = append(p.src.IDs, d.ID)
	p.src.DocStart = append(p.src.DocStart, uint64(len(p.src.Terms)))
	first := len(p.src.Labels)
	for _, label := range d.Labels {
		if class := p.shard.class(label); !slices.Contains(p.src.Labels[first:], class) {
			p.src.Labels = append(p.src.Labels, class)
		}
	}
	p.src.LabelStart = append(p.src.LabelStart, uint32(len(p.src.Labels)))
	return nil
}

func (p *piece) addTerms(d document.Document) error {
	s := p.shard
	if d.Features == nil {
		s.found = s.counter.Count(d.Text, s.found[:0])
		if p.src.Values == nil {
			p.addCounts(s.found)
			return nil
		}
		for _, f := range s.found {
			p.addPosting(f.Term, float64(f.Count))
		}
		return nil
	}
	for _, f := range d.Features {
		if !(f.Value > 0) || math.IsInf(f.Value, 0) {
			return fmt.Errorf("%v: document %q: the value of term %q is %v; it must be positive and finite", d.Source, d.ID, f.Term, f.Value)
		}
	}
	for _, f := range d.Features {
		p.addPosting(s.counter.Add(f.Term), f.Value)
	}
	return nil
}

// columnRoom is the least number of postings that room is made for.
const columnRoom = 1 << 17

// addCounts is addPosting for the terms that were found in a text.
func (p *piece) addCounts(found []analysis.TermCount) {
	terms, counts := p.src.Terms, p.src.Counts
	if min(cap(terms)-len(terms), cap(counts)-len(counts)) < len(found) {
		// Doubling copies half as much as append's growth by a quarter.
		more := max(len(terms)+len(found), columnRoom)
		terms, counts = slices.Grow(terms, more), slices.Grow(counts, more)
	}
	for _, f := range found {
		terms = append(terms, f.Term)
		counts = append(counts, f.Count)
	}
	p.src.Terms, p.src.Counts = terms, counts
}

// addPosting keeps a value as a count, until the first one that is none turns
// the column into real numbers.
func (p *piece) addPosting(term uint32, value float64) {
	p.src.Terms = append(p.src.Terms, term)
	isCount := value == math.Trunc(value) && value <= math.MaxUint32
	switch {
	case p.src.Values != nil:
		p.src.Values = append(p.src.Values, value)
	case isCount:
		p.src.Counts = append(p.src.Counts, uint32(value))
	default:
		p.src.Values = append(realValues(p.src.Counts), value)
		p.src.Counts = nil
	}
}

// realValues gives counts as real numbers, with room for as many more.
func realValues(counts []uint32) []float64 {
	values := make([]float64, 0, 2*len(counts)+1)
	for _, c := range counts {
		values = append(values, float64(c))
	}
	return values
}

// hashDocument covers all that the result depends on, with lengths in between. The
// text is hashed where it is: what goes through a Hasher is copied, 5 ms of the 120
// for 20 Newsgroups.
func (s *shard) hashDocument(d document.Document) uint64 {
	part := func(text string) {
		s.hashed = binary.AppendUvarint(s.hashed, uint64(len(text)))
		s.hashed = append(s.hashed, text...)
	}
	s.hashed = s.hashed[:0]
	part(d.ID)
	s.hashed = binary.AppendUvarint(s.hashed, uint64(len(d.Labels)))
	for _, l := range d.Labels {
		part(l)
	}
	for _, f := range d.Features {
		part(f.Term)
		s.hashed = binary.LittleEndian.AppendUint64(s.hashed, math.Float64bits(f.Value))
	}
	s.hashed = binary.LittleEndian.AppendUint64(s.hashed, xxh3.Hash(d.Text))
	return xxh3.Hash(s.hashed)
}

// A reading is the state of the workers that read batches.
type reading struct {
	shards []*shard // one a worker
	mu     sync.Mutex
	pieces []*piece // by batch; with one worker the only one
}

func newReading(a *analysis.Analyzer, opt *Options) *reading {
	r := &reading{}
	for range pool.Threads(opt.Threads) {
		r.shards = append(r.shards, newShard(a, opt))
	}
	return r
}

// batch counts the documents of a batch.
func (r *reading) batch(ctx context.Context, worker, number int, docs document.Stream) error {
	p := r.piece(worker, number)
	for d, err := range docs {
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = p.add(d)
		}
		if err != nil {
			return err
		}
	}
	if len(r.shards) > 1 {
		p.end()
	}
	return nil
}

// piece gives the place of a batch. One worker, who has the batches in order, goes
// on with the piece before, so that nothing is to be joined.
func (r *reading) piece(worker, number int) *piece {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.shards) == 1 {
		number = 0
	}
	for len(r.pieces) <= number {
		r.pieces = append(r.pieces, nil)
	}
	if r.pieces[number] == nil {
		r.pieces[number] = newPiece(r.shards[worker])
	}
	return r.pieces[number]
}
