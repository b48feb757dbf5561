package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// This file makes one corpus of the pieces that the workers counted.

// joined is what the pieces come to.
type joined struct {
	src                 store.Source
	hash                uint64
	repeats, relabelled int
	longTokens          int64
}

func (j *joined) provenance(opt Options) Provenance {
	return Provenance{
		Version: Version, Analysis: opt.Analysis, MinDF: opt.MinDF, MaxDF: opt.MaxDF, Charset: opt.Charset,
		InputHash: fmt.Sprintf("%016x", j.hash), Dedupe: opt.Dedupe, Repeats: j.repeats, Relabelled: j.relabelled,
		LongTokens: j.longTokens,
	}
}

// join puts the pieces behind each other, in the numbers of one dictionary. It
// uses them up.
func join(ctx context.Context, opt Options, shards []*shard, pieces []*piece) (*joined, error) {
	j := &joined{hash: hashOf(pieces)}
	for _, s := range shards {
		j.longTokens += s.counter.Dropped()
	}
	var err error
	if len(pieces) == 1 {
		j.src = pieces[0].src
		j.src.Classes, j.src.Names = pieces[0].shard.labels, pieces[0].shard.counter.Names()
	} else if j.src, err = concatenate(ctx, opt.Threads, shards, pieces); err != nil {
		return nil, err
	}
	if opt.Dedupe {
		j.dropRepeats(pieces)
	}
	return j, nil
}

func hashOf(pieces []*piece) uint64 {
	h := xxh3.New()
	var buffer []byte
	for _, p := range pieces {
		buffer = buffer[:0]
		for _, hash := range p.hashes {
			buffer = binary.LittleEndian.AppendUint64(buffer, hash)
		}
		_, _ = h.Write(buffer)
	}
	return h.Sum64()
}

// A joint is the work of putting pieces behind each other.
type joint struct {
	src          store.Source
	terms, class map[*shard][]uint32 // number of the shard -> of the corpus; nil = the same
	starts       []start             // of each piece
}

// A start is where a piece begins in the columns.
type start struct{ doc, label, posting int }

func concatenate(ctx context.Context, threads int, shards []*shard, pieces []*piece) (store.Source, error) {
	j := joint{terms: map[*shard][]uint32{}, class: map[*shard][]uint32{}}
	names, numbers, err := mergeTerms(ctx, threads, shards)
	if err != nil {
		return j.src, err
	}
	j.src.Names = names
	for i, s := range shards {
		j.terms[s] = numbers[i]
	}
	j.mergeClasses(shards)
	j.makeRoom(pieces)
	err = pool.Run(ctx, threads, len(pieces), func(_, i int) error {
		j.copy(pieces[i], j.starts[i])
		pieces[i].src = store.Source{} // its memory is needed elsewhere
		return nil
	})
	return j.src, err
}

func (j *joint) mergeClasses(shards []*shard) {
	known := map[string]uint32{}
	for _, s := range shards {
		class := make([]uint32, len(s.labels))
		for i, label := range s.labels {
			n, ok := known[label]
			if !ok {
				n = uint32(len(known))
				known[label] = n
				j.src.Classes = append(j.src.Classes, label)
			}
			class[i] = n
		}
		j.class[s] = class
	}
}

// makeRoom sizes the columns.
func (j *joint) makeRoom(pieces []*piece) {
	var end start
	isReal := false
	for _, p := range pieces {
		j.starts = append(j.starts, end)
		end.doc += len(p.src.IDs)
		end.label += len(p.src.Labels)
		end.posting += len(p.src.Terms)
		isReal = isReal || p.src.Values != nil
	}
	j.src.IDs = make([]string, end.doc)
	j.src.LabelStart, j.src.DocStart = make([]uint32, end.doc+1), make([]uint64, end.doc+1)
	j.src.Labels = make([]uint32, end.label)
	j.src.Terms = make([]uint32, end.posting)
	if isReal {
		j.src.Values = make([]float64, end.posting)
	} else {
		j.src.Counts = make([]uint32, end.posting)
	}
}

// copy puts a piece into its place.
func (j *joint) copy(p *piece, at start) {
	copy(j.src.IDs[at.doc:], p.src.IDs)
	for i := range p.src.IDs {
		j.src.LabelStart[at.doc+i+1] = uint32(at.label) + p.src.LabelStart[i+1]
		j.src.DocStart[at.doc+i+1] = uint64(at.posting) + p.src.DocStart[i+1]
	}
	renumber(j.src.Labels[at.label:], p.src.Labels, j.class[p.shard])
	renumber(j.src.Terms[at.posting:], p.src.Terms, j.terms[p.shard])
	switch {
	case j.src.Counts != nil:
		copy(j.src.Counts[at.posting:], p.src.Counts)
	case p.src.Values != nil:
		copy(j.src.Values[at.posting:], p.src.Values)
	default:
		copy(j.src.Values[at.posting:], realValues(p.src.Counts))
	}
}

func renumber(dst, src, number []uint32) {
	if number == nil {
		copy(dst, src)
		return
	}
	dst = dst[:len(src)]
	for i, n := range src {
		dst[i] = number[n]
	}
}

// dropRepeats takes out the documents whose contents an earlier one has.
func (j *joined) dropRepeats(pieces []*piece) {
	first := map[document.Fingerprint]int{}
	var repeats []int
	d := 0
	for _, p := range pieces {
		for _, print := range p.contents {
			if before, seen := first[print]; !seen {
				first[print] = d
			} else {
				repeats = append(repeats, d)
				if !j.sameLabels(before, d) {
					j.relabelled++
				}
			}
			d++
		}
	}
	j.repeats = len(repeats)
	j.drop(repeats)
}

func (j *joined) sameLabels(a, b int) bool {
	set := func(d int) []uint32 {
		return slices.Sorted(slices.Values(j.src.Labels[j.src.LabelStart[d]:j.src.LabelStart[d+1]]))
	}
	return slices.Equal(set(a), set(b))
}

// drop takes documents, in ascending order, out of the source.
func (j *joined) drop(repeats []int) {
	if len(repeats) == 0 {
		return
	}
	src := &j.src
	docs, labels, postings := 0, 0, 0
	for d := range src.IDs {
		if len(repeats) > 0 && repeats[0] == d {
			repeats = repeats[1:]
			continue
		}
		fromLabel, toLabel := src.LabelStart[d], src.LabelStart[d+1]
		from, to := src.DocStart[d], src.DocStart[d+1]
		src.IDs[docs] = src.IDs[d]
		labels += copy(src.Labels[labels:], src.Labels[fromLabel:toLabel])
		copy(src.Terms[postings:], src.Terms[from:to])
		if src.Values != nil {
			copy(src.Values[postings:], src.Values[from:to])
		} else {
			copy(src.Counts[postings:], src.Counts[from:to])
		}
		postings += int(to - from)
		docs++
		src.LabelStart[docs], src.DocStart[docs] = uint32(labels), uint64(postings)
	}
	src.IDs = src.IDs[:docs]
	src.LabelStart, src.DocStart = src.LabelStart[:docs+1], src.DocStart[:docs+1]
	src.Labels, src.Terms = src.Labels[:labels], src.Terms[:postings]
	if src.Values != nil {
		src.Values = src.Values[:postings]
	} else {
		src.Counts = src.Counts[:postings]
	}
	j.dropClasses()
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
	renumber(j.src.Labels, j.src.Labels, number)
}
