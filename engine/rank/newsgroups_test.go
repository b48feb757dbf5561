package rank_test

import (
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/internal/enginetest"
)

func TestNewsgroupsCounts(t *testing.T) {
	info := testkit.Must(enginetest.NewsgroupsCorpus(t, "train").Info(t.Context()))
	for _, c := range []struct {
		name      string
		got, want int64
	}{
		{"documents", int64(info.Documents), 11314},
		{"labelled", int64(info.Labelled), 11314},
		{"classes", int64(info.Classes), 20},
		{"terms", int64(info.Terms), 130107},
		{"postings", info.Postings, 1787565},
		{"tokens", info.Tokens, 3369673},
		{"cells", info.Cells, 297722},
	} {
		testkit.Equal(t, c.got, c.want, c.name)
	}
	for class, want := range map[string]int{
		"alt.atheism": 480, "comp.graphics": 584, "rec.sport.hockey": 600, "sci.space": 593, "talk.religion.misc": 377,
	} {
		testkit.Equal(t, info.ClassSizes[class], want, class, "documents")
	}
	if test := testkit.Must(enginetest.NewsgroupsCorpus(t, "test").Info(t.Context())); test.Documents != 7532 || test.Classes != 20 {
		t.Errorf("test part: %d documents in %d classes", test.Documents, test.Classes)
	}
}
