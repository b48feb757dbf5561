package analysis

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
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
func needNewsgroups(t testing.TB) [][]byte {
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
