package selection_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/analysis"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/selection"
)

// hashedSelection are the best columns of a few texts.
func hashedSelection(t *testing.T) *selection.Selection {
	c := testkit.Must(corpus.Build(t.Context(), enginetest.Texts("a:one two", "a:one three", "b:four five"), corpus.Options{Analysis: analysis.Options{HashBits: 20}}))
	return testkit.Must(selection.Select(t.Context(), c, selection.Options{Keep: selection.Best(3)}))
}

// Names come back as they were, whatever characters they have, and files without names are as they always were.
func TestNamesInFeaturesFiles(t *testing.T) {
	s := hashedSelection(t)
	names := [][]string{{"one", "a\tb\nc\\d", `"<&>"`}, {}, {"中 文", "  "}}
	for _, o := range []*selection.Selection{s, s.WithNames(names)} {
		var file bytes.Buffer
		testkit.OK(o.WriteTSV(&file))
		back := testkit.Must(selection.Read(bytes.NewReader(file.Bytes()), "features.tsv"))
		if !slices.Equal(back.Features, s.Features) || !slices.EqualFunc(back.Names, o.Names, slices.Equal[[]string]) || (back.Names == nil) != (o.Names == nil) {
			t.Errorf("%+v came back as %+v", o, back)
		}
		if back.Provenance.Analysis.HashBits != 20 || strings.Contains(file.String(), "\tnames\n") != (o.Names != nil) {
			t.Errorf("the file is\n%s", file.String())
		}
	}
}

// What names or columns cannot be is neither written nor read.
func TestColumnsThatCannotBe(t *testing.T) {
	s := hashedSelection(t)
	var file bytes.Buffer
	testkit.OK(s.WithNames([][]string{{"one"}, {}, {"two"}}).WriteTSV(&file))
	text := enginetest.Unsealed(file.String())
	for old, change := range map[string]struct{ to, why string }{
		`["one"]`:                    {`one`, "no list of JSON"},
		`["two"]`:                    {`null`, "no list of JSON"},
		"\n2\t" + s.Features[1].Term: {"\n2\t1048576", "none of the 2^20 columns"},
		"\n3\t" + s.Features[2].Term: {"\n3\t0" + s.Features[2].Term, "none of the 2^20 columns"},
		`"hash_bits":20,`:            {"", "names of columns of hashes, and its terms are none"},
	} {
		broken := strings.Replace(text, old, change.to, 1)
		if broken == text {
			t.Fatalf("%q is not in\n%s", old, text)
		}
		if _, err := selection.Read(strings.NewReader(broken), "broken.tsv"); !errors.Is(err, selection.ErrBadFeatures) || !strings.Contains(err.Error(), change.why) {
			t.Errorf("%q: %v", change.to, err)
		}
	}
	if err := s.WithNames([][]string{{"one"}}).WriteTSV(&file); !errors.Is(err, selection.ErrUnwritable) {
		t.Error(err)
	}
}
