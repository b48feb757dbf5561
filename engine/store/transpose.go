package store

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/termsift/termsift/bitmap"
	"github.com/termsift/termsift/engine/pool"
)

// The transposition turns the documents' terms into the terms' documents in two
// passes. Writing every posting to its place at once misses the caches and the
// TLB: building took 38 ns a posting where there are 100 million, and now takes 15
// (AMD Zen 4, one thread). So the first pass, over the documents, only appends
// each posting to the records of its bucket, a few hundred streams; the second
// takes bucket after bucket, whose lists fit into the cache, and puts the
// postings of each in their places.
//
// Nothing that workers share out reaches the index: the second pass takes the
// records of a bucket in the order of the documents, however they were cut.

const (
	// A record is one word: the number of the term within the bucket, that of the
	// document within the block, and the count as in the column. A real value
	// stands behind it in eight bytes more.
	termBits    = 12
	docBits     = 12
	countBits   = 8
	countRecord = 4
	valueRecord = 4 + 8

	// bucketPostings bounds a bucket of several terms, whose lists then take a
	// megabyte; half as many or twice as many change the time by 3 %. Where the
	// postings would make more than about mostBuckets, the buckets are larger.
	bucketPostings = 1 << 18
	mostBuckets    = 1 << 13
	// blockPostings is what a worker takes between two looks at the context.
	blockPostings = 1 << 20
	// batchPostings are copied together before they are used.
	batchPostings = 1 << 12

	dropped = math.MaxUint32
)

// A part is a share of the documents that one worker takes at a time.
type part struct {
	blocks  []pool.Range // of documents
	df      []uint32     // by term number of the source
	from    []uint64     // by bucket: the first record, in bytes
	ends    [][]uint64   // by block and bucket: behind the last one
	escaped [][]uint32   // by bucket: the counts from 255 on, in the order of the records

	// The postings of some documents, behind each other.
	terms, counts []uint32
	values        []float64
}

// A bucket is a run of terms of the index and what becomes of them.
type bucket struct {
	first, last int    // terms [first, last)
	long        bool   // the lists become bitmaps
	dense       []byte // the bitmaps
	escapes     []escapedCount
	exact       bool // float32 holds the values
}

// An escapedCount is a count that a byte does not hold.
type escapedCount struct {
	at    uint64 // posting
	count uint32
}

// countTerms cuts the documents into parts and counts the documents of each term.
func (b *builder) countTerms(ctx context.Context) error {
	if err := b.cutDocuments(ctx); err != nil {
		return err
	}
	for i := range b.parts {
		b.parts[i].df = make([]uint32, len(b.src.Names))
	}
	if len(b.parts) == 1 {
		b.df = b.parts[0].df
		return b.countInOrder(ctx)
	}
	err := b.eachBlock(ctx, func(p *part, _ int, docs []uint32) {
		for own := range b.batches(docs) {
			p.terms = appendPostings(p.terms[:0], b.src.Terms, b.src.DocStart, own)
			countOnce(p.df, p.terms)
		}
	})
	if err != nil {
		return err
	}
	b.df = make([]uint32, len(b.src.Names))
	return b.inRanges(ctx, len(b.df), func(from, to int) {
		sum := b.df[from:to]
		for _, p := range b.parts {
			for t, n := range p.df[from:to] {
				sum[t] += n
			}
		}
	})
}

// countInOrder counts in the order of the source: 1.0 ns a posting instead of 2.0.
func (b *builder) countInOrder(ctx context.Context) error {
	for terms := range slices.Chunk(b.src.Terms, blockPostings) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		countOnce(b.df, terms)
	}
	return nil
}

func countOnce(df, terms []uint32) {
	for _, t := range terms {
		df[t]++
	}
}

// batches cuts documents into runs of about batchPostings.
func (b *builder) batches(docs []uint32) iter.Seq[[]uint32] {
	return func(yield func([]uint32) bool) {
		first, postings := 0, uint64(0)
		for i, d := range docs {
			postings += b.src.DocStart[d+1] - b.src.DocStart[d]
			if postings >= batchPostings || i == len(docs)-1 {
				if !yield(docs[first : i+1]) {
					return
				}
				first, postings = i+1, 0
			}
		}
	}
}

// appendPostings appends what documents have in a column of the source. In
// class-major order they are anywhere in it. Copies of several documents wait for
// the memory at the same time, where a loop over the postings waits for each: 2.0
// ns a posting with the counting, 3.5 without copies.
func appendPostings[T any](dst, column []T, start []uint64, docs []uint32) []T {
	for _, d := range docs {
		dst = append(dst, column[start[d]:start[d+1]]...)
	}
	return dst
}

