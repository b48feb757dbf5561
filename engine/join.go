package engine

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// This file makes one corpus of the pieces that the workers counted.

// joined is what the pieces come to.
type joined struct {
	src store.Source
	*readSoFar
}

// readSoFar is what is known of all documents that were read.
type readSoFar struct {
	hash                inputHash
	repeats, relabelled int
	longTokens          int64
	// For Dedupe: what the first document with some contents has for labels.
	labelsOf map[document.Fingerprint]uint64
}

func (t *readSoFar) provenance(opt Options) Provenance {
	return Provenance{
		Version: Version, Analysis: opt.Analysis, MinDF: opt.MinDF, MaxDF: opt.MaxDF, Charset: opt.Charset,
		InputHash: t.hash.String(), Dedupe: opt.Dedupe, Repeats: t.repeats, Relabelled: t.relabelled,
		LongTokens: t.longTokens,
	}
}

// join puts the pieces behind each other, in the numbers of one dictionary, and behind
// those that were read before. It uses them up.
func join(ctx context.Context, opt Options, t *readSoFar, shards []*shard, pieces []*piece) (*joined, error) {
	j := &joined{readSoFar: t}
	for _, p := range pieces {
		for _, hash := range p.hashes {
			t.hash.add(hash)
		}
	}
	for _, s := range shards {
		t.longTokens += s.counter.Dropped()
	}
	if err := j.concatenate(ctx, opt.Threads, shards, pieces); err != nil {
		return nil, err
	}
	if opt.Dedupe {
		j.dropRepeats(pieces)
	}
	return j, nil
}

// concatenate makes the source of the pieces. Their postings stay where they are.
func (j *joined) concatenate(ctx context.Context, threads int, shards []*shard, pieces []*piece) error {
	names, numbers, err := mergeTerms(ctx, threads, shards)
	if err != nil {
		return err
	}
	j.src.Names = names
	terms := map[*shard][]uint32{}
	for i, s := range shards {
		terms[s] = numbers[i]
	}
	classes := j.mergeClasses(shards)
	j.src.LabelStart = []uint32{0}
	var owner []*shard // of each part
	for _, p := range pieces {
		j.src.IDs = append(j.src.IDs, p.ids...)
		before := uint32(len(j.src.Labels))
		for _, start := range p.labelStart[1:] {
			j.src.LabelStart = append(j.src.LabelStart, before+start)
		}
		for _, class := range p.labels {
			j.src.Labels = append(j.src.Labels, classes[p.shard][class])
		}
		for _, c := range p.parts {
			j.src.Parts = append(j.src.Parts, c)
			owner = append(owner, p.shard)
		}
		p.ids, p.labels, p.parts = nil, nil, nil
	}
	isReal := slices.ContainsFunc(j.src.Parts, func(c store.Columns) bool { return c.Values != nil })
	return pool.Run(ctx, threads, len(j.src.Parts), func(_, i int) error {
		c := &j.src.Parts[i]
		if number := terms[owner[i]]; number != nil {
			for at, t := range c.Terms {
				c.Terms[at] = number[t]
			}
		}
		if isReal && c.Values == nil {
			c.Counts, c.Values = nil, realValues(c.Counts)
		}
		return nil
	})
}

func realValues(counts []uint32) []float64 {
	values := make([]float64, len(counts))
	for i, c := range counts {
		values[i] = float64(c)
	}
	return values
}

// mergeClasses numbers the labels of the shards together, and gives for each what
// becomes of its numbers.
func (j *joined) mergeClasses(shards []*shard) map[*shard][]uint32 {
	known := map[string]uint32{}
	numbers := map[*shard][]uint32{}
	for _, s := range shards {
		for _, label := range s.labels {
			n, ok := known[label]
			if !ok {
				n = uint32(len(known))
				known[label] = n
				j.src.Classes = append(j.src.Classes, label)
			}
			numbers[s] = append(numbers[s], n)
		}
	}
	return numbers
}

// dropRepeats takes out the documents whose contents an earlier one has.
func (j *joined) dropRepeats(pieces []*piece) {
	if j.labelsOf == nil {
		j.labelsOf = map[document.Fingerprint]uint64{}
	}
	var repeats []int
	d := 0
	for _, p := range pieces {
		for _, print := range p.contents {
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
	j.drop(repeats)
}

// hashLabels stands for the set of a document's labels.
func (j *joined) hashLabels(d int) uint64 {
	var names []string
	for _, class := range j.src.Labels[j.src.LabelStart[d]:j.src.LabelStart[d+1]] {
		names = append(names, j.src.Classes[class])
	}
	slices.Sort(names)
	var set []byte
	for _, name := range names {
		set = binary.AppendUvarint(set, uint64(len(name)))
		set = append(set, name...)
	}
	return xxh3.Hash(set)
}

// drop takes documents, in ascending order, out of the source.
func (j *joined) drop(repeats []int) {
	if len(repeats) == 0 {
		return
	}
	src := &j.src
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

// dropPostings takes the postings of documents out.
func dropPostings(c *store.Columns, gone []bool) {
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

// dropClasses takes out the classes that no document is left of.
func (j *joined) dropClasses() {
	used := make([]bool, len(j.src.Classes))
	for _, class := range j.src.Labels {
		used[class] = true
	}
	number := make([]uint32, len(used))
	classes := j.src.Classes[:0]
	for class, name := range j.src.Classes {
		number[class] = uint32(len(classes))
		if used[class] {
			classes = append(classes, name)
		}
	}
	j.src.Classes = classes
	for i, class := range j.src.Labels {
		j.src.Labels[i] = number[class]
	}
}
