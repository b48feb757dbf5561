package selection

import (
	"context"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/store"
	"github.com/termsift/termsift/engine/usage"
)

// ofEachDocument keeps the best terms of each document; most is their number per document.
// It goes through the terms, best first, and keeps a term if one of its documents has
// fewer than most better ones. This needs no lists of terms by document, and if no
// document is empty, it ends long before the last term (README.md).
func ofEachDocument(most int) choice {
	return func(ctx context.Context, list *candidates) ([]int, error) {
		var kept []int
		var p store.Postings
		c, ok := list.from.(*corpus.Corpus)
		if !ok {
			return nil, usage.Errorf("per-document takes the best terms of each document, and statistics know no documents: select from the corpus or its index")
		}
		index := c.Index()
		missing := make([]uint32, index.Documents())
		wanting := len(missing)
		for d := range missing {
			missing[d] = uint32(min(most, list.len()))
		}
		places := list.best(len(list.values))
		err := index.Guard(func() error {
			for i := 0; i < len(places) && wanting > 0; i++ {
				if i%256 == 0 && ctx.Err() != nil {
					return usage.Cause(ctx)
				}
				if err := index.ReadDocs(list.term(places[i]), &p); err != nil {
					return err
				}
				served := 0
				for _, d := range p.Docs {
					if missing[d] == 0 {
						continue
					}
					served++
					if missing[d]--; missing[d] == 0 {
						wanting--
					}
				}
				if served > 0 {
					kept = append(kept, places[i])
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return kept, nil
	}
}
