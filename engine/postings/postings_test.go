package postings

import (
	"context"
	"fmt"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/table"
)

func build(s Source) *Index { return testkit.Must(Build(context.Background(), s, BuildOptions{})) }

// encoded returns all columns of an index. Two indexes that have the same have the same file.
func encoded(x *Index) []byte {
	m := &x.Memory
	ids := testkit.Must(x.DocumentIDs())
	return fmt.Appendf(nil, "%q %s %v %q %v %q %v %v %v %v %v %v %v %v %v", m.Classes, m.Meta, m.Pruned, m.Terms.Text(), m.Terms.Offsets(),
		ids.Text(), ids.Offsets(), m.Input, m.LabelStart, m.LabelOf, m.DocFreq, m.DenseAt, m.Dense, m.Flat, m.Values)
}

func countOf(t testing.TB, x *Index, opt CountOptions) *table.Table {
	return testkit.Must(x.Count(t.Context(), opt))
}
