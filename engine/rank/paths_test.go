package rank_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/internal/enginetest"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/kernels"
)

// digestVariable makes the test below print its digests instead of starting
// processes for the other paths.
const digestVariable = "TERMSIFT_TEST_DIGESTS"

func isChild() bool { return os.Getenv(digestVariable) != "" }

// Every path of the kernels gives the same bits, with any number of threads. The
// path is chosen when a process starts: each of the others runs in a child.
func TestSameBitsOnEveryPath(t *testing.T) {
	if asked := os.Getenv(kernels.PathVariable); isChild() && asked != "" && kernels.Path() != asked {
		t.Skipf("this CPU or build has no path %s", asked)
	}
	want := digests(t)
	if isChild() {
		for name, digest := range want {
			fmt.Printf("digest\t%s\t%s\n", name, digest)
		}
		return
	}
	others := 0
	for _, path := range []string{kernels.Generic, kernels.AVX2, kernels.NEON} {
		if path == kernels.Path() {
			continue
		}
		got := digestsOn(t, path)
		if got == nil {
			t.Logf("this CPU or build has no path %s", path)
			continue
		}
		others++
		sameDigests(t, path, got, want)
	}
	t.Logf("%d digests on path %s, and on %d others", len(want), kernels.Path(), others)
}

// digestsOn computes the digests in a process that takes another path; nil if the
// path is lacking.
func digestsOn(t *testing.T, path string) map[string]string {
	t.Helper()
	binary := testkit.Must(os.Executable())
	args := []string{"-test.run=^TestSameBitsOnEveryPath$", "-test.v"}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	child := exec.CommandContext(t.Context(), binary, args...)
	child.Env = append(os.Environ(), kernels.PathVariable+"="+path, digestVariable+"=1")
	out, err := child.CombinedOutput()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed):
		t.Fatalf("%s: %v\n%s", path, err, out)
	case err != nil:
		t.Skipf("no test binary can be started here, as where the CPU is emulated: %v", err)
	case bytes.Contains(out, []byte("--- SKIP")):
		return nil
	}
	found := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		if f := strings.Split(lines.Text(), "\t"); len(f) == 3 && f[0] == "digest" {
			found[f[1]] = f[2]
		}
	}
	return found
}

func sameDigests(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	testkit.Equal(testkit.Stop(t), len(got), len(want), what, "digests")
	for _, name := range slices.Sorted(maps.Keys(want)) {
		testkit.Equal(t, got[name], want[name], what, "other bits", name)
	}
}

// digests gives one for each corpus and scoring. Those of any number of threads
// must be equal.
func digests(t *testing.T) map[string]string {
	t.Helper()
	corpora, threads := shapedCorpora(t), []int{1, 2, 3, 8}
	corpora["many documents"] = largeCorpus(t, largeShape{docs: 70_000, terms: 40, classes: 6, labels: 1})
	corpora["many documents, several labels"] = largeCorpus(t, largeShape{docs: 66_000, terms: 24, classes: 14, labels: 10})
	corpora["many documents, real values"] = largeCorpus(t, largeShape{docs: 66_000, terms: 24, classes: 5, labels: 1, reals: true})
	if testing.Short() {
		maps.DeleteFunc(corpora, func(_ string, c *corpus.Corpus) bool { return len(c.Classes()) > 100 })
	}
	if !testkit.AllCases() {
		threads = []int{1, 3}
		if isChild() {
			threads = threads[1:]
		}
	}
	all := map[string]string{}
	for name, c := range corpora {
		want := digestsOf(t, c, threads[0])
		for _, n := range threads[1:] {
			sameDigests(t, fmt.Sprintf("%s, %d threads", name, n), digestsOf(t, c, n), want)
		}
		for scoring, digest := range want {
			all[name+": "+scoring] = digest
		}
	}
	return all
}

// A largeShape says what a corpus of many documents looks like.
type largeShape struct {
	docs, terms, classes, labels int
	reals                        bool
}

// largeCorpus needs several Roaring containers a term, arrays and bitmaps.
func largeCorpus(t *testing.T, s largeShape) *corpus.Corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(41, uint64(s.docs)))
	var docs []document.Document
	for d := range s.docs {
		doc := document.Document{ID: strconv.Itoa(d), Features: []document.Feature{}}
		for range 1 + r.IntN(s.labels) {
			doc.Labels = append(doc.Labels, "c"+strconv.Itoa(min(r.IntN(s.classes), r.IntN(s.classes))))
		}
		if d%50 == 0 {
			doc.Labels = nil
		}
		for term := range s.terms {
			if r.IntN(2+term*term*term) > 0 {
				continue
			}
			value := float64(1 + r.IntN(3))
			if s.reals {
				value = .5 + r.Float64()
			} else if r.IntN(200) == 0 {
				value = float64(1 + r.IntN(1000))
			}
			doc.Features = append(doc.Features, document.Feature{Term: "t" + strconv.Itoa(term), Value: value})
		}
		docs = append(docs, doc)
	}
	return testkit.Must(corpus.Build(t.Context(), document.Of(docs...), corpus.Options{}))
}

// digestsOf ranks a corpus in every way: by all scorings in one pass, by those of
// one class, and by way of kept counts.
func digestsOf(t *testing.T, c *corpus.Corpus, threads int) map[string]string {
	t.Helper()
	scorings, out := enginetest.EveryScoring(threads), map[string]string{}
	rankings := testkit.Must(rank.Several(t.Context(), c, scorings...))
	for i, o := range scorings {
		o.Threads = 0
		out[fmt.Sprintf("%+v", o)] = digestOf(rankings[i])
	}
	add := func(name string, r *rank.Ranking, err error) {
		testkit.OK(err)
		out[name] = digestOf(r)
	}
	kept := testkit.Must(c.Statistics(t.Context(), corpus.CountOptions{Weight: "ltc", Threads: threads}))
	for _, by := range []string{"df", "cf", "chi", "ttest"} {
		o := rank.Options{Measure: rank.Measure(by), Threads: threads}
		r, err := rank.Terms(t.Context(), kept, o)
		add(by+" of counts", r, err)
		for _, class := range c.Classes()[:2] {
			r, err := rank.Class(t.Context(), c, class, o)
			add(by+" of "+class, r, err)
			r, err = rank.Class(t.Context(), kept, class, o)
			add(by+" of counts of "+class, r, err)
		}
	}
	r, err := rank.Terms(t.Context(), kept, rank.Options{Measure: "ocfs", Weight: "ltc", Threads: threads})
	add("ocfs of counts", r, err)
	return out
}

// digestOf covers every value and count of a ranking, and the order of its best.
// What is not a number has no bits to speak of.
func digestOf(r *rank.Ranking) string {
	var data []byte
	number := func(v float64) {
		if math.IsNaN(v) {
			v = math.NaN()
		}
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	entry := func(e rank.Entry) {
		data = append(data, e.Term...)
		number(e.Value)
		number(e.Log10P)
		for _, n := range []int{e.DF, e.A, e.B, e.C, e.D} {
			data = binary.LittleEndian.AppendUint64(data, uint64(n))
		}
	}
	for e := range r.All() {
		entry(e)
	}
	for _, k := range []int{1, 20, 150} {
		for _, e := range r.Top(k) {
			entry(e)
		}
	}
	return fmt.Sprintf("%016x", xxh3.Hash(data))
}
