package analysis

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/termsift/termsift/bench/testkit"
)

// This file reads the training half of 20 Newsgroups, and a part of the Fudan
// corpus, for tests and benchmarks.

var newsgroups = sync.OnceValues(readNewsgroups)

func readNewsgroups() (docs [][]byte, err error) {
	folder := os.Getenv("TERMSIFT_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(folder, "20news-bydate.tar.gz"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg || !strings.Contains(header.Name, "-train/") {
			continue
		}
		raw, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		docs = append(docs, fromLatin1(raw))
	}
}

func fromLatin1(raw []byte) []byte {
	var text []byte
	for _, b := range raw {
		text = append(text, string(rune(b))...)
	}
	return text
}

// needNewsgroups skips the test where there is no data.
func needNewsgroups(t *testing.T) [][]byte {
	t.Helper()
	docs, err := newsgroups()
	if err != nil && os.Getenv("TERMSIFT_REQUIRE_DATA") == "1" {
		t.Fatal(err)
	}
	if err != nil {
		t.Skipf("no 20 Newsgroups, set TERMSIFT_DATA to its folder: %v", err)
	}
	return docs
}

// needFudan gives every eleventh document of the Fudan corpus, 25 MB.
func needFudan(t testing.TB) [][]byte {
	t.Helper()
	path := testkit.Corpus(t, "fudan-corpus.tar.zst")
	fudan.Do(func() { fudan.docs, fudan.err = readFudan(path) })
	testkit.Is(testkit.Stop(t), fudan.err, nil)
	return fudan.docs
}

var fudan struct {
	sync.Once
	docs [][]byte
	err  error
}

func readFudan(path string) (docs [][]byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacked, err := zstd.NewReader(file)
	if err != nil {
		return nil, err
	}
	defer unpacked.Close()
	archive := tar.NewReader(unpacked)
	for place := 0; ; place++ {
		if _, err := archive.Next(); errors.Is(err, io.EOF) {
			return docs, nil
		} else if err != nil {
			return nil, err
		}
		if place%11 != 0 {
			continue
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		docs = append(docs, text)
	}
}

// benchmarkText is 20 Newsgroups, or a made-up text with Zipf's frequencies.
func benchmarkText() (name string, docs [][]byte) {
	if docs, err := newsgroups(); err == nil {
		return "20news", docs
	}
	r := rand.New(rand.NewPCG(7, 7))
	vocabulary := make([]string, 100_000)
	for i := range vocabulary {
		word := make([]byte, 2+int(math.Min(14, 2*r.ExpFloat64())))
		for j := range word {
			word[j] = 'a' + byte(r.UintN(26))
		}
		vocabulary[i] = string(word)
	}
	zipf := rand.NewZipf(r, 1.1, 3, uint64(len(vocabulary)-1))
	for range 5000 {
		var doc []byte
		for range 300 {
			doc = append(append(doc, vocabulary[zipf.Uint64()]...), " .\n"[r.IntN(3)])
		}
		docs = append(docs, doc)
	}
	return "zipf", docs
}
