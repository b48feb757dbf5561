package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

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
	hashed  []byte                  // of a document, besides its text
	prints  *document.Fingerprinter // nil unless repeats are to be found
	// room is what the last piece has left of the memory of its columns.
	room store.Columns
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
	shard      *shard
	ids        []string
	labelStart []uint32
	labels     []uint32
	parts      []store.Columns
	// By document: the hash of all that the result depends on, and, for Dedupe, of
	// the contents alone.
	idBytes  int64 // of the names, twice
	hashes   []uint64
	contents []document.Fingerprint
}

func newPiece(s *shard) *piece { return &piece{shard: s, labelStart: []uint32{0}} }

// add counts a document.
func (p *piece) add(d document.Document) error {
	p.hashes = append(p.hashes, p.shard.hashDocument(d))
	if prints := p.shard.prints; prints != nil {
		p.contents = append(p.contents, prints.Of(d))
	}
	if err := p.addTerms(d); err != nil {
		return err
	}
	p.ids = append(p.ids, d.ID)
	p.idBytes += 2 * int64(len(d.ID))
	first := len(p.labels)
	for _, label := range d.Labels {
		if class := p.shard.class(label); !slices.Contains(p.labels[first:], class) {
			p.labels = append(p.labels, class)
		}
	}
	p.labelStart = append(p.labelStart, uint32(len(p.labels)))
	return nil
}

func (p *piece) addTerms(d document.Document) error {
	if d.Features != nil {
		return p.addFeatures(d)
	}
	s := p.shard
	s.found = s.counter.Count(d.Text, s.found[:0])
	c := p.columns(len(s.found), false)
	for _, f := range s.found {
		c.Terms = append(c.Terms, f.Term)
		c.Counts = append(c.Counts, f.Count)
	}
	c.DocStart = append(c.DocStart, uint64(len(c.Terms)))
	return nil
}

// addFeatures keeps values as counts if all of the document's are.
func (p *piece) addFeatures(d document.Document) error {
	isReal := false
	for _, f := range d.Features {
		if !(f.Value > 0) || math.IsInf(f.Value, 0) {
			return fmt.Errorf("%v: document %q: the value of term %q is %v; it must be positive and finite", d.Source, d.ID, f.Term, f.Value)
		}
		isReal = isReal || f.Value != math.Trunc(f.Value) || f.Value > math.MaxUint32
	}
	c := p.columns(len(d.Features), isReal)
	for _, f := range d.Features {
		c.Terms = append(c.Terms, p.shard.counter.Add(f.Term))
		if isReal {
			c.Values = append(c.Values, f.Value)
		} else {
			c.Counts = append(c.Counts, uint32(f.Value))
		}
	}
	c.DocStart = append(c.DocStart, uint64(len(c.Terms)))
	return nil
}

// columnRoom is the number of postings that room is made for, a megabyte. Columns
// do not grow: copying them would take 5 % of the time for 20 Newsgroups, and half
// as much memory again.
const columnRoom = 1 << 17

// columns gives columns of counts or of real values with room for n postings.
func (p *piece) columns(n int, isReal bool) *store.Columns {
	if len(p.parts) > 0 {
		c := &p.parts[len(p.parts)-1]
		if cap(c.Terms)-len(c.Terms) >= n && isReal == (c.Values != nil) {
			return c
		}
		p.end()
	}
	room := p.shard.room
	p.shard.room = store.Columns{}
	if cap(room.Terms) < n || isReal != (room.Values != nil) {
		n = max(n, columnRoom)
		room = store.Columns{Terms: make([]uint32, 0, n)}
		if isReal {
			room.Values = make([]float64, 0, n)
		} else {
			room.Counts = make([]uint32, 0, n)
		}
	}
	room.DocStart = []uint64{0}
	p.parts = append(p.parts, room)
	return &p.parts[len(p.parts)-1]
}

// end lends what is left of the columns' memory to whoever comes next.
func (p *piece) end() {
	if len(p.parts) == 0 {
		return
	}
	c := &p.parts[len(p.parts)-1]
	if cap(c.Terms) == len(c.Terms) {
		return // nothing is left, or it was lent already
	}
	p.shard.room = store.Columns{Terms: rest(c.Terms), Counts: rest(c.Counts), Values: rest(c.Values)}
	c.Terms, c.Counts, c.Values = slices.Clip(c.Terms), slices.Clip(c.Counts), slices.Clip(c.Values)
}

// rest gives the unused memory of a column, nil of none.
func rest[T any](column []T) []T {
	if column == nil {
		return nil
	}
	return column[len(column):]
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
	shards   []*shard     // one a worker
	gathered atomic.Int64 // see footprint; only known between batches
	mu       sync.Mutex
	pieces   []*piece // by batch; with one worker the only one
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
	before := p.footprint()
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
	p.end()
	r.gathered.Add(p.footprint() - before)
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
