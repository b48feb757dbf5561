package bench

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine/corpus"
	"github.com/termsift/termsift/engine/postings"
	"github.com/termsift/termsift/engine/rank"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/store"
)

// setsVariable names the environment variable that says which sets to measure:
// names with commas. Without it 20 Newsgroups and Reuters, if there, and the small generated
// ones are taken.
const setsVariable = "TERMSIFT_SETS"

const smallSets = "20ng,R90,S,Labels"

// labelsSet is a small set with several labels a document.
var labelsSet = workload.Params{Name: "Labels", Documents: 11_300, Tokens: 147, Terms: 100_000, Classes: 20, Labels: 2.94, Seed: 1}

// A set is a corpus in the two forms that benchmarks want.
type set struct {
	name   string
	corpus *corpus.Corpus
	index  *postings.Index

	once  sync.Once
	bytes int64
}

// read is the number of bytes that a pass over all lists reads.
func (s *set) read() int64 {
	s.once.Do(func() { s.bytes = listBytes(s.index) + codeBytes(s.index) })
	return s.bytes
}

func (s *set) postings() float64 { return float64(s.index.NumPostings()) }

// pairs is the number of (term, class) pairs, absent ones included.
func (s *set) pairs() float64 { return float64(s.corpus.Terms()) * float64(len(s.corpus.Classes())) }

// forSets runs a benchmark on every set asked for among those it is meant for.
func forSets(b *testing.B, names string, f func(b *testing.B, s *set)) {
	for _, name := range asked(names) {
		f(b, load(b, name))
	}
}

// asked gives those of the names that are asked for.
func asked(names string) (found []string) {
	wanted := cmp.Or(os.Getenv(setsVariable), smallSets)
	for name := range strings.SplitSeq(names, ",") {
		if strings.Contains(","+wanted+",", ","+name+",") {
			found = append(found, name)
		}
	}
	return found
}

var loaded sync.Map

// load makes a set the first time it is asked for, on all processors even where
// the benchmarks run on one.
func load(b *testing.B, name string) *set {
	b.Helper()
	if s, ok := loaded.Load(name); ok {
		return s.(*set)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(runtime.NumCPU()))
	var s *set
	if name == "20ng" {
		s = encoded(b, name, rewriting(newsgroups(b).Index()))
	} else {
		s = encoded(b, name, rewriting(build(b, generated(b, params(b, name)))))
	}
	loaded.Store(name, s)
	return s
}

// rewriting returns what writes the file of an index.
func rewriting(x *postings.Index) func(w io.Writer) (int64, error) {
	return func(w io.Writer) (int64, error) {
		return store.Write(context.Background(), w, postings.Whole(x), store.WriteOptions{})
	}
}

// encoded is a set as a program finds it in a file without cells, so that they are counted.
func encoded(b *testing.B, name string, write func(w io.Writer) (int64, error)) *set {
	b.Helper()
	var data bytes.Buffer
	testkit.Must(write(&data))
	s := &set{name: name}
	var err error
	if s.corpus, err = corpus.Decode(data.Bytes()); err != nil {
		b.Fatal(err)
	}
	if s.index, err = store.Decode(data.Bytes()); err != nil {
		b.Fatal(err)
	}
	s.warm(b)
	return s
}

// warm has the set derive what counting keeps: no benchmark measures that.
func (s *set) warm(b *testing.B) {
	b.Helper()
	rankBy(b, s.corpus, []rank.Options{{Measure: "chi"}})
	rankBy(b, s.corpus, []rank.Options{{Measure: "cf"}})
}

func build(b *testing.B, src postings.Source) *postings.Index {
	b.Helper()
	index := testkit.Must(postings.Build(b.Context(), src, postings.BuildOptions{Meta: []byte("{}")}))
	return index
}

func newsgroups(b *testing.B) *corpus.Corpus { return newsgroupsOf(b, "train") }

func newsgroupsOf(b *testing.B, split string) *corpus.Corpus {
	b.Helper()
	path := testkit.Corpus(b, "20news-bydate.tar.gz")
	source := testkit.Must(reader.Read(b.Context(), []string{path}, reader.Options{Split: split, Charset: "latin-1"}))
	c := testkit.Must(corpus.Build(b.Context(), source.Documents(), corpus.Options{}))
	return c
}

// kept is the source that was generated last: with -count it is wanted again.
var kept struct {
	workload.Params
	source postings.Source
}

func generate(b *testing.B, name string) postings.Source {
	b.Helper()
	if p := params(b, name); kept.Params != p {
		kept.source = postings.Source{} // not two at a time
		kept.Params, kept.source = p, generated(b, p)
	}
	return kept.source
}

// params gives the shape of a generated set.
func params(b *testing.B, name string) workload.Params {
	b.Helper()
	p, ok := workload.Named(name)
	for _, own := range []workload.Params{labelsSet, topicsSet} {
		if name == own.Name {
			p, ok = own, true
		}
	}
	if !ok {
		b.Fatalf("there is no set %q", name)
	}
	return p
}

func generated(b *testing.B, p workload.Params) postings.Source {
	b.Helper()
	source := testkit.Must(workload.Generate(b.Context(), p, runtime.NumCPU()))
	return source
}
