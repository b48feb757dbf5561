package corpus_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/table"
)

// Heads that arrive in any order give the provenance of one build, and of shards of subsets
// that of the shards in the order of their names.
func TestHeadsInAnyOrder(t *testing.T) {
	docs := enginetest.ManyTexts(200)
	var heads []table.Head
	for i := range 8 {
		c := enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs[25*i:25*i+25]), corpus.Options{Charset: []string{"", "auto"}[i%2]}))
		p := c.Provenance()
		p.Documents = c.Documents()
		heads = append(heads, table.Head{Name: fmt.Sprintf("part-%d", i), Provenance: p})
	}
	want := enginetest.Must(corpus.Build(t.Context(), enginetest.Stream(docs), corpus.Options{Charset: "auto"})).Provenance()
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		r.Shuffle(len(heads), func(i, j int) { heads[i], heads[j] = heads[j], heads[i] })
		if got := enginetest.Must(table.JoinHeads(heads, false)); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, not %+v", got, want)
		}
	}
	heads[1].Name = heads[0].Name
	if _, err := table.JoinHeads(heads, false); err == nil {
		t.Error("two heads have one name")
	}
}
