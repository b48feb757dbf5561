package files

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
)

func TestSmall(t *testing.T) {
	dir := t.TempDir()
	path := testkit.Write(filepath.Join(dir, "a"), "some text")
	s := testkit.Must(OpenSmall(path))
	if got, err := io.ReadAll(s); err != nil || string(got) != "some text" {
		t.Errorf("%q, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := OpenSmall(filepath.Join(dir, "b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	d, err := OpenSmall(dir)
	if err == nil {
		_, err = d.Read(make([]byte, 1))
		err = errors.Join(err, d.Close())
	}
	if known := (*fs.PathError)(nil); !errors.As(err, &known) || errors.Is(err, io.EOF) {
		t.Errorf("a folder: %v", err)
	}
}
