package ingest

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/table"
	"github.com/termsift/termsift/engine/vocabulary"
)

// This file makes the source of one index of the batches that the workers counted.

// inputTotals has what is known of all documents read so far, those of shards included.
type inputTotals struct {
	hash                table.InputHash
	repeats, relabelled int        // see Provenance
	longTokens          int64      // see Provenance
	tokens              TokenTotal // of repeats, too
	cut, short          int        // documents that were cut into segments, and those of them that are shorter
	// If Options.Dedupe, by contents: the hash of the labels of the first document that
	// has them.
	labelsOf map[document.Fingerprint]uint64
}

// seen adds what a counter has seen beside terms: tokens that are too long, and terms before they were hashed.
func (b *builder) seen(c *analysis.Counter) {
	b.totals.longTokens += c.Dropped()
	if d := c.Distinct(); d != nil && b.opt.Distinct != nil {
		b.opt.Distinct.Join(d)
	}
}

// provenance returns the provenance of an index of all documents read.
func (b *builder) provenance() table.Provenance {
	opt, t := &b.opt, &b.totals
	return table.Provenance{
		Version: table.Version, Analysis: opt.Analysis, MinDF: opt.MinDF, MaxDF: opt.MaxDF, Charset: opt.Charset, Fields: opt.Fields, Target: opt.Target,
		InputHash: t.hash.String(), Dedupe: opt.Dedupe, Repeats: t.repeats, Relabelled: t.relabelled,
		LongTokens: t.longTokens, Segment: opt.Segment, Short: t.short,
	}
}

// join makes the source of what was gathered, with terms and classes in one numbering, and adds the documents to the
// totals. It takes the memory of the batches.
func (b *builder) join(ctx context.Context, g *gatherer) (*postings.Source, error) {
	if err := b.totals.tokens.addBatches(g.batches); err != nil {
		return nil, err
	}
	counters := make([]*analysis.Counter, len(g.workers))
	for i, w := range g.workers {
		b.seen(w.counter)
		counters[i] = w.counter
	}
	src := &postings.Source{}
	dictionary, numbers, err := vocabulary.Join(ctx, b.opt.Threads, counters)
	if err != nil {
		return nil, err
	}
	src.Dictionary = dictionary
	for i, w := range g.workers {
		w.termNumbers = numbers[i]
	}
	mergeClasses(src, g.workers)
	owner, err := concatenate(ctx, b.opt.Threads, src, g.batches)
	if err != nil {
		return nil, err
	}
	isReal := slices.ContainsFunc(src.Parts, func(c postings.Columns) bool { return c.Values != nil })
	err = pool.Run(ctx, b.opt.Threads, len(src.Parts), func(_, i int) error {
		c := &src.Parts[i]
		if number := owner[i].termNumbers; number != nil {
			for at, t := range c.Terms {
				c.Terms[at] = number[t]
			}
		}
		if isReal && c.Values == nil {
			c.Values = make([]float64, len(c.Counts))
			for at, n := range c.Counts {
				c.Values[at] = float64(n)
			}
			c.Counts = nil
		}
		return nil
	})
	if err == nil && b.opt.Dedupe {
		b.totals.dropRepeats(src, g.batches)
	}
	return src, err
}

// concatenate puts the documents of the batches one behind the other, but for the numbers of their terms: it returns
// the worker whose numbers each of the parts has. The postings stay where they are.
func concatenate(ctx context.Context, threads int, src *postings.Source, batches []*countedBatch) (owner []*worker, err error) {
	first := make([]struct{ document, label int }, len(batches)+1) // of each batch
	for i, b := range batches {
		first[i+1].document, first[i+1].label = first[i].document+len(b.ids), first[i].label+len(b.labels)
		for _, c := range b.columns {
			src.Parts = append(src.Parts, c)
			owner = append(owner, b.worker)
		}
	}
	all := first[len(batches)]
	src.IDs, src.Labels = make([]string, all.document), make([]uint32, all.label)
	src.LabelStart = make([]uint32, all.document+1)
	return owner, pool.Run(ctx, threads, len(batches), func(_, i int) error {
		b, at := batches[i], first[i]
		copy(src.IDs[at.document:], b.ids)
		for d, start := range b.labelStart[1:] {
			src.LabelStart[at.document+d+1] = uint32(at.label) + start
		}
		for l, class := range b.labels {
			src.Labels[at.label+l] = b.worker.classNumbers[class]
		}
		b.ids, b.labels, b.columns = nil, nil, nil
		return nil
	})
}

