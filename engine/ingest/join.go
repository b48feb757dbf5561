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

// joinedBatches is the source of an index, and the totals of all documents read so far.
type joinedBatches struct {
	source postings.Source
	*inputTotals
}

// inputTotals has what is known of all documents read so far, those of shards included.
type inputTotals struct {
	hash                table.InputHash
	repeats, relabelled int        // see Provenance
	longTokens          int64      // see Provenance
	tokens              TokenTotal // of repeats, too
	segments            segmentCounts
	// If Options.Dedupe, by contents: the hash of the labels of the first document that
	// has them.
	labelsOf map[document.Fingerprint]uint64
}

// provenance returns the provenance of an index of all documents read.
func (t *inputTotals) provenance(opt Options) table.Provenance {
	return table.Provenance{
		Version: table.Version, Analysis: opt.Analysis, MinDF: opt.MinDF, MaxDF: opt.MaxDF, Charset: opt.Charset, Fields: opt.Fields, Target: opt.Target,
		InputHash: t.hash.String(), Dedupe: opt.Dedupe, Repeats: t.repeats, Relabelled: t.relabelled,
		LongTokens: t.longTokens + t.segments.longTokens.Load(), Segment: opt.Segment, Short: int(t.segments.short.Load()),
	}
}

// joinBatches makes the source of the batches in their order, with terms and classes in
// one numbering, and adds the documents to the totals t. It takes the memory of the
// batches.
func joinBatches(ctx context.Context, opt Options, t *inputTotals, workers []*worker, batches []*countedBatch) (*joinedBatches, error) {
	j := &joinedBatches{inputTotals: t}
	if err := t.tokens.addBatches(batches); err != nil {
		return nil, err
	}
	for _, b := range batches {
		t.hash.Append(b.hash)
	}
	for _, w := range workers {
		t.longTokens += w.counter.Dropped()
		opt.seen(w.counter)
	}
	if err := j.concatenate(ctx, opt.Threads, workers, batches); err != nil {
		return nil, err
	}
	if opt.Dedupe {
		j.dropRepeats(batches)
	}
	return j, nil
}

// concatenate makes the source of the batches. Their postings stay where they are and are
// renumbered in place.
func (j *joinedBatches) concatenate(ctx context.Context, threads int, workers []*worker, batches []*countedBatch) error {
	counters := make([]*analysis.Counter, len(workers))
	for i, w := range workers {
		counters[i] = w.counter
	}
	dictionary, numbers, err := vocabulary.Join(ctx, threads, counters)
	if err != nil {
		return err
	}
	j.source.Dictionary = dictionary
	terms := map[*worker][]uint32{}
	for i, w := range workers {
		terms[w] = numbers[i]
	}
	owner, err := j.concatenateDocuments(ctx, threads, workers, batches)
	if err != nil {
		return err
	}
	isReal := slices.ContainsFunc(j.source.Parts, func(c postings.Columns) bool { return c.Values != nil })
	return pool.Run(ctx, threads, len(j.source.Parts), func(_, i int) error {
		c := &j.source.Parts[i]
		if number := terms[owner[i]]; number != nil {
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
}

// concatenateDocuments makes all of the source but the names of its terms, and returns the worker
// whose numbers of terms each of its parts has.
func (j *joinedBatches) concatenateDocuments(ctx context.Context, threads int, workers []*worker, batches []*countedBatch) (owner []*worker, err error) {
	classes := j.mergeClasses(workers)
	first := make([]struct{ document, label int }, len(batches)+1) // of each batch
	for i, b := range batches {
		first[i+1].document, first[i+1].label = first[i].document+len(b.ids), first[i].label+len(b.labels)
		for _, c := range b.columns {
			j.source.Parts = append(j.source.Parts, c)
			owner = append(owner, b.worker)
		}
	}
	all := first[len(batches)]
	j.source.IDs, j.source.Labels = make([]string, all.document), make([]uint32, all.label)
	j.source.LabelStart = make([]uint32, all.document+1)
	return owner, pool.Run(ctx, threads, len(batches), func(_, i int) error {
		b, at := batches[i], first[i]
		copy(j.source.IDs[at.document:], b.ids)
		for d, start := range b.labelStart[1:] {
			j.source.LabelStart[at.document+d+1] = uint32(at.label) + start
		}
		for l, class := range b.labels {
			j.source.Labels[at.label+l] = classes[b.worker][class]
		}
		b.ids, b.labels, b.columns = nil, nil, nil
		return nil
	})
}

// mergeClasses gives the classes of all workers common numbers, and returns for each
// worker the new numbers by its own.
func (j *joinedBatches) mergeClasses(workers []*worker) map[*worker][]uint32 {
	known := map[string]uint32{}
	numbers := map[*worker][]uint32{}
	for _, w := range workers {
		for _, label := range w.labels {
			n, ok := known[label]
			if !ok {
				n = uint32(len(known))
				known[label] = n
				j.source.Classes = append(j.source.Classes, label)
			}
			numbers[w] = append(numbers[w], n)
		}
	}
	return numbers
}

// dropRepeats removes the documents whose contents an earlier document has.
func (j *joinedBatches) dropRepeats(batches []*countedBatch) {
	if j.labelsOf == nil {
		j.labelsOf = map[document.Fingerprint]uint64{}
	}
	var repeats []int
	d := 0
	for _, b := range batches {
		for _, print := range b.contents {
			labels := j.hashLabels(d)
			if before, seen := j.labelsOf[print]; !seen {
				j.labelsOf[print] = labels
			} else {
				repeats = append(repeats, d)
				if before != labels {
					j.relabelled++
				}
			}
			d++
		}
	}
	j.repeats += len(repeats)
	j.dropDocuments(repeats)
}

// hashLabels returns a hash of the set of a document's labels.
func (j *joinedBatches) hashLabels(d int) uint64 {
	var names []string
	for _, class := range j.source.Labels[j.source.LabelStart[d]:j.source.LabelStart[d+1]] {
		names = append(names, j.source.Classes[class])
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
func (j *joinedBatches) dropDocuments(repeats []int) {
	if len(repeats) == 0 {
		return
	}
	src := &j.source
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
	j.dropClasses()
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
func (j *joinedBatches) dropClasses() {
	used := make([]bool, len(j.source.Classes))
	for _, class := range j.source.Labels {
		used[class] = true
	}
	number := make([]uint32, len(used))
	classes := j.source.Classes[:0]
	for class, name := range j.source.Classes {
		number[class] = uint32(len(classes))
		if used[class] {
			classes = append(classes, name)
		}
	}
	j.source.Classes = classes
	for i, class := range j.source.Labels {
		j.source.Labels[i] = number[class]
	}
}
