package workload

import (
	"context"

	"github.com/termsift/termsift/engine/pool"
	"github.com/termsift/termsift/engine/store"
)

// join puts the blocks behind each other. It forgets each block as soon as it is
// copied.
func join(ctx context.Context, p Params, threads int, blocks []block) (store.Source, error) {
	src, labels := offsets(p, blocks)
	src.Labels = make([]uint32, labels)
	src.Terms = make([]uint32, src.DocStart[p.Documents])
	src.Counts = make([]uint32, src.DocStart[p.Documents])
	err := pool.Run(ctx, threads, len(blocks), func(_, i int) error {
		first := i * blockDocuments
		copy(src.Labels[src.LabelStart[first]:], blocks[i].labels)
		copy(src.Terms[src.DocStart[first]:], blocks[i].terms)
		copy(src.Counts[src.DocStart[first]:], blocks[i].counts)
		blocks[i] = block{}
		return nil
	})
	return src, err
}

// offsets sums up where documents start, and the number of all labels.
func offsets(p Params, blocks []block) (src store.Source, labels uint32) {
	src.LabelStart = make([]uint32, 1, p.Documents+1)
	src.DocStart = make([]uint64, 1, p.Documents+1)
	postings := uint64(0)
	for _, b := range blocks {
		for d, n := range b.labelCount {
			labels += n
			postings += uint64(b.postings[d])
			src.LabelStart = append(src.LabelStart, labels)
			src.DocStart = append(src.DocStart, postings)
		}
	}
	return src, labels
}