// mergeClasses gives the classes of all workers common numbers.
func mergeClasses(src *postings.Source, workers []*worker) {
	known := map[string]uint32{}
	for _, w := range workers {
		for _, label := range w.labels {
			n, ok := known[label]
			if !ok {
				n = uint32(len(known))
				known[label] = n
				src.Classes = append(src.Classes, label)
			}
			w.classNumbers = append(w.classNumbers, n)
		}
	}
}

// dropRepeats removes the documents whose contents an earlier document has.
func (t *inputTotals) dropRepeats(src *postings.Source, batches []*countedBatch) {
	if t.labelsOf == nil {
		t.labelsOf = map[document.Fingerprint]uint64{}
	}
	var repeats []int
	d := 0
	for _, b := range batches {
		for _, print := range b.contents {
			labels := hashLabels(src, d)
			if before, seen := t.labelsOf[print]; !seen {
				t.labelsOf[print] = labels
			} else {
				repeats = append(repeats, d)
				if before != labels {
					t.relabelled++
				}
			}
			d++
		}
	}
	t.repeats += len(repeats)
	dropDocuments(src, repeats)
}

// hashLabels returns a hash of the set of a document's labels.
func hashLabels(src *postings.Source, d int) uint64 {
	var names []string
	for _, class := range src.Labels[src.LabelStart[d]:src.LabelStart[d+1]] {
		names = append(names, src.Classes[class])
	}
	slices.Sort(names)
	var set []byte
	for _, name := range names {
		set = binary.AppendUvarint(set, uint64(len(name)))
		set = append(set, name...)
	}
	return xxh3.Hash(set)
}

// dropDocuments removes documents, given by ascending numbers, from the source.
func dropDocuments(src *postings.Source, repeats []int) {
	if len(repeats) == 0 {
		return
	}
	gone := make([]bool, len(src.IDs))
	for _, d := range repeats {
		gone[d] = true
	}
	docs, labels := 0, 0
	for d, id := range src.IDs {
		if gone[d] {
			continue
		}
		own := src.Labels[src.LabelStart[d]:src.LabelStart[d+1]]
		labels += copy(src.Labels[labels:], own)
		src.IDs[docs] = id
		docs++
		src.LabelStart[docs] = uint32(labels)
	}
	src.IDs, src.LabelStart, src.Labels = src.IDs[:docs], src.LabelStart[:docs+1], src.Labels[:labels]
	for i := range src.Parts {
		n := len(src.Parts[i].DocStart) - 1
		dropPostings(&src.Parts[i], gone[:n])
		gone = gone[n:]
	}
	dropClasses(src)
}

// dropPostings removes the postings of the documents that are gone from columns.
func dropPostings(c *postings.Columns, gone []bool) {
	docs, postings := 0, 0
	for d := range gone {
		if gone[d] {
			continue
		}
		from, to := c.DocStart[d], c.DocStart[d+1]
		copy(c.Terms[postings:], c.Terms[from:to])
		if c.Values != nil {
			copy(c.Values[postings:], c.Values[from:to])
		} else {
			copy(c.Counts[postings:], c.Counts[from:to])
		}
		postings += int(to - from)
		docs++
		c.DocStart[docs] = uint64(postings)
	}
	c.DocStart, c.Terms = c.DocStart[:docs+1], c.Terms[:postings]
	if c.Values != nil {
		c.Values = c.Values[:postings]
	} else {
		c.Counts = c.Counts[:postings]
	}
}

// dropClasses removes the classes without a document.
func dropClasses(src *postings.Source) {
	used := make([]bool, len(src.Classes))
	for _, class := range src.Labels {
		used[class] = true
	}
	number := make([]uint32, len(used))
	classes := src.Classes[:0]
	for class, name := range src.Classes {
		number[class] = uint32(len(classes))
		if used[class] {
			classes = append(classes, name)
		}
	}
	src.Classes = classes
	for i, class := range src.Labels {
		src.Labels[i] = number[class]
	}
}
