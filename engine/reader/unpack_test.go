package reader

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestUnpack(t *testing.T) {
	dir := t.TempDir()
	text := bytes.Repeat([]byte(`{"labels":["a"],"text":"one two"}`+"\n"), 10_000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(text)
	testkit.OK(z.Close())
	plain, compressed, broken := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "a.jsonl.gz"), filepath.Join(dir, "b.jsonl.gz")
	for path, data := range map[string][]byte{plain: text, compressed: packed.Bytes(), broken: packed.Bytes()[:packed.Len()/2]} {
		testkit.Write(path, data)
	}
	unpack := func(ctx context.Context, inputs ...string) (int64, error) {
		s := testkit.Must(Read(ctx, inputs, Options{}))
		return s.Unpack()
	}
	for _, c := range []struct {
		inputs []string
		want   int
	}{
		{[]string{plain}, 0},
		{[]string{dir}, 0},
		{[]string{compressed}, len(text)},
		{[]string{plain, compressed, compressed}, 2 * len(text)},
	} {
		if n, err := unpack(t.Context(), c.inputs...); err != nil || n != int64(c.want) {
			t.Errorf("%v: %d bytes, %v; want %d", c.inputs, n, err, c.want)
		}
	}
	if _, err := unpack(t.Context(), broken); !errors.Is(err, ErrBadInput) {
		t.Errorf("a file that breaks off: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := unpack(ctx, compressed); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestReadableTwice(t *testing.T) {
	dir := t.TempDir()
	for input, want := range map[string]bool{"-": false, os.DevNull: false, dir: true, filepath.Join(dir, "none"): true} {
		if got := ReadableTwice(input); got != want {
			t.Errorf("%s: %v, want %v", input, got, want)
		}
	}
}
