package reader

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/document"
	"github.com/termsift/termsift/engine/pool"
)

// unevenLines makes lines of a few to a million bytes, ended in several ways.
func unevenLines(r *rand.Rand, size int, letters string) []byte {
	var text bytes.Buffer
	for text.Len() < size {
		n := r.IntN(3000)
		switch r.IntN(40) {
		case 0:
			n = r.IntN(1 << 20) // more than a range
		case 1:
			n = frameBytes - lineTail // of one
		case 2:
			n = 0
		}
		text.WriteString(strings.Repeat(letters, n/len(letters)+1)[:n])
		text.WriteString([]string{"\n", "\r\n", "\n\n"}[r.IntN(3)])
	}
	return text.Bytes()
}

// taken is what a source gave.
type taken struct {
	docs []string
	err  string
	sum  Summary
}

func takeAll(s *Source) (all taken) {
	for d, err := range s.Documents() {
		if err != nil {
			all.err = err.Error()
			break
		}
		all.docs = append(all.docs, fmt.Sprintf("%v %s %q", d.Source, d.ID, d.Text))
	}
	all.sum = s.Summary()
	return all
}

// A file gives what a stream of its bytes gives, which is cut by one goroutine: documents, places, errors,
// encodings and what is doubted.
func TestRangesAreAsCut(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	path := filepath.Join(t.TempDir(), "file.txt")
	ascii := unevenLines(r, 600_000, "some words ")
	at := frameBytes - lineTail // of the second range
	edge := bytes.Repeat([]byte("a word\n"), 100_000)
	for name, data := range map[string][]byte{
		"ascii":               ascii,
		"no end":              append(slices.Clone(ascii), "the last"...),
		"utf-8":               unevenLines(r, 900_000, "größer als "),
		"late utf-8":          slices.Concat(ascii, []byte("größer als\n"), ascii),
		"late latin-1":        slices.Concat(ascii, []byte("gr\xf6\xdfer als\n"), ascii, unevenLines(r, 600_000, "na\xefve ")),
		"late windows-1251":   slices.Concat(ascii, bytes.Repeat([]byte("\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0\n"), 200), ascii),
		"first byte":          slices.Concat([]byte("\xf6l\n"), ascii),
		"first of a range":    slices.Concat(edge[:at/7*7-7], bytes.Repeat([]byte{'x'}, at-at/7*7+6), []byte("\n\xf6l\n"), edge),
		"a mark":              slices.Concat([]byte("\xef\xbb\xbf"), ascii),
		"utf-16":              slices.Concat([]byte("\xff\xfe"), bytes.Repeat([]byte("a\x00 \x00b\x00\n\x00"), 100_000)),
		"cr":                  bytes.ReplaceAll(edge, []byte{'\n'}, []byte{'\r'}),
		"a line ends a range": slices.Concat(edge[:at/7*7-7], bytes.Repeat([]byte{'x'}, at-at/7*7+6), []byte{'\n'}, edge),
		"one begins it last":  slices.Concat(edge[:at/7*7-7], bytes.Repeat([]byte{'x'}, at-at/7*7+5), []byte{'\n'}, edge),
		"one line":            bytes.Repeat([]byte("word "), 300_000),
		"a line too long":     slices.Concat(ascii, bytes.Repeat([]byte{'y'}, 3<<20), []byte{'\n'}, ascii),
		"control characters":  slices.Concat(ascii, []byte("a\x00b\n"), ascii),
	} {
		testkit.Write(path, data)
		opt := Options{Format: Lines, MaxLine: 2 << 20}
		want := takeAll(mustSource(t)(From(t.Context(), path, bytes.NewReader(data), opt)))
		got := takeAll(mustSource(t)(Read(t.Context(), []string{path}, opt)))
		if len(want.docs) == 0 || !slices.Equal(got.docs, want.docs) || got.err != want.err || !reflect.DeepEqual(got.sum, want.sum) {
			t.Errorf("%s: %d documents, %q, %+v; want %d, %q, %+v", name, len(got.docs), got.err, got.sum, len(want.docs), want.err, want.sum)
		}
	}
}

func mustSource(t *testing.T) func(s *Source, err error) *Source {
	return func(s *Source, err error) *Source {
		testkit.OK(err)
		return s
	}
}

// Batches may be read in any order, and on several goroutines.
func TestRangesInAnyOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.txt")
	testkit.OK(os.WriteFile(path, unevenLines(rand.New(rand.NewPCG(3, 2)), 3_000_000, "größer als "), 0o666))
	want := takeAll(mustSource(t)(Read(t.Context(), []string{path}, Options{Format: Lines})))
	for _, threads := range []int{1, 4} {
		var batches []document.Stream
		for b := range testkit.All(mustSource(t)(Read(t.Context(), []string{path}, Options{Format: Lines})).Batches()) {
			batches = append(batches, b)
		}
		got := make([][]string, len(batches))
		err := pool.Run(t.Context(), threads, len(batches), func(_, i int) error {
			i = len(batches) - 1 - i
			for d, err := range batches[i] {
				if err != nil {
					return err
				}
				got[i] = append(got[i], fmt.Sprintf("%v %s %q", d.Source, d.ID, d.Text))
			}
			return nil
		})
		if err != nil || len(batches) < 8 || !slices.Equal(slices.Concat(got...), want.docs) {
			t.Errorf("%d threads: %d batches, %v", threads, len(batches), err)
		}
	}
}

// A file that is cut while it is read is an error, and one that cannot be read any more fails for
// whoever reads it.
func TestRangesThatBreakOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file.txt")
	testkit.OK(os.WriteFile(path, bytes.Repeat([]byte("a few words\n"), 100_000), 0o666))
	n := 0
	var err error
	for _, err = range mustSource(t)(Read(t.Context(), []string{path}, Options{Format: Lines})).Documents() {
		if n++; n == 1 {
			testkit.OK(os.Truncate(path, 600_006))
		}
	}
	testkit.Says(t, err, "changed while it was read: it had 1200000 bytes, and has 600006", n,
		"documents of a file that was cut")
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	defer cancel(why)
	var errs []error
	for b := range testkit.All(mustSource(t)(Read(ctx, []string{path}, Options{Format: Lines})).Batches()) {
		cancel(why)
		for _, err := range b {
			errs = append(errs, err)
		}
	}
	if len(errs) != 3 || !errors.Is(errors.Join(errs...), why) {
		t.Errorf("%v", errs)
	}
}
