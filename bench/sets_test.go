package bench

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/termsift/termsift/bench/corpora"
	"github.com/termsift/termsift/bench/workload"
	"github.com/termsift/termsift/engine"
	"github.com/termsift/termsift/engine/reader"
	"github.com/termsift/termsift/engine/store"
)

// setsVariable names the environment variable that says which sets to measure:
// names with commas. Without it 20 Newsgroups, if there, and the small generated
// ones are taken.
const setsVariable = "TERMSIFT_SETS"

// A set is a corpus in the two forms that benchmarks want.
type set struct {
	name   string
	corpus *engine.Corpus
	index  *store.Index
}

func (s *set) postings() float64 { return float64(s.index.NumPostings()) }

// cells is the number of (term, class) pairs, absent ones included.
func (s *set) pairs() float64 { return float64(s.corpus.Terms()) * float64(len(s.corpus.Classes())) }

// forSets runs a benchmark on every set asked for among those it is meant for.
func forSets(b *testing.B, names string, f func(b *testing.B, s *set)) {
	asked := os.Getenv(setsVariable)
	if asked == "" {
		asked = "20ng,S"
	}
	for name := range strings.SplitSeq(names, ",") {
		if strings.Contains(","+asked+",", ","+name+",") {
			f(b, load(b, name))
		}
	}
}

var loaded sync.Map

// load makes a set the first time it is asked for.
func load(b *testing.B, name string) *set {
	b.Helper()
	if s, ok := loaded.Load(name); ok {
		return s.(*set)
	}
	var data bytes.Buffer
	if name == "20ng" {
		if _, err := newsgroups(b).WriteTo(&data); err != nil {
			b.Fatal(err)
		}
	} else {
		index, err := store.Build(b.Context(), generate(b, name), store.BuildOptions{Meta: []byte("{}")})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := index.WriteTo(&data); err != nil {
			b.Fatal(err)
		}
	}
	s := &set{name: name}
	var err error
	if s.corpus, err = engine.Decode(data.Bytes()); err != nil {
		b.Fatal(err)
	}
	if s.index, err = store.Decode(data.Bytes()); err != nil {
		b.Fatal(err)
	}
	loaded.Store(name, s)
	return s
}

func newsgroups(b *testing.B) *engine.Corpus {
	b.Helper()
	path := corpora.Path(b, "20news-bydate.tar.gz")
	source, err := reader.Read(b.Context(), []string{path}, reader.Options{Split: "train", Charset: "latin-1"})
	if err != nil {
		b.Fatal(err)
	}
	c, err := engine.Build(b.Context(), source.Documents(), engine.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

func generate(b *testing.B, name string) store.Source {
	b.Helper()
	p, ok := workload.Named(name)
	if !ok {
		b.Fatalf("there is no set %q", name)
	}
	source, err := workload.Generate(context.Background(), p, 0)
	if err != nil {
		b.Fatal(err)
	}
	return source
}
