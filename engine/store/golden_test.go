package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/files"
	"github.com/termsift/termsift/engine/postings"
	"github.com/zeebo/xxh3"
)

var updateGolden = flag.Bool("update", false, "write the golden index files again: only for a new version of the format")

// goldenMeta is what the engine recorded when it made the golden files.
const goldenMeta = `{"version":"0.1.0","analysis":{"tokens":"words","stop":"none","stem":"none","headers":"keep","max_token":256},"charset":"auto","input_hash":"90017355372a2fa1"}`

// goldenIndexes are those of the golden files, and what these hold beside them.
func goldenIndexes(t *testing.T) map[string]func() []byte {
	make := func(src postings.Source, file func(testing.TB, *postings.Index) []byte) func() []byte {
		return func() []byte {
			x := testkit.Must(postings.Build(t.Context(), src, postings.BuildOptions{Meta: json.RawMessage(goldenMeta)}))
			return file(t, x)
		}
	}
	return map[string]func() []byte{
		"index-v5.idx":      make(randomSource(21, 400, true, false), withCells),
		"index-v5-real.idx": make(randomSource(22, 120, false, true), withCells),
	}
}

func goldenFile(t *testing.T, name string) (path string, data []byte) {
	path = filepath.Join("..", "..", "testdata", name)
	data = testkit.Must(os.ReadFile(path))
	return path, data
}

// Golden files open for ever, and the same corpus makes the same bytes for as long as
// the version stays.
func TestGoldenFilesStay(t *testing.T) {
	for name, make := range goldenIndexes(t) {
		want := make()
		if *updateGolden {
			testkit.Write(filepath.Join("..", "..", "testdata", name), want)
		}
		path, data := goldenFile(t, name)
		testkit.EqualSlices(t, data, want, name, "the corpus makes", len(want), "other bytes")
		for _, opt := range []OpenOptions{{}, {Read: true, Verify: true}} {
			x := open(t, path, opt)
			if again := encoded(t, x); !bytes.Equal(again, written(t, x, WriteOptions{Cells: HasCells(x)})) || !bytes.Equal(again, encoded(t, testkit.Must(Decode(again)))) {
				t.Errorf("%s: written again it is another", name)
			}
		}
		t.Logf("%s: %d bytes", name, len(data))
	}
}

// The golden files have all kinds of sections, and lists and documents of all kinds.
func TestGoldenFilesHaveEverything(t *testing.T) {
	_, data := goldenFile(t, "index-v5.idx")
	_, reals := goldenFile(t, "index-v5-real.idx")
	x, y := testkit.Must(Decode(data)), testkit.Must(Decode(reals))
	for kind := range numSections {
		if kind != marginSection && fileOf(x).body.sections[kind].length == 0 && fileOf(y).body.sections[kind].length == 0 {
			t.Errorf("no golden file has the section %v", kind)
		}
	}
	unlabelled := 0
	for d := range x.Documents() {
		if len(x.Labels(d)) == 0 {
			unlabelled++
		}
	}
	if !x.Multi || unlabelled == 0 || x.FirstShort() == 0 || len(x.Flat) == 0 || len(x.Values.Escaped) == 0 || !y.Real() || len(data) > 100<<10 {
		t.Errorf("several labels: %v, %d unlabelled, %d bitmaps, %d short postings, %d escapes, reals: %v, %d bytes",
			x.Multi, unlabelled, x.FirstShort(), len(x.Flat), len(x.Values.Escaped), y.Real(), len(data))
	}
}

// Files of versions to come, and those that need what this program does not know, are
// refused with what to do; what a reader may ignore is ignored.
func TestFilesToCome(t *testing.T) {
	_, data := goldenFile(t, "index-v5.idx")
	for _, c := range []struct {
		name string
		at   int
		bit  byte
		says string
	}{
		{"a later version", 8, 2, "use a newer one"},
		{"the version before", 8, 5 ^ 4, "made by an earlier version of this program: count again from the text"},
		{"a feature that is needed", 16, 8, "use a newer one"},
		{"the last feature that is needed", 23, 1 << 7, "use a newer one"},
	} {
		edited := slices.Clone(data)
		edited[c.at] ^= c.bit
		le.PutUint64(edited[56:], xxh3.Hash(edited[:56]))
		_, decoded := Decode(edited)
		_, opened := Open(saved(t, edited), OpenOptions{})
		for _, err := range []error{decoded, opened} {
			if !errors.Is(err, files.ErrVersion) || !typed(err) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	want := countOf(t, testkit.Must(Decode(data)), postings.CountOptions{})
	for bit := range 64 {
		edited := slices.Clone(data)
		edited[24+bit/8] ^= 1 << (bit % 8)
		le.PutUint64(edited[56:], xxh3.Hash(edited[:56]))
		x, err := Decode(edited)
		testkit.Is(testkit.Stop(t), err, nil, "optional feature", bit)
		sameStatistics(t, countOf(t, x, postings.CountOptions{}), want)
	}
}