// cutDocuments cuts the documents, in their order, into parts of about equal
// numbers of postings, and those into blocks.
func (b *builder) cutDocuments(ctx context.Context) error {
	b.parts = make([]part, b.wantedParts())
	total, parts := uint64(len(b.src.Terms)), uint64(len(b.parts))
	target := min(blockPostings, total/(8*parts)+1)
	var block pool.Range
	before, postings := uint64(0), uint64(0) // the block, and in it
	return b.inOrder(ctx, len(b.x.input), func(from, to int) {
		for i, d := range b.x.input[from:to] {
			postings += b.src.DocStart[d+1] - b.src.DocStart[d]
			block.To = from + i + 1
			if postings >= target || block.To-block.From == 1<<docBits || block.To == len(b.x.input) {
				p := &b.parts[before*parts/(total+1)]
				p.blocks = append(p.blocks, block)
				block.From = block.To
				before, postings = before+postings, 0
			}
		}
	})
}

// wantedParts is one for one worker, else up to four for each, so that a slow one
// holds up the others little. Each costs a count by term: together they take four
// bytes a posting at most, and a quarter where one part a worker takes less.
func (b *builder) wantedParts() int {
	if b.threads == 1 {
		return 1
	}
	perTerm := len(b.src.Terms) / max(len(b.src.Names), 1)
	each := min(max(perTerm/(16*b.threads), 1), 4)
	return max(min(b.threads*each, perTerm), 1)
}

// eachBlock calls f for every block, those of a part one after the other.
func (b *builder) eachBlock(ctx context.Context, f func(p *part, block int, docs []uint32)) error {
	return pool.Run(ctx, b.threads, len(b.parts), func(_, i int) error {
		p := &b.parts[i]
		for n, block := range p.blocks {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			f(p, n, b.x.input[block.From:block.To])
		}
		return nil
	})
}

// A transposition is the state of the two passes.
type transposition struct {
	*builder
	buckets []bucket
	long    int      // terms [0, long) get bitmaps
	where   []uint32 // by term number of the source: bucket<<termBits | place in it, or dropped
	size    uint64   // bytes of a record
	records []byte   // in the order of the postings as far as buckets go
}

