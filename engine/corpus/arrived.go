package corpus

import (
	"slices"
	"strings"

	"github.com/termsift/termsift/engine/ingest"
	"github.com/termsift/termsift/engine/usage"
)

// An Arrived is the provenance of a shard under the name that says where it belongs, such as
// that of its file. Its field Documents must be the number of the shard's documents, which the
// method Provenance of a Corpus and of Statistics leaves 0.
type Arrived struct {
	Name string
	ingest.Provenance
}

// JoinArrived is [ingest.JoinProvenances] for shards in whatever order they arrive, as from the
// workers of a cluster: they belong in the order of the bytes of their names. So the result,
// its input hash included, is that of one build of the inputs in that order. A name that is
// there twice is a [usage.ErrContradiction].
func JoinArrived(shards []Arrived, anyCharset bool) (ingest.Provenance, error) {
	sorted := slices.SortedFunc(slices.Values(shards), func(a, b Arrived) int { return strings.Compare(a.Name, b.Name) })
	records := make([]ingest.Provenance, len(sorted))
	for i, s := range sorted {
		if i > 0 && s.Name == sorted[i-1].Name {
			return ingest.Provenance{}, usage.NewError(usage.ErrContradiction, "the shard "+usage.Cut(s.Name)+" arrived twice: each counts once")
		}
		records[i] = s.Provenance
	}
	return ingest.JoinProvenances(records, anyCharset, func(i int) string { return sorted[i].Name })
}