// transpose makes the posting lists and the column.
func (b *builder) transpose(ctx context.Context) error {
	x := b.x
	x.start = make([]uint64, len(x.df)+1)
	for t, n := range x.df {
		x.start[t+1] = x.start[t] + uint64(n)
	}
	t := transposition{builder: b, size: countRecord}
	if b.src.Values != nil {
		t.size = valueRecord
	}
	total := x.start[len(x.df)]
	if total > math.MaxInt/t.size {
		return fmt.Errorf("store: %d postings are more than this machine can address", total)
	}
	if err := t.cutTerms(ctx); err != nil {
		return err
	}
	t.records = make([]byte, total*t.size)
	for _, step := range []func(context.Context) error{t.placeParts, t.distribute, t.collect, t.join} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cutTerms cuts the terms into buckets.
func (t *transposition) cutTerms(ctx context.Context) error {
	x := t.x
	bound := longList(x.Documents())
	most := max(bucketPostings, x.start[len(x.df)]/mostBuckets)
	t.where = slices.Repeat([]uint32{dropped}, len(t.src.Names))
	last := &bucket{}
	return t.inOrder(ctx, len(x.df), func(from, to int) {
		for term := from; term < to; term++ {
			long := x.df[term] >= bound
			n := term - last.first
			if term == 0 || last.long != long || n == 1<<termBits || x.start[term+1]-x.start[last.first] > most {
				t.buckets = append(t.buckets, bucket{first: term, long: long})
				last = &t.buckets[len(t.buckets)-1]
			}
			last.last = term + 1
			if long {
				t.long = term + 1
			}
			t.where[t.terms[term]] = uint32(len(t.buckets)-1)<<termBits | uint32(term-last.first)
		}
	})
}

// placeParts gives each part its own run of records in every bucket, in the
// order of the parts.
func (t *transposition) placeParts(ctx context.Context) error {
	err := pool.Run(ctx, t.threads, len(t.parts), func(_, i int) error {
		p := &t.parts[i]
		p.from, p.escaped = make([]uint64, len(t.buckets)), make([][]uint32, len(t.buckets))
		for term, n := range p.df {
			if w := t.where[term]; w != dropped {
				p.from[w>>termBits] += uint64(n)
			}
		}
		p.df = nil
		return nil
	})
	if err != nil {
		return err
	}
	for k := range t.buckets {
		next := t.x.start[t.buckets[k].first] * t.size
		for i := range t.parts {
			from := &t.parts[i].from[k]
			*from, next = next, next+*from*t.size
		}
	}
	return nil
}

// distribute is the first pass.
func (t *transposition) distribute(ctx context.Context) error {
	return t.eachBlock(ctx, func(p *part, block int, docs []uint32) {
		next := slices.Clone(p.from)
		if block > 0 {
			copy(next, p.ends[block-1])
		}
		t.write(p, next, docs)
		p.ends = append(p.ends, next)
	})
}

// write appends the postings of a block's documents to the buckets; next[k] is
// the next free byte of bucket k. The terms are looked up in a loop of their own:
// writes whose places do not wait for the table save 1.3 ns a posting.
func (t *transposition) write(p *part, next []uint64, docs []uint32) {
	start := t.src.DocStart
	doc := uint32(0) // within the block
	for own := range t.batches(docs) {
		p.terms = appendPostings(p.terms[:0], t.src.Terms, start, own)
		lookUp(p.terms, t.where)
		if t.src.Values != nil {
			p.values = appendPostings(p.values[:0], t.src.Values, start, own)
		} else {
			p.counts = appendPostings(p.counts[:0], t.src.Counts, start, own)
			p.keepEscaped()
		}
		from := 0
		for _, d := range own {
			to := from + int(start[d+1]-start[d])
			if t.src.Values != nil {
				writeValues(t.records, next, doc, p.terms[from:to], p.values[from:to])
			} else {
				writeCounts(t.records, next, doc, p.terms[from:to], p.counts[from:to])
			}
			doc++
			from = to
		}
	}
}

// lookUp replaces terms by what the table has for them.
func lookUp(terms, table []uint32) {
	for i, term := range terms {
		terms[i] = table[term]
	}
}

// keepEscaped keeps the counts of the batch that a byte does not hold.
func (p *part) keepEscaped() {
	for i, count := range p.counts {
		if count >= escape && p.terms[i] != dropped {
			k := p.terms[i] >> termBits
			p.escaped[k] = append(p.escaped[k], count)
		}
	}
}

// writeCounts appends the postings of one document.
func writeCounts(records []byte, next []uint64, doc uint32, terms, counts []uint32) {
	counts = counts[:len(terms)]
	for i, w := range terms {
		if w == dropped {
			continue
		}
		at := next[w>>termBits]
		next[w>>termBits] = at + countRecord
		le.PutUint32(records[at:at+countRecord], w<<(docBits+countBits)|doc<<countBits|min(counts[i], escape))
	}
}

// writeValues is writeCounts for real values.
func writeValues(records []byte, next []uint64, doc uint32, terms []uint32, values []float64) {
	for i, w := range terms {
		if w == dropped {
			continue
		}
		at := next[w>>termBits]
		next[w>>termBits] = at + valueRecord
		record := records[at : at+valueRecord]
		le.PutUint32(record, w<<(docBits+countBits)|doc<<countBits)
		le.PutUint64(record[4:], math.Float64bits(values[i]))
	}
}

// collect is the second pass.
func (t *transposition) collect(ctx context.Context) error {
	x := t.x
	total := x.start[len(x.df)]
	if t.src.Values != nil {
		x.tf.single, x.tf.double = make([]float32, total), make([]float64, total)
	} else {
		x.tf.counts = make([]uint8, total)
	}
	x.flat = make([]uint32, total-x.start[t.long])
	x.denseAt = make([]uint64, t.long+1)
	collectors := make([]collector, min(t.threads, len(t.buckets)))
	return pool.Run(ctx, t.threads, len(t.buckets), func(worker, k int) error {
		c := &collectors[worker]
		c.transposition = t
		return c.fill(ctx, k)
	})
}

// A collector has the scratch memory of a worker.
type collector struct {
	*transposition
	next    [1 << termBits]uint32 // by term of the bucket: place of its next posting
	scratch []uint32
	// Of the bucket at hand:
	base uint64 // first posting
	docs []uint32
}

// fill puts the postings of bucket k in order.
func (c *collector) fill(ctx context.Context, k int) error {
	u := &c.buckets[k]
	start := c.x.start[u.first : u.last+1]
	c.base = start[0]
	n := int(start[len(start)-1] - c.base)
	for i := range len(start) - 1 {
		c.next[i] = uint32(start[i] - c.base)
	}
	if u.long {
		c.scratch = slices.Grow(c.scratch[:0], n)
		c.docs = c.scratch[:n]
	} else {
		at := c.base - c.x.start[c.x.numDense()]
		c.docs = c.x.flat[at:][:n]
	}
	for i := range c.parts {
		if err := c.readPart(ctx, &c.parts[i], k); err != nil {
			return err
		}
	}
	if c.src.Values != nil {
		u.exact = round(c.x.tf.single[c.base:][:n], c.x.tf.double[c.base:][:n])
	}
	if u.long {
		c.encode(u, n)
	}
	slices.SortFunc(u.escapes, func(i, j escapedCount) int { return cmp.Compare(i.at, j.at) })
	return nil
}

// readPart takes the records of one part, block by block.
func (c *collector) readPart(ctx context.Context, p *part, k int) error {
	from, escaped := p.from[k], p.escaped[k]
	for i, block := range p.blocks {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		records := c.records[from:p.ends[i][k]]
		from = p.ends[i][k]
		if c.src.Values != nil {
			c.readValues(records, uint32(block.From))
		} else {
			escaped = c.readCounts(records, uint32(block.From), &c.buckets[k], escaped)
		}
	}
	return nil
}

// readCounts puts the postings of a block whose documents begin with first to
// their places. It takes the true counts from escaped and returns the rest.
func (c *collector) readCounts(records []byte, first uint32, u *bucket, escaped []uint32) []uint32 {
	for len(records) > 0 {
		n := c.placeCounts(records, first)
		if last := le.Uint32(records[n-countRecord:]); uint8(last) == escape {
			at := c.next[last>>(docBits+countBits)] - 1
			u.escapes = append(u.escapes, escapedCount{c.base + uint64(at), escaped[0]})
			escaped = escaped[1:]
		}
		records = records[n:]
	}
	return escaped
}

// placeCounts is readCounts up to the first escape. It returns the bytes that it
// has taken. Without the rare case its loop stays in registers: 1.9 ns a posting
// instead of 2.7.
func (c *collector) placeCounts(records []byte, first uint32) int {
	docs, next := c.docs, &c.next
	counts := c.x.tf.counts[c.base:][:len(docs)]
	for i := 0; i <= len(records)-countRecord; i += countRecord {
		r := le.Uint32(records[i:])
		term := r >> (docBits + countBits)
		at := next[term]
		next[term] = at + 1
		docs[at] = first + r>>countBits&(1<<docBits-1)
		counts[at] = uint8(r)
		if uint8(r) == escape {
			return i + countRecord
		}
	}
	return len(records)
}

// readValues is readCounts for real values.
func (c *collector) readValues(records []byte, first uint32) {
	docs, next := c.docs, &c.next
	values := c.x.tf.double[c.base:][:len(docs)]
	for i := 0; i <= len(records)-valueRecord; i += valueRecord {
		record := records[i : i+valueRecord]
		r := le.Uint32(record)
		term := r >> (docBits + countBits)
		at := next[term]
		next[term] = at + 1
		docs[at] = first + r>>countBits&(1<<docBits-1)
		values[at] = math.Float64frombits(le.Uint64(record[4:]))
	}
}

// round rounds values and says whether that changed none of them.
func round(dst []float32, values []float64) bool {
	exact := true
	for i, v := range values {
		dst[i] = float32(v)
		exact = exact && float64(dst[i]) == v
	}
	return exact
}

// encode makes the bitmaps of a bucket. They take the place of its n records,
// which are no longer needed; Append finds other memory where they do not fit.
func (c *collector) encode(u *bucket, n int) {
	from, to := c.base*c.size, (c.base+uint64(n))*c.size
	u.dense = c.records[from:from:to]
	for term := u.first; term < u.last; term++ {
		u.dense = bitmap.Append(u.dense, c.docs[c.x.start[term]-c.base:c.x.start[term+1]-c.base])
		for len(u.dense)%8 != 0 {
			u.dense = append(u.dense, 0)
		}
		c.x.denseAt[term+1] = uint64(len(u.dense)) // within the bucket, until join
	}
}

// join puts what the buckets have made behind each other.
func (t *transposition) join(ctx context.Context) error {
	x := t.x
	size, escapes, exact := 0, 0, true
	for _, u := range t.buckets {
		size += len(u.dense)
		escapes += len(u.escapes)
		exact = exact && u.exact
	}
	if exact {
		x.tf.double = nil
	}
	if escapes > 0 {
		x.tf.escapeAt, x.tf.escaped = make([]uint64, 0, escapes), make([]uint32, 0, escapes)
	}
	before := uint64(0)
	for _, u := range t.buckets {
		for _, e := range u.escapes {
			x.tf.escapeAt, x.tf.escaped = append(x.tf.escapeAt, e.at), append(x.tf.escaped, e.count)
		}
		if u.long {
			for term := u.first; term < u.last; term++ {
				x.denseAt[term+1] += before
			}
		}
		before += uint64(len(u.dense))
	}
	x.dense = make([]byte, size)
	return pool.Run(ctx, t.threads, len(t.buckets), func(_, k int) error {
		if u := &t.buckets[k]; u.long {
			copy(x.dense[x.denseAt[u.first]:], u.dense)
			u.dense = nil
		}
		return nil
	})
}
